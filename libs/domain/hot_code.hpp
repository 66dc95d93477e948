// domain/hot_code.hpp - how often each pc and each basic block of a hart was executed.
#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <utility>
#include <vector>

#include "io/saved_state.hpp"
#include "model/hash.hpp"

namespace hwtrace {

/// Counts executions by pc, in bounded memory.
class HotCode {
public:
    HotCode() = default;
    HotCode(const HotCode&) = delete;  // entries are kept by address
    HotCode& operator=(const HotCode&) = delete;

    struct Instruction {
        std::uint64_t count = 0, loads = 0, stores = 0, taken = 0;
        std::uint64_t encoding = 0;  ///< of the last execution
        std::uint64_t latency = 0;   ///< sum of the times in flight

        static auto members(auto& self) {
            return std::tie(self.count, self.loads, self.stores, self.taken, self.encoding, self.latency);
        }
    };
    /// A run of instructions up to a taken branch.
    struct Block {
        std::uint64_t runs = 0, instructions = 0;
        std::uint64_t end = 0;  ///< the greatest address after the block

        static auto members(auto& self) { return std::tie(self.runs, self.instructions, self.end); }
    };

    /// Counts one execution. `what.count` is ignored.
    void add(std::uint64_t pc, const Instruction& what) {
        total_.count += 1;
        total_.loads += what.loads;
        total_.stores += what.stores;
        total_.taken += what.taken;
        Instruction* const known = find(instructions_, recent_, pc);
        if (known == nullptr)
            ++instructions_omitted_;
        else
            sum_up(*known, what, 1);
    }
    void add_block(std::uint64_t begin, std::uint64_t end, std::uint64_t instructions) {
        add_blocks(begin, {1, instructions, end});
    }
    /// Appends the counts of a shard.
    void save(StateOut& out) const {
        out(total_, instructions_omitted_, blocks_omitted_);
        save(instructions_, out);
        save(blocks_, out);
    }
    /// Adds the counts of the next shard that save() wrote.
    void add(StateIn& in) {
        const auto total = in.get<Instruction>();
        sum_up(total_, total, total.count);
        instructions_omitted_ += in.get<std::uint64_t>();
        blocks_omitted_ += in.get<std::uint64_t>();
        std::uint64_t key = 0;
        for (std::size_t left = in.count(); left > 0; --left) {
            key += in.get<std::uint64_t>();
            const auto what = in.get<Instruction>();
            Instruction* const known = find(instructions_, recent_, key);
            if (known == nullptr)
                instructions_omitted_ += what.count;
            else
                sum_up(*known, what, what.count);
        }
        key = 0;
        for (std::size_t left = in.count(); left > 0; --left) {
            key += in.get<std::uint64_t>();
            add_blocks(key, in.get<Block>());
        }
    }
    const Instruction& total() const noexcept { return total_; }
    std::size_t pcs() const noexcept { return instructions_.size(); }
    std::size_t blocks() const noexcept { return blocks_.size(); }
    /// Return the executions of pcs and the runs of blocks that were not counted, because there were too many of them.
    std::uint64_t instructions_omitted() const noexcept { return instructions_omitted_; }
    std::uint64_t blocks_omitted() const noexcept { return blocks_omitted_; }
    /// Returns the `most` most frequent pcs for which `is_wanted(Instruction)` is true.
    template <typename IsWanted>
    std::vector<std::pair<std::uint64_t, Instruction>> hottest(std::size_t most, IsWanted&& is_wanted) const {
        return greatest(
            instructions_, most, [](const Instruction& i) { return i.count; }, is_wanted);
    }
    std::vector<std::pair<std::uint64_t, Instruction>> hottest(std::size_t most) const {
        return hottest(most, [](const Instruction&) { return true; });
    }
    /// Returns the `most` blocks with the most executed instructions.
    std::vector<std::pair<std::uint64_t, Block>> hottest_blocks(std::size_t most) const {
        return greatest(
            blocks_, most, [](const Block& b) { return b.instructions; }, [](const Block&) { return true; });
    }

private:
    static constexpr std::size_t most_kept = std::size_t{1} << 17;

    /// The latest entries of a map, by the low bits of their keys. Loops find theirs here.
    template <typename Value>
    struct Recent {
        struct Place {
            std::uint64_t key = 0;
            Value* value = nullptr;
        };
        std::array<Place, 256> places{};
    };

    static void sum_up(Instruction& sum, const Instruction& what, std::uint64_t count) noexcept {
        sum.count += count;
        sum.loads += what.loads;
        sum.stores += what.stores;
        sum.taken += what.taken;
        sum.encoding = what.encoding;
        sum.latency += what.latency;
    }
    void add_blocks(std::uint64_t begin, const Block& what) {
        Block* const known = find(blocks_, recent_blocks_, begin);
        if (known == nullptr) {
            blocks_omitted_ += what.runs;
            return;
        }
        known->runs += what.runs;
        known->instructions += what.instructions;
        if (what.end > known->end) known->end = what.end;
    }
    /// Appends a map by ascending keys, which are stated as distances.
    template <typename Value>
    static void save(const HashMap<std::uint64_t, Value>& map, StateOut& out) {
        std::vector<std::uint64_t> keys;
        for (const auto& [key, value] : map)
            keys.push_back(key);
        std::ranges::sort(keys);
        out(keys.size());
        std::uint64_t before = 0;
        for (const std::uint64_t key : keys) {
            out(key - before, map.at(key));
            before = key;
        }
    }
    template <typename Value>
    static Value* find(HashMap<std::uint64_t, Value>& map, Recent<Value>& recent, std::uint64_t key) {
        auto& place = recent.places[static_cast<std::size_t>(key >> 1) % recent.places.size()];
        if (place.value != nullptr && place.key == key) return place.value;
        const auto found = map.find(key);
        Value* const value = found != map.end() ? &found->second : map.size() < most_kept ? &map[key] : nullptr;
        if (value != nullptr) place = {key, value};
        return value;
    }
    /// Returns the entries with the greatest weight, the lower key first if weights are equal.
    template <typename Value, typename Weight, typename IsWanted>
    static std::vector<std::pair<std::uint64_t, Value>> greatest(const HashMap<std::uint64_t, Value>& map,
                                                                 std::size_t most, Weight&& weight,
                                                                 IsWanted&& is_wanted) {
        std::vector<std::pair<std::uint64_t, Value>> all;
        for (const auto& [key, value] : map)
            if (is_wanted(value)) all.emplace_back(key, value);
        const auto end = all.begin() + static_cast<std::ptrdiff_t>(std::min(most, all.size()));
        std::partial_sort(all.begin(), end, all.end(), [&](const auto& left, const auto& right) {
            return weight(left.second) != weight(right.second) ? weight(left.second) > weight(right.second)
                                                               : left.first < right.first;
        });
        all.erase(end, all.end());
        return all;
    }

    Instruction total_;
    HashMap<std::uint64_t, Instruction> instructions_;
    HashMap<std::uint64_t, Block> blocks_;
    Recent<Instruction> recent_;
    Recent<Block> recent_blocks_;
    std::uint64_t instructions_omitted_ = 0, blocks_omitted_ = 0;
};

}  // namespace hwtrace
