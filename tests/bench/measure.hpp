// tests/bench/measure.hpp - runs one piece of work in a process of its own, several times, and says what it cost.
#pragma once

#include <cstdint>
#include <functional>
#include <string>

namespace hwtrace::bench {

/// What the work itself reports.
struct Work {
    std::uint64_t records = 0;  ///< of the unit that the row names
    std::uint64_t bytes = 0;    ///< of payload, uncompressed
};

/// Medians over the runs; the peak is the largest.
struct Cost {
    Work work;
    double cpu_ms = 0;  ///< user and system time of all threads
    double wall_ms = 0;
    double peak_mib = 0;  ///< resident set of the process
};

/// Forks, runs `task` in the child and measures it there; `runs` times. Ends the program when a child fails.
Cost measure(int runs, const std::function<Work()>& task);

/// A row of a table: ns for each record, million records and MB a second, cpu and wall ms, peak MiB, and how many times
/// the floor, which is what the machine asks for the same (0: there is none).
void print_row(const char* name, const Cost& cost, double floor_ms);

}  // namespace hwtrace::bench
