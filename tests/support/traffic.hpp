// tests/support/traffic.hpp - an imagined cache that talks TileLink to its memory: our own STF transaction traces.
#pragma once

#include <cstdint>
#include <vector>

#include "model/record.hpp"
#include "model/schema.hpp"

namespace hwtrace::test {

/// A trace as the STF reader delivers it. Every miss of the cache is an acquire, a grant that depends on it, and a
/// grant's acknowledgement; now and then a dirty line is released before, a line of another cache is probed, or the
/// memory answers late and says so in a comment. The memory runs on a clock of its own. The same number of misses gives
/// the same trace.
struct Traffic {
    Schema schema;
    std::vector<Batch> batches;

    explicit Traffic(unsigned misses);
};

}  // namespace hwtrace::test
