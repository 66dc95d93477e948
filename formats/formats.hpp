// formats/formats.hpp - the list of all formats.
#pragma once

#include "codec/format.hpp"

namespace hwtrace {

/// Every format, in the order of formats/formats.cpp.
FormatList formats() noexcept;
/// Those of them that have a place for transactions of any kind. A program that asks for these alone, of
/// hwtrace::transaction_formats, is linked with no other format.
FormatList transaction_formats() noexcept;

}  // namespace hwtrace
