// formats/kanata/in_flight.hpp - which slot of the table of entities each instruction in flight has, and which have
// ever been.
#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <vector>

#include "model/hash.hpp"

namespace hwtrace::kanata {

constexpr std::uint32_t no_slot = 0xFFFF'FFFF;

/// Ids that have come, as ranges: those that come one after the other take no room.
class SeenIds {
public:
    SeenIds() = default;
    SeenIds(const SeenIds&) = delete;  // last_ would stay behind
    SeenIds& operator=(const SeenIds&) = delete;
    SeenIds(SeenIds&&) = default;
    SeenIds& operator=(SeenIds&&) = default;
    ~SeenIds() = default;

    void add(std::uint32_t id);
    /// True for what was added; also for others, once there are more ranges than are kept.
    bool has(std::uint32_t id) const noexcept;

private:
    static constexpr std::size_t most_ranges = 1u << 20;
    std::map<std::uint32_t, std::uint32_t> ranges_;          ///< last ids by first ones
    std::map<std::uint32_t, std::uint32_t>::iterator last_;  ///< the range that was added to; none while there is none
    bool all_ = false;
};

/// Slots and the ids that own them. An id is looked for where it belongs (its low bits), so that the map is asked only
/// for those that had to go elsewhere.
class InFlight {
public:
    /// `home_slots` is a power of two; `slots` is how many take() may give away.
    InFlight(std::uint32_t home_slots, std::uint32_t slots);

    /// The slot of `id`, or no_slot.
    std::uint32_t find(std::uint32_t id) const noexcept {
        const std::uint32_t home = id & home_mask_;
        if (home < owners_.size() && owners_[home] == id) return home;
        const std::uint32_t low = id & low_mask;
        if (low < owners_.size() && owners_[low] == id) return low;
        if (displaced_.empty()) return no_slot;
        const auto found = displaced_.find(id);
        return found == displaced_.end() ? no_slot : found->second;
    }
    bool is_free(std::uint32_t slot) const noexcept { return slot >= owners_.size() || owners_[slot] == nobody; }
    /// The id that owns the slot, which is not free.
    std::uint32_t owner(std::uint32_t slot) const noexcept { return static_cast<std::uint32_t>(owners_[slot]); }

    /// Gives `id` a free slot, the one where it belongs if possible; the slot of another id where none is free, which
    /// `evicts` tells.
    std::uint32_t take(std::uint32_t id, bool& evicts);
    /// Gives `id` that slot, below `most_slots`, whoever had it.
    void put(std::uint32_t slot, std::uint32_t id);
    void release(std::uint32_t slot);
    /// True for an id that has lost its slot to another one, at some time.
    bool was_evicted(std::uint32_t id) const noexcept { return any_evicted_ && evicted_.has(id); }

    std::uint32_t size() const noexcept { return size_; }
    static constexpr std::uint32_t most_slots = 1u << 20;

private:
    static constexpr std::uint64_t nobody = ~std::uint64_t{0};
    static constexpr std::uint32_t low_mask = 0xFFFF;  // some writers take the low 16 bits of the id for a slot

    std::uint32_t find_free() noexcept;

    std::uint32_t home_mask_, slots_;
    std::uint32_t size_ = 0, next_free_ = 0;
    std::vector<std::uint64_t> owners_;                // by slot, as far as slots were used
    HashMap<std::uint32_t, std::uint32_t> displaced_;  // slots by id
    SeenIds evicted_;
    bool any_evicted_ = false;
};

}  // namespace hwtrace::kanata
