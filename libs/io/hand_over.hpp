// io/hand_over.hpp - a bounded queue from one thread to another, whose items are reused.
#pragma once

#include <array>
#include <condition_variable>
#include <cstddef>
#include <mutex>
#include <utility>

namespace hwtrace {

/// A queue for one giving and one taking thread. Items are exchanged, not copied: each side gets back an item that the
/// other side has used, with its memory. Holds at most 8 items, and no more than `most_bytes` unless it has one item
/// only.
template <typename Item>
class HandOver {
public:
    explicit HandOver(std::size_t most_bytes) noexcept : most_bytes_(most_bytes) {}

    /// Exchanges `item`, of `bytes` bytes, for a used one. Waits until there is room. Returns false and leaves `item`
    /// alone if the queue is closed.
    bool give(Item& item, std::size_t bytes) {
        std::unique_lock lock(mutex_);
        if (!closed_ && !has_room(bytes)) {
            giver_waits_ = true;
            filled_.notify_one();
            emptied_.wait(lock, [&] { return closed_ || (has_room(bytes) && (count_ <= wake_at || taker_waits_)); });
            giver_waits_ = false;
        }
        if (closed_) return false;
        Place& place = places_[(first_ + count_) % places];
        std::swap(place.item, item);
        place.bytes = bytes;
        bytes_ += bytes;
        ++count_;
        if (taker_waits_ && count_ >= wake_at) filled_.notify_one();
        return true;
    }
    /// States that no item follows.
    void end() {
        const std::lock_guard lock(mutex_);
        ended_ = true;
        filled_.notify_one();
    }

    /// Exchanges `item` for the next one. Waits for it. Returns false if the queue is empty and has ended or is closed.
    bool take(Item& item) {
        std::unique_lock lock(mutex_);
        if (count_ == 0 && !ended_ && !closed_) {
            taker_waits_ = true;
            if (giver_waits_) emptied_.notify_one();
            filled_.wait(lock, [&] { return ended_ || closed_ || count_ >= (giver_waits_ ? 1 : wake_at); });
            taker_waits_ = false;
        }
        if (count_ == 0) return false;
        Place& place = places_[first_];
        std::swap(place.item, item);
        bytes_ -= place.bytes;
        first_ = (first_ + 1) % places;
        --count_;
        if (giver_waits_ && count_ <= wake_at) emptied_.notify_one();
        return true;
    }
    /// Makes give() return false from now on. Items that were given can still be taken.
    void close() {
        const std::lock_guard lock(mutex_);
        closed_ = true;
        emptied_.notify_one();
        filled_.notify_one();
    }

private:
    static constexpr std::size_t places = 8;
    static constexpr std::size_t wake_at = places / 2;  // waking a thread for several items at once is cheaper
    struct Place {
        Item item{};
        std::size_t bytes = 0;
    };

    bool has_room(std::size_t bytes) const noexcept {
        return count_ == 0 || (count_ < places && bytes_ + bytes <= most_bytes_);
    }

    const std::size_t most_bytes_;
    std::mutex mutex_;
    std::condition_variable emptied_, filled_;
    std::array<Place, places> places_;
    std::size_t first_ = 0, count_ = 0, bytes_ = 0;
    bool giver_waits_ = false, taker_waits_ = false;
    bool ended_ = false, closed_ = false;
};

}  // namespace hwtrace
