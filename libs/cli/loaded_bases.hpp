// cli/loaded_bases.hpp - finds in a trace where programs and libraries were loaded.
#pragma once

#include <vector>

#include "cli/messages.hpp"
#include "cli/trace_file.hpp"
#include "codec/settings.hpp"
#include "symbols/symbols.hpp"

namespace hwtrace::cli {

/// Sets the bases of position-independent files that have none, from comments such as "loaded libc.so.6 at
/// 0x4002a1c000" (apps/record-qemu/README.md). Reads the trace up to the last of these comments, and rewinds it. Prints
/// a note for each file that the trace does not mention.
void find_bases(std::vector<SymbolFile>& files, TraceFile& trace, const Settings& settings, Messages& messages);

}  // namespace hwtrace::cli
