// select/record_selection.hpp - the stage that selects records by kind, scope, track and field values.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "select/criteria.hpp"
#include "select/derived_schema.hpp"
#include "select/field_match.hpp"
#include "select/group_order.hpp"
#include "select/row_selection.hpp"
#include "select/stage.hpp"

namespace hwtrace {

/// Returns true if the criteria select intervals of a trace without instructions. `schema` must be complete. The
/// criteria then do not select relations. Relations stay with the intervals to which they lead (see RelationEnds),
/// unless the selected kinds exclude relations. `period_ps`: see RecordSelectionOptions.
bool relations_follow_intervals(const Schema& schema, const RecordCriteria& criteria,
                                std::optional<std::uint64_t> period_ps = {});

/// Returns true if a track satisfies the criteria for kinds, scopes and tracks. Ignores the criteria for fields.
bool accepts_track(const Schema& schema, TrackId id, const RecordCriteria& criteria);

/// Returns true if a track of this kind may have records that satisfy the criteria. `schema` must be complete.
bool may_select(const Schema& schema, const RecordCriteria& criteria, Track::Kind kind);

/// Moves field criteria from records to instructions if the instructions of the trace have all those fields and the
/// other criteria select instructions. An instruction is then selected with its whole group. `schema` must be complete.
void settle(const Schema& schema, Criteria& criteria);

/// Parameters of a record selection besides its criteria.
struct RecordSelectionOptions {
    std::optional<std::uint64_t> period_ps{};  ///< length of a cycle, for tracks that do not state it
    Limits limits{};                           ///< for the state of storages whose fields are compared
};

/// Keeps records that satisfy all criteria. A pattern for scopes or tracks is matched against the name and against the
/// path, "soc/core0". Tracks without selected records are left out of schema(). The user chose what is left out, so
/// nothing is counted as lost. Relations that follow intervals are kept regardless of the criteria for scopes, tracks
/// and fields. With field criteria, a slot of a storage is present while it matches (see RowSelection). Likewise, a
/// signal has a value only while the value matches.
class RecordSelection final : public Stage {
public:
    /// `complete` is the final schema if it is known, otherwise `source`. Both must outlive the stage, and `source` may
    /// grow. Throws Failure::usage if `complete` has tracks but none is selected.
    RecordSelection(const Schema& source, const RecordCriteria& criteria, const Schema& complete,
                    const RecordSelectionOptions& options = {});
    RecordSelection(const Schema& source, const RecordCriteria& criteria, const RecordSelectionOptions& options = {})
        : RecordSelection(source, criteria, source, options) {}

    const Schema& schema() const override { return derived_.schema(); }
    /// Returns the same object as schema(), for a Reader that delivers the selection.
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
    bool follows_intervals_;  ///< see relations_follow_intervals()
    DerivedSchema derived_;
    bool has_hart_ = false;
    bool begins_frame_ = false;
    GroupOrder group_order_;
    RowSelection rows_;

    struct SignalPlace {
        bool holds = false;   ///< can hold a value until the next change
        bool inside = false;  ///< has a value that matches
    };
    std::vector<SignalPlace> signals_;  // by track
    std::size_t met_signals_ = 0;
    std::vector<bool> of_records_;  // by signal: see signals_of_records()
    Batch gap_;                     // reused
};

}  // namespace hwtrace
