// convert/transforms/interval_binding.hpp - finds the tracks of a source in the schema that IntervalLowering made of
// it.
#pragma once

#include <cstddef>
#include <optional>
#include <vector>

#include "convert/transforms/interval_mark.hpp"
#include "model/schema.hpp"

namespace hwtrace {

/// The tracks of the lowered schema that represent the source's tracks.
struct IntervalBinding {
    IntervalMark mark;
    std::vector<TrackId> first, second;  ///< by source track; `none`: no such track
    /// By source track: the event with the attribute order; its "again" event is the next track.
    std::vector<TrackId> order;
    std::vector<std::vector<TrackId>> lists;  ///< by source track: the list events of a stream
    std::vector<TrackId> tables;              ///< the storages that the lowering added
};

/// Finds the source's tracks. Events are in the order in which the lowering declared them. The same applies to
/// storages, after the storages that the lowering added. Returns nullopt if the trace was not lowered, or if tracks
/// were changed after the lowering.
std::optional<IntervalBinding> bind_intervals(const Schema& lowered);

/// Returns the event at the begin of an interval for each stream of the source, by source track; none for other tracks.
/// The event at the end is the next track. Empty if IntervalLowering did not make the trace.
std::vector<TrackId> begin_events(const Schema& lowered);

/// Returns the number of masks in a begin event. They follow `id`, `begin` and `duration`; attributes follow the masks.
std::size_t masks_in(const Track& begin) noexcept;

/// Gives the field of an event the name and the type of the attribute that it shows.
void restore_attribute(const IntervalMark::Attribute& fact, Field& field);

}  // namespace hwtrace
