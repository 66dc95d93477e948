// domain/occupancy_touches.hpp - what a shard does to the slots of a storage whose earlier contents are unknown.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "domain/occupancy.hpp"
#include "io/saved_state.hpp"

namespace hwtrace {

/// The slots that a shard fills or frees, in the order in which it first touches them. From the slots that are occupied
/// before the shard, this gives those after it, and how many were occupied at once.
class OccupancyTouches {
public:
    explicit OccupancyTouches(std::uint32_t slots = 0) : slots_(slots) {}

    /// Marks a slot as occupied. Requires that it exists.
    void fill(std::uint32_t slot) {
        touch(slot);
        slots_.fill(slot);
        touches_.back().highest = std::max(touches_.back().highest, slots_.occupied());
    }
    /// Marks a slot as free.
    void free(std::uint32_t slot) {
        touch(slot);
        slots_.free(slot);
    }
    void save(StateOut& out) const {
        out(touches_.size());
        for (const Touch& touch : touches_)
            out(touch.slot, touch.highest, slots_.is_occupied(touch.slot), slots_.was_used(touch.slot));
    }
    /// Applies what save() wrote to the slots before the shard.
    static void apply(StateIn& in, Occupancy& slots) {
        std::uint64_t untouched = slots.occupied(), highest = slots.highest();
        for (std::size_t left = in.count(); left > 0; --left) {
            const auto slot = static_cast<std::uint32_t>(in.below(slots.slots()));
            const auto highest_touched = in.below(std::uint64_t{slots.slots()} + 1);
            const bool is_occupied = in.get<bool>(), was_used = in.get<bool>();
            if (slots.is_occupied(slot)) {
                StateIn::require(untouched > 0);
                --untouched;
            }
            highest = std::max(highest, untouched + highest_touched);
            slots.set(slot, is_occupied, was_used);
        }
        slots.raise_highest(static_cast<std::uint32_t>(std::min<std::uint64_t>(highest, slots.slots())));
    }

private:
    struct Touch {
        std::uint32_t slot = 0;
        std::uint32_t highest = 0;  ///< touched slots that are occupied at once, up to the next touch
    };

    void touch(std::uint32_t slot) {
        if (slot / 64 >= touched_.size()) touched_.resize(slot / 64 + 1);
        const std::uint64_t bit = std::uint64_t{1} << (slot % 64);
        if ((touched_[slot / 64] & bit) != 0) return;
        touched_[slot / 64] |= bit;
        touches_.push_back({slot, slots_.occupied()});
    }

    Occupancy slots_;
    std::vector<std::uint64_t> touched_;  // a bit for each slot
    std::vector<Touch> touches_;
};

}  // namespace hwtrace
