// formats/stf/container_writer.hpp - wraps a growing STF stream: plain, in ZSTF chunks, in gzip, xz or zstd.
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
    std::uint64_t chunk = 0;  ///< instructions of a ZSTF chunk
    int level = 3;            ///< of zstd
    bool growing = false;     ///< ZSTF: the index is written, and everything synced, behind every chunk
    unsigned jobs = 1;        ///< threads, the caller's included, for zstd; the bytes never depend on it
};

/// Takes whole records through stream(). A ZSTF chunk is closed only when the next instruction stands in the stream, so
/// that what follows the last one stays in its chunk; where more than 16 MiB follow, they begin a chunk. Memory does
/// not depend on how large chunks are. `output` outlives the writer.
class ContainerWriter {
public:
    ContainerWriter(Output& output, Wrapping wrapping);

    /// Records are appended here; what stood there before the last settle() or instruction() may be gone.
    Appender& stream() noexcept { return stream_; }
    /// An instruction was appended; `next_pc` is where the next one will be, as far as the records say.
    void instruction(std::uint64_t next_pc) {
        if (chunk_full_) [[unlikely]]
            end_chunk(chunk_end_);
        if (++in_chunk_ == wrapping_.chunk) [[unlikely]] {
            chunk_full_ = true;
            chunk_end_ = stream_.size();
            next_start_pc_ = next_pc;
        }
    }
    /// Between records, often enough: hands a large stream on.
    void settle() {
        if (stream_.size() >= settle_at_) [[unlikely]]
            hand_on();
    }
    /// The last chunk, the index, the trailer.
    void finish();

private:
    static constexpr std::size_t usual_run = 1u << 20;  ///< of small chunks, several are compressed together
    static constexpr std::size_t largest_run = 16u << 20;
    static constexpr std::size_t longest_tail = 16u << 20;
    static constexpr std::size_t held = 16u << 20;  ///< compressed bytes of a chunk that is not closed

    /// Of a chunk; its offset is known when it is written.
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
    std::size_t begin_at_ = usual_run;   ///< a chunk this large is compressed before it is closed
    std::size_t settle_at_ = usual_run;  ///< of the stream
    ZstdBlock zstd_;
    std::optional<GzipWriter> gzip_;
    std::optional<XzWriter> xz_;

    /// Chunks of frames_, then the one that is open.
    Appender stream_;
    std::vector<FrameRun::Frame> frames_;
    std::uint64_t in_chunk_ = 0;  ///< instructions
    bool chunk_full_ = false;
    std::size_t chunk_end_ = 0;    ///< of the stream: where a full chunk ends
    std::uint64_t open_size_ = 0;  ///< of the open chunk: compressed already; then frames_ is empty
    Appender open_packed_;         ///< of that, what is not written yet
    std::uint64_t start_pc_ = 0, next_start_pc_ = 0;

    std::vector<Entry> index_;
    std::size_t written_ = 0;        ///< of the index: chunks that are in the output
    std::uint64_t chunks_end_ = 0;   ///< where the next chunk begins, or the index
    std::uint64_t frame_bytes_ = 0;  ///< of the next chunk, behind chunks_end_

    FrameRun spare_;
    std::optional<FrameSink> sink_;
};

}  // namespace hwtrace::stf
