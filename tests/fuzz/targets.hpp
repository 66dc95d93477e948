// tests/fuzz/targets.hpp - what is done to arbitrary bytes. A target returns, or aborts with the reason on standard
// error.
#pragma once

#include <cstddef>
#include <span>

namespace hwtrace::fuzz {

/// Reads `bytes` in every way that the tools do, by the format that claims them and by every other one: with and
/// without verification, all views, the model dump.
void decode(std::span<const std::byte> bytes);

/// Converts `bytes` to every format and back. Where the input gives no finding and the conversion no loss, the model
/// must be the same, every loss must have been foretold, and what was written must be valid.
void round_trip(std::span<const std::byte> bytes);

/// Compares `bytes` with themselves, and recovers what can be read of them: they must be equal, and the result valid.
void compare_and_recover(std::span<const std::byte> bytes);

}  // namespace hwtrace::fuzz
