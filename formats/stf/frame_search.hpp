// formats/stf/frame_search.hpp - searches a damaged ZSTF file for readable chunks.
#pragma once

#include <cstdint>
#include <optional>

#include "io/input.hpp"
#include "io/limits.hpp"

namespace hwtrace::stf {

/// Returns the first offset, from `from` on, of a zstd frame that holds body records. The frame can be decompressed to
/// its end or to the end of `input`, which is seekable. Returns none if there is no such frame. The time is linear in
/// the bytes searched: each byte is examined once, and the decompression of false frames has a total limit.
std::optional<std::uint64_t> find_chunk(const Input& input, std::uint64_t from, const Limits& limits);

}  // namespace hwtrace::stf
