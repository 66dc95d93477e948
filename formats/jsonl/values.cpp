#include "values.hpp"

#include <algorithm>
#include <array>
#include <bit>
#include <charconv>
#include <cmath>
#include <limits>
#include <numeric>

#include "codec/settings.hpp"
#include "io/number_text.hpp"

namespace hwtrace::jsonl {

namespace {

__extension__ using Wide = unsigned __int128;

std::string_view inside(JsonValue string) noexcept {
    return string.raw.substr(1, string.raw.size() - 2);
}

/// Converts decimal digits, or 0x and hexadecimal digits, with an optional minus sign. A negative number becomes its
/// two's complement, and `negative` is set. Returns nullopt for other text and numbers out of range.
std::optional<std::uint64_t> bits_of_whole(std::string_view text, bool& negative) noexcept {
    negative = text.starts_with('-');
    const auto number = parse_number(negative ? text.substr(1) : text);
    if (!number) return std::nullopt;
    if (negative && *number > std::uint64_t{1} << 63) return std::nullopt;
    return negative ? 0 - *number : *number;
}

/// Converts a string or a number to a whole number in the same way. 5.0 and 1e3 are whole numbers, too.
std::optional<std::uint64_t> bits_of(JsonValue value, bool& negative) noexcept {
    if (value.is_string()) return bits_of_whole(inside(value), negative);
    if (!value.is_number()) return std::nullopt;
    if (value.is_whole()) [[likely]]
        return bits_of_whole(value.raw, negative);
    const auto number = parse_decimal<double>(value.raw);
    constexpr double most = 9007199254740992.0;  // beyond 2^53 a double is not exact
    if (!number || std::trunc(*number) != *number || std::abs(*number) > most) return std::nullopt;
    negative = *number < 0;
    return static_cast<std::uint64_t>(static_cast<std::int64_t>(*number));
}

/// Returns true if `text` is no whole number, or if `number` equals it.
template <typename Float>
bool is_exact(std::string_view text, Float number) noexcept {
    constexpr std::size_t always_exact = std::numeric_limits<Float>::digits10;
    if (text.size() <= always_exact || text.find_first_not_of("-0123456789") != std::string_view::npos) return true;
    std::array<char, std::numeric_limits<Float>::max_exponent10 + 3> digits;
    const auto end = std::to_chars(digits.data(), digits.data() + digits.size(), number, std::chars_format::fixed, 0);
    return std::string_view(digits.data(), static_cast<std::size_t>(end.ptr - digits.data())) == text;
}

template <typename Float, typename Bits>
Fit float_cell(JsonValue value, std::uint64_t& cell) noexcept {
    std::string_view text = value.raw;
    if (value.is_string()) {
        text = inside(value);
        if (const auto bits = parse_hexadecimal(text)) {
            cell = *bits;
            return Fit::good;
        }
        const bool negative = text.starts_with('-');
        const std::string_view name = negative ? text.substr(1) : text;
        constexpr Float infinity = std::numeric_limits<Float>::infinity();
        if (name == "Infinity") {
            cell = std::bit_cast<Bits>(negative ? -infinity : infinity);
            return Fit::good;
        }
        if (text == "NaN") {
            cell = std::bit_cast<Bits>(std::numeric_limits<Float>::quiet_NaN());
            return Fit::good;
        }
    } else if (!value.is_number()) {
        return Fit::wrong;
    }
    const auto number = parse_decimal<Float>(text);
    if (!number || !std::isfinite(*number)) return Fit::wrong;
    cell = std::bit_cast<Bits>(*number);
    return is_exact(text, *number) ? Fit::good : Fit::rounded;
}

/// Returns n for a unit of 10^-n seconds: 9 for "ns". Returns nullopt for unknown units.
std::optional<unsigned> exponent_of(std::string_view unit) noexcept {
    constexpr std::array<std::string_view, 6> units{"s", "ms", "us", "ns", "ps", "fs"};
    const auto found = std::ranges::find(units, unit);
    if (found == units.end()) return std::nullopt;
    return static_cast<unsigned>(3 * (found - units.begin()));
}

/// A time with a unit, such as "-12.5ns": `number` * 10^-exponent seconds.
struct Moment {
    bool negative = false;
    std::uint64_t number = 0;
    unsigned exponent = 0;
    std::string_view unit;
};

std::optional<Moment> moment_of(std::string_view text) noexcept {
    Moment moment;
    moment.negative = text.starts_with('-');
    if (moment.negative) text.remove_prefix(1);
    unsigned fraction = 0;
    bool behind_point = false, any = false;
    std::size_t at = 0;
    for (; at < text.size(); ++at) {
        const char c = text[at];
        if (c == '.' && any && !behind_point) {
            behind_point = true;
            continue;
        }
        if (c < '0' || c > '9') break;
        any = true;
        if (behind_point) ++fraction;
        if (fraction > 15 || moment.number > (std::numeric_limits<std::uint64_t>::max() - 9) / 10) return std::nullopt;
        moment.number = 10 * moment.number + static_cast<unsigned>(c - '0');
    }
    while (at < text.size() && text[at] == ' ')
        ++at;
    moment.unit = text.substr(at);
    const auto exponent = exponent_of(moment.unit);
    if (!any || !exponent) return std::nullopt;
    moment.exponent = *exponent + fraction;
    return moment;
}

Wide power_of_ten(unsigned exponent) noexcept {
    Wide power = 1;
    for (; exponent > 0; --exponent)
        power *= 10;
    return power;
}

Wide greatest_common_divisor(Wide a, Wide b) noexcept {
    while (b != 0) {
        const Wide rest = a % b;
        a = b;
        b = rest;
    }
    return a;
}

std::optional<Ticks> ticks_of_moment(const Moment& moment, const TimeBase& base) noexcept {
    if (base.kind == TimeBase::Kind::ordinal || base.num == 0 || base.den == 0) return std::nullopt;
    // The result is the time (number / 10^exponent seconds) divided by the length of a tick (num / den seconds).
    Wide below = power_of_ten(moment.exponent), above = base.den;
    const Wide common = greatest_common_divisor(above, below);
    above = above / common * moment.number;  // both below 2^64
    below /= common;
    Wide divisor = 0;
    if (__builtin_mul_overflow(below, Wide{base.num}, &divisor)) return std::nullopt;
    const Wide ticks = above / divisor, rest = above % divisor;
    if (ticks >= Wide{1} << 63) return std::nullopt;
    auto value = static_cast<std::int64_t>(ticks);
    if (moment.negative) value = rest == 0 ? -value : -value - 1;
    return Ticks{value, rest == 0};
}

}  // namespace

std::optional<std::uint64_t> whole_number(JsonValue value) noexcept {
    bool negative = false;
    const auto bits = bits_of(value, negative);
    return negative && bits != 0 ? std::nullopt : bits;
}

std::optional<std::int64_t> signed_number(JsonValue value) noexcept {
    bool negative = false;
    const auto bits = bits_of(value, negative);
    if (!bits || (!negative && *bits >> 63 != 0)) return std::nullopt;
    return static_cast<std::int64_t>(*bits);
}

bool read_digits(std::string_view digits, std::vector<std::byte>& bytes) {
    bytes.clear();
    if (digits.size() % 2 != 0) return false;
    bytes.reserve(digits.size() / 2);
    for (std::size_t at = 0; at < digits.size(); at += 2) {
        unsigned byte = 0;
        const char* const end = digits.data() + at + 2;
        if (std::from_chars(digits.data() + at, end, byte, 16).ptr != end) return false;
        bytes.push_back(static_cast<std::byte>(byte));
    }
    return true;
}

std::optional<TimeBase> time_base(JsonValue value, std::string& scratch) {
    if (value.is_string()) {
        const std::string_view name = text_of(value, scratch);
        if (name == "cycles") return TimeBase{TimeBase::Kind::cycles, 1, 0};
        if (name == "ordinal") return ordinals;
        if (const auto exponent = exponent_of(name))
            return TimeBase{TimeBase::Kind::seconds, 1, static_cast<std::uint64_t>(power_of_ten(*exponent))};
        const auto period = parse_time_ps(name);
        if (!period || *period == 0) return std::nullopt;
        return TimeBase{TimeBase::Kind::cycles, *period, picoseconds_per_second};
    }
    if (!value.is_object()) return std::nullopt;
    TimeBase base;
    JsonWalk walk(value);
    for (JsonMember member; walk.next(member);) {
        if (member.key == "base") {
            constexpr std::array<std::string_view, 3> names{"seconds", "cycles", "ordinal"};
            if (!member.value.is_string()) return std::nullopt;
            const auto name = std::ranges::find(names, text_of(member.value, scratch));
            if (name == names.end()) return std::nullopt;
            base.kind = static_cast<TimeBase::Kind>(name - names.begin());
        } else if (member.key == "num" || member.key == "den") {
            const auto number = whole_number(member.value);
            if (!number) return std::nullopt;
            (member.key == "num" ? base.num : base.den) = *number;
        }
    }
    const bool has_length = base.num != 0 && base.den != 0;
    if (!has_length && base.kind != TimeBase::Kind::cycles) return std::nullopt;
    return base;
}

std::optional<TimeBase> base_of_time(JsonValue time) noexcept {
    if (!time.is_string()) return std::nullopt;
    const auto moment = moment_of(inside(time));
    if (!moment) return std::nullopt;
    const bool fine = moment->exponent > 12;  // also true with trailing zeros, which is harmless
    return TimeBase{TimeBase::Kind::seconds, 1, fine ? 1000 * picoseconds_per_second : picoseconds_per_second};
}

std::optional<Ticks> ticks_of(JsonValue value, const TimeBase& base) noexcept {
    if (const auto number = signed_number(value)) [[likely]]
        return Ticks{*number, true};
    if (!value.is_string()) return std::nullopt;
    const auto moment = moment_of(inside(value));
    return moment ? ticks_of_moment(*moment, base) : std::nullopt;
}

Type Values::type_of(JsonValue value) noexcept {
    if (value.is_true() || value.is_false()) return Type::boolean;
    if (value.is_string()) return parse_hexadecimal(inside(value)) ? Type::u64 : Type::text;
    if (!value.is_number()) return Type::text;
    if (!value.is_whole()) return Type::f64;
    if (signed_number(value)) return Type::i64;
    return whole_number(value) ? Type::u64 : Type::f64;
}

std::optional<std::string_view> Values::text(JsonValue value) {
    if (value.is_string()) {
        const std::string_view text = text_of(value, scratch_);
        check_limit(text.size(), limits_.string, "a text", "--max-string");
        return text;
    }
    if (!value.is_object()) return std::nullopt;
    JsonWalk walk(value);
    JsonMember member;
    if (!walk.next(member) || member.key != "bytes" || !member.value.is_string()) return std::nullopt;
    check_limit(member.value.raw.size() / 2, limits_.string, "a text", "--max-string");
    if (!read_digits(inside(member.value), bytes_)) return std::nullopt;
    return std::string_view(reinterpret_cast<const char*>(bytes_.data()), bytes_.size());
}

Fit Values::text_cell(const Field& field, JsonValue value, std::uint64_t& cell) {
    if (value.is_object()) {
        JsonWalk walk(value);
        JsonMember member;
        if (walk.next(member) && member.key == "id") {
            const auto id = whole_number(member.value);
            if (!id || *id >= schema_.string_count()) return Fit::wrong;
            cell = *id;
            return Fit::good;
        }
    }
    if (value.is_array()) return Fit::wrong;
    if (field.type == Type::blob && value.is_string()) {
        if (!read_digits(inside(value), bytes_)) return Fit::wrong;
        check_limit(bytes_.size(), limits_.string, "a text", "--max-string");
        cell = schema_.intern({reinterpret_cast<const char*>(bytes_.data()), bytes_.size()});
        return Fit::good;
    }
    if (!value.is_string() && !value.is_object()) {
        cell = schema_.intern(value.raw);
        return Fit::good;
    }
    const auto read = text(value);
    if (!read) return Fit::wrong;
    cell = schema_.intern(*read);
    return Fit::good;
}

Fit Values::label_cell(const Field& field, JsonValue value, std::uint64_t& cell) {
    if (value.is_string() && field.enumeration < schema_.enums().size()) {
        if (labels_.size() <= field.enumeration) labels_.resize(schema_.enums().size());
        Labels& labels = labels_[field.enumeration];
        const std::vector<EnumValue>& all = schema_.enums()[field.enumeration].values;
        for (; labels.known < all.size(); ++labels.known)
            labels.values.try_emplace(all[labels.known].name, all[labels.known].value);
        if (const auto found = labels.values.find(text_of(value, scratch_)); found != labels.values.end()) {
            cell = found->second;
            return Fit::good;
        }
    }
    const auto number = whole_number(value);
    cell = number.value_or(0);
    return number ? Fit::good : Fit::wrong;
}

bool Values::is_in_range(Type type, std::uint64_t cell) noexcept {
    const auto number = static_cast<std::int64_t>(cell);
    switch (type) {
        case Type::u8:
        case Type::boolean:
            return cell <= std::numeric_limits<std::uint8_t>::max();
        case Type::u16:
            return cell <= std::numeric_limits<std::uint16_t>::max();
        case Type::u32:
            return cell <= std::numeric_limits<std::uint32_t>::max();
        case Type::i8:
            return number == static_cast<std::int8_t>(number);
        case Type::i16:
            return number == static_cast<std::int16_t>(number);
        case Type::i32:
            return number == static_cast<std::int32_t>(number);
        default:
            return true;
    }
}

Fit Values::cell(const Field& field, JsonValue value, std::uint64_t& cell) {
    if (value.is_null()) return Fit::absent;
    switch (field.type) {
        case Type::u8:
        case Type::u16:
        case Type::u32:
        case Type::u64:
        case Type::pointer:
        case Type::time: {
            const auto number = whole_number(value);
            cell = number.value_or(0);
            return number ? Fit::good : Fit::wrong;
        }
        case Type::i8:
        case Type::i16:
        case Type::i32:
        case Type::i64: {
            const auto number = signed_number(value);
            cell = static_cast<std::uint64_t>(number.value_or(0));
            return number ? Fit::good : Fit::wrong;
        }
        case Type::f32:
            return float_cell<float, std::uint32_t>(value, cell);
        case Type::f64:
        case Type::fixed:
        case Type::ufixed:
            return float_cell<double, std::uint64_t>(value, cell);
        case Type::boolean: {
            if (value.is_true() || value.is_false()) {
                cell = value.is_true() ? 1 : 0;
                return Fit::good;
            }
            const auto number = whole_number(value);
            cell = number.value_or(0);
            return number ? Fit::good : Fit::wrong;
        }
        case Type::enumeration:
            return label_cell(field, value, cell);
        case Type::text:
        case Type::label:
        case Type::bits:
        case Type::logic:
        case Type::blob:
            return text_cell(field, value, cell);
    }
    return Fit::wrong;
}

}  // namespace hwtrace::jsonl
