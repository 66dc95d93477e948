// convert/time_sort.hpp - sorts records by time, for targets that require time order.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "codec/record_sorter.hpp"
#include "domain/interval_time.hpp"
#include "select/stage.hpp"

namespace hwtrace {

/// Sorts records by time in their tracks' ticks. An interval that begins after the last Tick is sorted by its exact
/// start (conventions::start_cycle). The sort is stable. If the source has frames, the first record of each time begins
/// one, so that simultaneous records stay together.
class TimeSort final : public Stage {
public:
    /// `source` must outlive the stage. Long traces are spilled to `folder`. See RecordSorter for `run_bytes`.
    TimeSort(const Schema& source, std::string folder, std::size_t run_bytes = RecordSorter::default_run_bytes)
        : source_(source), sorter_(folder, run_bytes), late_(std::move(folder), run_bytes) {}

    /// States that no record precedes a record before it by more than `ticks` and that no record begins a frame. The
    /// stage then passes records on before it ends.
    void expect_lateness(std::uint64_t ticks) noexcept { lateness_ = ticks; }

    const Schema& schema() const override { return source_; }
    void apply(const Batch& in, Batch& out) override;
    bool finish(Batch& out) override;

private:
    /// Lets the first record of each time begin a frame, from index `first` of `out` on.
    void frame(Batch& out, std::size_t first);

    const Schema& source_;
    RecordSorter sorter_;
    RecordSorter late_;  // intervals that begin after the last Tick; their exact start exceeds the sorter's 64-bit keys
    std::vector<RecordSorter::Place> places_;  // reused
    std::optional<std::uint64_t> lateness_;
    std::uint64_t latest_ = 0;  // the greatest key so far
    bool framed_ = false;       // some record begins a frame
    bool any_given_ = false;
    bool only_late_left_ = false;  // sorter_ is exhausted
    WideTick begin_ = 0;           // start of the last record written
};

}  // namespace hwtrace
