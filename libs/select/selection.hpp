// select/selection.hpp - the stage that keeps the slice of a trace that --range selects.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>

#include "codec/format.hpp"
#include "codec/reader.hpp"
#include "io/limits.hpp"
#include "model/schema.hpp"
#include "select/criteria.hpp"
#include "select/range.hpp"
#include "select/record_selection.hpp"
#include "select/relation_ends.hpp"
#include "select/stage.hpp"

namespace hwtrace {

class TraceIndex;

/// Selects what happens to state from before the range: contents of storages, values of signals.
enum class Earlier : std::uint8_t {
    /// Restates this state in one frame at the start of the range, marked record_restated, so that the slice is usable
    /// on its own. Sets every field of valid slots (the id of an entity first), and the fields and properties of dense
    /// storages that are not 0. Repeats the last change of every signal that has a value, unless SignalMaking made the
    /// signal. For a trace with a hart, see HartSelection.
    restated,
    /// Like `restated`, but also sets every field, even if it is 0, of the occupied slots (see Occupancy) of dense
    /// buffers (is_buffer, is_catalogue). Checkpoints do not store occupancy, so a trace with such buffers is read from
    /// its beginning.
    occupied,
    /// Like `occupied`, for counting the contents of the range. In an instruction trace, restates only the mode:
    /// repeats the event that set the mode, marked record_restated. Times do not change.
    counted,
    /// Restates nothing. Records of the range are passed on unchanged, even if they depend on earlier ones.
    left_out,
};

/// Parameters of a selection besides its range.
struct SelectionOptions {
    std::optional<std::uint64_t> period_ps{};  ///< length of a cycle, for tracks that do not state it
    Earlier earlier = Earlier::restated;
    Limits limits{};                     ///< for the state of storages
    InstructionCriteria instructions{};  ///< criteria for the instructions of the range, in an instruction trace
    ReadCapabilities reads{};            ///< capabilities of the source's format; no kinds: unknown
    /// If true, every relation is kept until its interval is known. See relations_follow_intervals().
    bool relations_follow = false;
    std::shared_ptr<const TraceIndex> index{};  ///< for RangedReader: an index of its input; null: none
    /// If true, instructions of a slice keep their numbers as times, instead of counting from 0. For output that is
    /// looked at, not read as a trace.
    bool keeps_positions = false;
};

/// Returns a stage that keeps the records in `range`, complete and in order. It must be the first stage behind the
/// reader. It keeps intervals that overlap the range, intervals of length 0 inside it, and other records whose time is
/// inside. Range::Unit::record counts positions by position_kind(): instructions in a trace with a hart (see
/// HartSelection). Cycles are converted to time if the trace counts time and all its clocks have the same period. With
/// SelectionOptions::relations_follow, in a trace without storages, this stage keeps all relations. RelationEnds later
/// drops the relations whose intervals are left out. The user chose what is left out, so nothing is counted as lost.
/// `source` must outlive the stage and may grow.
///
/// Throws Failure::usage in three cases. First, earlier state cannot be restated, because there are several harts or
/// storages with several time bases. Second, instructions are selected but there is no hart. Third, a track's time
/// cannot be compared with the range. apply() throws the same for tracks that appear while reading.
std::unique_ptr<Stage> make_selection(const Schema& source, const Range& range, const SelectionOptions& options = {});

/// A reader that delivers only the records that a selection keeps. Uses Reader::seek of the underlying reader if it is
/// supported.
class RangedReader final : public Reader {
public:
    /// `reader` must be unread and must outlive this object. Delivers the records of the range that satisfy
    /// `criteria`, and the relations that follow them. `complete` is the final schema of the reader, if known.
    RangedReader(Reader& reader, const Range& range, const SelectionOptions& options,
                 const RecordCriteria& criteria = {}, const Schema* complete = nullptr);

    Schema& schema() override { return records_ ? records_->own_schema() : reader_.schema(); }
    bool read(Batch& batch) override;
    Facts facts() const override { return reader_.facts(); }
    std::uint64_t position() const override { return reader_.position(); }
    /// Returns true if everything was read and nothing was delivered.
    bool is_empty() const noexcept { return ended_ && !delivered_; }

private:
    Reader& reader_;
    std::shared_ptr<const TraceIndex> index_;
    std::unique_ptr<Stage> selection_;
    std::optional<RecordSelection> records_;
    std::optional<RelationEnds> relations_;
    Batch read_, in_range_, selected_;
    bool begun_ = false, ended_ = false, delivered_ = false;
};

}  // namespace hwtrace
