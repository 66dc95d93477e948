// formats/ftr/creation_time.hpp - converts the time of creation between the info chunk and a decimal string.
#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "encode.hpp"
#include "io/appender.hpp"
#include "io/cbor.hpp"

namespace hwtrace::ftr {

/// Returns the decimal form of an integer or float item, or nothing for other items. A float has a point, an exponent
/// or letters ("inf", "nan").
std::optional<std::string> creation_time_text(const CborHead& head);

/// Appends a decimal number as a CBOR item: an integer from -2^64 to 2^64-1, otherwise a float. Returns false and
/// appends nothing if `text` is not a number.
bool append_creation_time(std::string_view text, Heads heads, Appender& out);

/// Returns true if append_creation_time() accepts the text.
bool is_creation_time(std::string_view text);
/// Returns true if append_creation_time() appends an integer, the only form that viewers read.
bool is_whole_creation_time(std::string_view text);

}  // namespace hwtrace::ftr
