// formats/stf/chunk_index.hpp - reads the chunk index of a ZSTF file, without decompressing any chunk.
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "codec/findings.hpp"
#include "io/input.hpp"
#include "io/limits.hpp"

namespace hwtrace::stf {

/// The position of a chunk according to the index. The last entry marks the end of the chunks. In this entry, only the
/// offsets are valid.
struct ChunkPlace {
    std::uint64_t file_offset = 0;
    std::uint64_t raw_offset = 0;  ///< offset of the chunk's first byte in the decompressed stream
    std::uint64_t start_pc = 0;
};

/// A plausible chunk index: the chunks follow one another from the header up to the index.
class ChunkIndex {
public:
    /// Reads the index at `index_offset` of a seekable input. Returns nullopt if the index is unusable, and describes
    /// the reason in `fault`. If the only reason is that the index is larger than Limits::block, `fault` has no rule.
    static std::optional<ChunkIndex> read(const Input& input, std::uint64_t index_offset, const Limits& limits,
                                          Finding& fault);

    std::size_t size() const noexcept { return places_.size() - 1; }
    /// Returns the place of a chunk. Requires `number` <= size().
    const ChunkPlace& operator[](std::size_t number) const noexcept { return places_[number]; }
    std::uint64_t raw_size(std::size_t number) const noexcept {
        return places_[number + 1].raw_offset - places_[number].raw_offset;
    }

private:
    explicit ChunkIndex(std::vector<ChunkPlace> places) noexcept : places_(std::move(places)) {}

    std::vector<ChunkPlace> places_;
};

}  // namespace hwtrace::stf
