// tests/support/traffic.hpp - a model of a cache that uses TileLink to access its memory: our own STF transaction
// traces.
#pragma once

#include <cstdint>
#include <vector>

#include "model/record.hpp"
#include "model/schema.hpp"

namespace hwtrace::test {

/// Generates a trace as the STF reader delivers it. Every cache miss is an acquire, a grant that depends on it, and an
/// acknowledgement. Occasionally, a dirty line is released first, another cache's line is probed, or a comment states
/// that the memory answered late. The memory has a separate clock. The same number of misses gives the same trace.
struct Traffic {
    Schema schema;
    std::vector<Batch> batches;

    explicit Traffic(unsigned misses);
};

}  // namespace hwtrace::test
