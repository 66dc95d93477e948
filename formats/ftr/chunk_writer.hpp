// formats/ftr/chunk_writer.hpp - the outer frame of a .ftr file, and chunks in it.
#pragma once

#include <span>

#include "encode.hpp"
#include "io/compression.hpp"
#include "io/output.hpp"
#include "wire.hpp"

namespace hwtrace::ftr {

enum class Compression : std::uint8_t { off, lz4 };

/// Puts chunks into the frame, one behind the other.
class ChunkWriter {
public:
    /// `output` outlives the writer. The frame begins at once.
    ChunkWriter(Output& output, Heads heads, Compression compression);

    /// A chunk of the plain kind `chunk`, which becomes the compressed one where chunks are compressed; the info chunk
    /// never is. `parameters` stand in front of the content.
    void put(Chunk chunk, std::span<const std::uint64_t> parameters, std::span<const std::byte> content);
    /// Ends the frame.
    void finish();

private:
    Output& output_;
    Heads heads_;
    Compression compression_;
    Lz4 lz4_;
    Appender bytes_, compressed_;
};

}  // namespace hwtrace::ftr
