#include "values.hpp"

#include <array>
#include <bit>
#include <charconv>
#include <limits>
#include <optional>

#include "io/number_text.hpp"
#include "statement.hpp"

namespace hwtrace::txlog {

namespace {

using State = Value::State;

/// A 64-bit number with or without a sign, in two's complement.
struct Whole {
    std::uint64_t bits = 0;
    bool negative = false;
};

std::optional<Whole> parse_whole(std::string_view text) noexcept {
    if (!text.starts_with('-')) {
        const auto digits = parse_number(text);
        return digits ? std::optional(Whole{*digits, false}) : std::nullopt;
    }
    const auto digits = parse_digits(text.substr(1));
    if (!digits || *digits > std::uint64_t{1} << 63) return std::nullopt;
    return Whole{~*digits + 1, *digits != 0};
}

std::optional<double> parse_floating(std::string_view text) noexcept {
    double value = 0;
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
    if (error != std::errc() || end != text.data() + text.size()) return std::nullopt;
    return value;
}

std::string_view trimmed(std::string_view text) noexcept {
    const std::size_t first = text.find_first_not_of(" \t");
    if (first == std::string_view::npos) return {};
    return text.substr(first, text.find_last_not_of(" \t") - first + 1);
}

Value whole_value(Type type, std::string_view text) noexcept {
    Value value{.type = type};
    const auto whole = parse_whole(text);
    if (!whole) return {.state = State::wrong, .type = type};
    value.cell = whole->bits;
    if (type == Type::i64)
        value.type = !whole->negative && whole->bits >> 63 != 0 ? Type::u64 : Type::i64;
    else
        value.is_negative = whole->negative;
    return value;
}

}  // namespace

const TransactionType* type_of(std::string_view name) noexcept {
    const std::size_t bracket = name.find('[');
    if (bracket == std::string_view::npos) return find_transaction_type(name);
    const TransactionType* const type = find_transaction_type(name.substr(0, bracket));
    const bool is_width = name.ends_with(']') && parse_digits(name.substr(bracket + 1, name.size() - bracket - 2));
    const bool is_vector = type != nullptr && (type->type == Type::bits || type->type == Type::logic);
    return is_width && is_vector ? type : nullptr;
}

Value parse_value(const TransactionType& type, std::string_view text, int exponent) noexcept {
    Value value{.type = type.type};
    if (trimmed(text) == undefined) {
        value.state = State::absent;
        return value;
    }
    const bool is_quoted = text.starts_with('"');
    if (holds_text(type.type)) {
        if (is_quoted) {
            text.remove_prefix(1);
            const std::size_t end = text.find_last_not_of(" \t");
            value.is_open = end == std::string_view::npos || text[end] != '"';
            if (!value.is_open) text = text.substr(0, end);
        }
        value.text = text;
        return value;
    }
    text = trimmed(text);
    if (is_quoted && text.size() >= 2 && text.ends_with('"')) text = text.substr(1, text.size() - 2);
    value.state = State::wrong;
    if (type.type == Type::boolean) {
        const bool is_true = text == "true" || text == "1";
        if (is_true || text == "false" || text == "0") value.state = State::good;
        value.cell = is_true ? 1 : 0;
    } else if (type.type == Type::f64 || type.type == Type::fixed || type.type == Type::ufixed) {
        const auto number = parse_floating(text);
        if (number) value.state = State::good;
        value.cell = std::bit_cast<std::uint64_t>(number.value_or(0));
    } else if (type.type == Type::time) {
        const auto time = parse_time(text);
        const auto count = time ? ticks(*time, exponent) : std::nullopt;
        if (count) value.state = State::good;
        value.cell = static_cast<std::uint64_t>(count.value_or(0));
    } else {
        return whole_value(type.type, text);
    }
    return value;
}

void append_number(std::uint64_t number, Appender& out) {
    std::array<char, 20> digits;
    char* const end = std::to_chars(digits.data(), digits.data() + digits.size(), number).ptr;
    out.text({digits.data(), static_cast<std::size_t>(end - digits.data())});
}

void append_time(std::uint64_t count, int exponent, Appender& out) {
    constexpr std::array<std::string_view, 6> units{" fs", " ps", " ns", " us", " ms", " s"};
    constexpr int step = 3;
    int power = count == 0 ? 0 : exponent;
    for (; power % step != 0 || power > 0; --power)
        count *= 10;
    while (power < 0 && count % 1000 == 0) {
        count /= 1000;
        power += step;
    }
    append_number(count, out);
    out.text(units[static_cast<std::size_t>((power - femtoseconds) / step)]);
}

bool append_value(const TransactionType& type, std::uint64_t cell, Appender& out) {
    switch (type.type) {
        case Type::boolean:
            out.text(cell != 0 ? "true" : "false");
            return cell <= 1;
        case Type::i64:
            if (cell >> 63 != 0) {
                out.text("-");
                cell = ~cell + 1;
            }
            append_number(cell, out);
            return true;
        case Type::pointer: {
            std::array<char, 18> digits{'0', 'x'};
            char* const end = std::to_chars(digits.data() + 2, digits.data() + digits.size(), cell, 16).ptr;
            out.text({digits.data(), static_cast<std::size_t>(end - digits.data())});
            return true;
        }
        case Type::f64:
        case Type::fixed:
        case Type::ufixed: {
            std::array<char, 32> digits;
            const double number = std::bit_cast<double>(cell);
            char* const end = std::to_chars(digits.data(), digits.data() + digits.size(), number).ptr;
            const std::string_view text(digits.data(), static_cast<std::size_t>(end - digits.data()));
            out.text(text);
            return number == number || std::bit_cast<std::uint64_t>(parse_floating(text).value_or(0)) == cell;
        }
        default:
            append_number(cell, out);
            return true;
    }
}

}  // namespace hwtrace::txlog
