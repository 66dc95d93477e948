// tests/support/npu_trace.hpp - a model of an NPU that processes tiles and records its events: our own .pccx traces.
#pragma once

#include <cstdint>
#include <vector>

#include "model/record.hpp"
#include "model/schema.hpp"

namespace hwtrace::test {

/// Generates a trace as the pccx reader delivers it. Each core is a scope with one stream per event type. Times are in
/// cycles of 1 GHz. Each core loads a tile while it computes the previous one, drains its array, writes back and waits
/// for the others. Calls of the host come first, last, and sometimes in between. Events are ordered by tile and core,
/// not by time. The same number of tiles gives the same trace.
struct NpuTrace {
    static constexpr std::uint32_t cores = 4;

    Schema schema;
    std::vector<Batch> batches;

    explicit NpuTrace(unsigned tiles);
};

}  // namespace hwtrace::test
