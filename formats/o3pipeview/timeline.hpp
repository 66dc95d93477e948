// formats/o3pipeview/timeline.hpp - puts what happens to the instructions of a trace in order of time, in bounded
// memory (formats/o3pipeview/README.md#order-of-instructions).
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "trace.hpp"

namespace hwtrace::o3pipeview {

/// A step of an instruction. Within a tick, an instruction takes its steps in this order; the first seven are its
/// stages.
enum class Step : std::uint8_t {
    fetch,
    decode,
    rename,
    dispatch,
    issue,
    complete,
    retire,
    store_begins,  ///< a store waits for its completion
    retire_ends,   ///< the stage of the retirement ends; the instruction stays until its store completes
    store_ends,
    leave,  ///< the last step
};
constexpr std::size_t step_count = 11;

/// An instruction that is in the pipeline.
struct Underway {
    Instruction instruction;
    std::uint32_t slot = 0;  ///< for the caller
    std::uint64_t retire_id = 0;

    struct Place {
        Tick tick = 0;
        Step step = Step::fetch;
    };
    std::array<Place, step_count> places{};  ///< in order of time
    std::uint8_t count = 0, next = 0;

    /// Computes the steps. A cycle has `cycle` ticks.
    void plan(Tick cycle) noexcept;
};

/// Receives instructions in the order of the file, and delivers their steps in the order of time. Steps of one tick are
/// ordered by sequence number, core and position in the file.
class Timeline {
public:
    static constexpr std::size_t widest_window = std::size_t{1} << 15;
    static constexpr std::size_t most_underway = std::size_t{1} << 16;

    /// Reads `window` (at least 1) instructions ahead.
    explicit Timeline(std::size_t window) : window_(window) {}

    /// Adds the next instruction of the file. Returns false, and ignores it, if later steps were already delivered.
    bool add(const Instruction& instruction);
    /// States that no instruction follows.
    void end() noexcept { ended_ = true; }

    /// Delivers the next step, and its instruction, which is valid until the next call. Returns nullptr at the end.
    /// Calls `refill()`, which must call add() or end() once, as often as needed. A cycle has `cycle()` ticks.
    template <typename Refill, typename Cycle>
    Underway* next(Underway::Place& place, Refill&& refill, Cycle&& cycle) {
        finish_step();
        for (;;) {
            while (!ended_ && waiting_.size() < window_)
                refill();
            if (waiting_.empty() || !(underway_.empty() || waiting_.front().precedes(underway_.front()))) break;
            enter(cycle());
        }
        return give(place);
    }

    /// Returns a window that would have delivered all steps so far in order. It is at most one wider than necessary.
    std::size_t needed_window() const noexcept { return needed_; }
    /// Returns the instructions that were left out because too many were in the pipeline; clear the list after use.
    std::vector<Instruction>& left_out() noexcept { return left_out_; }

private:
    /// The place of a step in the order.
    struct Key {
        Tick tick = 0;
        std::uint64_t seq = 0;
        std::uint64_t number = 0;  ///< of the instruction in the file, from 1
        std::uint32_t core = 0;
        std::uint32_t index = 0;  ///< in instructions_ or pool_

        bool precedes(const Key& other) const noexcept {
            if (tick != other.tick) return tick < other.tick;
            if (seq != other.seq) return seq < other.seq;
            if (core != other.core) return core < other.core;
            return number < other.number;
        }
    };
    /// Orders a heap whose first key precedes all others.
    struct Later {
        bool operator()(const Key& a, const Key& b) const noexcept { return b.precedes(a); }
    };

    void finish_step();
    void enter(Tick cycle);
    Underway* give(Underway::Place& place);

    std::size_t window_;
    bool ended_ = false, started_ = false, gave_ = false;
    std::vector<Instruction> instructions_;  ///< not fetched yet
    std::vector<std::uint32_t> free_instructions_;
    std::vector<Key> waiting_;  ///< heap of these
    std::vector<Underway> pool_;
    std::vector<std::uint32_t> free_;
    std::vector<Key> underway_;  ///< heap of the next steps of the instructions in pool_
    Tick now_ = 0;
    std::uint64_t read_ = 0, entered_ = 0;
    std::size_t needed_ = 1;
    std::vector<Instruction> left_out_;
};

}  // namespace hwtrace::o3pipeview
