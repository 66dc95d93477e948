// views/roofline.hpp - the peak of a matrix accelerator, and what a trace attains of it.
#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include "model/schema.hpp"
#include "views/activity.hpp"

namespace hwtrace {

/// The inputs of a roofline model. Intervals state how long a unit worked, not how much: the operations are at most
/// those of an array that is busy all that time, and bytes are unknown.
struct Roofline {
    std::string peak_tops;                ///< 10^12 operations per second, as the trace states them; empty: not stated
    std::uint64_t rows = 0, columns = 0;  ///< of the array of multipliers; 0: not stated
    std::uint64_t clock_mhz = 0;          ///< 0: not stated
    std::uint64_t compute = 0, reads = 0, writes = 0;  ///< total durations of matrix work, memory reads and writes
    std::uint64_t span = 0;                            ///< duration of the trace

    /// Returns the operations per cycle of an array: a multiplication and an addition for each multiplier.
    std::uint64_t operations_per_cycle() const noexcept { return 2 * rows * columns; }
    /// Returns the peak of one array in 10^6 operations per second; nullopt if the trace does not state it.
    std::optional<std::uint64_t> array_mops() const noexcept;
    /// Returns the most operations that can have been performed, in 10^6 per second; nullopt if unknown.
    std::optional<std::uint64_t> attained_mops() const noexcept;
    /// Returns the compute cycles per cycle of memory traffic in hundredths; nullopt without traffic.
    std::optional<std::uint64_t> balance() const noexcept;
};

/// Returns the inputs for a trace with matrix work, in cycles; otherwise nullopt.
std::optional<Roofline> roofline_of(const Schema& schema, const Activity& activity);

}  // namespace hwtrace
