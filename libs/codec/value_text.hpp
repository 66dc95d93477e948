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

/// 0x and as many lower-case digits as the value needs.
void put_hex(std::uint64_t value, TextOutput& out);

/// A cell as its field's type reads: signed numbers, text quoted, enum labels where there is one; addresses, encodings
/// and bit patterns (conventions::is_hexadecimal, floats, bits) in hexadecimal, every other number in decimal.
void put_value(const Schema& schema, const Field& field, std::uint64_t cell, TextOutput& out);

}  // namespace hwtrace
