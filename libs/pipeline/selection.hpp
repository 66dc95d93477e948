// pipeline/selection.hpp - the stage that keeps the part of a trace that --range names.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>

#include "codec/format.hpp"
#include "codec/reader.hpp"
#include "io/limits.hpp"
#include "model/schema.hpp"
#include "pipeline/criteria.hpp"
#include "pipeline/range.hpp"
#include "pipeline/record_selection.hpp"
#include "pipeline/relation_ends.hpp"
#include "pipeline/stage.hpp"

namespace hwtrace {

/// What becomes of what storages and signals held before the range.
enum class Earlier : std::uint8_t {
    /// It is stated again in one frame where the range begins, marked record_restated: sets of every field of valid
    /// slots (that which names a life first), of dense slots' fields and properties that are not 0; of a signal that
    /// has a value, its last change, where it is not made of records of another kind (SignalMaking); in a trace with a
    /// hart, what HartSelection says. What comes out can stand alone.
    restated,
    /// The same, and besides every field of the slots of dense buffers (is_buffer, is_catalogue) that are occupied (see
    /// Occupancy), though it be 0. No checkpoint knows them: a trace that has such buffers is read from its beginning.
    occupied,
    /// For who counts what is in the range. As `occupied`, but of an instruction trace the mode alone is stated again,
    /// as
    /// the event that set it, marked record_restated, and no time is changed.
    counted,
    /// Nothing: records of the range are shown as they are, also of tracks whose records need earlier ones.
    left_out,
};

/// How a selection is made, besides its range.
struct SelectionOptions {
    std::optional<std::uint64_t> period_ps{};  ///< of a cycle, for the tracks that do not say how long theirs are
    Earlier earlier = Earlier::restated;
    Limits limits{};                     ///< for the state of storages
    InstructionCriteria instructions{};  ///< of an instruction trace, those of the range that are wanted
    ReadCapabilities reads{};            ///< of the source's format; no kinds where that is not known
    bool relations_follow = false;       ///< see relations_follow_intervals(): none is left out before its interval is
};

/// Keeps the records that `range` names, whole and in their order, as the first stage behind the reader: intervals that
/// overlap it (one without duration where it begins inside), all others whose time is inside. Range::Unit::record
/// counts what position_kind() says, in a trace with a hart its instructions (see HartSelection); cycles are time in a
/// trace that counts time and whose clocks are of one period. Relations that follow intervals are all
/// kept in a trace without storages: RelationEnds leaves them out. `source` outlives the stage and may grow.
/// Throws Failure::usage where records depend on earlier ones that cannot be restated (several harts, storages
/// whose tracks count several times), where instructions are wanted and there is no hart, and where a track's time
/// cannot be compared with the range; apply() throws the same for tracks that appear while reading. What is left out is
/// the user's choice, no loss.
std::unique_ptr<Stage> make_selection(const Schema& source, const Range& range, const SelectionOptions& options = {});

/// A reader that delivers only what a selection keeps, by way of the other's seek where it has one.
class RangedReader final : public Reader {
public:
    /// `reader` has not been read, and outlives this one. Of what the range keeps, only records that fit `criteria`,
    /// and the relations that follow them. `complete`: what the reader's schema comes to, where that is known.
    RangedReader(Reader& reader, const Range& range, const SelectionOptions& options,
                 const RecordCriteria& criteria = {}, const Schema* complete = nullptr);

    Schema& schema() override { return records_ ? records_->own_schema() : reader_.schema(); }
    bool read(Batch& batch) override;
    Facts facts() const override { return reader_.facts(); }
    std::uint64_t position() const override { return reader_.position(); }
    /// True when all was read and nothing of it kept.
    bool is_empty() const noexcept { return ended_ && !delivered_; }

private:
    Reader& reader_;
    std::unique_ptr<Stage> selection_;
    std::optional<RecordSelection> records_;
    std::optional<RelationEnds> relations_;
    Batch read_, in_range_, selected_;
    bool begun_ = false, ended_ = false, delivered_ = false;
};

}  // namespace hwtrace
