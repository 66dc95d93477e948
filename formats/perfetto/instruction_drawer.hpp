// formats/perfetto/instruction_drawer.hpp - draws the instructions of a hart: a slice for each run of instructions
// without a taken branch, and counters.
#pragma once

#include <cstdint>
#include <vector>

#include "model/record.hpp"
#include "timelines.hpp"

namespace hwtrace::perfetto {

class InstructionDrawer {
public:
    explicit InstructionDrawer(Timelines& to) : to_(to), harts_(to.schema.tracks().size()) {}

    void draw(const Batch& batch, const Record& instruction);
    /// Draws the last run of each hart.
    void finish();

private:
    struct Counts {
        std::uint64_t instructions = 0, loads = 0, stores = 0, branches = 0;
    };
    struct Hart {
        RowId runs = root_row, loads = root_row, stores = root_row, branches = root_row, rate = root_row;
        std::uint64_t pc = 0;  ///< of the first instruction of the run
        std::uint64_t next_pc = 0;
        Tick begin = 0, end = 0;
        Counts run;
        Tick window_begin = 0;
        Counts window;
    };

    void add_rows(Hart& hart, const Track& track);
    void draw_run(Hart& hart);
    void draw_window(Hart& hart, TrackId track);

    Timelines& to_;
    std::vector<Hart> harts_;  ///< by track
};

}  // namespace hwtrace::perfetto
