// formats/stf/container_writer.hpp - writes the container of a growing STF stream: plain, ZSTF, gzip, xz or zstd.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "frame_sink.hpp"
#include "io/appender.hpp"
#include "io/compression.hpp"
#include "io/gzip_writer.hpp"
#include "io/output.hpp"
#include "io/xz.hpp"

namespace hwtrace::stf {

struct Wrapping {
    enum class Kind : std::uint8_t { plain, zstf, gzip, zstd, xz };
    Kind kind = Kind::plain;
    std::uint64_t chunk = 0;  ///< instructions per ZSTF chunk
    int level = 3;            ///< zstd compression level
    bool growing = false;     ///< ZSTF: writes the index and syncs the file after every chunk
    unsigned jobs = 1;        ///< threads for zstd, including the caller's; the output does not depend on it
};

/// Writes the whole records that are appended to stream(). A full ZSTF chunk is closed at the next instruction, so that
/// records after the last instruction stay in the last chunk. If these records exceed 16 MiB, they begin a new chunk.
/// Memory does not depend on the chunk size. `output` must outlive the writer.
class ContainerWriter {
public:
    ContainerWriter(Output& output, Wrapping wrapping);

    /// Returns the stream to append records to. settle() and instruction() may remove earlier contents.
    Appender& stream() noexcept { return stream_; }
    /// Call after each appended instruction. `next_pc` is the pc of the next instruction according to the records so
    /// far.
    void instruction(std::uint64_t next_pc) {
        if (chunk_full_) [[unlikely]]
            end_chunk(chunk_end_);
        if (++in_chunk_ == wrapping_.chunk) [[unlikely]] {
            chunk_full_ = true;
            chunk_end_ = stream_.size();
            next_start_pc_ = next_pc;
        }
    }
    /// Passes the stream's contents to compression or output if they are large. Call regularly, between records.
    void settle() {
        if (stream_.size() >= settle_at_) [[unlikely]]
            hand_on();
    }
    /// Writes the last chunk, the index and the trailer.
    void finish();
    /// Returns true if other threads compress.
    bool has_threads() const noexcept { return sink_.has_value(); }

private:
    static constexpr std::size_t usual_run = 1u << 20;  ///< bytes of small chunks that are compressed together
    static constexpr std::size_t largest_run = 16u << 20;
    static constexpr std::size_t longest_tail = 16u << 20;
    static constexpr std::size_t held = 16u << 20;  ///< compressed bytes of an open chunk that are kept in memory

    /// An index entry. The offset is known once the chunk has been written.
    struct Entry {
        std::uint64_t offset, start_pc, raw_size;
    };

    void hand_on();
    void hand_chunks_on();
    void end_chunk(std::size_t end);
    std::size_t open_begin() const noexcept { return frames_.empty() ? 0 : frames_.back().raw_end; }
    void compress_frames();
    void compress_open(std::size_t end);
    void write_open();
    void take_run();
    void drain();
    void write_run(const FrameRun& run);
    void append_frame(std::span<const std::byte> bytes);
    void end_frame();
    void write_index();
    void put(std::uint64_t at, std::span<const std::byte> bytes);
    void point_at_index(std::uint64_t offset);

    Output& output_;
    Wrapping wrapping_;
    FrameRun::Form form_ = FrameRun::Form::streamed;
    std::size_t begin_at_ = usual_run;   ///< an open chunk of this size is compressed before it is closed
    std::size_t settle_at_ = usual_run;  ///< stream size at which settle() passes the stream on
    ZstdBlock zstd_;
    std::optional<GzipWriter> gzip_;
    std::optional<XzWriter> xz_;

    /// Holds the chunks listed in frames_, then the open chunk.
    Appender stream_;
    std::vector<FrameRun::Frame> frames_;
    std::uint64_t in_chunk_ = 0;  ///< instructions in the open chunk
    bool chunk_full_ = false;
    std::size_t chunk_end_ = 0;    ///< offset in the stream where the full chunk ends
    std::uint64_t open_size_ = 0;  ///< bytes of the open chunk that are already compressed; if not 0, frames_ is empty
    Appender open_packed_;         ///< compressed bytes of the open chunk that are not yet written
    std::uint64_t start_pc_ = 0, next_start_pc_ = 0;

    std::vector<Entry> index_;
    std::size_t written_ = 0;        ///< number of index entries whose chunks are in the output
    std::uint64_t chunks_end_ = 0;   ///< file offset of the next chunk, or of the index
    std::uint64_t frame_bytes_ = 0;  ///< bytes of the next chunk that are written after chunks_end_

    FrameRun spare_;
    std::optional<FrameSink> sink_;
};

}  // namespace hwtrace::stf
