// pipeline/time_sort.hpp - puts records in order of time, for targets that want them so.
#pragma once

#include <string>
#include <vector>

#include "codec/record_sorter.hpp"
#include "pipeline/interval_time.hpp"
#include "pipeline/stage.hpp"

namespace hwtrace {

/// Gives every record back in order of its time, as the tracks count it, or of its exact begin where an interval begins
/// after the last Tick (conventions::start_cycle); records of one time keep their order. Where the source has frames,
/// the first record of each time begins one: what happened together at one time stays together.
class TimeSort final : public Stage {
public:
    /// `source` outlives the stage. Long traces are spilled to `folder`; see RecordSorter for `run_bytes`.
    TimeSort(const Schema& source, std::string folder, std::size_t run_bytes = RecordSorter::default_run_bytes)
        : source_(source), sorter_(folder, run_bytes), late_(std::move(folder), run_bytes) {}

    const Schema& schema() const override { return source_; }
    void apply(const Batch& in, Batch& out) override;
    bool finish(Batch& out) override;

private:
    const Schema& source_;
    RecordSorter sorter_;
    RecordSorter late_;                        // what begins after the last Tick: keys of 64 bits have no room for both
    std::vector<RecordSorter::Place> places_;  // reused
    bool framed_ = false;                      // a record begins a frame
    bool any_given_ = false;
    bool only_late_left_ = false;  // sorter_ has given everything
    WideTick begin_ = 0;           // of the record given last
};

}  // namespace hwtrace
