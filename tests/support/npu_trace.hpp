// tests/support/npu_trace.hpp - an imagined NPU that works off tiles and records itself: our own .pccx traces.
#pragma once

#include <cstdint>
#include <vector>

#include "model/record.hpp"
#include "model/schema.hpp"

namespace hwtrace::test {

/// A trace as the pccx reader delivers it: a scope for each core, in it a stream for each event type, times in cycles
/// of 1 GHz. Each core loads a tile while it computes the one before, drains its array, writes back and meets the
/// others; calls of the host stand before, behind, and sometimes in between. Events come tile by tile and core by core,
/// in no global order. The same number of tiles gives the same trace.
struct NpuTrace {
    static constexpr std::uint32_t cores = 4;

    Schema schema;
    std::vector<Batch> batches;

    explicit NpuTrace(unsigned tiles);
};

}  // namespace hwtrace::test
