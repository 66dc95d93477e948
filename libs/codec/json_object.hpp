// codec/json_object.hpp - writes JSON objects and arrays member by member.
#pragma once

#include <cstdint>
#include <string_view>

#include "domain/value_text.hpp"

namespace hwtrace {

/// Writes the members of one JSON object, with commas between them.
class JsonObject {
public:
    JsonObject(JsonIntegers integers, TextOutput& out) : integers_(integers), out_(out) { out_.put('{'); }

    /// Writes the name of a member. The caller writes the value to the returned output.
    TextOutput& member(std::string_view name) {
        if (!first_) out_.put(',');
        first_ = false;
        append_json_string(name, out_);
        out_.put(':');
        return out_;
    }
    /// Does the same as member() for a name that needs no escapes.
    TextOutput& known_member(std::string_view name) {
        out_.put(first_ ? "\"" : ",\"");
        first_ = false;
        out_.put(name);
        out_.put("\":");
        return out_;
    }
    /// Does the same as member() for a name that is already quoted and followed by a colon.
    TextOutput& written_member(std::string_view name) {
        if (!first_) out_.put(',');
        first_ = false;
        out_.put(name);
        return out_;
    }
    void text(std::string_view name, std::string_view value) { append_json_string(value, known_member(name)); }
    void number(std::string_view name, std::uint64_t value) {
        append_json_integer(value, integers_, known_member(name));
    }
    void number(std::string_view name, std::int64_t value) {
        append_json_integer(value, integers_, known_member(name));
    }
    void flag(std::string_view name) { known_member(name).put("true"); }
    void close() { out_.put('}'); }

    JsonIntegers integers() const noexcept { return integers_; }
    TextOutput& out() noexcept { return out_; }

private:
    JsonIntegers integers_;
    TextOutput& out_;
    bool first_ = true;
};

/// Writes a JSON array. Calls `put(element)` to write each element.
template <typename Elements, typename Put>
void append_array(const Elements& elements, TextOutput& out, Put&& put) {
    out.put('[');
    bool first = true;
    for (const auto& element : elements) {
        if (!first) out.put(',');
        first = false;
        put(element);
    }
    out.put(']');
}

}  // namespace hwtrace
