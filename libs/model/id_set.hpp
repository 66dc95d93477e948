// model/id_set.hpp - a set of 64-bit ids. It takes less than a byte per id if the ids are dense, and at most 64 bytes
// otherwise.
#pragma once

#include <cstddef>
#include <cstdint>
#include <utility>
#include <vector>

namespace hwtrace {

class IdSet {
public:
    /// Adds `id`. Returns false if the set already has it.
    bool insert(std::uint64_t id) {
        const std::uint64_t page = id / ids_a_page;
        if (2 * (used_ + 1) > slots_.size()) grow();
        Slot& slot = slots_[place_of(page)];
        if (slot.ids == 0) {
            slot.page = page;
            ++used_;
        }
        const bool is_new = (slot.ids & bit(id)) == 0;
        slot.ids |= bit(id);
        return is_new;
    }
    bool contains(std::uint64_t id) const noexcept {
        return used_ != 0 && (slots_[place_of(id / ids_a_page)].ids & bit(id)) != 0;
    }
    std::size_t bytes() const noexcept { return slots_.size() * sizeof(Slot); }

private:
    static constexpr std::uint64_t ids_a_page = 64;
    /// One page, and a bit mask of the page's ids that are in the set. Mask 0: the slot is free.
    struct Slot {
        std::uint64_t page = 0, ids = 0;
    };

    static std::uint64_t bit(std::uint64_t id) noexcept { return std::uint64_t{1} << id % ids_a_page; }

    /// Returns the slot of `page`, or the free slot in which it belongs.
    std::size_t place_of(std::uint64_t page) const noexcept {
        const std::size_t mask = slots_.size() - 1;
        std::uint64_t mixed = page * 0x9E37'79B9'7F4A'7C15;
        mixed ^= mixed >> 32;
        std::size_t at = static_cast<std::size_t>(mixed) & mask;
        while (slots_[at].ids != 0 && slots_[at].page != page)
            at = (at + 1) & mask;
        return at;
    }
    void grow() {
        std::vector<Slot> before(slots_.empty() ? smallest : 2 * slots_.size());
        std::swap(before, slots_);
        for (const Slot& slot : before)
            if (slot.ids != 0) slots_[place_of(slot.page)] = slot;
    }

    static constexpr std::size_t smallest = 64;

    std::vector<Slot> slots_;  ///< the size is a power of two
    std::size_t used_ = 0;
};

}  // namespace hwtrace
