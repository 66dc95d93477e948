// convert/stage_run.hpp - passes batches through the stages of a plan.
#pragma once

#include <utility>
#include <vector>

#include "codec/reader.hpp"
#include "convert/plan.hpp"
#include "select/slice_entry.hpp"

namespace hwtrace {

/// Runs the stages of a plan, which must outlive this object. Reuses the batches between them.
class StageRun {
public:
    explicit StageRun(Plan& plan) : plan_(plan), filled_(plan.stages.size()), any_(plan.stages.size() + 1) {}

    /// Moves the unread reader to the place where the first stage's output begins, if both support that.
    void enter(Reader& reader) {
        if (!plan_.stages.empty()) enter_slice(reader, *plan_.stages.front(), plan_.index.get());
    }
    /// Returns true if the first stage needs no more records from the reader.
    bool past() const { return !plan_.stages.empty() && plan_.stages.front()->past(); }

    /// Returns true if records reached the stage but none left it.
    bool swallowed_all(std::size_t stage) const { return stage + 1 < any_.size() && any_[stage] && !any_[stage + 1]; }

    /// Passes `batch` through all stages and returns the records that leave the last stage. They are valid until the
    /// next call.
    Batch& apply(Batch& batch) { return run(batch, 0); }

    /// Finishes every stage in turn and passes the remaining records to `sink(Batch&)`.
    template <typename Sink>
    void finish(Sink&& sink) {
        while (Batch* const batch = finish_next())
            sink(*batch);
    }
    /// Does the same with one batch per call. The batch is valid until the next call. Returns null at the end.
    Batch* finish_next() {
        if (finishing_ == plan_.stages.size()) return nullptr;
        const std::size_t stage = finishing_;
        filled_[stage].clear();
        if (!plan_.stages[stage]->finish(filled_[stage])) ++finishing_;
        return &run(filled_[stage], stage + 1);
    }

private:
    Batch& run(Batch& batch, std::size_t first_stage) {
        Batch* current = &batch;
        look_at(batch, first_stage);
        for (std::size_t i = first_stage; i < plan_.stages.size(); ++i) {
            filled_[i].clear();
            plan_.stages[i]->apply(*current, filled_[i]);
            current = &filled_[i];
            look_at(*current, i + 1);
        }
        return *current;
    }
    void look_at(const Batch& batch, std::size_t stages) {
        any_[stages] = any_[stages] || !batch.empty();
        if (plan_.part) plan_.part->see(batch, stages);
    }

    Plan& plan_;
    std::vector<Batch> filled_;
    std::vector<bool> any_;      // by number of stages: true if records left the last of them
    std::size_t finishing_ = 0;  // the stage being finished
};

}  // namespace hwtrace
