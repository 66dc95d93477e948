// select/hart_selection.hpp - the stage that keeps selected instructions of a trace, each with its group.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <utility>
#include <vector>

#include "domain/hart_state.hpp"
#include "select/criteria.hpp"
#include "select/derived_schema.hpp"
#include "select/field_match.hpp"
#include "select/range_windows.hpp"
#include "select/selection.hpp"
#include "select/stage.hpp"

namespace hwtrace {

/// Keeps selected instructions. Records between two instructions belong to the later one and are kept with it. Records
/// after the last instruction are treated as if another instruction followed. Range::Unit::record counts instructions.
/// With Earlier::restated, the necessary state is restated before an instruction that follows a gap. This state
/// consists of the pc, the events in force, the page walks, the mode and the registers (see HartState). Restated
/// records are placed in the usual order of a group. State that the group contains anyway is not restated. Ordinal
/// times then count the kept instructions, unless SelectionOptions::keeps_positions is true. A selection by mode
/// contains no changes to other modes.
class HartSelection final : public Stage {
public:
    /// `source` must outlive the stage. Throws Failure::usage in the same cases as make_selection().
    HartSelection(const Schema& source, const Range& range, const SelectionOptions& options);

    const Schema& schema() const override { return derived_ ? derived_->schema() : source_; }
    void apply(const Batch& in, Batch& out) override;
    bool takes_whole(const Batch& in) override;
    bool finish(Batch& out) override;
    std::optional<Entry> entry() override;
    void entered() override { entered_ = true; }
    bool past() const override;
    std::optional<LeftOut> left_out() const override;
    bool save_state(Appender& out) const override;
    void restore_state(Cursor& in, const AddText& add_text) override;

private:
    /// The kinds of restated records at the start of a group, in the usual order of a group.
    enum class Restated : std::uint8_t { nothing, in_force, last_in_force, pc, registers, walks, mode };
    static_assert(conventions::in_force.size() == 2);
    static constexpr std::size_t own_pc = conventions::in_force.size();

    /// An instruction with the records that precede it in its group: all of `held`, then the records of `in` from
    /// `first` on.
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
    /// Maximum number of records that are held back until their instruction arrives. Longer runs are passed on in
    /// pieces.
    static constexpr std::size_t longest_run = 65'536;

    void meet_tracks();
    bool restates() const noexcept { return derived_.has_value(); }
    bool renumbers() const noexcept { return restates() && !options_.keeps_positions; }
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
    std::optional<DerivedSchema> derived_;  // set if the output must be a complete trace
    HartState state_;
    std::size_t met_ = 0;  // tracks examined so far
    TrackId hart_ = none;
    bool counts_ = false;  ///< the hart's times are instruction positions
    Batch held_;           // records of the current group from earlier batches

    std::uint64_t position_ = 0;  // position of the next instruction
    std::uint64_t shown_ = 0;     // instructions kept so far
    std::uint64_t lost_ = 0;      // lost instructions whose other records were passed on
    std::optional<Tick> loose_;   // time of records that were passed on before their instruction arrived
    bool in_region_ = false, region_over_ = false;
    bool gap_ = false;            // instructions were omitted before the next one
    bool learns_always_ = false;  // another gap may follow kept instructions
    bool entered_ = false, behind_ = false;

    // State of the group being written:
    std::vector<Part> order_;
    Restated restated_ = Restated::nothing;         ///< the last kind that was restated
    std::array<bool, own_pc + 1> own_{};            ///< the state that the group contains anyway
    std::optional<std::uint64_t> own_mode_change_;  ///< id of the mode change in the group
    std::size_t open_traps_ = 0;
    bool has_hidden_ = false;
};

}  // namespace hwtrace
