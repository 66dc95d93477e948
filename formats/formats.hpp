// formats/formats.hpp - the list of all formats.
#pragma once

#include "codec/format.hpp"

namespace hwtrace {

/// Every format, in the order of formats/formats.cpp.
FormatList formats() noexcept;

}  // namespace hwtrace
