// pipeline/rescaling.hpp - the stage that makes picoseconds of cycles, for targets that count nothing else.
#pragma once

#include <cstdint>
#include <vector>

#include "codec/losses.hpp"
#include "pipeline/picosecond_scale.hpp"
#include "pipeline/stage.hpp"
#include "pipeline/track_map.hpp"

namespace hwtrace {

/// Events and tables keep what they are and get times in picoseconds; notes and native records become events (see
/// TrackMaps). A cycle is as long as its track says, else as its scope's clock, else as the caller; clocks that do not
/// state a period get that one, and the metadata `conventions::rescaled` says so.
class Rescaling final : public Stage {
public:
    /// `source` and `losses` outlive the stage. `unknown_ps`, above 0, is the period of a clock that has none.
    Rescaling(const Schema& source, std::uint64_t unknown_ps, Losses& losses);

    /// Whether some event or table has times that are no picoseconds.
    static bool is_needed(const Schema& source) noexcept;
    /// Whether some of those do not say how long their tick is.
    static bool needs_period(const Schema& source) noexcept;
    /// Whether records of the track go on.
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
    std::vector<PicosecondScale> scales_;  // one for each base of time
    std::vector<std::uint32_t> scale_of_;  // by track
    std::uint32_t last_scale_ = none;
    Tick last_time_ = 0, last_ps_ = 0;
};

}  // namespace hwtrace
