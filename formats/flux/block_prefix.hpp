// formats/flux/block_prefix.hpp - whether bytes can be the beginning of a packed block, of which the rest is missing.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>

#include "wire.hpp"

namespace hwtrace::flux {

/// True where nothing in `bytes` contradicts that a block of `raw_size` bytes, packed so, begins with them and goes on
/// behind them. Nothing is unpacked. False for zlib and gzip: their codes show nothing that looks like an entry.
bool may_begin_block(Pack mode, std::span<const std::byte> bytes, std::uint64_t raw_size) noexcept;

}  // namespace hwtrace::flux
