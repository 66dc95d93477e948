// tests/support/npu_trace.hpp - a model of an NPU that processes tiles and records itself: our own .pccx traces.
#pragma once

#include <cstdint>
#include <vector>

#include "model/record.hpp"
#include "model/schema.hpp"

namespace hwtrace::test {

/// Generates a trace as the pccx reader delivers it: one scope per core with one stream per event type, times in cycles
/// of 1 GHz. Each core loads a tile while it computes the previous one, drains its array, writes back and meets the
/// others. Calls of the host come before, after, and sometimes in between. Events come tile by tile and core by core,
/// without a global order. Equal numbers of tiles give equal traces.
struct NpuTrace {
    static constexpr std::uint32_t cores = 4;

    Schema schema;
    std::vector<Batch> batches;

    explicit NpuTrace(unsigned tiles);
};

}  // namespace hwtrace::test
