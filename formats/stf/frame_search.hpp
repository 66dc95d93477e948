// formats/stf/frame_search.hpp - where chunks stand in bytes of which no index tells it any more.
#pragma once

#include <cstdint>
#include <optional>

#include "io/input.hpp"
#include "io/limits.hpp"

namespace hwtrace::stf {

/// The first place from `from` on where a zstd frame begins that holds records of a body and can be decompressed, to
/// its end or to that of `input`, which is seekable; none where there is none. Bytes are looked at once. What looks
/// like a frame and is none is decompressed as far as it goes; all of them together cost what looking at the bytes
/// costs.
std::optional<std::uint64_t> find_chunk(const Input& input, std::uint64_t from, const Limits& limits);

}  // namespace hwtrace::stf
