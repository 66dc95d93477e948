// domain/in_flight.hpp - assigns slots of the entities table to instructions in flight; a compact set of ids.
#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <vector>

#include "model/hash.hpp"

namespace hwtrace {

class Appender;
class Cursor;

constexpr std::uint32_t no_slot = 0xFFFF'FFFF;

/// A set of ids, stored as ranges. Consecutive ids share one range.
class SeenIds {
public:
    SeenIds() = default;
    SeenIds(const SeenIds&) = delete;  // the copied last_ would refer to the source
    SeenIds& operator=(const SeenIds&) = delete;
    SeenIds(SeenIds&&) = default;
    SeenIds& operator=(SeenIds&&) = default;
    ~SeenIds() = default;

    void add(std::uint32_t id);
    /// Appends the set.
    void save(Appender& out) const;
    /// Adds what save() appended to an empty set. Throws Truncated or Failure::input if the bytes state no set.
    void restore(Cursor& in);

    /// Returns true if `id` was added. If the set has exceeded its limit of ranges, returns true for every id.
    bool has(std::uint32_t id) const noexcept;
    bool any() const noexcept { return !ranges_.empty(); }

private:
    static constexpr std::size_t most_ranges = 1u << 20;
    std::map<std::uint32_t, std::uint32_t> ranges_;          ///< key: first id of a range; value: its last id
    std::map<std::uint32_t, std::uint32_t>::iterator last_;  ///< range of the last added id; valid if ranges_ has any
    bool all_ = false;
};

/// A table of slots and the ids that own them. The low bits of an id select its home slot; only ids in other slots are
/// stored in a map.
class InFlight {
public:
    /// `home_slots` must be a power of two. take() assigns at most `slots` slots.
    InFlight(std::uint32_t home_slots, std::uint32_t slots);

    /// Returns the slot of `id`, or no_slot.
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
    /// Returns the id that owns `slot`. The slot must not be free.
    std::uint32_t owner(std::uint32_t slot) const noexcept { return static_cast<std::uint32_t>(owners_[slot]); }

    /// Assigns a free slot to `id`, its home slot if possible. If no slot is free, takes the home slot from its owner
    /// and sets `evicts`.
    std::uint32_t take(std::uint32_t id, bool& evicts);
    /// Assigns `slot` (below `most_slots`) to `id`. Evicts the previous owner, if any.
    void put(std::uint32_t slot, std::uint32_t id);
    void release(std::uint32_t slot);
    /// Returns true if `id` ever lost its slot to another id.
    bool was_evicted(std::uint32_t id) const noexcept { return any_evicted_ && evicted_.has(id); }

    /// Appends the table.
    void save(Appender& out) const;
    /// Adds what save() appended to an empty table of the same size. Throws Truncated or Failure::input if the bytes
    /// state no such table.
    void restore(Cursor& in);

    std::uint32_t size() const noexcept { return size_; }
    static constexpr std::uint32_t most_slots = 1u << 20;

private:
    static constexpr std::uint64_t nobody = ~std::uint64_t{0};
    static constexpr std::uint32_t low_mask = 0xFFFF;  // some writers use the low 16 bits of the id as slot

    std::uint32_t find_free() noexcept;

    std::uint32_t home_mask_, slots_;
    std::uint32_t size_ = 0, next_free_ = 0;
    std::vector<std::uint64_t> owners_;                // index: slot, up to the highest used slot
    HashMap<std::uint32_t, std::uint32_t> displaced_;  // key: id; value: slot
    SeenIds evicted_;
    bool any_evicted_ = false;
};

}  // namespace hwtrace
