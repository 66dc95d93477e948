// formats/jsonl/json_text.hpp - one line of JSON: checked once, then walked in place.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace hwtrace::jsonl {

/// A value in a text that has been checked, as it stands there.
struct JsonValue {
    std::string_view raw;  ///< never empty; the quotes and brackets belong to it

    bool is_object() const noexcept { return raw.front() == '{'; }
    bool is_array() const noexcept { return raw.front() == '['; }
    bool is_string() const noexcept { return raw.front() == '"'; }
    bool is_null() const noexcept { return raw.front() == 'n'; }
    bool is_true() const noexcept { return raw.front() == 't'; }
    bool is_false() const noexcept { return raw.front() == 'f'; }
    bool is_number() const noexcept { return raw.front() == '-' || (raw.front() >= '0' && raw.front() <= '9'); }
    /// Of a number: without a fraction and an exponent.
    bool is_whole() const noexcept { return is_number() && raw.find_first_of(".eE") == std::string_view::npos; }
};

/// A member of an object: its key as it stands between the quotes.
struct JsonMember {
    std::string_view key;
    JsonValue value;
};

/// The text that a string means, without its quotes: a part of `raw`, or `scratch` where it has escapes.
std::string_view text_of(std::string_view between_quotes, std::string& scratch);
inline std::string_view text_of(JsonValue string, std::string& scratch) {
    return text_of(string.raw.substr(1, string.raw.size() - 2), scratch);
}

/// Goes over the members of an object, or the elements of an array, that was checked.
class JsonWalk {
public:
    explicit JsonWalk(JsonValue container) noexcept : at_(container.raw.data() + 1) {}
    /// False where there is none left.
    bool next(JsonMember& member) noexcept;
    bool next(JsonValue& element) noexcept;

private:
    void skip_blanks() noexcept {
        while (*at_ == ' ' || *at_ == '\t' || *at_ == '\r' || *at_ == '\n' || *at_ == ',' || *at_ == ':')
            ++at_;
    }
    std::string_view take_value() noexcept;

    const char* at_;
};

/// Checks lines, and tells the members of their objects.
class JsonLine {
public:
    /// What is wrong with a line, where.
    struct Fault {
        std::size_t at;
        std::string_view what;
        bool may_go_on = false;  ///< it is that the text ends: more of it could be right
    };

    /// Nesting beyond `depth` is Failure::limit (--max-depth).
    explicit JsonLine(std::uint64_t depth) : depth_(depth) {}
    /// None where `line` is one object, whose members are then members(), valid as long as the text is.
    std::optional<Fault> parse(std::string_view line);
    const std::vector<JsonMember>& members() const noexcept { return members_; }

private:
    std::uint64_t depth_;
    std::vector<JsonMember> members_;
    std::string open_;  // the brackets that are open
};

}  // namespace hwtrace::jsonl
