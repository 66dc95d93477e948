#include "json_text.hpp"

#include <algorithm>
#include <array>
#include <span>
#include <utility>

#include "domain/utf8.hpp"
#include "io/limits.hpp"

namespace hwtrace::jsonl {

namespace {

using Fault = JsonLine::Fault;

constexpr bool is_blank(char c) noexcept {
    return c == ' ' || c == '\t' || c == '\r';
}
constexpr bool is_digit(char c) noexcept {
    return c >= '0' && c <= '9';
}

/// True for bytes that are one character each and need no escape in a string.
constexpr auto plain = [] {
    std::array<bool, 256> table{};
    for (std::size_t c = 0x20; c < 0x80; ++c)
        table[c] = c != '"' && c != '\\';
    return table;
}();

std::optional<unsigned> hex_unit(std::string_view digits) noexcept {
    if (digits.size() < 4) return std::nullopt;
    unsigned unit = 0;
    for (const char c : digits.substr(0, 4)) {
        const unsigned digit = is_digit(c)              ? static_cast<unsigned>(c - '0')
                               : (c >= 'a' && c <= 'f') ? static_cast<unsigned>(c - 'a') + 10
                               : (c >= 'A' && c <= 'F') ? static_cast<unsigned>(c - 'A') + 10
                                                        : 16;
        if (digit == 16) return std::nullopt;
        unit = unit << 4 | digit;
    }
    return unit;
}

/// Returns true if `text` may be the cut-off digits of a Unicode escape at the end of a line: up to three hex digits.
bool may_begin_unit(std::string_view text) noexcept {
    return text.size() < 4 && text.find_first_not_of("0123456789abcdefABCDEF") == std::string_view::npos;
}

/// Returns true if `text` may be an incomplete UTF-8 sequence at the end of a line.
bool may_begin_utf8(std::string_view text) noexcept {
    const auto byte_at = [&](std::size_t at) { return static_cast<unsigned char>(text[at]); };
    const unsigned first = byte_at(0);
    const std::size_t length = first >= 0xF0 ? 4 : first >= 0xE0 ? 3 : 2;
    if (first < 0xC2 || first > 0xF4 || text.size() >= length) return false;
    for (std::size_t at = 1; at < text.size(); ++at)
        if ((byte_at(at) & 0xC0u) != 0x80) return false;
    return true;
}

constexpr bool is_high_surrogate(unsigned unit) noexcept {
    return unit >= 0xD800 && unit < 0xDC00;
}
constexpr bool is_low_surrogate(unsigned unit) noexcept {
    return unit >= 0xDC00 && unit < 0xE000;
}

void append_utf8(unsigned point, std::string& text) {
    const auto put = [&](unsigned byte) { text += static_cast<char>(byte); };
    if (point < 0x80) return put(point);
    if (point < 0x800) {
        put(0xC0 | point >> 6);
        return put(0x80 | (point & 0x3F));
    }
    if (point < 0x10000) {
        put(0xE0 | point >> 12);
    } else {
        put(0xF0 | point >> 18);
        put(0x80 | (point >> 12 & 0x3F));
    }
    put(0x80 | (point >> 6 & 0x3F));
    put(0x80 | (point & 0x3F));
}

/// Scans one JSON text (RFC 8259).
class Scan {
public:
    explicit Scan(std::string_view text) noexcept : text_(text) {}

    std::size_t at() const noexcept { return at_; }
    bool ended() const noexcept { return at_ == text_.size(); }
    char here() const noexcept { return at_ < text_.size() ? text_[at_] : '\0'; }
    void step() noexcept { ++at_; }
    void blanks() noexcept {
        while (at_ < text_.size() && is_blank(text_[at_]))
            ++at_;
    }
    const std::optional<Fault>& fault() const noexcept { return fault_; }
    /// Returns true if the last string has an escape.
    bool has_escape() const noexcept { return has_escape_; }
    bool wrong(std::string_view what) noexcept { return wrong(what, ended()); }
    /// `may_go_on` is true if the text ends inside the expected token.
    bool wrong(std::string_view what, bool may_go_on) noexcept {
        if (!fault_) fault_ = Fault{at_, what, may_go_on};
        return false;
    }

    /// Scans a string with its quotes.
    bool string() noexcept {
        ++at_;
        has_escape_ = false;
        while (true) {
            while (at_ < text_.size() && plain[static_cast<unsigned char>(text_[at_])])
                ++at_;
            if (at_ == text_.size()) return wrong("the end of the string");
            const char c = text_[at_];
            if (c == '"') {
                ++at_;
                return true;
            }
            if (c == '\\') {
                if (!escape()) return false;
                has_escape_ = true;
            } else if (static_cast<unsigned char>(c) < 0x20) {
                return wrong("control characters in a string as escapes");
            } else {
                const std::size_t length = utf8_length(text_, at_);
                if (length == 0) return wrong("UTF-8", may_begin_utf8(text_.substr(at_)));
                at_ += length;
            }
        }
    }

    bool number() noexcept {
        if (here() == '-') ++at_;
        if (!is_digit(here())) return wrong("a value");
        if (here() == '0')
            ++at_;
        else
            digits();
        if (here() == '.') {
            ++at_;
            if (!digits()) return wrong("digits after the point");
        }
        if (here() == 'e' || here() == 'E') {
            ++at_;
            if (here() == '+' || here() == '-') ++at_;
            if (!digits()) return wrong("digits in the exponent");
        }
        return true;
    }

    bool word(std::string_view expected) noexcept {
        if (text_.substr(at_, expected.size()) != expected)
            return wrong("a value", expected.starts_with(text_.substr(at_)));
        at_ += expected.size();
        return true;
    }

    bool scalar() noexcept {
        switch (here()) {
            case '"':
                return string();
            case 't':
                return word("true");
            case 'f':
                return word("false");
            case 'n':
                return word("null");
            default:
                return number();
        }
    }

private:
    bool digits() noexcept {
        const std::size_t before = at_;
        while (is_digit(here()))
            ++at_;
        return at_ != before;
    }

    bool escape() noexcept {
        constexpr std::string_view letters = "\"\\/bfnrt";
        const char letter = at_ + 1 < text_.size() ? text_[at_ + 1] : '\0';
        if (letter != 'u') {
            if (letter == '\0' || letters.find(letter) == std::string_view::npos)
                return wrong("a JSON escape", at_ + 1 == text_.size());
            at_ += 2;
            return true;
        }
        const auto unit = hex_unit(text_.substr(at_ + 2));
        if (!unit || is_low_surrogate(*unit))
            return wrong("a JSON escape", !unit && may_begin_unit(text_.substr(at_ + 2)));
        if (is_high_surrogate(*unit)) {
            const std::string_view behind = text_.substr(at_ + 6);
            const auto low = behind.starts_with("\\u") ? hex_unit(behind.substr(2)) : std::nullopt;
            if (!low || !is_low_surrogate(*low))
                return wrong("the other half of a surrogate pair",
                             behind.size() < 2 ? std::string_view("\\u").starts_with(behind)
                                               : behind.starts_with("\\u") && may_begin_unit(behind.substr(2)));
            at_ += 6;
        }
        at_ += 6;
        return true;
    }

    std::string_view text_;
    std::size_t at_ = 0;
    bool has_escape_ = false;
    std::optional<Fault> fault_;
};

}  // namespace

std::string_view text_of(std::string_view between_quotes, std::string& scratch) {
    std::size_t at = between_quotes.find('\\');
    if (at == std::string_view::npos) [[likely]]
        return between_quotes;
    scratch.assign(between_quotes.substr(0, at));
    while (at < between_quotes.size()) {
        const char c = between_quotes[at];
        if (c != '\\') {
            scratch += c;
            ++at;
            continue;
        }
        const char letter = between_quotes[at + 1];
        at += 2;
        switch (letter) {
            case 'b':
                scratch += '\b';
                break;
            case 'f':
                scratch += '\f';
                break;
            case 'n':
                scratch += '\n';
                break;
            case 'r':
                scratch += '\r';
                break;
            case 't':
                scratch += '\t';
                break;
            case 'u': {
                unsigned point = hex_unit(between_quotes.substr(at)).value_or(0);
                at += 4;
                if (is_high_surrogate(point)) {
                    const unsigned low = hex_unit(between_quotes.substr(at + 2)).value_or(0);
                    point = 0x10000 + ((point & 0x3FF) << 10 | (low & 0x3FF));
                    at += 6;
                }
                append_utf8(point, scratch);
                break;
            }
            default:
                scratch += letter;
        }
    }
    return scratch;
}

std::string_view JsonWalk::take_value() noexcept {
    const char* const begin = at_;
    std::size_t depth = 0;
    do {
        switch (*at_) {
            case '"':
                for (++at_; *at_ != '"'; ++at_)
                    if (*at_ == '\\') ++at_;
                ++at_;
                break;
            case '{':
            case '[':
                ++depth;
                ++at_;
                break;
            case '}':
            case ']':
                --depth;
                ++at_;
                break;
            case ',':
            case ':':
            case ' ':
            case '\t':
            case '\r':
                ++at_;
                break;
            default:
                while (is_digit(*at_) || (*at_ >= 'a' && *at_ <= 'z') || *at_ == '-' || *at_ == '+' || *at_ == '.' ||
                       *at_ == 'E')
                    ++at_;
        }
    } while (depth != 0);
    return {begin, static_cast<std::size_t>(at_ - begin)};
}

bool JsonWalk::next(JsonMember& member) noexcept {
    skip_blanks();
    if (*at_ == '}') return false;
    const std::string_view key = take_value();
    skip_blanks();
    member = {key.substr(1, key.size() - 2), {take_value()}};
    return true;
}

bool JsonWalk::next(JsonValue& element) noexcept {
    skip_blanks();
    if (*at_ == ']') return false;
    element = {take_value()};
    return true;
}

void JsonLine::open(char bracket) {
    open_ += bracket;
    check_limit(open_.size(), depth_, "the nesting of a line", "--max-depth");
    if (bracket == '{') objects_.push_back({.first = names_.size()});
}

/// Ends a container. Looks for a repeated name in an object if two of its names have the same hash.
void JsonLine::close(char bracket) {
    open_.pop_back();
    if (bracket != '{') return;
    const std::span<Repeat> names = std::span(names_).subspan(objects_.back().first);
    constexpr std::size_t few = 32;
    if (objects_.back().may_repeat && !repeat_) {
        if (names.size() > few)
            std::ranges::sort(names, {}, [](const Repeat& name) { return std::pair(name.name, name.at); });
        for (std::size_t i = 1; i < names.size() && !repeat_; ++i)
            for (std::size_t j = names.size() > few ? i - 1 : 0; j < i && !repeat_; ++j)
                if (names[i].name == names[j].name) repeat_ = names[i];
    }
    names_.resize(objects_.back().first);
    objects_.pop_back();
}

void JsonLine::add_name(std::string_view name, std::size_t at) {
    const auto code = [&](std::size_t i) { return static_cast<std::size_t>(static_cast<unsigned char>(name[i])); };
    const std::size_t last = name.size() - 1;
    const std::size_t hash = name.empty() ? 0 : name.size() + 7 * code(0) + 13 * code(last / 2) + 31 * code(last);
    Object& object = objects_.back();
    std::uint64_t& seen = object.seen[hash / 64 % object.seen.size()];
    const std::uint64_t bit = std::uint64_t{1} << hash % 64;
    object.may_repeat = object.may_repeat || (seen & bit) != 0;
    seen |= bit;
    names_.push_back({at, name});
}

std::optional<Fault> JsonLine::parse(std::string_view line) {
    members_.clear();
    open_.clear();
    objects_.clear();
    names_.clear();
    if (!unescaped_.empty()) unescaped_.clear();
    repeat_.reset();
    Scan scan(line);
    scan.blanks();
    if (scan.here() != '{') {
        scan.wrong("an object");
        return scan.fault();
    }
    std::string_view key;
    std::size_t begin = 0;  // start of a value in the outermost object
    const auto end_value = [&] {
        if (open_.size() == 1) members_.push_back({key, {line.substr(begin, scan.at() - begin)}});
    };
    const auto take_key = [&] {
        scan.blanks();
        const std::size_t quote = scan.at();
        if (scan.here() != '"') return scan.wrong("a member");
        if (!scan.string()) return false;
        const std::string_view name = line.substr(quote + 1, scan.at() - quote - 2);
        if (scan.has_escape()) [[unlikely]] {
            std::string scratch;
            add_name(unescaped_.emplace_back(text_of(name, scratch)), quote);
        } else {
            add_name(name, quote);
        }
        if (open_.size() == 1) key = name;
        scan.blanks();
        if (scan.here() != ':') return scan.wrong("a colon");
        scan.step();
        return true;
    };
    while (true) {
        // The position is at a value.
        if (open_.size() == 1) begin = scan.at();
        bool is_first = scan.here() == '{' || scan.here() == '[';  // no value of the innermost container was read
        if (is_first) {
            open(scan.here());
            scan.step();
        } else {
            if (!scan.scalar()) return scan.fault();
            end_value();
        }
        scan.blanks();
        while (scan.here() == (open_.back() == '{' ? '}' : ']')) {
            scan.step();
            close(open_.back());
            if (open_.empty()) {
                scan.blanks();
                if (!scan.ended()) scan.wrong("the end of the line after the object");
                return scan.fault();
            }
            is_first = false;
            end_value();
            scan.blanks();
        }
        const bool is_object = open_.back() == '{';
        if (!is_first) {
            if (scan.here() != ',') {
                scan.wrong(is_object ? "a comma or the end of the object" : "a comma or the end of the array");
                return scan.fault();
            }
            scan.step();
        }
        if (is_object && !take_key()) return scan.fault();
        scan.blanks();
    }
}

}  // namespace hwtrace::jsonl
