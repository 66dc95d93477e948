// formats/formats.hpp - the list of all formats.
#pragma once

#include "codec/format.hpp"

namespace hwtrace {

/// Returns every format, in the order of formats/formats.cpp.
FormatList formats() noexcept;
/// Returns the formats that can hold arbitrary transactions. A program that uses only this list (library
/// hwtrace::transaction_formats) links no other format.
FormatList transaction_formats() noexcept;

}  // namespace hwtrace
