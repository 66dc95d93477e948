// codec/state_at.hpp - the contents of all storages of a trace at one moment.
#pragma once

#include "codec/reader.hpp"
#include "io/limits.hpp"
#include "model/state.hpp"
#include "model/time.hpp"

namespace hwtrace {

/// Returns the state after every record up to and including `time`, in ticks of the storages. Starts at the place that
/// Reader::seek finds. Reads up to the first later record if the reader can seek; otherwise from the beginning to the
/// end, and the reader must not have been read before. Throws Failure::limit if the state needs more than limits.block.
StateTable state_at(Reader& reader, Tick time, const Limits& limits);

}  // namespace hwtrace
