// domain/occupancy.hpp - tracks which slots of a storage are occupied, for dense storages too.
#pragma once

#include <algorithm>
#include <cstdint>
#include <vector>

namespace hwtrace {

/// Tracks the occupied slots of a storage. A slot is occupied from a set or add record until its clear record. In a
/// sparse storage, the occupied slots are the valid slots. In a dense storage, every slot always has values, but some
/// tools clear the slots of dense buffers, too.
class Occupancy {
public:
    explicit Occupancy(std::uint32_t slots = 0) : slots_(slots) {}

    bool has(std::uint32_t slot) const noexcept { return slot < slots_; }
    /// Marks the slot as occupied. Returns false if it was occupied already. Requires slot < slots().
    bool fill(std::uint32_t slot) {
        if (slot / 64 >= words_.size()) words_.resize(slot / 64 + 1);
        Word& word = words_[slot / 64];
        const std::uint64_t bit = std::uint64_t{1} << (slot % 64);
        if ((word.occupied & bit) != 0) return false;
        word.occupied |= bit;
        if ((word.used & bit) == 0) {
            word.used |= bit;
            ++used_;
        }
        highest_ = std::max(highest_, ++occupied_);
        return true;
    }
    /// Marks the slot as free. Returns false if it was free already.
    bool free(std::uint32_t slot) noexcept {
        if (slot / 64 >= words_.size()) return false;
        const std::uint64_t bit = std::uint64_t{1} << (slot % 64);
        if ((words_[slot / 64].occupied & bit) == 0) return false;
        words_[slot / 64].occupied &= ~bit;
        --occupied_;
        return true;
    }

    /// Sets whether the slot is occupied, and that it was occupied in between if `used`, without counting how many
    /// slots are occupied at once.
    void set(std::uint32_t slot, bool is_now, bool used) {
        const std::uint32_t highest = highest_;
        if (used || is_now) fill(slot);
        if (!is_now) free(slot);
        highest_ = highest;
    }
    /// States that this many slots were occupied at once.
    void raise_highest(std::uint32_t highest) noexcept { highest_ = std::max(highest_, highest); }

    bool was_used(std::uint32_t slot) const noexcept {
        return slot / 64 < words_.size() && (words_[slot / 64].used >> (slot % 64) & 1) != 0;
    }
    bool is_occupied(std::uint32_t slot) const noexcept {
        return slot / 64 < words_.size() && (words_[slot / 64].occupied >> (slot % 64) & 1) != 0;
    }
    std::uint32_t slots() const noexcept { return slots_; }
    std::uint32_t occupied() const noexcept { return occupied_; }
    std::uint32_t highest() const noexcept { return highest_; }  ///< the maximum of occupied() so far
    std::uint32_t used() const noexcept { return used_; }        ///< number of slots that were ever occupied

private:
    struct Word {
        std::uint64_t occupied = 0, used = 0;
    };
    std::vector<Word> words_;  // grows up to the highest slot used
    std::uint32_t slots_;
    std::uint32_t occupied_ = 0, highest_ = 0, used_ = 0;
};

}  // namespace hwtrace
