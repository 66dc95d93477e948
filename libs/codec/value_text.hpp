// codec/value_text.hpp - values as text, the same in every view: for people (quoted strings, labels, decimal or
// hexadecimal numbers) and as data (JSON, CSV).
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>

#include "codec/settings.hpp"
#include "io/counted.hpp"
#include "io/text_output.hpp"
#include "model/schema.hpp"

namespace hwtrace {

/// Writes text in double quotes. Escapes are \" \\ \n \t; \xNN stands for other control characters (including C1) and
/// for bytes that are not UTF-8.
void append_quoted(std::string_view text, TextOutput& out);
/// Writes a name of a scope, track, field or label. Printable ASCII that cannot be confused with its surroundings is
/// written as it is, everything else as by append_quoted().
void append_name(std::string_view name, TextOutput& out);
/// Returns what append_name() writes.
std::string name_text(std::string_view name);

/// Writes 0x and as many lower-case digits as the value needs.
void append_hex(std::uint64_t value, TextOutput& out);

/// Writes two lower-case hexadecimal digits for each byte.
void append_hex_bytes(std::span<const std::byte> bytes, TextOutput& out);

/// Writes a cell by its field's type. Text is quoted; bytes are written as bytes:0a0b, enum values as their label if
/// there is one. Floats have the shortest form that reads back equal; "NaN:" and "Infinity:" are followed by their
/// bits. Bit vectors (Field::width), pointers, addresses, encodings and bit patterns (conventions::is_hexadecimal) are
/// hexadecimal, all other numbers decimal.
void append_value(const Schema& schema, const Field& field, std::uint64_t cell, TextOutput& out);

// --- as data ---

/// Writes "schema":"...","tool":"...","version":"...", the first members of every JSON document, or of its first line.
void append_json_head(std::string_view schema, const Settings& settings, TextOutput& out);
/// Writes text as a JSON string, with escapes \" \\ \b \f \n \r \t, and \u00NN for other control bytes. Every byte
/// outside well-formed UTF-8 becomes U+FFFD, because JSON cannot hold it.
void append_json_string(std::string_view text, TextOutput& out);
/// Writes a JSON number; or, if `integers` is strings and the value is beyond 2^53, a string of its digits.
void append_json_integer(std::uint64_t value, JsonIntegers integers, TextOutput& out);
void append_json_integer(std::int64_t value, JsonIntegers integers, TextOutput& out);
/// Writes a cell by its field's type: numbers (floats in the shortest form that reads back equal), true and false;
/// strings for text, enum labels, bytes (hexadecimal digits), "NaN", "Infinity" and "-Infinity".
void append_json_value(const Schema& schema, const Field& field, std::uint64_t cell, JsonIntegers integers,
                       TextOutput& out);

/// Writes one value of a CSV row (RFC 4180). It is quoted if it is empty or contains a comma, a quote or a line break,
/// so that an empty text differs from a missing value. Bytes that are not UTF-8 become U+FFFD.
void append_csv(std::string_view text, TextOutput& out);

}  // namespace hwtrace
