// domain/lanes.hpp - puts overlapping intervals into lanes, so that no two intervals of a lane overlap.
#pragma once

#include <cstddef>
#include <limits>
#include <vector>

#include "model/time.hpp"

namespace hwtrace {

/// Gives every interval the lowest lane in which no earlier interval is in progress. If the intervals are sorted by
/// begin, the number of lanes is the greatest number of intervals in progress at one time. Each call takes O(log
/// lanes).
class Lanes {
public:
    /// Returns the lane for [begin, end]. An interval may begin at the tick at which its predecessor in the lane ends.
    std::size_t place(Tick begin, Tick end) {
        if (ends_[1] > begin) grow();
        std::size_t node = 1;
        while (node < lanes_) {  // the left child has the lower lanes
            node *= 2;
            if (ends_[node] > begin) ++node;
        }
        const std::size_t lane = node - lanes_;
        ends_[node] = end;
        while (node > 1) {
            node /= 2;
            ends_[node] = ends_[2 * node] < ends_[2 * node + 1] ? ends_[2 * node] : ends_[2 * node + 1];
        }
        return lane;
    }

private:
    static constexpr Tick unused = std::numeric_limits<Tick>::min();

    void grow() {
        std::vector<Tick> before(lanes_ * 4, unused);
        before.swap(ends_);
        for (std::size_t lane = 0; lane < lanes_; ++lane)
            ends_[2 * lanes_ + lane] = before[lanes_ + lane];
        lanes_ *= 2;
        for (std::size_t node = lanes_ - 1; node != 0; --node)
            ends_[node] = ends_[2 * node] < ends_[2 * node + 1] ? ends_[2 * node] : ends_[2 * node + 1];
    }

    // A binary tree: node n has the children 2n and 2n + 1, and the lanes are the nodes from lanes_ on. A leaf holds
    // the end of the lane's last interval, and an inner node holds the lowest end below it.
    std::size_t lanes_ = 1;
    std::vector<Tick> ends_ = std::vector<Tick>(2, unused);
};

}  // namespace hwtrace
