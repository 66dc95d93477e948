// domain/hart_state.hpp - the known state of a hart, and the part of it that a slice has not stated yet.
#pragma once

#include <array>
#include <compare>
#include <cstdint>
#include <map>
#include <optional>
#include <span>
#include <vector>

#include "domain/conventions.hpp"
#include "io/limits.hpp"
#include "model/record.hpp"
#include "model/schema.hpp"

namespace hwtrace {

class Appender;
class Cursor;

/// Learns the state of a hart from all records of a trace, in order. Restates the state that results from records
/// outside a slice: events in force, the mode, the last register values.
class HartState {
public:
    /// States whether a learned record is part of the slice.
    enum class Fate : std::uint8_t { left_out, shown };

    /// `schema` must outlive this object. Its tracks are examined here and by meet_tracks(). A slice contains the
    /// trace's header, so state in the header counts as stated.
    HartState(const Schema& schema, const Limits& limits) : schema_(schema), most_bytes_(limits.record) {
        meet_tracks();
    }
    void meet_tracks();

    /// Learns from one record. Throws Failure::limit if the registers are too large for one group.
    void learn(const Batch& batch, const Record& record, Fate fate);

    /// Appends everything that was learned. Requires that all records were learned with Fate::left_out.
    void save(Appender& out) const;
    /// Replaces what was learned by what another object of the same schema saved. Throws Truncated or Failure::input if
    /// the bytes cannot be such a state.
    void restore(Cursor& in);

    /// Returns the mode of the next instruction, an index into conventions::modes.
    std::uint64_t mode() const noexcept { return mode_; }
    /// Returns true if `record` changes to a mode other than `mode`.
    bool leaves_mode(const Batch& batch, const Record& record, std::uint64_t mode) const noexcept;

    // The next functions append state to `out` unless the slice states this state already. Appended state counts as
    // stated.
    /// Restates the last event of track conventions::in_force[which]. Returns false if there is none, or if the slice
    /// already states it.
    bool restate_event(std::size_t which, Tick time, Batch& out);
    /// Restates that the next instruction is at `pc`. Returns false if the trace has no track for such records.
    bool restate_pc(Tick time, std::uint64_t pc, Batch& out);
    /// Restates the page mappings of the current address space. If there are more than most_walks, restates only the
    /// most recent ones. Returns the number of restated mappings.
    std::size_t restate_walks(Tick time, Batch& out);
    /// Restates the mode by repeating the event that set it. Returns false if the slice already states the mode. If no
    /// event has set a mode yet, the initial mode is restated only if `own_change` is set. `own_change` is the id of
    /// the mode change in the next instruction's group, if there is one.
    bool restate_mode(Tick time, std::optional<std::uint64_t> own_change, Batch& out);
    /// Restates registers as operands of the next instruction in `out`. Skips registers whose state is among `own`, the
    /// instruction's operands. Returns the number of restated registers.
    std::size_t restate_registers(std::span<const Operand> own, Batch& out);

    /// Returns the track's index in conventions::in_force, or nullopt if the track is not one of them.
    std::optional<std::size_t> in_force(TrackId track) const noexcept;
    /// Returns the id of the event `record` if the event changes the mode; otherwise nullopt.
    std::optional<std::uint64_t> mode_change(const Batch& batch, const Record& record) const noexcept;
    TrackId resumption() const noexcept { return resumption_; }
    TrackId walk() const noexcept { return walk_; }
    TrackId trap() const noexcept { return trap_; }
    TrackId trap_target() const noexcept { return trap_target_; }

private:
    static constexpr std::size_t registers_of_class = 32, csrs = 4096;
    static constexpr std::size_t register_count = 3 * registers_of_class + csrs;

    /// The last event of a track in the trace, and its last event in the slice.
    struct Event {
        TrackId track = none;
        std::vector<std::uint64_t> now, told;  ///< cells of these events; empty: no event yet

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
        std::uint64_t number = 0;  ///< increases with each walk
        bool told = false;
        std::vector<std::uint64_t> cells;
    };
    static constexpr std::size_t most_walks = 16'384;  ///< maximum number of walks to restate

    struct Register {
        std::uint64_t value = 0;
        bool known = false;
        bool told = false;  ///< the slice states this value
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
    std::uint64_t vector_bytes_ = 0, walk_bytes_ = 0;  // memory of vectors_ and walks_
    std::array<Event, conventions::in_force.size()> events_;
    Event mode_event_;
    std::uint64_t mode_ = 3;
    std::vector<Register> registers_ = std::vector<Register>(register_count);
    std::array<std::vector<std::uint64_t>, registers_of_class> vectors_;
    std::map<Page, Walk> walks_;
    std::vector<Walk> group_walks_;  // walks of the group whose instruction has not arrived yet
    std::uint64_t next_walk_ = 0;
    std::vector<std::uint16_t>
        untold_;  // indexes into registers_; may contain duplicates and registers that were stated later
};

}  // namespace hwtrace
