// codec/counts_positions.hpp - readers that know the number of positions of their trace without reading it.
#pragma once

#include <cstdint>
#include <optional>

namespace hwtrace {

/// An interface that a Reader implements in addition if its format has an index that counts positions: instructions in
/// a trace of instructions, otherwise intervals or records.
class CountsPositions {
public:
    virtual ~CountsPositions() = default;
    /// Returns the number of positions according to the index, or nullopt if the file has no usable index. A wrong
    /// number makes shards unequal, but they still divide the trace.
    virtual std::optional<std::uint64_t> known_positions() const = 0;
};

}  // namespace hwtrace
