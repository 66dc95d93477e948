// formats/stf/frame_source.hpp - the stream in the zstd frames of a ZSTF or zstd file: front to back, from any chunk,
// or decompressed ahead by other threads.
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

namespace hwtrace::stf {

/// Gives the same bytes, frames and states whatever the number of threads: where a chunk is not what the index says,
/// everything from its first byte on is read front to back.
class FrameSource final : public Source {
public:
    /// Reads on from the position of `input`, which is `file_offset`. Both outlive the source.
    FrameSource(Input& input, std::uint64_t file_offset, const Limits& limits);

    std::size_t read(std::span<std::byte> into) override;
    /// The next byte read() gives is the first one of a chunk; frames() are those before it, as `index` has them.
    void go_to(const ChunkIndex& index, std::size_t chunk);
    /// The next byte read() gives is the first one of the frame at `file_offset`, which becomes number `frame`, and
    /// stands at `raw_offset`, behind all that was read.
    void go_to_found(std::uint64_t file_offset, std::uint64_t raw_offset, std::size_t frame);
    /// As go_to, with up to `threads` threads that decompress what comes next, as long as it is as `index` says. The
    /// index outlives the source.
    void read_ahead(const ChunkIndex& index, std::size_t chunk, unsigned threads);

    ZstdSource::State state() const noexcept;
    bool limit_refused() const noexcept;
    std::uint64_t demanded() const noexcept { return stream_.demanded(); }
    /// Every frame begun so far, in order; offsets are those in the whole stream.
    std::span<const ZstdSource::Frame> frames() const noexcept { return frames_; }
    std::uint64_t file_offset() const noexcept { return stream_.file_offset(); }
    /// Bytes behind the last frame.
    std::size_t read_behind(std::span<std::byte> into) { return stream_.read_behind(into); }

private:
    /// Chunks [begin, end), decompressed together.
    struct Run {
        std::size_t begin = 0, end = 0;
        std::vector<std::byte> raw;
        bool as_told = false;  ///< each chunk is one frame, where and as large as the index says
    };

    static Run decompress(const Input& input, const ChunkIndex& index, const Limits& limits, Run run);
    void note_frames();
    void restart(std::uint64_t file_offset, std::uint64_t raw_offset);
    void start_runs();
    bool next_run();

    Input& input_;
    const Limits& limits_;
    std::vector<ZstdSource::Frame> frames_;
    std::uint64_t raw_base_ = 0;  ///< of stream_'s first byte
    std::size_t noted_ = 0;       ///< frames of stream_ that are in frames_
    ZstdSource stream_;

    const ChunkIndex* ahead_ = nullptr;  ///< while other threads decompress
    unsigned threads_ = 0;
    std::size_t next_chunk_ = 0;  ///< that no thread has begun
    Run run_;                     ///< is read
    std::size_t run_at_ = 0;
    std::vector<std::byte> spare_;
    std::deque<std::future<Run>> pending_;  // last: their destructors wait, and what they use still stands
};

}  // namespace hwtrace::stf
