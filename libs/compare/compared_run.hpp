// compare/compared_run.hpp - reads the records to compare from one trace.
#pragma once

#include <memory>

#include "codec/record_sorter.hpp"
#include "compare/comparison.hpp"
#include "convert/prescan.hpp"
#include "convert/stage_run.hpp"
#include "convert/time_sort.hpp"

namespace hwtrace {

/// Reads the records to compare from one trace, batch by batch.
class ComparedRun {
public:
    ComparedRun(const ComparedTrace& trace, bool raised, Findings& findings)
        : trace_(rewound(trace)),
          source_(trace_.input, trace_.format, whole_model(), trace_.choices.settings, findings,
                  trace_.choices.criteria.records, trace_.choices.index),
          plan_(planned(raised)),
          stages_(plan_) {
        stages_.enter(source_.reader());
    }

    const Schema& schema() const noexcept { return plan_.target_schema(source_.schema()); }
    const Losses& losses() const noexcept { return losses_; }
    bool raises() const noexcept { return plan_.raises; }
    std::uint64_t position() { return source_.reader().position(); }

    /// Returns the next records, or null at the end. The records are valid until the next call.
    const Batch* next() {
        while (!read_) {
            batch_.clear();
            if (stages_.past() || !source_.reader().read(batch_)) {
                read_ = true;
                break;
            }
            const Batch& made = stages_.apply(batch_);
            if (!made.empty()) return &made;
        }
        while (const Batch* const made = stages_.finish_next())
            if (!made->empty()) return made;
        return nullptr;
    }

private:
    static const ComparedTrace& rewound(const ComparedTrace& trace) {
        trace.input.seek(0);
        return trace;
    }

    Plan planned(bool raised) {
        Plan plan = make_selection_plan(source_.schema(), source_.format(), trace_.choices, losses_,
                                        raised ? &whole_model() : nullptr);
        const Schema& made = plan.target_schema(source_.schema());
        if (!has_hart(made) && (plan.raises || !source_.format().reads.time_ordered))
            plan.stages.push_back(std::make_unique<TimeSort>(made, trace_.choices.settings.temporary_folder,
                                                             RecordSorter::default_run_bytes / 2));
        return plan;
    }

    const ComparedTrace& trace_;
    PreparedSource source_;
    Losses losses_;
    Plan plan_;
    StageRun stages_;
    Batch batch_;
    bool read_ = false;
};

}  // namespace hwtrace
