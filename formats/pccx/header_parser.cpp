// formats/pccx/header_parser.cpp - the tolerant parser of the JSON header.
#include <algorithm>
#include <limits>
#include <set>
#include <vector>

#include "codec.hpp"
#include "header.hpp"
#include "header_json.hpp"
#include "io/error.hpp"
#include "io/number_text.hpp"
#include "rules.hpp"
#include "wire.hpp"

namespace hwtrace::pccx {

namespace {

/// A scalar value in the header.
struct Scalar {
    enum class Kind : std::uint8_t { null, boolean, natural, negative, real, text } kind = Kind::null;
    std::uint64_t natural = 0;
    double real = 0;
    std::string_view token;  ///< the token in the file; for a string, its content
};

std::string_view name_of(Scalar::Kind kind) noexcept {
    switch (kind) {
        case Scalar::Kind::null:
            return "null";
        case Scalar::Kind::boolean:
            return "a boolean";
        case Scalar::Kind::natural:
            return "the number";
        case Scalar::Kind::negative:
            return "the negative number";
        case Scalar::Kind::real:
            return "the number";
        case Scalar::Kind::text:
            return "the string";
    }
    return "?";
}

std::string describe(const Scalar& value) {
    std::string text(name_of(value.kind));
    if (value.kind == Scalar::Kind::null || value.kind == Scalar::Kind::boolean) return text;
    if (value.kind == Scalar::Kind::text) return text.append(" ").append(json_text(value.token.substr(0, 60)));
    return text.append(" ").append(value.token.substr(0, 60));
}

/// An iterator that feeds the JSON parser. Counts the characters taken, which determine the file offsets of values.
struct Position {
    using iterator_category = std::input_iterator_tag;
    using value_type = char;
    using difference_type = std::ptrdiff_t;
    using pointer = const char*;
    using reference = const char&;

    const char* at;
    std::size_t* taken;

    reference operator*() const noexcept { return *at; }
    Position& operator++() noexcept {
        ++at;
        ++*taken;
        return *this;
    }
    Position operator++(int) noexcept {
        Position before = *this;
        ++*this;
        return before;
    }
    friend bool operator!=(const Position& a, const Position& b) noexcept { return a.at != b.at; }
};

/// Handles the events of the JSON parser. Stores known keys in a Header, and unknown keys as JSON.
class HeaderParser {
public:
    HeaderParser(std::string_view text, std::uint64_t offset, const Limits& limits, Findings& findings, Header& header)
        : text_(text), offset_(offset), limits_(limits), findings_(findings), header_(header) {}

    void parse() {
        std::string_view json = text_;
        constexpr std::string_view byte_order_mark = "\xEF\xBB\xBF";
        if (json.starts_with(byte_order_mark)) {
            report(Check::around_json, 0, "", "JSON", "a byte order mark");
            json.remove_prefix(byte_order_mark.size());
            json_begin_ = taken_ = token_end_ = byte_order_mark.size();
        }
        if (const std::size_t last = json.find_last_not_of('\0'); last + 1 < json.size()) {
            json = json.substr(0, last + 1);
            report(Check::around_json, taken_ + json.size(), "", "the end of the header", "NUL bytes");
        }
        const char* const end = json.data() + json.size();
        if (json.find('\0') != std::string_view::npos)  // the JSON library would stop there
            parse_error(json.find('\0') + 1, {}, std::runtime_error("a NUL byte"));
        else
            Json::sax_parse(Position{json.data(), &taken_}, Position{end, nullptr}, this);
        if (failed_) fail(Failure::input, "the header is not a JSON object; nothing is known about the payload");
        settle_ours();
    }

    // --- parser events; returning false stops the parser ---
    bool null() { return scalar({Scalar::Kind::null, 0, 0, "null"}); }
    bool boolean(bool value) { return scalar({Scalar::Kind::boolean, 0, 0, value ? "true" : "false"}); }
    bool number_unsigned(std::uint64_t value) {
        number_ = std::to_string(value);
        return scalar({Scalar::Kind::natural, value, static_cast<double>(value), number_}, true);
    }
    bool number_integer(std::int64_t value) {
        number_ = std::to_string(value);
        return scalar({Scalar::Kind::negative, 0, static_cast<double>(value), number_}, true);
    }
    bool number_float(double value, const std::string& token) {
        return scalar({Scalar::Kind::real, 0, value, token}, true);
    }
    bool string(std::string& value) { return scalar({Scalar::Kind::text, 0, 0, value}); }
    bool binary(Json::binary_t&) { return true; }  // JSON has none
    bool start_object(std::size_t) { return begin('{'); }
    bool end_object() { return end('}'); }
    bool start_array(std::size_t) { return begin('['); }
    bool end_array() { return end(']'); }
    bool key(std::string& name) {
        const std::uint64_t at = token_begin();
        token_end_ = taken_;
        if (skip_depth_ != 0) return true;
        if (foreign_depth_ != 0) {
            foreign_.key(name);
            return true;
        }
        Frame& frame = frames_.back();
        known_ = find_key(frame.object, name);
        key_at_ = at;
        if (known_ == nullptr) {
            if (!frame.unknown.insert(name).second)
                report(Check::unknown_key_twice, at, "", "one " + json_text(name), "another one");
            std::string& unknown = header_.unknown[static_cast<std::size_t>(frame.object)];
            const bool ours = frame.object == Object::header && name == kept_key;
            if (ours) {
                settle_ours();
                ours_at_ = unknown.size();
            }
            foreign_ = JsonText(ours ? ours_ : unknown);
            if (!ours) foreign_.key(name);
        }
        return true;
    }
    template <typename Exception>
    bool parse_error(std::size_t read, const std::string&, const Exception& exception) {
        fault_at_ = json_begin_ + std::max<std::size_t>(read, 1) - 1;  // `read` includes the faulty character
        std::string_view what = exception.what();
        if (const std::size_t colon = what.rfind("error while"); colon != std::string_view::npos)
            what = what.substr(colon);
        return broken(what);
    }

private:
    struct Frame {
        Object object;
        bool array = false;
        std::size_t index = 0;  ///< index of the next array element
        std::uint64_t begin = 0;
        std::uint32_t seen = 0;  ///< known keys found so far: one bit per Key
        std::set<std::string, std::less<>> unknown{};
    };

    /// Returns the start of the token that the parser has just taken. The token follows the previous token and
    /// separators.
    std::uint64_t token_begin() const noexcept {
        const std::size_t begin = text_.find_first_not_of(" \t\r\n,:", token_end_);
        return begin == std::string_view::npos ? text_.size() : begin;
    }

    /// Returns a number as written in the file.
    std::string_view token_text(std::uint64_t at) const noexcept {
        const std::size_t end = std::min(text_.find_first_of(" \t\r\n,]}", at), text_.size());
        return text_.substr(at, end - at);
    }

    bool broken(std::string_view what) {
        if (!failed_)
            report(Check::header_not_json, std::min<std::uint64_t>(fault_at_, text_.size()), "", "a JSON object",
                   std::string(what.substr(0, 200)));
        failed_ = true;
        return false;
    }

    void report(Check check, std::uint64_t at, std::string_view where, std::string expected, std::string got) {
        Finding finding{&rule(check), offset_ + at};
        finding.where = where;
        finding.expected = std::move(expected);
        finding.got = std::move(got);
        findings_.report(std::move(finding));
    }

    void wrong(const KnownKey& known, std::uint64_t at, std::string expected, std::string got) {
        report(Check::value_wrong, at, known.path, std::move(expected), std::move(got));
    }

    /// Ends a value of the key "hwtrace". The first value in hwtrace's form is kept. Any other value becomes an unknown
    /// key in its original place.
    void settle_ours() {
        if (ours_.empty()) return;
        if (header_.kept.empty() && kept_metadata(ours_)) {
            header_.kept = std::move(ours_);
        } else {
            std::string& unknown = header_.unknown[static_cast<std::size_t>(Object::header)];
            std::string member;
            JsonText text(member);
            text.key(kept_key);
            text.value(ours_);
            const bool is_first = ours_at_ == 0;
            if (!is_first) member.insert(member.begin(), ',');
            if (is_first && !unknown.empty()) member.push_back(',');
            unknown.insert(ours_at_, member);
        }
        ours_.clear();
    }

    /// Returns the known key of the next value, or nullptr if its key is unknown. If the object is written as an array,
    /// advances to its next element.
    const KnownKey* take_key() {
        Frame& frame = frames_.back();
        if (frame.array) known_ = key_at(frame.object, frame.index++);
        return known_;
    }

    /// Returns true if the key occurs for the first time in the object. Otherwise reports the key and returns false.
    bool claim(const KnownKey& known, std::uint64_t at) {
        std::uint32_t& seen = frames_.back().seen;
        const std::uint32_t bit = 1u << static_cast<unsigned>(known.key);
        if ((seen & bit) != 0) report(Check::key_twice, at, known.path, "the key once", "the key again");
        const bool first = (seen & bit) == 0;
        seen |= bit;
        return first;
    }

    bool begin(char bracket) {
        const std::uint64_t at = token_begin();
        token_end_ = taken_;
        if (++depth_ > limits_.depth) refuse(depth_, limits_.depth, "nesting of the JSON header", "max-depth");
        if (foreign_depth_ != 0 || (!frames_.empty() && in_dims_ == 0 && is_foreign())) {
            foreign_.begin(bracket);
            ++foreign_depth_;
            return true;
        }
        if (skip_depth_ != 0 || in_dims_ != 0) {
            ++skip_depth_;
            dims_wrong_ = dims_wrong_ || in_dims_ != 0;
            return true;
        }
        if (frames_.empty()) {
            if (bracket == '[') report(Check::object_as_array, at, "the header", "an object", "an array");
            header_.present[static_cast<std::size_t>(Object::header)] = true;
            frames_.push_back({Object::header, bracket == '[', 0, at});
            return true;
        }
        const KnownKey* const known = take_key();
        if (known == nullptr) {  // more elements than keys
            wrong(known_keys.front(), at, "the end of the array", "another element");
            skip_depth_ = 1;
            return true;
        }
        if (!claim(*known, frames_.back().array ? at : key_at_)) {
            skip_depth_ = 1;
            return true;
        }
        switch (known->key) {
            case Key::arch:
                return open(Object::arch, bracket, at);
            case Key::trace:
                return open(Object::trace, bracket, at);
            case Key::payload:
                return open(Object::payload, bracket, at);
            case Key::mac_dims:
                if (bracket == '[') {
                    in_dims_ = 1;
                    dims_at_ = at;
                    dims_wrong_ = false;
                    dims_.clear();
                    return true;
                }
                break;
            default:
                break;
        }
        wrong(*known, at,
              known->key == Key::mac_dims ? "an array of two u32"
              : is_text(known->key)       ? "a string"
                                          : "a number",
              bracket == '[' ? "an array" : "an object");
        skip_depth_ = 1;
        return true;
    }

    static bool is_text(Key key) noexcept {
        return key == Key::lab_version || key == Key::isa_version || key == Key::encoding;
    }

    bool open(Object object, char bracket, std::uint64_t at) {
        if (bracket == '[') report(Check::object_as_array, at, key_name(object), "an object", "an array");
        header_.present[static_cast<std::size_t>(object)] = true;
        frames_.push_back({object, bracket == '[', 0, at});
        return true;
    }

    static std::string_view key_name(Object object) noexcept {
        constexpr std::array<std::string_view, objects> names{"the header", "arch", "trace", "payload"};
        return names[static_cast<std::size_t>(object)];
    }

    bool end(char bracket) {
        token_end_ = taken_;
        --depth_;
        if (foreign_depth_ != 0) {
            foreign_.end(bracket);
            --foreign_depth_;
            return true;
        }
        if (skip_depth_ != 0) {
            --skip_depth_;
            return true;
        }
        if (in_dims_ != 0) {
            in_dims_ = 0;
            if (dims_wrong_ || dims_.size() != 2)
                wrong(*find_key(Object::arch, "mac_dims"), dims_at_, "an array of two u32",
                      dims_wrong_ ? "other elements" : "an array of " + std::to_string(dims_.size()));
            else
                header_.mac_dims = {dims_[0], dims_[1]};
            return true;
        }
        const Frame& frame = frames_.back();
        for (const KnownKey& known : known_keys) {
            if (known.object != frame.object || !known.mandatory) continue;
            if ((frame.seen >> static_cast<unsigned>(known.key) & 1u) == 0)
                report(Check::key_missing, frame.begin, key_name(frame.object), json_text(known.name), "no such key");
        }
        frames_.pop_back();
        return true;
    }

    /// Returns true if the next value belongs to an unknown key.
    bool is_foreign() const noexcept { return skip_depth_ == 0 && !frames_.back().array && known_ == nullptr; }

    bool scalar(const Scalar& value, bool number = false) {
        const std::uint64_t at = token_begin();
        // The parser takes one character after a number, except at the end of the input.
        token_end_ = number && taken_ < text_.size() ? taken_ - 1 : taken_;
        if (frames_.empty()) {
            fault_at_ = at;
            return broken("another value");
        }
        if (skip_depth_ != 0) return true;
        if (in_dims_ != 0) {
            if (value.kind != Scalar::Kind::natural || value.natural > 0xFFFF'FFFF)
                dims_wrong_ = true;
            else if (dims_.size() < 3)
                dims_.push_back(static_cast<std::uint32_t>(value.natural));
            return true;
        }
        if (foreign_depth_ != 0 || is_foreign()) {
            // Numbers stay as written: "-0" and "1e2" would change otherwise.
            foreign_.value(value.kind == Scalar::Kind::text ? json_text(value.token)
                           : number                         ? std::string(token_text(at))
                                                            : std::string(value.token));
            return true;
        }
        const KnownKey* const known = take_key();
        if (known == nullptr) {
            wrong(known_keys.front(), at, "the end of the array", "another element");
            return true;
        }
        if (claim(*known, frames_.back().array ? at : key_at_)) assign(*known, value, at);
        return true;
    }

    template <typename Number>
    void assign_natural(const KnownKey& known, const Scalar& value, std::uint64_t at, std::optional<Number>& place) {
        if (value.kind == Scalar::Kind::natural && value.natural <= std::numeric_limits<Number>::max()) {
            place = static_cast<Number>(value.natural);
            return;
        }
        wrong(known, at, "a number from 0 to " + std::to_string(std::numeric_limits<Number>::max()), describe(value));
    }

    void assign_text(const KnownKey& known, const Scalar& value, std::uint64_t at, std::optional<std::string>& place) {
        if (value.kind == Scalar::Kind::text) {
            check_limit(value.token.size(), limits_.string, "a string of the header", "max-string");
            place = std::string(value.token);
            return;
        }
        wrong(known, at, "a string", describe(value));
    }

    void assign_checksum(const KnownKey& known, const Scalar& value, std::uint64_t at) {
        if (value.kind == Scalar::Kind::null) {
            header_.checksum_null = true;
            return;
        }
        if (value.kind != Scalar::Kind::text) return assign_natural(known, value, at, header_.checksum);
        // A string of 16 digits is read as hexadecimal (formats/pccx/README.md#checksum).
        std::string_view digits = value.token;
        const bool prefixed = digits.starts_with("0x") || digits.starts_with("0X");
        if (prefixed) digits.remove_prefix(2);
        const bool letters = digits.find_first_of("abcdefABCDEF") != std::string_view::npos;
        const bool hexadecimal = prefixed || letters || digits.size() == 16;
        const auto number = parse_digits(digits, hexadecimal ? 16 : 10);
        if (!number || (hexadecimal && digits.size() > 16))
            return wrong(known, at, "a number from 0 to 2^64-1", describe(value));
        header_.checksum = *number;
        report(Check::checksum_text, at, known.path, "a number", describe(value));
    }

    void assign(const KnownKey& known, const Scalar& value, std::uint64_t at) {
        switch (known.key) {
            case Key::lab_version:
                return assign_text(known, value, at, header_.lab_version);
            case Key::format_minor:
                return assign_natural(known, value, at, header_.format_minor);
            case Key::isa_version:
                return assign_text(known, value, at, header_.isa_version);
            case Key::peak_tops:
                if (value.kind != Scalar::Kind::natural && value.kind != Scalar::Kind::negative &&
                    value.kind != Scalar::Kind::real)
                    return wrong(known, at, "a number", describe(value));
                header_.peak_tops = value.real;
                return;
            case Key::cycles:
                return assign_natural(known, value, at, header_.cycles);
            case Key::cores:
                return assign_natural(known, value, at, header_.cores);
            case Key::clock_mhz:
                header_.clock_at = offset_ + at;
                return assign_natural(known, value, at, header_.clock_mhz);
            case Key::encoding:
                header_.encoding_at = offset_ + at;
                return assign_text(known, value, at, header_.encoding);
            case Key::byte_length:
                return assign_natural(known, value, at, header_.byte_length);
            case Key::checksum:
                return assign_checksum(known, value, at);
            case Key::arch:
            case Key::trace:
            case Key::payload:
                return wrong(known, at, "an object", describe(value));
            case Key::mac_dims:
                return wrong(known, at, "an array of two u32", describe(value));
        }
    }

    std::string_view text_;
    std::uint64_t offset_;
    const Limits& limits_;
    Findings& findings_;
    Header& header_;

    std::size_t json_begin_ = 0;
    std::size_t taken_ = 0;  ///< characters that the parser has seen
    std::uint64_t fault_at_ = 0;
    std::size_t token_end_ = 0;  ///< end of the previous token
    std::string number_;
    std::uint64_t depth_ = 0;
    std::vector<Frame> frames_;
    const KnownKey* known_ = nullptr;  ///< key of the next value; nullptr: an unknown key
    std::uint64_t key_at_ = 0;
    std::uint64_t skip_depth_ = 0;  ///< nesting depth inside an omitted value
    int in_dims_ = 0;
    bool dims_wrong_ = false;
    std::uint64_t dims_at_ = 0;
    std::vector<std::uint32_t> dims_;
    std::uint64_t foreign_depth_ = 0;
    std::string nowhere_;
    JsonText foreign_{nowhere_};
    std::string ours_;         ///< the last value of the key "hwtrace"
    std::size_t ours_at_ = 0;  ///< its position in Header::unknown
    bool failed_ = false;
};

}  // namespace

void parse_header(std::string_view text, std::uint64_t offset, const Limits& limits, Findings& findings,
                  Header& header) {
    HeaderParser(text, offset, limits, findings, header).parse();
}

}  // namespace hwtrace::pccx
