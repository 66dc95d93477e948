// tests/support/growth.hpp - measures how the time of a function grows with its input.
#pragma once

#include <algorithm>
#include <ctime>
#include <limits>

namespace hwtrace::test {

/// Returns how many times as much processor time `run(2 * size)` takes as `run(size)`: about 2 if the time is linear, 4
/// if it is quadratic. Uses the least of several runs, because other processes disturb measurements.
template <typename Run>
double growth(int size, Run&& run) {
    const auto least = [&](int count) {
        double seconds = std::numeric_limits<double>::max();
        for (int i = 0; i < 3; ++i) {
            const std::clock_t begin = std::clock();
            run(count);
            seconds = std::min(seconds, static_cast<double>(std::clock() - begin) / CLOCKS_PER_SEC);
        }
        return std::max(seconds, 1e-4);
    };
    const double once = least(size);
    return least(2 * size) / once;
}

}  // namespace hwtrace::test
