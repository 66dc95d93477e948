// formats/formats.hpp - the list of all formats.
#pragma once

#include "codec/format.hpp"

namespace hwtrace {

/// Returns every format that can be read and written, in the order of formats/formats.cpp.
FormatList formats() noexcept;
/// Returns formats(), followed by formats that are only written, for people and other programs: their `make_reader` is
/// null.
FormatList targets() noexcept;
/// Returns the formats that can hold arbitrary transactions. A program that uses only this list (library
/// hwtrace::transaction_formats) links no other format.
FormatList transaction_formats() noexcept;

}  // namespace hwtrace
