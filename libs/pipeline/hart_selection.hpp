// pipeline/hart_selection.hpp - the stage that keeps a part of the instructions of a trace, each with its group.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <utility>
#include <vector>

#include "pipeline/criteria.hpp"
#include "pipeline/derived_schema.hpp"
#include "pipeline/field_match.hpp"
#include "pipeline/hart_state.hpp"
#include "pipeline/range_windows.hpp"
#include "pipeline/selection.hpp"
#include "pipeline/stage.hpp"

namespace hwtrace {

/// Whatever stands between two instructions belongs to the second one and goes where that goes; what stands behind the
/// last one goes as an instruction there would. Range::Unit::record counts instructions. Where instructions were left
/// out before one that stays, that one gets with Earlier::restated what it needs: the pc, the events in force, the page
/// walks, the mode, the registers (see HartState), where the order of a group has them, but what it states itself;
/// ordinal times then count the instructions that stay. A part that is chosen by its mode has no changes to other
/// modes.
class HartSelection final : public Stage {
public:
    /// `source` outlives the stage. Throws Failure::usage like make_selection().
    HartSelection(const Schema& source, const Range& range, const SelectionOptions& options);

    const Schema& schema() const override { return derived_ ? derived_->schema() : source_; }
    void apply(const Batch& in, Batch& out) override;
    bool finish(Batch& out) override;
    std::optional<Entry> entry() override;
    void entered() override { entered_ = true; }
    bool past() const override;

private:
    /// What a group may begin with that was said before, in the order in which a group has it.
    enum class Restated : std::uint8_t { nothing, in_force, last_in_force, pc, registers, walks, mode };
    static_assert(conventions::in_force.size() == 2);
    static constexpr std::size_t own_pc = conventions::in_force.size();

    /// An instruction with the records before it that belong to it: all of `held`, and those of `in` from `first` on.
    struct Group {
        const Batch& held;
        const Batch& in;
        std::size_t first, at;

        std::size_t size() const noexcept { return held.records().size() + (at - first); }
        const Record& instruction() const noexcept { return in.records()[at]; }
        std::pair<const Batch*, const Record*> operator[](std::size_t i) const noexcept {
            const auto before = held.records();
            if (i < before.size()) return {&held, &before[i]};
            return {&in, &in.records()[first + (i - before.size())]};
        }
    };
    /// Records before an instruction without one that are held back; a longer run goes in pieces of that many.
    static constexpr std::size_t longest_run = 65'536;

    void meet_tracks();
    bool restates() const noexcept { return derived_.has_value(); }
    Place place_of(const Batch& batch, const Record& record) const;
    bool is_wanted(const Batch& batch, const Record& record);
    void take(const Batch& in, std::size_t first, std::size_t at, Batch& out);
    void pass_stranger(const Batch& from, const Record& record, Batch& out);
    void pass_held_strangers(Tick time, Batch& out);
    std::size_t pass_strangers(const Batch& in, std::size_t first, std::size_t at, Batch& out);
    void end_loose(Tick time);
    void learn(const Batch& in, const Record& record, HartState::Fate fate);
    void show(const Batch& in, std::size_t first, std::size_t at, Batch& out);
    bool show_separate(const Batch& from, const Record& record, Batch& out);
    void begin_restating(const Group& group);
    void restate(Restated last, const Group& group, Tick time, Batch& out);
    Restated restated_before(const Record& record) const noexcept;
    static Restated restated_before(Part part) noexcept;
    bool leaves_part(const Batch& from, const Record& record) const noexcept;
    bool is_hidden(const Batch& from, const Record& record);
    void show_loose(std::size_t count, Batch& out);
    void pass(const Batch& from, const Record& record, Tick time, Batch& out);
    Tick time_of(const Record& record) const noexcept;

    const Schema& source_;
    Range range_;
    SelectionOptions options_;
    RangeWindows windows_;
    FieldMatch match_;
    std::optional<DerivedSchema> derived_;  // where what comes out stands alone
    HartState state_;
    std::size_t met_ = 0;  // tracks that were looked at
    TrackId hart_ = none;
    bool counts_ = false;  ///< times of the hart are the numbers of its instructions
    Batch held_;           // the records of a group that came with batches before

    std::uint64_t position_ = 0;  // of the next instruction
    std::uint64_t shown_ = 0;     // instructions that stayed
    std::uint64_t lost_ = 0;      // of which records alone were shown, before it was known
    std::optional<Tick> loose_;   // the time of records that were shown, and whose instruction has not come yet
    bool in_region_ = false, region_over_ = false;
    bool gap_ = false;            // instructions were left out before the next one
    bool learns_always_ = false;  // what stays may be followed by another gap
    bool entered_ = false, behind_ = false;

    // Of the group that is being shown.
    std::vector<Part> order_;
    Restated restated_ = Restated::nothing;         ///< up to there
    std::array<bool, own_pc + 1> own_{};            ///< what the group states itself
    std::optional<std::uint64_t> own_mode_change_;  ///< the id of that event
    std::size_t open_traps_ = 0;
    bool has_hidden_ = false;
};

}  // namespace hwtrace
