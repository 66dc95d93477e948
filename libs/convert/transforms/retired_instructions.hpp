// convert/transforms/retired_instructions.hpp - raises the retired instructions of a core model's trace that was not
// lowered.
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "codec/losses.hpp"
#include "domain/riscv.hpp"
#include "domain/timeline.hpp"
#include "select/stage.hpp"

namespace hwtrace {

// Every entity of a `cpu` scope that retires becomes an instruction with its pc and encoding. Instructions are in order
// of retirement, then of id. If the instruction after a branch or jump is not the next one in memory, this instruction
// is the target of the taken branch. Everything else (times, stages, annotations, dependencies, tables, flushed
// instructions) has no place in an instruction trace and is counted as lost.

/// Turns retired entities into instructions.
class RetiredInstructions final : public Stage {
public:
    /// `source` and `losses` must outlive the stage. Requires is_possible(source).
    RetiredInstructions(const Schema& source, Losses& losses);

    /// Returns true if entities of the trace have a pc and an encoding.
    static bool is_possible(const Schema& source);
    /// Appends the possible losses, track by track.
    static void foretell(const Schema& source, std::vector<ExpectedLoss>& losses);

    const Schema& schema() const override { return schema_; }
    /// Returns the hart in schema() that gets the instructions of a source track, or `none` if no hart does.
    TrackId target_of(TrackId source) const noexcept;
    void apply(const Batch& in, Batch& out) override;
    bool finish(Batch& out) override;

private:
    struct Retired {
        std::uint64_t id = 0, pc = 0, encoding = 0;
        std::uint8_t size = 0;
    };
    struct Hart {
        TrackId track = none;
        std::uint16_t size_field = no_field;
        Tick retirement = 0;                ///< the retirement time of the waiting instructions
        std::vector<Retired> waiting = {};  ///< instructions that retired at that time
        std::optional<Retired> last = {};   ///< the last instruction, until the next one is known
        Tick index = 0;
    };

    void end(const Lifetime& life, Batch& out);
    void release(Hart& hart, Batch& out);
    void put(Hart& hart, std::optional<std::uint64_t> next_pc, Batch& out);

    const Schema& source_;
    Losses& losses_;
    Timeline timeline_;
    Schema schema_;
    std::vector<Hart> harts_;         // by catalogue
    std::vector<bool> is_catalogue_;  // by source track
    riscv::Xlen xlen_ = riscv::Xlen::rv64;
};

}  // namespace hwtrace
