// pipeline/retired_instructions.hpp - the instructions that a model of a core retired, of a trace that nobody lowered.
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "codec/losses.hpp"
#include "model/riscv.hpp"
#include "pipeline/stage.hpp"
#include "pipeline/timeline.hpp"

namespace hwtrace {

// Each entity of a scope of protocol `cpu` that retires is an instruction, in order of retirement, of one time in order
// of its id: its pc and its encoding. Where the next one stands elsewhere than behind a branch or a jump, that was
// taken there. What else the trace says (when that was, stages, annotations, dependencies, tables, instructions that
// were thrown away) has no place beside instructions, and is counted.

/// Makes instructions of what retires.
class RetiredInstructions final : public Stage {
public:
    /// `source` and `losses` outlive the stage; `source` is_possible().
    RetiredInstructions(const Schema& source, Losses& losses);

    /// Whether entities of the trace say what instructions are: their pc and their encoding.
    static bool is_possible(const Schema& source);
    /// What can be lost, track by track.
    static void foretell(const Schema& source, std::vector<ExpectedLoss>& losses);

    const Schema& schema() const override { return schema_; }
    /// The hart in schema() of whose instructions a track of the source tells; `none` where of no hart's.
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
        Tick retirement = 0;                ///< of those that wait
        std::vector<Retired> waiting = {};  ///< retired at one time
        std::optional<Retired> last = {};   ///< whose successor is not known yet
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
