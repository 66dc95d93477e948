// codec/state_at.hpp - what all storages of a trace hold at one moment.
#pragma once

#include "codec/reader.hpp"
#include "io/limits.hpp"
#include "model/state.hpp"
#include "model/time.hpp"

namespace hwtrace {

/// The state that every record up to `time`, itself included, has made: from the place that Reader::seek finds, else
/// from the beginning (the reader must not have been read then). A reader that can seek is read until a record is
/// later; behind that nothing is looked at. Another one is read to its end. `time` counts ticks of the storages. Throws
/// Failure::limit when the state takes more than limits.block.
StateTable state_at(Reader& reader, Tick time, const Limits& limits);

}  // namespace hwtrace
