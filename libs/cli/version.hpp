// cli/version.hpp - the version of hwtrace.
#pragma once

#include <string_view>

namespace hwtrace::cli {

/// Returns the version, as in "0.1.0".
std::string_view version() noexcept;

}  // namespace hwtrace::cli
