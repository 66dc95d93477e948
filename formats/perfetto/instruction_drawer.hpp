// formats/perfetto/instruction_drawer.hpp - draws the instructions of a hart: counters, and a slice for each run of
// instructions without a taken branch, or, with symbols, for each function. A short trace also has a slice for each
// instruction.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <vector>

#include "domain/few_instructions.hpp"
#include "function_drawer.hpp"
#include "model/record.hpp"
#include "timelines.hpp"

namespace hwtrace::perfetto {

class InstructionDrawer {
public:
    /// `symbols` may be null.
    InstructionDrawer(Timelines& to, const std::shared_ptr<const Symbols>& symbols)
        : to_(to), harts_(to.schema.tracks().size()) {
        if (symbols) functions_.emplace(to, symbols);
    }

    /// States that instructions are missing before the next record.
    void lose() {
        if (functions_) functions_->lose();
    }
    /// Takes an event, which may state the thread that runs, or a trap.
    void learn(const Batch& batch, const Record& event) {
        if (functions_) functions_->learn(batch, event);
    }

    void draw(const Batch& batch, const Record& instruction);
    /// Draws the last run of each hart, and ends all functions.
    void finish();

private:
    struct Counts {
        std::uint64_t instructions = 0, loads = 0, stores = 0, branches = 0;

        Counts& operator+=(const Counts& other) noexcept {
            instructions += other.instructions;
            loads += other.loads;
            stores += other.stores;
            branches += other.branches;
            return *this;
        }
    };
    struct Hart {
        RowId group = root_row, runs = root_row, loads = root_row, stores = root_row, branches = root_row,
              rate = root_row;
        std::uint64_t pc = 0;  ///< of the first instruction of the run
        std::uint64_t next_pc = 0;
        Tick begin = 0, end = 0;
        Counts run;  ///< without symbols
        Tick window_begin = 0;
        Counts window;
        FewInstructions few;
    };

    void add_counters(Hart& hart, const Track& track);
    void extend_run(Hart& hart, std::uint64_t pc, Tick begin, const Counts& now);
    void draw_run(Hart& hart);
    void draw_window(Hart& hart, TrackId track);
    void draw_few(const Hart& hart);

    Timelines& to_;
    std::vector<Hart> harts_;  ///< by track
    std::optional<FunctionDrawer> functions_;
};

}  // namespace hwtrace::perfetto
