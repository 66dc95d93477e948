// views/by_track.hpp - what is counted of each track.
#pragma once

#include <utility>
#include <vector>

#include "model/schema.hpp"

namespace hwtrace {

/// Takes memory for tracks up to the last that something was counted of: a schema may declare a million.
template <typename Tally>
class ByTrack {
public:
    /// What is counted of `track`; a new one where nothing was yet. The reference ends where another becomes new.
    Tally& operator[](TrackId track) {
        if (track >= tallies_.size()) tallies_.resize(std::size_t{track} + 1);
        return tallies_[track];
    }
    /// Likewise, of a track that nothing was counted of too.
    const Tally& of(TrackId track) const noexcept { return track < tallies_.size() ? tallies_[track] : nothing_; }

private:
    std::vector<Tally> tallies_;
    Tally nothing_;
};

}  // namespace hwtrace
