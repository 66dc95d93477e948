// views/interval_order.hpp - puts intervals in order of their begins, as far as bounded memory permits.
#pragma once

#include <algorithm>
#include <cstdint>
#include <limits>
#include <utility>
#include <vector>

#include "model/schema.hpp"
#include "model/time.hpp"

namespace hwtrace {

/// Sorts intervals that come in another order, such as that of their ends. Holds back at most `most` intervals per time
/// base; an interval that comes later than that is given at once, out of order.
class IntervalOrder {
public:
    struct Interval {
        Tick begin = 0;
        std::uint64_t duration = 0;
        TrackId track = none;
    };

    explicit IntervalOrder(std::size_t most = std::size_t{1} << 16) noexcept : most_(most) {}

    /// Adds an interval of a track with time base `base`. Calls `give(interval)` for each one that is not held back.
    template <typename Give>
    void add(const TimeBase& base, const Interval& interval, Give&& give) {
        Queue& queue = queue_of(base);
        queue.waiting.push_back({interval, serial_++});
        std::push_heap(queue.waiting.begin(), queue.waiting.end(), is_later);
        if (queue.waiting.size() > most_) give_first(queue, give);
    }
    /// Calls `give(interval)` for all that were held back.
    template <typename Give>
    void finish(Give&& give) {
        for (Queue& queue : queues_)
            while (!queue.waiting.empty())
                give_first(queue, give);
    }
    /// Returns the number of intervals that were given out of order.
    std::uint64_t late() const noexcept { return late_; }

private:
    struct Waiting {
        Interval interval;
        std::uint64_t serial = 0;  // keeps the order of intervals that begin together
    };
    struct Queue {
        TimeBase base;
        Tick given = std::numeric_limits<Tick>::min();
        std::vector<Waiting> waiting;  // a heap: the first one begins first
    };

    static bool is_later(const Waiting& a, const Waiting& b) noexcept {
        return std::pair(a.interval.begin, a.serial) > std::pair(b.interval.begin, b.serial);
    }
    Queue& queue_of(const TimeBase& base) {
        for (Queue& queue : queues_)
            if (queue.base == base) return queue;
        queues_.push_back({base, std::numeric_limits<Tick>::min(), {}});
        return queues_.back();
    }
    template <typename Give>
    void give_first(Queue& queue, Give&& give) {
        std::pop_heap(queue.waiting.begin(), queue.waiting.end(), is_later);
        const Interval interval = queue.waiting.back().interval;
        queue.waiting.pop_back();
        if (interval.begin < queue.given) ++late_;
        queue.given = std::max(queue.given, interval.begin);
        give(interval);
    }

    std::size_t most_;
    std::uint64_t serial_ = 0, late_ = 0;
    std::vector<Queue> queues_;
};

}  // namespace hwtrace
