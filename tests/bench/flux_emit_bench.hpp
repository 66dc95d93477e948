// tests/bench/flux_emit_bench.hpp - what emitting flux costs.
#pragma once

#include <cstdint>

namespace hwtrace::bench {

/// Emits `samples` of each kind into nothing, through buffers and compressors, and prints what each costs beside memcpy
/// of the bytes that the entries have.
void measure_flux_emit(std::uint64_t samples, int runs);

}  // namespace hwtrace::bench
