// io/fastlz.hpp - FastLZ decoder, levels 1 and 2 (formats/flux/README.md#packed-blocks).
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>

namespace hwtrace {

/// Unpacks `block` into `raw`. Returns false if the block is damaged or does not fill `raw` exactly.
bool decompress_fastlz(std::span<const std::byte> block, std::span<std::byte> raw) noexcept;
/// Returns true if a block of `raw_size` unpacked bytes can begin with `bytes` and continue after them.
bool may_begin_fastlz(std::span<const std::byte> bytes, std::uint64_t raw_size) noexcept;

}  // namespace hwtrace
