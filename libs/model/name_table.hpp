// model/name_table.hpp - assigns indexes to names in order of appearance.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "model/hash.hpp"
#include "model/schema.hpp"

namespace hwtrace {

/// A table of names. A short name takes 40 bytes, plus 8 to 16 bytes for an index entry. Adding a million names must
/// take less than a second.
class NameTable {
public:
    /// Returns the index of `name`, or hwtrace::none if the table does not contain it.
    std::uint32_t find(std::string_view name) const noexcept {
        return slots_.empty() ? none : slots_[place_of(name, hash_of(name))].number;
    }
    /// Returns the index of `name`. Appends `name` if it is new.
    std::uint32_t add(std::string_view name) {
        if (2 * (names_.size() + 1) > slots_.size()) grow();
        const std::uint32_t hash = hash_of(name);
        Slot& slot = slots_[place_of(name, hash)];
        if (slot.number == none) {
            names_.emplace_back(name);
            slot = {hash, static_cast<std::uint32_t>(names_.size() - 1)};
        }
        return slot.number;
    }
    /// Returns the names by index. Adding a name invalidates references to names.
    const std::vector<std::string>& names() const noexcept { return names_; }

private:
    struct Slot {
        std::uint32_t hash = 0;
        std::uint32_t number = none;  ///< none: free
    };

    static std::uint32_t hash_of(std::string_view name) noexcept {
        const std::uint64_t hash = keyed_hash(name, hash_key());
        return static_cast<std::uint32_t>(hash ^ hash >> 32);
    }
    /// Returns the slot of `name`, or the free slot in which it belongs.
    std::size_t place_of(std::string_view name, std::uint32_t hash) const noexcept {
        const std::size_t mask = slots_.size() - 1;
        std::size_t place = hash & mask;
        while (slots_[place].number != none && (slots_[place].hash != hash || names_[slots_[place].number] != name))
            place = (place + 1) & mask;
        return place;
    }
    void grow() {
        std::vector<Slot> slots(slots_.empty() ? 8 : 2 * slots_.size());
        const std::size_t mask = slots.size() - 1;
        for (const Slot& slot : slots_) {
            if (slot.number == none) continue;
            std::size_t place = slot.hash & mask;
            while (slots[place].number != none)
                place = (place + 1) & mask;
            slots[place] = slot;
        }
        slots_ = std::move(slots);
    }

    std::vector<std::string> names_;
    std::vector<Slot> slots_;  ///< the size is a power of two; at least half of the slots are free
};

}  // namespace hwtrace
