#include "domain/in_flight.hpp"

#include <iterator>

namespace hwtrace {

InFlight::InFlight(std::uint32_t home_slots, std::uint32_t slots) : home_mask_(home_slots - 1), slots_(slots) {}

/// Returns a free slot. The search starts at the last slot found. At least one slot must be free.
std::uint32_t InFlight::find_free() noexcept {
    while (!is_free(next_free_))
        next_free_ = (next_free_ + 1) % slots_;
    return next_free_;
}

std::uint32_t InFlight::take(std::uint32_t id, bool& evicts) {
    std::uint32_t slot = find(id);
    evicts = false;
    if (slot != no_slot) return slot;
    slot = id & home_mask_;
    if (!is_free(slot)) {
        evicts = size_ >= slots_;
        if (!evicts) slot = find_free();
    }
    put(slot, id);
    return slot;
}

void InFlight::put(std::uint32_t slot, std::uint32_t id) {
    if (const std::uint32_t before = find(id); before != no_slot) release(before);
    if (slot >= owners_.size()) owners_.resize(slot + std::size_t{1}, nobody);
    if (owners_[slot] != nobody) {
        evicted_.add(owner(slot));
        any_evicted_ = true;
        release(slot);
    }
    owners_[slot] = id;
    ++size_;
    if (slot != (id & home_mask_) && slot != (id & low_mask)) displaced_[id] = slot;
}

void InFlight::release(std::uint32_t slot) {
    if (is_free(slot)) return;
    const std::uint32_t id = owner(slot);
    if (slot != (id & home_mask_) && slot != (id & low_mask)) displaced_.erase(id);
    owners_[slot] = nobody;
    --size_;
}

void SeenIds::add(std::uint32_t id) {
    if (ranges_.empty() || last_->second + std::uint64_t{1} != id) [[unlikely]] {
        if (all_ || has(id)) return;
        all_ = ranges_.size() >= most_ranges;
        if (all_) return;
        last_ = ranges_.upper_bound(id);
        if (last_ == ranges_.begin() || std::prev(last_)->second + std::uint64_t{1} != id)
            last_ = ranges_.emplace_hint(last_, id, id);
        else
            --last_;
    }
    last_->second = id;
    if (const auto next = std::next(last_); next != ranges_.end() && next->first <= id) [[unlikely]] {
        last_->second = next->second;
        ranges_.erase(next);
    }
}

bool SeenIds::has(std::uint32_t id) const noexcept {
    if (all_) return true;
    const auto after = ranges_.upper_bound(id);
    return after != ranges_.begin() && id <= std::prev(after)->second;
}

}  // namespace hwtrace
