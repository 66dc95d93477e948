// convert/transforms/rescaling.hpp - the stage that converts cycles to picoseconds, for targets that count only
// picoseconds.
#pragma once

#include <cstdint>
#include <vector>

#include "codec/losses.hpp"
#include "convert/track_map.hpp"
#include "domain/picosecond_scale.hpp"
#include "select/stage.hpp"

namespace hwtrace {

/// Converts the times of events and storages to picoseconds. Turns notes and native records into events (see
/// TrackMaps). The track states the length of a cycle, or else its scope's clock, or else the caller. Clocks without a
/// period get the caller's period, and the metadata conventions::rescaled states this period.
class Rescaling final : public Stage {
public:
    /// `source` and `losses` must outlive the stage. `unknown_ps` > 0 is the period of clocks without a period.
    Rescaling(const Schema& source, std::uint64_t unknown_ps, Losses& losses);

    /// Returns true if an event or storage track has a time base other than picoseconds.
    static bool is_needed(const Schema& source) noexcept;
    /// Returns true if an event or storage track has ticks of unknown length.
    static bool needs_period(const Schema& source) noexcept;
    /// Returns true if records of the track are passed on.
    static bool takes(const Track& track) noexcept;

    const Schema& schema() const override { return schema_; }
    void apply(const Batch& in, Batch& out) override;
    bool finish(Batch&) override { return false; }

private:
    Tick time_of(const Record& record);

    const Schema& source_;
    Losses& losses_;
    Schema schema_;
    TrackMaps track_maps_;
    std::vector<PicosecondScale> scales_;  // one per time base
    std::vector<std::uint32_t> scale_of_;  // by track
    std::uint32_t last_scale_ = none;
    Tick last_time_ = 0, last_ps_ = 0;
};

}  // namespace hwtrace
