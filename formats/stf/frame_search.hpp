// formats/stf/frame_search.hpp - searches a damaged ZSTF file for readable chunks.
#pragma once

#include <cstdint>
#include <optional>

#include "io/input.hpp"
#include "io/limits.hpp"

namespace hwtrace::stf {

/// Returns the offset of the first zstd frame at or after `from` that contains body records. The frame can be
/// decompressed to its end, or to the end of `input`, which must be seekable. Returns nullopt if there is no such
/// frame. Runs in linear time: each byte is examined once, and the total cost of decompressing false frames is limited.
std::optional<std::uint64_t> find_chunk(const Input& input, std::uint64_t from, const Limits& limits);

}  // namespace hwtrace::stf
