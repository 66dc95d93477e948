// domain/value_text.hpp - writes values in the same form in all views: for people (quoted strings, labels, decimal or
// hexadecimal numbers) or as data (JSON, CSV).
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>

#include "io/counted.hpp"
#include "io/text_output.hpp"
#include "model/schema.hpp"

namespace hwtrace {

/// Writes text in double quotes. Escapes are \" \\ \n \t, and \xNN for other control characters (including C1) and for
/// bytes that are not UTF-8.
void append_quoted(std::string_view text, TextOutput& out);
/// Returns true for a name of printable ASCII that cannot be confused with the surrounding text.
bool is_plain_name(std::string_view name) noexcept;
/// Writes the name of a scope, track, field or label. Quotes it like append_quoted(), unless it is plain.
void append_name(std::string_view name, TextOutput& out);
/// Returns a name in the form that append_name() writes.
std::string name_text(std::string_view name);

/// Writes 0x and the lower-case hexadecimal digits without leading zeros.
void append_hex(std::uint64_t value, TextOutput& out);

/// Writes two lower-case hexadecimal digits for each byte.
void append_hex_bytes(std::span<const std::byte> bytes, TextOutput& out);

/// Writes a cell according to the field's type. Text is quoted. Bytes are written as bytes:0a0b. Enum values are
/// written as labels, if they have one. Finite floats have the shortest form that reads back equal. Other floats are
/// written as "NaN:", "Infinity:" or "-Infinity:" and their bits. Bit vectors (Field::width), pointers, addresses,
/// encodings and bit patterns (conventions::is_hexadecimal) are hexadecimal. All other numbers are decimal.
void append_value(const Schema& schema, const Field& field, std::uint64_t cell, TextOutput& out);

// --- as data ---

/// The representation of integers beyond 2^53 in JSON (--json-u64). Many JSON readers round such numbers.
enum class JsonIntegers : std::uint8_t { numbers, strings };

/// Writes a complete JSON text. Control characters that JSON allows inside strings (DEL and C1), but terminals
/// interpret, are written as \u00NN.
void append_json(std::string_view json, TextOutput& out);
/// Writes text as a JSON string. Escapes are \" \\ \b \f \n \r \t, and \u00NN for other control characters (including
/// C1). Every byte outside well-formed UTF-8 becomes U+FFFD, because JSON cannot represent it.
void append_json_string(std::string_view text, TextOutput& out);
/// Writes a JSON number. If `integers` is JsonIntegers::strings and the value is beyond 2^53, writes its digits as a
/// string.
void append_json_integer(std::uint64_t value, JsonIntegers integers, TextOutput& out);
void append_json_integer(std::int64_t value, JsonIntegers integers, TextOutput& out);
/// Writes a cell as JSON according to the field's type. Numbers are JSON numbers; floats have the shortest form that
/// reads back equal. Booleans are true and false. Text, enum labels, bytes (hexadecimal digits), "NaN", "Infinity" and
/// "-Infinity" are strings.
void append_json_value(const Schema& schema, const Field& field, std::uint64_t cell, JsonIntegers integers,
                       TextOutput& out);

/// Writes one value of a CSV row (RFC 4180). Quotes values that are empty or contain a comma, a quote or a line break.
/// An empty string therefore differs from a missing value. Bytes that are not UTF-8 become U+FFFD.
void append_csv(std::string_view text, TextOutput& out);

}  // namespace hwtrace
