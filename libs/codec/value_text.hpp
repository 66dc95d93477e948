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

/// "text" in double quotes, with \" \\ \n \t, and \xNN for other control characters (those of C1 too) and for bytes
/// that are not UTF-8.
void append_quoted(std::string_view text, TextOutput& out);
/// A name that a trace gives - of a scope, a track, a field, a label: as it is where it is printable ASCII that cannot
/// be mistaken for what stands around it, else as append_quoted does.
void append_name(std::string_view name, TextOutput& out);
/// The same as a string.
std::string name_text(std::string_view name);

/// 0x and as many lower-case digits as the value needs.
void append_hex(std::uint64_t value, TextOutput& out);

/// Two digits for each byte, in small letters.
void append_hex_bytes(std::span<const std::byte> bytes, TextOutput& out);

/// A cell as its field's type reads: signed numbers, text quoted, bytes as bytes:0a0b, enum labels (append_name) where
/// there is one, floats in the shortest form that reads back as the same ("NaN:" and "Infinity:" with their bits
/// behind); vectors of bits (Field::width), pointers, addresses, encodings and bit patterns
/// (conventions::is_hexadecimal) in hexadecimal, every other number in decimal.
void append_value(const Schema& schema, const Field& field, std::uint64_t cell, TextOutput& out);

// --- as data ---

/// "schema":"...","tool":"...","version":"...": what every JSON document, or its first line, begins with.
void append_json_head(std::string_view schema, const Settings& settings, TextOutput& out);
/// "text" as a JSON string: \" \\ \b \f \n \r \t, \u00NN for other control bytes. Every byte that is not part of
/// well-formed UTF-8 becomes U+FFFD, which JSON cannot do without.
void append_json_string(std::string_view text, TextOutput& out);
/// A JSON number, or a string of its digits where `integers` asks for that and it is beyond 2^53.
void append_json_integer(std::uint64_t value, JsonIntegers integers, TextOutput& out);
void append_json_integer(std::int64_t value, JsonIntegers integers, TextOutput& out);
/// A cell as its field's type reads: numbers (floats in the shortest form that reads back as the same; "NaN",
/// "Infinity" and "-Infinity" as strings), true and false, text, enum labels and bytes (as digits) as strings.
void append_json_value(const Schema& schema, const Field& field, std::uint64_t cell, JsonIntegers integers,
                       TextOutput& out);

/// One value of a CSV row (RFC 4180): in quotes where it is empty or holds a comma, a quote or a line's end, so that an
/// empty text differs from no value. Bytes that are not UTF-8 become U+FFFD.
void append_csv(std::string_view text, TextOutput& out);

}  // namespace hwtrace
