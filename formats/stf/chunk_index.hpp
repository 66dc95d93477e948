// formats/stf/chunk_index.hpp - where the chunks of a ZSTF file are, by its index, read without decompressing any.
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "codec/findings.hpp"
#include "io/input.hpp"
#include "io/limits.hpp"

namespace hwtrace::stf {

/// A chunk as the index tells of it. The last entry is the end of the chunks: only its offsets mean something.
struct ChunkPlace {
    std::uint64_t file_offset = 0;
    std::uint64_t raw_offset = 0;  ///< of its first byte in the decompressed stream
    std::uint64_t start_pc = 0;
};

/// An index that may be believed: chunks one behind the other, from the header up to the index.
class ChunkIndex {
public:
    /// Reads the index at `index_offset` of a seekable input. None where it cannot be used; then `fault` says what is
    /// wrong, unless it is only larger than Limits::block (no rule).
    static std::optional<ChunkIndex> read(const Input& input, std::uint64_t index_offset, const Limits& limits,
                                          Finding& fault);

    std::size_t size() const noexcept { return places_.size() - 1; }
    /// `number` up to size().
    const ChunkPlace& operator[](std::size_t number) const noexcept { return places_[number]; }
    std::uint64_t raw_size(std::size_t number) const noexcept {
        return places_[number + 1].raw_offset - places_[number].raw_offset;
    }

private:
    explicit ChunkIndex(std::vector<ChunkPlace> places) noexcept : places_(std::move(places)) {}

    std::vector<ChunkPlace> places_;
};

}  // namespace hwtrace::stf
