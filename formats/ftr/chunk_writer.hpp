// formats/ftr/chunk_writer.hpp - writes the frame of a .ftr file and the chunks in it.
#pragma once

#include <span>

#include "encode.hpp"
#include "io/compression.hpp"
#include "io/output.hpp"
#include "wire.hpp"

namespace hwtrace::ftr {

enum class Compression : std::uint8_t { off, lz4 };

/// Writes chunks one after the other.
class ChunkWriter {
public:
    /// `output` must outlive the writer. The constructor writes the start of the frame.
    ChunkWriter(Output& output, Heads heads, Compression compression);

    /// Writes a chunk with the compression that the constructor got; an info chunk is never compressed. `chunk` is the
    /// uncompressed kind. `parameters` precede the content.
    void put(Chunk chunk, std::span<const std::uint64_t> parameters, std::span<const std::byte> content);
    /// Writes the end mark.
    void finish();

private:
    Output& output_;
    Heads heads_;
    Compression compression_;
    Lz4 lz4_;
    Appender bytes_, compressed_;
};

}  // namespace hwtrace::ftr
