// formats/stf/frame_source.hpp - decompresses the zstd frames of a ZSTF or zstd file: front to back, from any chunk, or
// ahead with other threads.
#pragma once

#include <cstdint>
#include <deque>
#include <future>
#include <optional>
#include <span>
#include <vector>

#include "chunk_index.hpp"
#include "io/compression.hpp"
#include "io/input.hpp"
#include "io/limits.hpp"
#include "io/workers.hpp"

namespace hwtrace::stf {

/// A source of the decompressed stream. Its bytes, frames and states do not depend on the number of threads: if a chunk
/// differs from the index, the stream is read front to back from that chunk on.
class FrameSource final : public Source {
public:
    /// Reads from the current position of `input`, which must be `file_offset`. `input` and `limits` must outlive the
    /// source.
    FrameSource(Input& input, std::uint64_t file_offset, const Limits& limits);

    std::size_t read(std::span<std::byte> into) override;
    /// Moves to the first byte of a chunk. frames() then lists the chunks before this chunk, as stated in `index`.
    void go_to(const ChunkIndex& index, std::size_t chunk);
    /// Moves to the first byte of the frame at `file_offset`. The frame gets the index `frame` and the stream offset
    /// `raw_offset`, which must be beyond all bytes read so far.
    void go_to_found(std::uint64_t file_offset, std::uint64_t raw_offset, std::size_t frame);
    /// Like go_to(), but up to `threads` other threads, and a caller of read() that has to wait, decompress the next
    /// chunks as long as the chunks match `index`. `index` must outlive the source.
    void read_ahead(const ChunkIndex& index, std::size_t chunk, unsigned threads);

    ZstdSource::State state() const noexcept;
    bool limit_refused() const noexcept;
    std::uint64_t demanded() const noexcept { return stream_.demanded(); }
    /// Returns the frames whose decompression has begun, in order. Their offsets refer to the whole stream.
    std::span<const ZstdSource::Frame> frames() const noexcept { return frames_; }
    std::uint64_t file_offset() const noexcept { return stream_.file_offset(); }
    /// Reads bytes after the last frame.
    std::size_t read_behind(std::span<std::byte> into) { return stream_.read_behind(into); }

private:
    /// The chunks [begin, end), which one thread decompresses together.
    struct Run {
        std::size_t begin = 0, end = 0;
        std::vector<std::byte> raw;
        bool as_told = false;  ///< true: each chunk is one frame with the offset and size stated in the index
    };

    static Run decompress(const Input& input, const ChunkIndex& index, const Limits& limits, Run run);
    void note_frames();
    void restart(std::uint64_t file_offset, std::uint64_t raw_offset);
    void start_runs();
    bool next_run();

    Input& input_;
    const Limits& limits_;
    std::vector<ZstdSource::Frame> frames_;
    std::uint64_t raw_base_ = 0;  ///< stream offset of stream_'s first byte
    std::size_t noted_ = 0;       ///< number of frames of stream_ that are in frames_
    ZstdSource stream_;

    const ChunkIndex* ahead_ = nullptr;  ///< set while other threads decompress
    unsigned threads_ = 0;
    std::size_t next_chunk_ = 0;  ///< first chunk that is not assigned to a thread
    Run run_;                     ///< the run that read() copies from
    std::size_t run_at_ = 0;
    std::vector<std::byte> spare_;
    std::deque<std::future<Run>> pending_;
    std::optional<Workers> workers_;  // last: their work uses the others
};

}  // namespace hwtrace::stf
