// views/instruction_statistics.hpp - what a trace of instructions holds: the reference's counters, the mix of
// instructions, branches, memory accesses, events, and what its features tell of that.
#pragma once

#include <array>
#include <cstdint>
#include <map>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "io/limits.hpp"
#include "model/record.hpp"
#include "model/riscv.hpp"
#include "model/schema.hpp"

namespace hwtrace {

/// Under the names and with the values of the reference's stf_count (formats/stf/README.md, "Statistics").
struct InstructionCounts {
    std::uint64_t total_record_count = 0;  ///< up to the last instruction, without the header
    std::uint64_t inst_count = 0;          ///< without those that a fault stopped
    std::uint64_t inst_record_count = 0;   ///< all of them
    std::uint64_t mem_access_count = 0;
    std::uint64_t mem_record_count = 0;  ///< accesses, and words of content
    std::uint64_t uop_count = 0;
    std::uint64_t comment_count = 0;
    std::uint64_t event_count = 0;
    std::uint64_t user_count = 0;      ///< of inst_count: behind a change to user mode
    std::uint64_t non_user_count = 0;  ///< of inst_count: others
    std::uint64_t fault_count = 0;     ///< instructions that a fault stopped
    std::uint64_t pte_count = 0;       ///< page table walks

    InstructionCounts& operator+=(const InstructionCounts& more) noexcept;
    friend bool operator==(const InstructionCounts&, const InstructionCounts&) = default;
};

/// A counter by the name that the reference prints.
struct NamedCounter {
    std::string_view name;
    std::uint64_t InstructionCounts::*value;
};
inline constexpr std::array<NamedCounter, 12> instruction_counters{{
    {"total_record_count", &InstructionCounts::total_record_count},
    {"inst_count", &InstructionCounts::inst_count},
    {"inst_record_count", &InstructionCounts::inst_record_count},
    {"mem_access_count", &InstructionCounts::mem_access_count},
    {"mem_record_count", &InstructionCounts::mem_record_count},
    {"uop_count", &InstructionCounts::uop_count},
    {"comment_count", &InstructionCounts::comment_count},
    {"event_count", &InstructionCounts::event_count},
    {"user_count", &InstructionCounts::user_count},
    {"non_user_count", &InstructionCounts::non_user_count},
    {"fault_count", &InstructionCounts::fault_count},
    {"PTE_count", &InstructionCounts::pte_count},
}};

struct InstructionStatistics {
    struct Count {
        std::string name;
        std::uint64_t count = 0;
    };
    struct AccessSize {
        AccessType type = AccessType::invalid;
        std::uint16_t size = 0;  ///< as the source states it
        std::uint64_t count = 0;
    };
    /// A bit of the features of an STF header, and how much there is of what it tells.
    struct Feature {
        std::string_view name;
        bool set = false;
        std::uint64_t count = 0;
    };
    InstructionCounts counts;
    std::uint64_t short_encodings = 0, long_encodings = 0, other_encodings = 0;  ///< 2 bytes, 4 bytes, others
    std::optional<std::array<std::uint64_t, riscv::classes>> classes;            ///< of a RISC-V trace
    std::uint64_t branches_taken = 0, branches_not_taken = 0;                    ///< conditional ones, likewise
    std::vector<AccessSize> accesses;                                            ///< by direction, then by size
    std::vector<Count> events;                                                   ///< by id
    std::vector<Feature> features;                                               ///< where the trace states features
    std::vector<InstructionCounts> intervals;  ///< of so many instructions each, the last one may have fewer
};

/// Counts in one pass, also of a part of a trace (Earlier::counted). Memory for the intervals, and for sizes and ids
/// that differ.
class InstructionMeter {
public:
    /// `schema` outlives the meter and may grow. `interval`: instructions of an interval; 0: none are told. More
    /// intervals than `limits` allow objects are Failure::limit.
    explicit InstructionMeter(const Schema& schema, std::uint64_t interval = 0, const Limits& limits = {});

    void add(const Batch& batch);
    /// After the last batch, once. None where there are no instructions.
    std::optional<InstructionStatistics> result();

private:
    /// What records of a track are to these statistics.
    enum class Part : std::uint8_t { other, event, microop, page_walk, bus_access, process };

    void learn();
    void take(const Record& record, const Batch& batch);
    void event(std::span<const std::uint64_t> cells);
    void forget_group();
    void instruction(const Instruction& instruction, const Batch& batch);
    void count_access(const Access& access);
    void end_interval();

    const Schema& schema_;
    std::uint64_t interval_;
    std::uint64_t most_intervals_;
    std::vector<Part> parts_;  // by track
    bool riscv_ = false, wide_events_ = false;
    riscv::Xlen xlen_ = riscv::Xlen::rv64;
    std::optional<std::uint64_t> features_;

    InstructionCounts counts_, begin_, group_;  // of all; of all up to this interval; of the group in progress
    Tick group_time_ = 0;
    bool begun_ = false;  // group_ counts something
    bool user_ = false, fault_ = false;
    std::optional<bool> next_user_;  // behind the instruction of the group in progress
    std::array<std::uint64_t, riscv::classes> classes_{};
    std::uint64_t short_ = 0, long_ = 0, taken_ = 0;
    // Usual sizes by direction; others.
    static constexpr std::size_t usual_sizes = 129;
    std::array<std::array<std::uint64_t, usual_sizes>, 3> sizes_{};
    std::map<std::pair<AccessType, std::uint16_t>, std::uint64_t> other_sizes_;
    std::map<std::uint64_t, std::uint64_t> events_;  // by id, at most most_ids
    std::uint64_t other_events_ = 0;
    // What features tell of.
    std::uint64_t operands_ = 0, states_ = 0, vectors_ = 0, attributes_ = 0, processes_ = 0;
    std::vector<InstructionCounts> intervals_;
};

}  // namespace hwtrace
