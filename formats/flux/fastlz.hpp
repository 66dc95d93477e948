// formats/flux/fastlz.hpp - FastLZ, levels 1 and 2: the compression of packed blocks that no library has (README.md,
// FastLZ).
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>

namespace hwtrace::flux {

/// Fills `raw` exactly from `block`; false when the block is damaged or has another size.
bool decompress_fastlz(std::span<const std::byte> block, std::span<std::byte> raw) noexcept;
/// Whether a block of `raw_size` bytes may begin with `bytes` and go on behind them.
bool may_begin_fastlz(std::span<const std::byte> bytes, std::uint64_t raw_size) noexcept;

}  // namespace hwtrace::flux
