// formats/flux/fastlz.hpp - FastLZ, levels 1 and 2: the compression of packed blocks that no library has (README.md,
// FastLZ).
#pragma once

#include <cstddef>
#include <span>

namespace hwtrace::flux {

/// Fills `raw` exactly from `block`; false when the block is damaged or has another size.
bool decompress_fastlz(std::span<const std::byte> block, std::span<std::byte> raw) noexcept;

}  // namespace hwtrace::flux
