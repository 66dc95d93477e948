// formats/flux/block_prefix.hpp - checks whether bytes can be the beginning of a cut packed block.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>

#include "wire.hpp"

namespace hwtrace::flux {

/// Returns true if a block of `raw_size` unpacked bytes can begin with `bytes` and continue after them. Unpacks
/// nothing. Returns false for zlib and gzip, whose codes cannot be checked this way.
bool may_begin_block(Pack mode, std::span<const std::byte> bytes, std::uint64_t raw_size) noexcept;

}  // namespace hwtrace::flux
