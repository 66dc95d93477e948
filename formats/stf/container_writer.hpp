// formats/stf/container_writer.hpp - wraps a growing STF stream: plain, in ZSTF chunks, in gzip, xz or zstd.
#pragma once

#include <cstdint>
#include <optional>
#include <string_view>
#include <vector>

#include "io/appender.hpp"
#include "io/compression.hpp"
#include "io/gzip_writer.hpp"
#include "io/output.hpp"
#include "io/xz.hpp"

namespace hwtrace::stf {

struct Wrapping {
    enum class Kind : std::uint8_t { plain, zstf, gzip, zstd, xz };
    Kind kind = Kind::plain;
    std::uint64_t chunk = 0;  ///< instructions of a ZSTF chunk
    int level = 3;            ///< of zstd
    bool growing = false;     ///< ZSTF: the index is written, and everything synced, behind every chunk
};

/// Takes whole records through stream(). A ZSTF chunk is closed only when the next instruction stands in the stream, so
/// that what follows the last one stays in its chunk. `output` outlives the writer.
class ContainerWriter {
public:
    ContainerWriter(Output& output, Wrapping wrapping);

    /// Records are appended here; what stood there before the last settle() may be gone.
    Appender& stream() noexcept { return stream_; }
    /// An instruction was appended; `next_pc` is where the next one will be, as far as the records say.
    void instruction(std::uint64_t next_pc) {
        if (chunk_end_ != 0) [[unlikely]]
            close_chunk(chunk_end_);
        if (++in_chunk_ == wrapping_.chunk) {
            chunk_end_ = stream_.size();
            next_start_pc_ = next_pc;
        }
    }
    /// Between records, often enough: hands a large stream on.
    void settle() {
        if (wrapping_.kind != Wrapping::Kind::zstf && stream_.size() >= piece) flush_stream();
    }
    /// The last chunk, the index, the trailer.
    void finish();

private:
    static constexpr std::size_t piece = 1u << 20;

    void flush_stream();
    void close_chunk(std::size_t size);
    void write_index();
    void put(std::uint64_t at, std::span<const std::byte> bytes);
    void point_at_index(std::uint64_t offset);

    struct Entry {
        std::uint64_t offset, start_pc, raw_size;
    };

    Output& output_;
    Wrapping wrapping_;
    Appender stream_;
    Appender packed_;
    std::optional<ZstdBlock> zstd_;
    std::optional<GzipWriter> gzip_;
    std::optional<XzWriter> xz_;
    std::vector<Entry> index_;
    std::uint64_t chunks_end_ = 0;  ///< where the next chunk begins, or the index
    std::uint64_t in_chunk_ = 0;
    std::size_t chunk_end_ = 0;  ///< of the stream: where a full chunk ends; 0 while it is not full
    std::uint64_t start_pc_ = 0, next_start_pc_ = 0;
};

}  // namespace hwtrace::stf
