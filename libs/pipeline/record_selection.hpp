// pipeline/record_selection.hpp - the stage that keeps the records of some kinds, scopes and tracks.
#pragma once

#include <string>
#include <vector>

#include "pipeline/criteria.hpp"
#include "pipeline/derived_schema.hpp"
#include "pipeline/group_order.hpp"
#include "pipeline/stage.hpp"

namespace hwtrace {

/// Whether the criteria want intervals of a trace of that schema, which is complete, and which is none of instructions.
/// Its relations then are not chosen by themselves: they stay with the intervals that they lead to (see RelationEnds),
/// unless kinds are named and theirs is not.
bool relations_follow_intervals(const Schema& schema, const RecordCriteria& criteria);

/// What is wanted fits every criterion that there is. A scope's pattern is compared with its name and with its path,
/// "soc/core0"; a track's with its name and its path. Tracks of which nothing is wanted are not in schema(). What is
/// left out is the user's choice, no loss. Scopes and tracks leave no relations out that follow intervals.
class RecordSelection final : public Stage {
public:
    /// `source` outlives the stage and may grow; `complete` is what it comes to, or `source` where nobody knows. Throws
    /// Failure::usage where no track of a source that has some is wanted.
    RecordSelection(const Schema& source, const RecordCriteria& criteria, const Schema& complete);
    RecordSelection(const Schema& source, const RecordCriteria& criteria) : RecordSelection(source, criteria, source) {}

    const Schema& schema() const override { return derived_.schema(); }
    /// The same, for a Reader that hands out what is selected.
    Schema& own_schema() noexcept { return derived_.schema(); }
    void apply(const Batch& in, Batch& out) override;
    bool finish(Batch&) override { return false; }

private:
    bool wants(const Track& track, TrackId id) const;
    bool wants(const Record& record) const noexcept;

    const Schema& source_;
    RecordCriteria criteria_;
    bool follows_intervals_;  ///< relations
    TrackId met_ = 0;         ///< the next track that derived_ asks for: each once, in order
    DerivedSchema derived_;
    bool has_hart_ = false;
    bool begins_frame_ = false;
    GroupOrder group_order_;
};

}  // namespace hwtrace
