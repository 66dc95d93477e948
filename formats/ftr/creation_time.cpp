#include "creation_time.hpp"

#include <array>
#include <bit>
#include <charconv>
#include <limits>

namespace hwtrace::ftr {

namespace {

constexpr std::uint64_t greatest_argument = std::numeric_limits<std::uint64_t>::max();
constexpr std::string_view least_integer = "-18446744073709551616";  // -1 - greatest_argument

template <typename Number>
std::optional<Number> whole_text(std::string_view text) {
    Number value{};
    const char* const last = text.data() + text.size();
    const auto [behind, error] = std::from_chars(text.data(), last, value);
    return error == std::errc() && behind == last ? std::optional(value) : std::nullopt;
}

/// Returns the shortest decimal string that is parsed as the same number and does not look like an integer.
std::string float_text(double value) {
    std::array<char, 32> digits{};
    const auto end = std::to_chars(digits.data(), digits.data() + digits.size(), value);
    std::string text(digits.data(), end.ptr);
    if (text.find_first_of(".en") == std::string::npos) text.append(".0");
    return text;
}

/// Parses an integer and returns it as CBOR stores it: a negative number n as -1 - n.
std::optional<CborInteger> integer(std::string_view text) {
    if (!text.starts_with('-')) {
        const auto value = whole_text<std::uint64_t>(text);
        return value ? std::optional(CborInteger{*value, false}) : std::nullopt;
    }
    if (text == least_integer) return CborInteger{greatest_argument, true};
    const auto value = whole_text<std::uint64_t>(text.substr(1));
    return value && *value != 0 ? std::optional(CborInteger{*value - 1, true}) : std::nullopt;
}

}  // namespace

std::optional<std::string> creation_time_text(const CborHead& head) {
    if (head.major == CborMajor::unsigned_integer) return std::to_string(head.argument);
    if (head.major == CborMajor::negative_integer)
        return head.argument == greatest_argument ? std::string(least_integer)
                                                  : std::string("-").append(std::to_string(head.argument + 1));
    if (head.is_float()) return float_text(cbor_float(head));
    return std::nullopt;
}

bool is_whole_creation_time(std::string_view text) {
    return integer(text).has_value();
}

bool append_creation_time(std::string_view text, Heads heads, Appender& out) {
    if (const auto whole = integer(text)) {
        heads.append(out, whole->negative ? Major::negative_integer : Major::unsigned_integer, whole->magnitude);
        return true;
    }
    const auto value = whole_text<double>(text);
    if (value) Heads::append_binary64(out.grow(longest_head), std::bit_cast<std::uint64_t>(*value));
    return value.has_value();
}

bool is_creation_time(std::string_view text) {
    return integer(text) || whole_text<double>(text);
}

}  // namespace hwtrace::ftr
