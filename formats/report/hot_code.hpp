// formats/report/hot_code.hpp - how often each pc and each basic block of a hart was executed.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "json_stream.hpp"
#include "model/hash.hpp"

namespace hwtrace::report {

/// Counts executions by pc, in bounded memory.
class HotCode {
public:
    struct Instruction {
        std::uint64_t count = 0, loads = 0, stores = 0, taken = 0;
        std::uint64_t encoding = 0;  ///< of the last execution
        std::uint64_t latency = 0;   ///< sum of the times in flight
    };
    /// A run of instructions up to a taken branch.
    struct Block {
        std::uint64_t runs = 0, instructions = 0;
        std::uint64_t end = 0;  ///< the greatest address after the block
    };

    /// Counts one execution. `what.count` is ignored.
    void add(std::uint64_t pc, const Instruction& what) {
        total_.count += 1;
        total_.loads += what.loads;
        total_.stores += what.stores;
        total_.taken += what.taken;
        Instruction* const known = find(instructions_, pc);
        if (known == nullptr) {
            ++instructions_omitted_;
            return;
        }
        ++known->count;
        known->loads += what.loads;
        known->stores += what.stores;
        known->taken += what.taken;
        known->encoding = what.encoding;
        known->latency += what.latency;
    }
    void add_block(std::uint64_t begin, std::uint64_t end, std::uint64_t instructions) {
        Block* const known = find(blocks_, begin);
        if (known == nullptr) {
            ++blocks_omitted_;
            return;
        }
        ++known->runs;
        known->instructions += instructions;
        if (end > known->end) known->end = end;
    }
    const Instruction& total() const noexcept { return total_; }
    /// Writes the totals and the `most` most frequent pcs and blocks.
    void write(JsonStream& json, std::size_t most) const;

private:
    static constexpr std::size_t most_kept = std::size_t{1} << 17;

    template <typename Value>
    static Value* find(HashMap<std::uint64_t, Value>& map, std::uint64_t key) {
        const auto found = map.find(key);
        if (found != map.end()) return &found->second;
        return map.size() < most_kept ? &map[key] : nullptr;
    }

    Instruction total_;
    HashMap<std::uint64_t, Instruction> instructions_;
    HashMap<std::uint64_t, Block> blocks_;
    std::uint64_t instructions_omitted_ = 0, blocks_omitted_ = 0;
};

}  // namespace hwtrace::report
