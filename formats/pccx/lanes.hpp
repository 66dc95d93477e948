// formats/pccx/lanes.hpp - maps the tracks of a trace to the cores and event types of a file.
#pragma once

#include <cstdint>
#include <set>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "codec/losses.hpp"
#include "header.hpp"
#include "model/hash.hpp"
#include "model/schema.hpp"
#include "wire.hpp"

namespace hwtrace::pccx {

/// The core and event type of a track, as written.
struct Lane {
    bool known = false;
    bool direct = false;  ///< a tick is a cycle of the file
    Ratio cycles{1, 1};   ///< cycles per tick
    std::uint32_t core = 0;
    std::uint32_t flat_id = 0;
    bool flat_lossy = false;                  ///< flatbuf has no id for the type
    std::string type;                         ///< as written: UTF-8, quoted for JSON
    std::uint32_t name = none, start = none;  ///< attribute indexes of api_name and start_cycle
};

/// Returns true if the scope is the root that the reader declares.
bool is_root(const Schema& schema, ScopeId id);

/// Assigns cores and event types to the tracks that have events. Counts losses for names that change.
class Lanes {
public:
    /// All references must outlive this object. The clock of `header` must be final before the first call of lane().
    /// `is_ours` states that the trace was read from a .pccx file.
    Lanes(const Schema& schema, const Header& header, Layout layout, bool is_ours, Losses& losses);

    /// Returns the lane of a track. Creates it on the first call.
    Lane& lane(TrackId track) {
        if (track < lanes_.size() && lanes_[track].known) [[likely]]
            return lanes_[track];
        return make(track);
    }
    /// Returns true if the track has a lane.
    bool has_lane(TrackId track) const noexcept { return track < lanes_.size() && lanes_[track].known; }
    /// Returns true if a track of the scope has a lane.
    bool has_core(ScopeId scope) const noexcept { return cores_.contains(scope); }

private:
    Lane& make(TrackId id);
    std::uint32_t core_of(ScopeId id);
    Ratio cycles_in(const TimeBase& base) const;

    const Schema& schema_;
    const Header& header_;
    Losses& losses_;
    Layout layout_;
    bool is_ours_;
    bool has_objects_;  ///< a summary of an earlier conversion counts the losses of objects

    std::vector<Lane> lanes_;  ///< by track
    HashMap<ScopeId, std::uint32_t> cores_;
    HashSet<std::uint32_t> used_cores_;                      ///< core numbers in use that come from scope names
    std::set<std::pair<std::uint32_t, std::string>> types_;  ///< types in use, with their cores
    std::set<std::uint32_t> named_cores_;                    ///< core numbers in scope names
    std::uint32_t next_core_ = 0;                            ///< next number for a scope without a number
};

}  // namespace hwtrace::pccx
