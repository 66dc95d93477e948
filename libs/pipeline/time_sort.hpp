// pipeline/time_sort.hpp - puts records in order of time, for targets that want them so.
#pragma once

#include <limits>
#include <string>
#include <vector>

#include "pipeline/record_sorter.hpp"
#include "pipeline/stage.hpp"

namespace hwtrace {

/// Gives every record back in order of its time, as the tracks count it; records of one time keep their order. Where
/// the source has frames, the first record of each time begins one: what happened together at one time stays together.
class TimeSort final : public Stage {
public:
    /// `source` outlives the stage. Long traces are spilled to `folder`; see RecordSorter for `run_bytes`.
    TimeSort(const Schema& source, std::string folder, std::size_t run_bytes = RecordSorter::default_run_bytes)
        : source_(source), sorter_(std::move(folder), run_bytes) {}

    const Schema& schema() const override { return source_; }
    void apply(const Batch& in, Batch& out) override;
    bool finish(Batch& out) override;

private:
    const Schema& source_;
    RecordSorter sorter_;
    std::vector<RecordSorter::Place> places_;  // reused
    bool framed_ = false;                      // a record begins a frame
    bool any_given_ = false;
    Tick time_ = 0;  // of the record given last
};

}  // namespace hwtrace
