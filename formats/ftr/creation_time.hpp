// formats/ftr/creation_time.hpp - converts the time of creation between the info chunk and a decimal text.
#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "encode.hpp"
#include "io/appender.hpp"
#include "io/cbor.hpp"

namespace hwtrace::ftr {

/// Returns the decimal text of an integer or a float, or nothing for other items. The text of a float has a point, an
/// exponent or letters ("inf", "nan").
std::optional<std::string> creation_time_text(const CborHead& head);

/// Appends the item of that text: an integer from -2^64 to 2^64-1, else a float. Returns false and appends nothing if
/// the text is not a number.
bool append_creation_time(std::string_view text, Heads heads, Appender& out);

/// Returns true if append_creation_time() accepts the text.
bool is_creation_time(std::string_view text);

}  // namespace hwtrace::ftr
