// tests/support/traffic.hpp - a model of a cache that talks TileLink to its memory: our own STF transaction traces.
#pragma once

#include <cstdint>
#include <vector>

#include "model/record.hpp"
#include "model/schema.hpp"

namespace hwtrace::test {

/// Generates a trace as the STF reader delivers it. Every cache miss is an acquire, a grant that depends on it, and an
/// acknowledgement. Occasionally a dirty line is released first, a line of another cache is probed, or a comment states
/// that the memory answered late. The memory has a clock of its own. Equal numbers of misses give equal traces.
struct Traffic {
    Schema schema;
    std::vector<Batch> batches;

    explicit Traffic(unsigned misses);
};

}  // namespace hwtrace::test
