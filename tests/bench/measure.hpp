// tests/bench/measure.hpp - runs a task several times in separate processes and measures its cost.
#pragma once

#include <cstdint>
#include <functional>
#include <string>

namespace hwtrace::bench {

/// The amount of work that a task did.
struct Work {
    std::uint64_t records = 0;  ///< counted in the unit of the row
    std::uint64_t bytes = 0;    ///< size of the uncompressed payload
};

/// The cost of a task: minima over the runs, except the peak, which is the maximum.
struct Cost {
    Work work;
    double cpu_ms = 0;  ///< user and system time of all threads
    double wall_ms = 0;
    double peak_mib = 0;  ///< peak resident memory of the process
};

/// Runs `task` `runs` times, each time in a forked child, and returns the cost. Ends the program if a child fails.
Cost measure(int runs, const std::function<Work()>& task);

/// Prints a row of a table: ns per record, million records per second, MB/s, CPU and wall ms, peak MiB. The last column
/// is the ratio to `floor_ms`, the machine's minimum cost for the same bytes (0: not known).
void print_row(const char* name, const Cost& cost, double floor_ms);

}  // namespace hwtrace::bench
