// codec/state_at.hpp - the contents of all storages of a trace at one time.
#pragma once

#include "codec/reader.hpp"
#include "io/limits.hpp"
#include "model/state.hpp"
#include "model/time.hpp"

namespace hwtrace {

/// Returns the state after all records up to and including `time`, in ticks of the storages. If the reader can seek,
/// reads from the place that Reader::seek finds to the first record after `time`. Otherwise, reads the whole trace, and
/// the reader must still be at the beginning. Throws Failure::limit if the state needs more than limits.block.
StateTable state_at(Reader& reader, Tick time, const Limits& limits);

}  // namespace hwtrace
