// tests/bench/measure.hpp - runs work in separate processes, several times, and returns its cost.
#pragma once

#include <cstdint>
#include <functional>
#include <string>

namespace hwtrace::bench {

/// The result of the work.
struct Work {
    std::uint64_t records = 0;  ///< in the unit of the row
    std::uint64_t bytes = 0;    ///< uncompressed payload
};

/// Medians over the runs; the peak is the maximum.
struct Cost {
    Work work;
    double cpu_ms = 0;  ///< user and system time of all threads
    double wall_ms = 0;
    double peak_mib = 0;  ///< resident set of the process
};

/// Forks, and measures `task` in the child, `runs` times. Ends the program if a child fails.
Cost measure(int runs, const std::function<Work()>& task);

/// Prints a row of a table: ns per record, million records per second, MB/s, CPU and wall ms, peak MiB, and the ratio
/// to the floor, the machine's cost for the same bytes (0: there is no floor).
void print_row(const char* name, const Cost& cost, double floor_ms);

}  // namespace hwtrace::bench
