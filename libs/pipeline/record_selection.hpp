// pipeline/record_selection.hpp - the stage that keeps the records of some kinds, scopes and tracks, and those whose
// fields hold what is wanted.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "pipeline/criteria.hpp"
#include "pipeline/derived_schema.hpp"
#include "pipeline/field_match.hpp"
#include "pipeline/group_order.hpp"
#include "pipeline/row_selection.hpp"
#include "pipeline/stage.hpp"

namespace hwtrace {

/// Whether the criteria want intervals of a trace of that schema, which is complete, and which is none of instructions.
/// Its relations then are not chosen by themselves: they stay with the intervals that they lead to (see RelationEnds),
/// unless kinds are named and theirs is not. `period_ps`: see RecordSelectionOptions.
bool relations_follow_intervals(const Schema& schema, const RecordCriteria& criteria,
                                std::optional<std::uint64_t> period_ps = {});

/// Whether a track fits what the criteria say of kinds, scopes and tracks; fields aside.
bool accepts_track(const Schema& schema, TrackId id, const RecordCriteria& criteria);

/// Comparisons of fields that the instructions of a trace of that schema, which is complete, all have choose
/// instructions, each with what belongs to it: they move from the criteria of records to those of instructions, where
/// the others want instructions.
void settle(const Schema& schema, Criteria& criteria);

/// How records are selected, besides the criteria.
struct RecordSelectionOptions {
    std::optional<std::uint64_t> period_ps{};  ///< of a cycle, for the tracks that do not say how long theirs are
    Limits limits{};                           ///< for the state of tables whose fields are compared
};

/// What is wanted fits every criterion that there is. A scope's pattern is compared with its name and with its path,
/// "soc/core0"; a track's with its name and its path. Tracks of which nothing is wanted are not in schema(). What is
/// left out is the user's choice, no loss. Scopes, tracks and fields leave no relations out that follow intervals.
/// Where fields are compared, a slot of a table is there while it fits (see RowSelection), and so is the value of a
/// signal: where it changes to one that does not fit, the signal has none.
class RecordSelection final : public Stage {
public:
    /// `source` outlives the stage and may grow; `complete`, which does too, is what it comes to, or `source` where
    /// nobody knows. Throws Failure::usage where no track of a source that has some is wanted.
    RecordSelection(const Schema& source, const RecordCriteria& criteria, const Schema& complete,
                    const RecordSelectionOptions& options = {});
    RecordSelection(const Schema& source, const RecordCriteria& criteria, const RecordSelectionOptions& options = {})
        : RecordSelection(source, criteria, source, options) {}

    const Schema& schema() const override { return derived_.schema(); }
    /// The same, for a Reader that hands out what is selected.
    Schema& own_schema() noexcept { return derived_.schema(); }
    void apply(const Batch& in, Batch& out) override;
    bool finish(Batch&) override { return false; }

private:
    bool wants(const Track& track, TrackId id) const;
    bool accepts_kind(Kind kind) const noexcept;
    void refuse_nothing() const;
    void meet_signals();
    void put(const Batch& from, const Record& record, Batch& out);
    void apply_fields(const Batch& in, const Record& record, Batch& out);
    void apply_change(const Batch& in, const Record& record, Batch& out);

    const Schema& source_;
    const Schema& complete_;
    RecordCriteria criteria_;
    FieldMatch match_;
    bool follows_intervals_;  ///< relations
    DerivedSchema derived_;
    bool has_hart_ = false;
    bool begins_frame_ = false;
    GroupOrder group_order_;
    RowSelection rows_;

    struct SignalPlace {
        bool holds = false;   ///< keeps its value until the next change
        bool inside = false;  ///< has a value that fits
    };
    std::vector<SignalPlace> signals_;  // by track
    std::size_t met_signals_ = 0;
    std::vector<bool> of_records_;  // of the signals
    Batch gap_;                     // reused
};

}  // namespace hwtrace
