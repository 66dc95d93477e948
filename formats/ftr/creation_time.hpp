// formats/ftr/creation_time.hpp - when a recording was made: an item of the info chunk, and the text of a fact.
#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "encode.hpp"
#include "io/appender.hpp"
#include "io/cbor.hpp"

namespace hwtrace::ftr {

/// The decimal text of an integer or a float; of a float it has a point, an exponent or letters ("inf", "nan"). None of
/// other items.
std::optional<std::string> creation_time_text(const CborHead& head);

/// Appends the item of that text: an integer where it is one that an item can be, -2^64 to 2^64-1, else a float. False,
/// with nothing appended, where it is no number.
bool append_creation_time(std::string_view text, Heads heads, Appender& out);

/// Whether append_creation_time() takes it.
bool is_creation_time(std::string_view text);

}  // namespace hwtrace::ftr
