// model/occupancy.hpp - which slots of a storage hold something, dense ones too.
#pragma once

#include <algorithm>
#include <cstdint>
#include <vector>

namespace hwtrace {

/// A slot is occupied from a set or add until its clear. That is what a sparse storage says itself; of a dense one,
/// whose slots always have values, it is what its writer meant: tools mark buffers as dense that they clear slot by
/// slot (formats/uscope.md 0, fact 8).
class Occupancy {
public:
    explicit Occupancy(std::uint32_t slots = 0) : slots_(slots) {}

    bool has(std::uint32_t slot) const noexcept { return slot < slots_; }
    /// True when the slot was not occupied. `slot` is below slots().
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
    /// True when the slot was occupied.
    bool free(std::uint32_t slot) noexcept {
        if (slot / 64 >= words_.size()) return false;
        const std::uint64_t bit = std::uint64_t{1} << (slot % 64);
        if ((words_[slot / 64].occupied & bit) == 0) return false;
        words_[slot / 64].occupied &= ~bit;
        --occupied_;
        return true;
    }

    bool is_occupied(std::uint32_t slot) const noexcept {
        return slot / 64 < words_.size() && (words_[slot / 64].occupied >> (slot % 64) & 1) != 0;
    }
    std::uint32_t slots() const noexcept { return slots_; }
    std::uint32_t occupied() const noexcept { return occupied_; }
    std::uint32_t highest() const noexcept { return highest_; }  ///< that occupied() has been
    std::uint32_t used() const noexcept { return used_; }        ///< slots that have been occupied at least once

private:
    struct Word {
        std::uint64_t occupied = 0, used = 0;
    };
    std::vector<Word> words_;  // grows up to the highest slot used
    std::uint32_t slots_;
    std::uint32_t occupied_ = 0, highest_ = 0, used_ = 0;
};

}  // namespace hwtrace
