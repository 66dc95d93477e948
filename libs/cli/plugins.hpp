// cli/plugins.hpp - the formats that the commands know: those of the program and those of plug-ins.
#pragma once

#include "codec/format.hpp"

namespace hwtrace::cli {

/// Returns targets(), followed by the formats of the plug-ins that the environment variable HWTRACE_PLUGINS names. The
/// plug-ins are loaded by the first call. Throws Failure::usage if one of them cannot be used.
FormatList known_formats();
/// Returns true if known_formats() has loaded plug-ins.
bool has_plugins() noexcept;

}  // namespace hwtrace::cli
