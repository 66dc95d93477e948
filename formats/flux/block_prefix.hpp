// formats/flux/block_prefix.hpp - checks whether bytes can be the beginning of a packed block that was cut off.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>

#include "wire.hpp"

namespace hwtrace::flux {

/// Returns true if a block of `raw_size` unpacked bytes can begin with `bytes` and continue after them. Does not unpack
/// the block. Always returns false for zlib and gzip, which cannot be checked this way.
bool may_begin_block(Pack mode, std::span<const std::byte> bytes, std::uint64_t raw_size) noexcept;

}  // namespace hwtrace::flux
