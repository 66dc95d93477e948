// formats/pccx/header_choice.hpp - chooses the values of a header that its metadata leave open.
#pragma once

#include <cstdint>

#include "codec/losses.hpp"
#include "codec/settings.hpp"
#include "header.hpp"
#include "model/schema.hpp"
#include "wire.hpp"

namespace hwtrace::pccx {

/// Returns the header for a trace whose events are not known yet. It has a checksum, of the maximum length, if the file
/// gets one. `is_ours` states that the trace was read from a .pccx file. `completes` adds the mandatory keys that the
/// header of such a file lacks, and reports them as assumptions.
Header chosen_header(const Schema& schema, const Settings& settings, Layout layout, bool is_ours, bool completes,
                     Losses& losses);

/// Sets the mandatory keys of an existing trace object that it lacks, and reports them as assumptions.
void complete_trace(Header& header, std::uint64_t cycles, std::uint32_t cores, Losses& losses);

}  // namespace hwtrace::pccx
