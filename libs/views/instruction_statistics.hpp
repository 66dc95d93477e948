// views/instruction_statistics.hpp - statistics of an instruction trace: the counters of stf_count, instruction mix,
// branches, memory accesses, events and features.
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

#include "domain/riscv.hpp"
#include "io/limits.hpp"
#include "io/saved_state.hpp"
#include "model/record.hpp"
#include "model/schema.hpp"

namespace hwtrace {

/// The counters of the reference tool stf_count, with its names and values (formats/stf/README.md, "Statistics").
struct InstructionCounts {
    std::uint64_t total_record_count = 0;  ///< records up to the last instruction, without the header
    std::uint64_t inst_count = 0;          ///< instructions without a fault
    std::uint64_t inst_record_count = 0;   ///< instructions with and without a fault
    std::uint64_t mem_access_count = 0;
    std::uint64_t mem_record_count = 0;  ///< records of accesses and of their data
    std::uint64_t uop_count = 0;
    std::uint64_t comment_count = 0;
    std::uint64_t event_count = 0;
    std::uint64_t user_count = 0;      ///< instructions of inst_count in user mode
    std::uint64_t non_user_count = 0;  ///< instructions of inst_count in other modes
    std::uint64_t fault_count = 0;     ///< instructions with a fault
    std::uint64_t pte_count = 0;       ///< page table walks

    InstructionCounts& operator+=(const InstructionCounts& more) noexcept;
    friend bool operator==(const InstructionCounts&, const InstructionCounts&) = default;
};

/// A counter with the name that stf_count prints.
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

/// The names of the feature bits that are counted.
inline constexpr std::array<std::string_view, 9> feature_names{
    "DATA_ATTRIBUTE", "OPERAND_VALUE", "EVENT", "RV64", "PTE", "PROCESS_ID", "REG_STATE", "MICROOP", "VEC"};

struct InstructionStatistics {
    struct Count {
        std::string name;
        std::uint64_t count = 0;
        std::uint64_t id = 0;  ///< of the event; the last one for "others"
    };
    struct AccessSize {
        AccessType type = AccessType::invalid;
        std::uint16_t size = 0;  ///< as stored in the source
        std::uint64_t count = 0;
    };
    /// A feature bit of an STF header, and the number of records that it announces.
    struct Feature {
        std::string_view name;
        bool set = false;
        std::uint64_t count = 0;
    };
    InstructionCounts counts;
    std::uint64_t short_encodings = 0, long_encodings = 0, other_encodings = 0;  ///< 2 bytes, 4 bytes, others
    std::optional<std::array<std::uint64_t, riscv::classes>> classes;            ///< for a RISC-V trace
    std::uint64_t branches_taken = 0, branches_not_taken = 0;  ///< conditional branches, for a RISC-V trace
    std::vector<AccessSize> accesses;                          ///< sorted by direction, then by size
    std::vector<Count> events;                                 ///< sorted by id
    std::vector<Feature> features;                             ///< empty if the trace has no feature bits
    std::vector<InstructionCounts> intervals;  ///< counters per interval of instructions; the last may be shorter
};

/// Counts a trace or a slice (Earlier::counted) in one pass. Needs memory for each interval, access size and event
/// id.
class InstructionMeter {
public:
    /// `schema` must outlive the meter and may grow. `interval` is the number of instructions per interval; 0 means no
    /// intervals. add() throws Failure::limit if there are more intervals than limits.schema_objects.
    explicit InstructionMeter(const Schema& schema, std::uint64_t interval = 0, const Limits& limits = {});

    void add(const Batch& batch);
    /// Appends the statistics of a shard, without intervals.
    void save(StateOut& out) const;
    /// Adds the statistics of the next shard.
    void add(StateIn& in);
    /// Returns why the statistics of shards do not give those of the trace; empty if they do.
    std::string_view not_reduced() const noexcept {
        return other_events_ == 0 ? std::string_view() : "there are more than 4096 kinds of events";
    }
    /// Returns the result, or nullopt if there are no instructions. Call it once, after the last batch.
    std::optional<InstructionStatistics> result();

private:
    /// The role of a track's records.
    enum class Part : std::uint8_t { other, event, microop, page_walk, bus_access, process };

    /// Calls `each` with every sum that is a number or an array.
    static void each_sum(auto& self, auto&& each) {
        for (const NamedCounter& counter : instruction_counters)
            each(self.counts_.*counter.value);
        for (auto* const sum : {&self.short_, &self.long_, &self.taken_, &self.other_events_, &self.operands_,
                                &self.states_, &self.vectors_, &self.attributes_, &self.processes_})
            each(*sum);
        for (auto& sum : self.classes_)
            each(sum);
        for (auto& sizes : self.sizes_)
            for (auto& sum : sizes)
                each(sum);
    }
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
    std::vector<Part> parts_;  // indexed by track
    bool riscv_ = false, wide_events_ = false;
    riscv::Xlen xlen_ = riscv::Xlen::rv64;
    std::optional<std::uint64_t> features_;

    InstructionCounts counts_, begin_, group_;  // total, total at the start of this interval, current group
    Tick group_time_ = 0;
    bool begun_ = false;  // group_ is not empty
    bool user_ = false, fault_ = false;
    std::optional<bool> next_user_;  // true: user mode from the next instruction on; none: no change
    std::array<std::uint64_t, riscv::classes> classes_{};
    std::uint64_t short_ = 0, long_ = 0, taken_ = 0;
    // Counts of accesses. Usual sizes are counted by direction and size in an array, other sizes in a map.
    static constexpr std::size_t usual_sizes = 129;
    std::array<std::array<std::uint64_t, usual_sizes>, 3> sizes_{};
    std::map<std::pair<AccessType, std::uint16_t>, std::uint64_t> other_sizes_;
    std::map<std::uint64_t, std::uint64_t> events_;  // key: event id; at most most_ids
    std::uint64_t other_events_ = 0;
    // Counts of the records that features announce.
    std::uint64_t operands_ = 0, states_ = 0, vectors_ = 0, attributes_ = 0, processes_ = 0;
    std::vector<InstructionCounts> intervals_;
};

}  // namespace hwtrace
