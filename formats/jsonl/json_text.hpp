// formats/jsonl/json_text.hpp - lines of JSON, which are checked once and then read in place.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <deque>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace hwtrace::jsonl {

/// A JSON value as written in a line that has been checked.
struct JsonValue {
    std::string_view raw;  ///< never empty; includes quotes and brackets

    bool is_object() const noexcept { return raw.front() == '{'; }
    bool is_array() const noexcept { return raw.front() == '['; }
    bool is_string() const noexcept { return raw.front() == '"'; }
    bool is_null() const noexcept { return raw.front() == 'n'; }
    bool is_true() const noexcept { return raw.front() == 't'; }
    bool is_false() const noexcept { return raw.front() == 'f'; }
    bool is_number() const noexcept { return raw.front() == '-' || (raw.front() >= '0' && raw.front() <= '9'); }
    /// Returns true for a number without a fraction or an exponent.
    bool is_whole() const noexcept { return is_number() && raw.find_first_of(".eE") == std::string_view::npos; }
};

/// A member of an object. `key` is the part between the quotes, with escapes.
struct JsonMember {
    std::string_view key;
    JsonValue value;
};

/// Decodes the part of a string between its quotes. The result points into the argument or, if there are escapes, into
/// `scratch`.
std::string_view text_of(std::string_view between_quotes, std::string& scratch);
inline std::string_view text_of(JsonValue string, std::string& scratch) {
    return text_of(string.raw.substr(1, string.raw.size() - 2), scratch);
}

/// Iterates over the members of a checked object or the elements of a checked array.
class JsonWalk {
public:
    explicit JsonWalk(JsonValue container) noexcept : at_(container.raw.data() + 1) {}
    /// Returns false after the last member or element.
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

/// Checks that lines are JSON objects and finds their members.
class JsonLine {
public:
    /// A syntax error in a line.
    struct Fault {
        std::size_t at;          ///< offset in the line
        std::string_view what;   ///< what was expected there
        bool may_go_on = false;  ///< the line ends there and may be the beginning of a valid one
    };

    /// A member whose object has an earlier member with the same name.
    struct Repeat {
        std::size_t at;         ///< offset of the name in the line
        std::string_view name;  ///< valid until the next call of parse()
    };

    /// Objects nested deeper than `depth` throw Failure::limit (--max-depth).
    explicit JsonLine(std::uint64_t depth) : depth_(depth) {}
    /// Returns nullopt if `line` is one object, otherwise the first fault. After success, members() returns the members
    /// of the object, which point into `line`.
    std::optional<Fault> parse(std::string_view line);
    const std::vector<JsonMember>& members() const noexcept { return members_; }
    /// Returns the first repeated member of the innermost object that ends first, or nothing if all names are unique.
    const std::optional<Repeat>& repeat() const noexcept { return repeat_; }

private:
    /// An object that is being parsed.
    struct Object {
        std::size_t first;                       ///< index in names_ of its first member
        std::array<std::uint64_t, 4> seen = {};  ///< a bit for each hash of a name
        bool may_repeat = false;                 ///< two names have the same hash
    };

    void open(char bracket);
    void close(char bracket);
    void add_name(std::string_view name, std::size_t at);

    std::uint64_t depth_;
    std::vector<JsonMember> members_;
    std::string open_;  // open brackets
    std::vector<Object> objects_;
    std::vector<Repeat> names_;          // of the members of all open objects
    std::deque<std::string> unescaped_;  // names with escapes
    std::optional<Repeat> repeat_;
};

}  // namespace hwtrace::jsonl
