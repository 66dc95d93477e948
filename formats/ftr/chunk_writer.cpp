#include "chunk_writer.hpp"

namespace hwtrace::ftr {

ChunkWriter::ChunkWriter(Output& output, Heads heads, Compression compression)
    : output_(output), heads_(heads), compression_(compression) {
    output_.append(std::as_bytes(std::span(frame_head)));
}

void ChunkWriter::put(Chunk chunk, std::span<const std::uint64_t> parameters, std::span<const std::byte> content) {
    const bool compressed = compression_ == Compression::lz4 && chunk != Chunk::info;
    bytes_.clear();
    heads_.append(bytes_, Major::tag, static_cast<std::uint64_t>(chunk) + (compressed ? 1 : 0));
    const std::size_t elements = parameters.size() + (compressed ? 2 : 1);
    if (elements > 1) heads_.append(bytes_, Major::array, elements);
    for (const std::uint64_t parameter : parameters)
        heads_.append(bytes_, parameter);
    if (compressed) {
        heads_.append(bytes_, content.size());
        compressed_.clear();
        lz4_.compress(content, compressed_);
        content = compressed_.span();
    }
    heads_.append(bytes_, Major::bytes, content.size());
    output_.append(bytes_.span());
    output_.append(content);
}

void ChunkWriter::finish() {
    output_.append(std::span(&end_of_array, 1));
}

}  // namespace hwtrace::ftr
