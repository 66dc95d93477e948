// codec/json_object.hpp - JSON objects and arrays written as they come, for what streams.
#pragma once

#include <cstdint>
#include <string_view>

#include "codec/value_text.hpp"

namespace hwtrace {

/// Members of JSON objects, the first of which must not follow a comma.
class JsonObject {
public:
    JsonObject(JsonIntegers integers, TextOutput& out) : integers_(integers), out_(out) { out_.put('{'); }

    /// Where a member's value may be put.
    TextOutput& member(std::string_view name) {
        if (!first_) out_.put(',');
        first_ = false;
        append_json_string(name, out_);
        out_.put(':');
        return out_;
    }
    /// The same for a name that needs no escapes.
    TextOutput& known_member(std::string_view name) {
        out_.put(first_ ? "\"" : ",\"");
        first_ = false;
        out_.put(name);
        out_.put("\":");
        return out_;
    }
    /// The same for a name that is written already: "name": with its quotes and colon.
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

/// [each element, as `put(element)` writes it].
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
