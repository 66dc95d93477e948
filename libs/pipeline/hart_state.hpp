// pipeline/hart_state.hpp - what is known of a hart from the instructions so far, and what of it a reader of a part of
// the trace has not been told.
#pragma once

#include <array>
#include <compare>
#include <cstdint>
#include <map>
#include <optional>
#include <span>
#include <vector>

#include "io/limits.hpp"
#include "model/conventions.hpp"
#include "model/record.hpp"
#include "model/schema.hpp"

namespace hwtrace {

/// Learns from the records of a trace in their order, some of which are left out of a part of it, and restates in that
/// part what the left out ones said: events that are in force, the mode, the last values of registers.
class HartState {
public:
    /// Whether a record that is learned of stands in the part.
    enum class Fate : std::uint8_t { left_out, shown };

    /// Tracks of `schema`, which outlives this object, are looked at when meet_tracks() is called. What the part's
    /// header says is known there: it is the trace's.
    HartState(const Schema& schema, const Limits& limits) : schema_(schema), most_bytes_(limits.record) {
        meet_tracks();
    }
    void meet_tracks();

    /// Throws Failure::limit where registers are so large that no group of records could state them.
    void learn(const Batch& batch, const Record& record, Fate fate);

    /// The mode of the instruction that comes next: a number of conventions::modes.
    std::uint64_t mode() const noexcept { return mode_; }
    /// Whether `record` is a change to another mode than `mode`.
    bool leaves_mode(const Batch& batch, const Record& record, std::uint64_t mode) const noexcept;

    // --- appending to `out` what the part has not been told; counts as told from then on ---
    /// The event in force, conventions::in_force[which].
    bool restate_event(std::size_t which, Tick time, Batch& out);
    /// That the next instruction is at `pc`; false where the trace has no way to say it.
    bool restate_pc(Tick time, std::uint64_t pc, Batch& out);
    /// What pages of the present address space map to, those walked last where there are many; how many.
    std::size_t restate_walks(Tick time, Batch& out);
    /// The mode, as the event that set it; false where it is known. A mode that nobody has set yet is stated where the
    /// next instruction itself has a change of the mode, an event of id `own_change`.
    bool restate_mode(Tick time, std::optional<std::uint64_t> own_change, Batch& out);
    /// Registers, as operands of the next instruction of `out`, which is `instruction` of `in`: where that states a
    /// register itself, its own word counts. How many.
    std::size_t restate_registers(const Batch& in, const Instruction& instruction, Batch& out);

    /// Of a track whose events are in force until the next: its place in conventions::in_force.
    std::optional<std::size_t> in_force(TrackId track) const noexcept;
    /// The id of the event `record`, where it changes the mode.
    std::optional<std::uint64_t> mode_change(const Batch& batch, const Record& record) const noexcept;
    TrackId resumption() const noexcept { return resumption_; }
    TrackId walk() const noexcept { return walk_; }
    TrackId trap() const noexcept { return trap_; }
    TrackId trap_target() const noexcept { return trap_target_; }

private:
    static constexpr std::size_t registers_of_class = 32, csrs = 4096;
    static constexpr std::size_t register_count = 3 * registers_of_class + csrs;

    /// The last event of a track, and the last one that the part has.
    struct Event {
        TrackId track = none;
        std::vector<std::uint64_t> now, told;  ///< empty: none yet

        void learn(std::span<const std::uint64_t> cells, Fate fate) {
            now.assign(cells.begin(), cells.end());
            if (fate == Fate::shown) told = now;
        }
        bool restate(Tick time, Batch& out) {
            if (now == told || now.empty()) return false;
            out.event(track, time, now);
            told = now;
            return true;
        }
    };
    /// A page of an address space.
    struct Page {
        std::uint64_t space = 0, address = 0;
        friend auto operator<=>(const Page&, const Page&) = default;
    };
    struct Walk {
        std::uint64_t number = 0;  ///< the later, the higher
        bool told = false;
        std::vector<std::uint64_t> cells;
    };
    static constexpr std::size_t most_walks = 16'384;  ///< that are restated

    struct Register {
        std::uint64_t value = 0;
        bool known = false;
        bool told = false;  ///< the part has this value
    };

    static std::optional<std::size_t> place_of(const Operand& operand) noexcept;
    void learn(const Batch& batch, const Operand& operand, Fate fate);
    void settle_walks();
    void learn_walk(Walk&& walk);
    void forget_old_walks(std::size_t kept);
    std::uint64_t space() const noexcept {
        return registers_[3 * registers_of_class + conventions::address_space].value;
    }

    const Schema& schema_;
    std::size_t met_ = 0;
    TrackId resumption_ = none, walk_ = none, trap_ = none, trap_target_ = none;
    std::uint64_t most_bytes_;
    std::uint64_t vector_bytes_ = 0, walk_bytes_ = 0;  // of vectors_ and walks_
    std::array<Event, conventions::in_force.size()> events_;
    Event mode_event_;
    std::uint64_t mode_ = 3;
    std::vector<Register> registers_ = std::vector<Register>(register_count);
    std::array<std::vector<std::uint64_t>, registers_of_class> vectors_;
    std::map<Page, Walk> walks_;
    std::vector<Walk> group_walks_;  // of the group whose instruction has not come yet
    std::uint64_t next_walk_ = 0;
    std::vector<std::uint16_t> untold_;  // places in registers_, maybe twice, and maybe told since
};

}  // namespace hwtrace
