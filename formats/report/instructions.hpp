// formats/report/instructions.hpp - the instructions of harts: runs without a taken branch, rates, hot code, and in a
// short trace each one.
#pragma once

#include <cstdint>
#include <memory>
#include <vector>

#include "chart.hpp"
#include "domain/few_instructions.hpp"
#include "domain/time_bins.hpp"
#include "hot_code.hpp"
#include "model/record.hpp"
#include "time_scale.hpp"

namespace hwtrace::report {

class Instructions {
public:
    Instructions(const Schema& schema, TimeScale& times, Chart& chart)
        : schema_(schema), times_(times), chart_(chart), harts_(schema.tracks().size()) {}

    void add(const Batch& batch, const Record& instruction);
    /// Ends the last run of each hart.
    void finish();
    /// Writes the elements of the array "code": the hot code of each hart.
    /// `symbols` may be null.
    void write_code(JsonStream& json, const Symbols* symbols) const;
    /// Writes the member "rates": instructions, loads, stores and taken branches of each hart by bins of time.
    void write_rates(JsonStream& json) const;

private:
    struct Counts {
        std::uint64_t instructions = 0, loads = 0, stores = 0, taken = 0;

        Counts& operator+=(const Counts& other) noexcept {
            instructions += other.instructions;
            loads += other.loads;
            stores += other.stores;
            taken += other.taken;
            return *this;
        }
        void join(const Counts& later, std::uint64_t) noexcept { *this += later; }
    };
    struct Hart {
        RowId row = none;
        HotCode code;
        TimeBins<Counts> rates{LoadBins::most_bins};
        std::uint64_t pc = 0;  ///< of the first instruction of the run
        std::uint64_t next_pc = 0;
        Tick begin = 0, end = 0;  ///< of the run
        Counts run;
        FewInstructions few;
        Tick first = 0, last = 0;  ///< times of the first and last instruction, in ticks of the track
    };

    Hart& hart_of(const Record& instruction);
    void end_run(Hart& hart);
    void add_few(TrackId track, const Hart& hart);

    const Schema& schema_;
    TimeScale& times_;
    Chart& chart_;
    std::vector<std::unique_ptr<Hart>> harts_;  ///< by track
};

}  // namespace hwtrace::report
