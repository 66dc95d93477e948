// views/by_track.hpp - one tally per track.
#pragma once

#include <utility>
#include <vector>

#include "model/schema.hpp"

namespace hwtrace {

/// Tallies indexed by track. Grows only up to the last track that was counted, because a schema may declare a million
/// tracks.
template <typename Tally>
class ByTrack {
public:
    /// Returns the tally of `track`, creating it if needed. Creating another tally invalidates the reference.
    Tally& operator[](TrackId track) {
        if (track >= tallies_.size()) tallies_.resize(std::size_t{track} + 1);
        return tallies_[track];
    }
    /// Returns the tally of `track`, or an empty one if nothing was counted.
    const Tally& of(TrackId track) const noexcept { return track < tallies_.size() ? tallies_[track] : nothing_; }

private:
    std::vector<Tally> tallies_;
    Tally nothing_;
};

}  // namespace hwtrace
