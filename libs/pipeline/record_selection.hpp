// pipeline/record_selection.hpp - the stage that keeps the records of some kinds, scopes and tracks.
#pragma once

#include <string>
#include <vector>

#include "pipeline/criteria.hpp"
#include "pipeline/derived_schema.hpp"
#include "pipeline/stage.hpp"

namespace hwtrace {

/// What is wanted fits every criterion that there is. A scope's pattern is compared with its name and with its path,
/// "soc/core0"; a track's with its name and its path. Tracks of which nothing is wanted are not in schema(). What is
/// left out is the user's choice, no loss.
class RecordSelection final : public Stage {
public:
    /// `source` outlives the stage and may grow. Throws Failure::usage where no track of a source that has some is
    /// wanted.
    RecordSelection(const Schema& source, const RecordCriteria& criteria);

    const Schema& schema() const override { return derived_.schema(); }
    /// The same, for a Reader that hands out what is selected.
    Schema& own_schema() noexcept { return derived_.schema(); }
    void apply(const Batch& in, Batch& out) override;
    bool finish(Batch&) override { return false; }

private:
    bool wants(const Track& track) const;
    bool wants(const Record& record) const noexcept;
    void drop_from_order(const Batch& in, const Instruction& whole, Batch& out);

    const Schema& source_;
    RecordCriteria criteria_;
    DerivedSchema derived_;
    bool has_hart_ = false;
    bool begins_frame_ = false;
    std::vector<bool> left_out_;  // which records of the next instruction's group were
    bool any_left_out_ = false;
    Tick group_time_ = 0;
    std::vector<Part> order_;
};

}  // namespace hwtrace
