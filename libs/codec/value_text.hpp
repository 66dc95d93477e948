// codec/value_text.hpp - values as text, the same in every view: quoted strings, labels, decimal or hexadecimal
// numbers.
#pragma once

#include <cstdint>
#include <string_view>

#include "io/text_output.hpp"
#include "model/schema.hpp"

namespace hwtrace {

/// "text" in double quotes, with \" \\ \n \t, and \xNN for other control bytes and for bytes that are not UTF-8.
void put_quoted(std::string_view text, TextOutput& out);

/// "text" as a JSON string: \" \\ \b \f \n \r \t, \u00NN for other control bytes, U+FFFD for each byte that is not
/// UTF-8.
void put_json_string(std::string_view text, TextOutput& out);

/// The text as a field of CSV (RFC 4180): in double quotes where it has a comma, a quote or a line's end, or nothing
/// in it.
void put_csv(std::string_view text, TextOutput& out);

/// 0x and as many lower-case digits as the value needs.
void put_hex(std::uint64_t value, TextOutput& out);

/// A cell as its field's type reads: signed numbers, text quoted, enum labels where there is one; addresses, encodings
/// and bit patterns (conventions::is_hexadecimal, floats, bits) in hexadecimal, every other number in decimal.
void put_value(const Schema& schema, const Field& field, std::uint64_t cell, TextOutput& out);

}  // namespace hwtrace
