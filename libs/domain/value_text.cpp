#include "domain/value_text.hpp"

#include <algorithm>
#include <bit>
#include <charconv>
#include <cmath>

#include "domain/conventions.hpp"
#include "domain/csv_safety.hpp"
#include "domain/utf8.hpp"
#include "io/cursor.hpp"

namespace hwtrace {

namespace {

constexpr std::string_view replacement = "\xEF\xBF\xBD";  // U+FFFD
constexpr std::uint64_t largest_exact = std::uint64_t{1} << 53;

/// Returns true for U+0080 to U+009F. Terminals interpret them as the start of commands.
bool is_control(std::string_view sequence) noexcept {
    return sequence.size() == 2 && sequence[0] == '\xC2' && static_cast<unsigned char>(sequence[1]) < 0xA0;
}

/// Writes a vector of `width` bits: one bit as a digit, several bits in hexadecimal with a fixed number of digits.
void append_vector(std::uint64_t bits, std::uint8_t width, TextOutput& out) {
    if (width > 1) out.put("0x");
    const unsigned digits = (unsigned{width} + 3) / 4;
    out.hex(bits, std::max(digits, (static_cast<unsigned>(std::bit_width(bits)) + 3) / 4));
}

/// Writes a finite number as the shortest decimal that reads back as the same value.
template <typename Float>
void append_decimal(Float value, TextOutput& out) {
    constexpr std::size_t longest = 32;
    char* const place = out.reserve(longest);
    out.advance(static_cast<std::size_t>(std::to_chars(place, place + longest, value).ptr - place));
}

template <typename Float>
void append_json_float(Float value, TextOutput& out) {
    if (std::isnan(value))
        out.put("\"NaN\"");
    else if (std::isinf(value))
        out.put(value < 0 ? "\"-Infinity\"" : "\"Infinity\"");
    else
        append_decimal(value, out);
}

template <typename Float>
void append_float(Float value, std::uint64_t bits, TextOutput& out) {
    if (std::isfinite(value)) return append_decimal(value, out);
    out.put(std::isnan(value) ? "NaN:" : value < 0 ? "-Infinity:" : "Infinity:");
    append_hex(bits, out);
}

/// Returns the end of the part that starts at `at` and never needs escapes: printable ASCII and well-formed UTF-8
/// except `"`, `\` and control characters.
std::size_t end_of_plain(std::string_view text, std::size_t at) noexcept {
    while (at < text.size()) {
        const char c = text[at];
        if (c >= ' ' && c <= '~') {
            if (c == '"' || c == '\\') return at;
            ++at;
        } else {
            const std::size_t length = utf8_length(text, at);
            if (length < 2 || is_control(text.substr(at, length))) return at;
            at += length;
        }
    }
    return at;
}

/// Writes U+0000 to U+00FF as \u00NN. The code point of a two-byte sequence up to U+00BF equals its second byte.
void append_json_control(unsigned char code, TextOutput& out) {
    out.put("\\u");
    out.hex(code, 4);
}

}  // namespace

void append_quoted(std::string_view text, TextOutput& out) {
    out.put('"');
    for (std::size_t at = 0; at < text.size(); ++at) {
        const char c = text[at];
        if (c == '"' || c == '\\') {
            out.put('\\');
            out.put(c);
        } else if (c == '\n') {
            out.put("\\n");
        } else if (c == '\t') {
            out.put("\\t");
        } else if (c >= ' ' && c <= '~') {
            out.put(c);
        } else if (const std::size_t length = utf8_length(text, at);
                   length > 1 && !is_control(text.substr(at, length))) {
            out.put(text.substr(at, length));
            at += length - 1;
        } else {
            out.put("\\x");
            out.hex(static_cast<unsigned char>(c), 2);
        }
    }
    out.put('"');
}

bool is_plain_name(std::string_view name) noexcept {
    const auto is_plain = [](char c) { return c > ' ' && c <= '~' && c != '"' && c != '\\' && c != '='; };
    return !name.empty() && std::ranges::all_of(name, is_plain);
}

void append_name(std::string_view name, TextOutput& out) {
    if (is_plain_name(name))
        out.put(name);
    else
        append_quoted(name, out);
}

std::string name_text(std::string_view name) {
    if (is_plain_name(name)) return std::string(name);
    TextOutput quoted(-1, name.size() + 2);
    append_quoted(name, quoted);
    return std::string(quoted.text());
}

void append_hex(std::uint64_t value, TextOutput& out) {
    out.put("0x");
    out.hex(value, value == 0 ? 1 : static_cast<unsigned>(std::bit_width(value) + 3) / 4);
}

void append_hex_bytes(std::span<const std::byte> bytes, TextOutput& out) {
    for (const std::byte byte : bytes)
        out.hex(std::to_integer<std::uint64_t>(byte), 2);
}

void append_value(const Schema& schema, const Field& field, std::uint64_t cell, TextOutput& out) {
    switch (field.type) {
        case Type::i8:
        case Type::i16:
        case Type::i32:
        case Type::i64:
            out.decimal_signed(static_cast<std::int64_t>(cell));
            return;
        case Type::text:
        case Type::label:
        case Type::bits:
        case Type::logic:
            append_quoted(schema.text(static_cast<StringId>(cell)), out);
            return;
        case Type::blob:
            out.put("bytes:");
            append_hex_bytes(as_bytes(schema.text(static_cast<StringId>(cell))), out);
            return;
        case Type::enumeration:
            if (const std::string* label = schema.label(field.enumeration, cell))
                append_name(*label, out);
            else
                out.decimal(cell);
            return;
        case Type::f32:
            append_float(std::bit_cast<float>(static_cast<std::uint32_t>(cell)), cell, out);
            return;
        case Type::f64:
        case Type::fixed:
        case Type::ufixed:
            append_float(std::bit_cast<double>(cell), cell, out);
            return;
        case Type::pointer:
            append_hex(cell, out);
            return;
        case Type::u8:
        case Type::u16:
        case Type::u32:
        case Type::u64:
        case Type::boolean:
        case Type::time:
            if (field.width != 0)
                append_vector(cell, field.width, out);
            else if (conventions::is_hexadecimal(field.name))
                append_hex(cell, out);
            else
                out.decimal(cell);
            return;
    }
}

void append_json(std::string_view json, TextOutput& out) {
    for (std::size_t at = 0; at < json.size();) {
        const std::size_t length = std::max<std::size_t>(utf8_length(json, at), 1);
        if (json[at] == '\x7F' || is_control(json.substr(at, length)))
            append_json_control(static_cast<unsigned char>(json[at + length - 1]), out);
        else
            out.put(json.substr(at, length));
        at += length;
    }
}

void append_json_string(std::string_view text, TextOutput& out) {
    constexpr std::string_view escaped = "\"\\\b\f\n\r\t";
    constexpr std::string_view letters = "\"\\bfnrt";
    out.put('"');
    for (std::size_t at = 0;; ++at) {
        const std::size_t plain = at;
        at = end_of_plain(text, at);
        out.put(text.substr(plain, at - plain));
        if (at == text.size()) break;
        const char c = text[at];
        if (const std::size_t escape = escaped.find(c); escape != std::string_view::npos) {
            out.put('\\');
            out.put(letters[escape]);
        } else if (static_cast<unsigned char>(c) < 0x80) {
            append_json_control(static_cast<unsigned char>(c), out);
        } else if (utf8_length(text, at) == 2) {
            append_json_control(static_cast<unsigned char>(text[++at]), out);
        } else {
            out.put(replacement);
        }
    }
    out.put('"');
}

void append_json_integer(std::uint64_t value, JsonIntegers integers, TextOutput& out) {
    const bool quoted = integers == JsonIntegers::strings && value > largest_exact;
    if (quoted) out.put('"');
    out.decimal(value);
    if (quoted) out.put('"');
}

void append_json_integer(std::int64_t value, JsonIntegers integers, TextOutput& out) {
    if (value >= 0) return append_json_integer(static_cast<std::uint64_t>(value), integers, out);
    const bool quoted = integers == JsonIntegers::strings && value < -static_cast<std::int64_t>(largest_exact);
    if (quoted) out.put('"');
    out.decimal_signed(value);
    if (quoted) out.put('"');
}

void append_json_value(const Schema& schema, const Field& field, std::uint64_t cell, JsonIntegers integers,
                       TextOutput& out) {
    switch (field.type) {
        case Type::i8:
        case Type::i16:
        case Type::i32:
        case Type::i64:
            append_json_integer(static_cast<std::int64_t>(cell), integers, out);
            return;
        case Type::text:
        case Type::label:
        case Type::bits:
        case Type::logic:
            append_json_string(schema.text(static_cast<StringId>(cell)), out);
            return;
        case Type::blob:
            out.put('"');
            append_hex_bytes(as_bytes(schema.text(static_cast<StringId>(cell))), out);
            out.put('"');
            return;
        case Type::enumeration:
            if (const std::string* label = schema.label(field.enumeration, cell))
                append_json_string(*label, out);
            else
                append_json_integer(cell, integers, out);
            return;
        case Type::f32:
            append_json_float(std::bit_cast<float>(static_cast<std::uint32_t>(cell)), out);
            return;
        case Type::f64:
        case Type::fixed:
        case Type::ufixed:
            append_json_float(std::bit_cast<double>(cell), out);
            return;
        case Type::boolean:
            if (cell <= 1)
                out.put(cell == 1 ? "true" : "false");
            else
                out.decimal(cell);
            return;
        case Type::u8:
        case Type::u16:
        case Type::u32:
        case Type::u64:
        case Type::pointer:
        case Type::time:
            append_json_integer(cell, integers, out);
            return;
    }
}

namespace {

bool csv_is_safe = false;

/// Returns true for text such as "-1.5e3".
bool is_number(std::string_view text) noexcept {
    if (text.front() == '-' || text.front() == '+') text.remove_prefix(1);
    double value = 0;
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
    return !text.empty() && text.front() >= '0' && text.front() <= '9' && error == std::errc() &&
           end == text.data() + text.size();
}

bool is_formula(std::string_view text) noexcept {
    constexpr std::string_view begins = "=+-@\t\r";
    return !text.empty() && begins.find(text.front()) != std::string_view::npos && !is_number(text);
}

}  // namespace

void set_csv_safety(bool is_safe) noexcept {
    csv_is_safe = is_safe;
}

void append_csv(std::string_view text, TextOutput& out) {
    const bool quoted = text.empty() || text.find_first_of(",\"\r\n") != std::string_view::npos;
    if (quoted) out.put('"');
    if (csv_is_safe && is_formula(text)) out.put('\'');
    for (std::size_t at = 0; at < text.size();) {
        const std::size_t length = utf8_length(text, at);
        if (text[at] == '"') out.put('"');
        out.put(length == 0 ? replacement : text.substr(at, length));
        at += std::max<std::size_t>(length, 1);
    }
    if (quoted) out.put('"');
}

}  // namespace hwtrace
