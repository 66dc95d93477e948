// convert/transforms/recording_ends.hpp - the times at which the recording of signals ends, as their source states
// them.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <utility>

#include "model/schema.hpp"

namespace hwtrace {

/// Finds the end of the recording of each track in the metadata (conventions::recording_end()).
class RecordingEnds {
public:
    /// `schema` is complete and outlives the object.
    explicit RecordingEnds(const Schema& schema);

    /// Returns the stated end of the track itself, else of the nearest scope around it, in ticks of the track. None if
    /// there is no such end, or if the track was recorded with several time bases.
    std::optional<Tick> of(TrackId id) const;

private:
    std::optional<Tick> end_of(std::uint64_t trace, std::uint64_t item) const;

    const Schema& schema_;
    std::map<std::pair<std::uint64_t, std::uint64_t>, Tick> ends_;  ///< by native ids of the trace and the item
    /// By scope and native id of the tracks: their time base; none if they have several.
    std::map<std::pair<ScopeId, std::uint64_t>, std::optional<TimeBase>> bases_;
};

}  // namespace hwtrace
