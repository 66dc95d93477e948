// views/arrivals.hpp - how often intervals begin: the times between begins, and begins per window of time.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "domain/interval_time.hpp"
#include "domain/length_summary.hpp"
#include "domain/stretches.hpp"
#include "domain/time_bins.hpp"
#include "model/record.hpp"
#include "model/schema.hpp"
#include "views/by_track.hpp"

namespace hwtrace {

struct Arrivals {
    /// The begins per window. All windows of a time base have the same width, a power of two, and cover the time from
    /// the first begin to the last one of all tracks. They begin at multiples of their width.
    struct Throughput {
        std::uint64_t width = 1;    ///< of a window, in ticks
        std::uint64_t windows = 0;  ///< number of windows
        std::uint64_t most = 0;     ///< begins in the busiest window
    };
    struct OfTrack {
        std::string scope, name;
        std::uint64_t begins = 0;
        LengthSummary gaps;                    ///< from each begin to the next one, in ticks
        std::optional<Throughput> throughput;  ///< nullopt for tracks beyond the first 4096 with intervals
    };
    std::vector<OfTrack> tracks;  ///< tracks with intervals, in order of declaration
};

/// Measures arrivals in one pass. Needs memory for tracks and lengths only.
class ArrivalMeter {
public:
    /// `schema` and `histograms` must outlive the meter. The schema may grow.
    ArrivalMeter(const Schema& schema, HistogramBudget& histograms) : schema_(schema), histograms_(histograms) {}

    void add(const Batch& batch);
    /// Prepares the meter for a shard, whose statistics save() appends. Call it before add().
    void begin_shard() noexcept { is_shard_ = true; }
    /// Appends the statistics of a shard.
    void save(StateOut& out) const;
    /// Adds the statistics of the next shard. The schema is that of the whole trace.
    void add(StateIn& in);
    /// Returns why the statistics of shards do not give those of the trace; empty if they do.
    std::string_view not_reduced() const noexcept { return not_reduced_; }
    /// Returns true if the begins of each track were in order, so that the result is right.
    bool in_order() const noexcept { return in_order_; }
    /// Returns nullopt if there are no intervals.
    std::optional<Arrivals> result() const;

private:
    static constexpr std::size_t most_windows = 64, most_binned = 4096;

    struct Begins {
        std::uint64_t count = 0;
        void join(const Begins& later, std::uint64_t) noexcept { count += later.count; }
    };
    struct Tally {
        std::uint64_t begins = 0;
        WideTick last = 0;
        LengthMeter gaps;
        bool is_binned = false;
        TimeBins<Begins> bins{most_windows};
        Stretches begun;  // of shards: from a begin to a later one; the gaps inside are in `gaps`
    };

    /// The windows of all tracks of a time base.
    struct Windows {
        TimeBase base;
        BinRange range;
    };

    /// Returns the windows of each time base with binned tracks.
    std::vector<Windows> windows() const;
    static void count_gap(Tally& tally, WideTick from, WideTick to);
    void keep_begin(Tally& tally, WideTick begin);
    void add(StateIn& in, Tally& tally);

    const Schema& schema_;
    HistogramBudget& histograms_;
    ByTrack<Tally> tallies_;
    std::size_t binned_ = 0;
    bool in_order_ = true, is_shard_ = false;
    std::string_view not_reduced_;
};

}  // namespace hwtrace
