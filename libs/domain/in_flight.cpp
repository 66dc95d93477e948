#include "domain/in_flight.hpp"

#include <iterator>

#include "io/appender.hpp"
#include "io/cursor.hpp"
#include "io/error.hpp"

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

void InFlight::save(Appender& out) const {
    out.leb128(next_free_);
    out.leb128(size_);
    for (std::uint32_t slot = 0; slot < owners_.size(); ++slot) {
        if (is_free(slot)) continue;
        out.leb128(slot);
        out.le(owner(slot));
    }
    evicted_.save(out);
}

void InFlight::restore(Cursor& in) {
    const std::uint64_t next = in.leb128();
    bool fits = next < slots_;
    for (std::uint64_t left = in.leb128(); fits && left > 0; --left) {
        const std::uint64_t slot = in.leb128();
        const auto id = in.le<std::uint32_t>();
        fits = slot < slots_ && is_free(static_cast<std::uint32_t>(slot)) && find(id) == no_slot;
        if (fits) put(static_cast<std::uint32_t>(slot), id);
    }
    if (!fits) fail(Failure::input, "the state states slots that the table lacks");
    next_free_ = static_cast<std::uint32_t>(next);
    evicted_.restore(in);
    any_evicted_ = evicted_.any();
}

void SeenIds::save(Appender& out) const {
    out.le(static_cast<std::uint8_t>(all_ ? 1 : 0));
    out.leb128(ranges_.size());
    out.le(ranges_.empty() ? std::uint32_t{0} : last_->first);
    for (const auto& [first, last] : ranges_) {
        out.le(first);
        out.leb128(last - first);
    }
}

void SeenIds::restore(Cursor& in) {
    all_ = in.le<std::uint8_t>() != 0;
    const std::uint64_t count = in.leb128();
    const auto latest = in.le<std::uint32_t>();
    std::uint64_t behind = 0;
    for (std::uint64_t left = count; left > 0; --left) {
        const auto first = in.le<std::uint32_t>();
        const std::uint64_t size = in.leb128();
        if (first < behind || size > 0xFFFF'FFFFu - first || ranges_.size() > most_ranges)
            fail(Failure::input, "the state states no set of ids");
        const auto last = static_cast<std::uint32_t>(first + size);
        const auto place = ranges_.emplace_hint(ranges_.end(), first, last);
        if (left == count || first <= latest) last_ = place;
        behind = std::uint64_t{last} + 1;
    }
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
