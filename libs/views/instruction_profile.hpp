// views/instruction_profile.hpp - what a program does: hot pcs, basic blocks, branches, memory, reuse of cache lines.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <string_view>
#include <utility>
#include <vector>

#include "domain/distinct_counter.hpp"
#include "domain/hot_code.hpp"
#include "domain/reuse_distances.hpp"
#include "domain/riscv.hpp"
#include "model/record.hpp"
#include "model/schema.hpp"

namespace hwtrace {

struct InstructionProfile {
    static constexpr std::uint64_t line_bytes = 64, page_bytes = 4096;

    struct Pc {
        std::uint64_t pc = 0;
        std::uint64_t encoding = 0;  ///< of the last execution
        std::uint64_t executions = 0, loads = 0, stores = 0;
    };
    /// A run of instructions without a gap, up to a taken branch.
    struct Block {
        std::uint64_t begin = 0, end = 0;  ///< `end` follows the last instruction
        std::uint64_t executions = 0, instructions = 0;
    };
    struct Branch {
        struct Target {
            std::uint64_t pc = 0, times = 0;

            static auto members(auto& self) { return std::tie(self.pc, self.times); }
        };
        std::uint64_t pc = 0;
        std::string_view kind;  ///< class of the instruction, such as "branch" or "call"; empty if not RISC-V
        std::uint64_t taken = 0, not_taken = 0;
        std::vector<Target> targets;      ///< the most frequent ones first
        std::uint64_t other_targets = 0;  ///< taken branches to other targets than the first 4
    };
    struct Memory {
        std::uint64_t reads = 0, writes = 0, bytes_read = 0, bytes_written = 0;
        std::uint64_t lines = 0, pages = 0;  ///< different ones that were touched
        bool lines_exact = true, pages_exact = true;
    };
    struct Reuse {
        std::uint64_t references = 0, first_uses = 0;
        std::array<std::uint64_t, ReuseDistances::buckets> counts{};  ///< see ReuseDistances::buckets
        std::uint64_t sampled = 1;                                    ///< one line in so many was followed
    };
    std::vector<Pc> pcs;           ///< the most frequent ones first, at most 64
    std::vector<Block> blocks;     ///< those with the most executed instructions first, at most 64
    std::vector<Branch> branches;  ///< the most frequent ones first, at most 64
    std::uint64_t different_pcs = 0, different_blocks = 0;
    std::uint64_t omitted_pcs = 0, omitted_blocks = 0;  ///< executions beyond 131,072 different ones
    std::optional<Memory> memory;                       ///< nullopt without accesses
    std::optional<Reuse> reuse;                         ///< nullopt if it was not measured
};

/// Whether to measure reuse distances, which takes about as long as reading the trace.
enum class ReuseMode : std::uint8_t { skipped, measured };

/// Profiles a trace of instructions in one pass and in bounded memory. Instructions of all harts count together.
class InstructionProfileMeter {
public:
    /// `schema` must outlive the meter and may grow.
    InstructionProfileMeter(const Schema& schema, ReuseMode reuse);

    void add(const Batch& batch);
    /// Prepares the meter for a shard, whose statistics save() appends. Call it before add().
    void begin_shard() noexcept { is_shard_ = true; }
    /// Appends the statistics of a shard, without reuse distances.
    void save(StateOut& out) const;
    /// Adds the statistics of the next shard. The schema is that of the whole trace.
    void add(StateIn& in);
    /// Returns why the statistics of shards do not give those of the trace; empty if they do.
    std::string_view not_reduced() const noexcept;
    /// Returns the result, or nullopt if there are no instructions. Call it once, after the last batch.
    std::optional<InstructionProfile> result();

private:
    static constexpr std::size_t most_listed = 64, most_targets = 4, most_branches = std::size_t{1} << 16;
    static constexpr std::size_t most_others = std::size_t{1} << 18;

    /// The instructions of a hart since the latest taken branch or gap.
    struct Run {
        std::uint64_t begin = 0, next = 0, instructions = 0;

        static auto members(auto& self) { return std::tie(self.begin, self.next, self.instructions); }
    };
    /// The run at the begin of a shard, which may continue one of an earlier shard.
    struct Head {
        bool is_met = false, has_ended = false;
        Run run;

        static auto members(auto& self) { return std::tie(self.is_met, self.has_ended, self.run); }
    };
    struct Targets {
        std::array<InstructionProfile::Branch::Target, most_targets> targets{};
        std::uint64_t others = 0;
    };
    using Target = InstructionProfile::Branch::Target;
    /// The targets of a branch beyond the first 4, in order of appearance: of a shard, because earlier shards may have
    /// fewer, or others.
    struct OtherTargets {
        std::vector<Target> targets;
        HashMap<std::uint64_t, std::size_t> places;  // in `targets`, by target
    };

    void take(const Record& record, const Batch& batch);
    void end_run(Run& run);
    void end_run_of(TrackId track);
    void count_target(std::uint64_t pc, std::uint64_t target, std::uint64_t times = 1);
    void keep_other(std::uint64_t pc, std::uint64_t target);
    void add_head(TrackId track, const Head& head, const Run& open);
    void count_access(const Access& access);
    std::vector<InstructionProfile::Branch> branches() const;

    const Schema& schema_;
    bool riscv_ = false;
    riscv::Xlen xlen_ = riscv::Xlen::rv64;
    std::vector<Run> runs_;    // by track
    std::vector<Head> heads_;  // by track; of a shard
    std::unique_ptr<HotCode> code_;
    HashMap<std::uint64_t, Targets> targets_;  // by pc of the branch
    InstructionProfile::Memory memory_;
    DistinctCounter lines_, pages_;
    std::uint64_t last_line_ = 0, last_page_ = 0;
    std::optional<ReuseDistances> reuse_;
    bool is_shard_ = false, has_all_targets_ = true;
    HashMap<std::uint64_t, OtherTargets> other_targets_;  // of a shard, by pc of the branch
    std::size_t others_kept_ = 0;
    std::uint64_t targets_omitted_ = 0;  // executions of branches that have no targets
};

}  // namespace hwtrace
