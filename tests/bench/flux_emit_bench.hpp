// tests/bench/flux_emit_bench.hpp - measures the cost of emitting flux.
#pragma once

#include <cstdint>

namespace hwtrace::bench {

/// Emits `samples` samples of each kind through buffers and compressors, and discards the output. Prints each cost,
/// compared with a memcpy of the entries.
void measure_flux_emit(std::uint64_t samples, int runs);

}  // namespace hwtrace::bench
