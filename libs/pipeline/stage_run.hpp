// pipeline/stage_run.hpp - sends batches through a plan's stages.
#pragma once

#include <utility>
#include <vector>

#include "codec/reader.hpp"
#include "pipeline/plan.hpp"

namespace hwtrace {

/// Runs the stages of a plan, which outlives it, with reused batches between them.
class StageRun {
public:
    explicit StageRun(Plan& plan) : plan_(plan), filled_(plan.stages.size()), any_(plan.stages.size() + 1) {}

    /// Has the reader, which has not been read, begin where the first stage lets anything through, if it can.
    void enter(Reader& reader) {
        if (plan_.stages.empty()) return;
        const std::optional<Stage::Entry> entry = plan_.stages.front()->entry();
        if (entry && reader.seek(entry->time, entry->state)) plan_.stages.front()->entered();
    }
    /// True when the first stage takes nothing of what is left.
    bool past() const { return !plan_.stages.empty() && plan_.stages.front()->past(); }

    /// True when records came to that stage, and none out of it.
    bool swallowed_all(std::size_t stage) const { return stage + 1 < any_.size() && any_[stage] && !any_[stage + 1]; }

    /// What becomes of `batch` behind the last stage; valid until the next call.
    Batch& apply(Batch& batch) { return run(batch, 0); }

    /// Finishes every stage in turn, and gives what each holds back to `sink(Batch&)`.
    template <typename Sink>
    void finish(Sink&& sink) {
        while (Batch* const batch = finish_next())
            sink(*batch);
    }
    /// The same, one batch a call, valid until the next; null at the end.
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
    std::vector<bool> any_;      // records have come out behind so many stages
    std::size_t finishing_ = 0;  // the stage whose turn it is
};

}  // namespace hwtrace
