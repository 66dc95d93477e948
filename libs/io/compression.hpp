// io/compression.hpp - compresses and decompresses LZ4, zstd and zlib blocks; reads zstd and gzip streams as Sources.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <span>
#include <vector>

#include "io/appender.hpp"
#include "io/input.hpp"
#include "io/limits.hpp"

namespace hwtrace {

/// Compresses and decompresses single LZ4 blocks, without a frame. Keeps its state between calls.
class Lz4 {
public:
    Lz4();
    ~Lz4();
    Lz4(Lz4&&) noexcept;
    Lz4& operator=(Lz4&&) noexcept;
    /// Appends the compressed block of `raw` (at most 2 GiB - 32 MiB) to `out`.
    void compress(std::span<const std::byte> raw, Appender& out);
    /// Decompresses `block` into `raw`. Returns false if the block is damaged or does not fill `raw` exactly.
    static bool decompress(std::span<const std::byte> block, std::span<std::byte> raw) noexcept;
    /// Decompresses a block of unknown size into the front of `raw`. Returns the number of bytes, or nullopt if the
    /// block is damaged or does not fit.
    static std::optional<std::size_t> decompress_any(std::span<const std::byte> block,
                                                     std::span<std::byte> raw) noexcept;

    /// Decompresses the beginning of a block whose end is missing. Returns the number of bytes written to the front of
    /// `raw`. Stops where the block ends, where `raw` is full, and at damage.
    static std::size_t decompress_front(std::span<const std::byte> block, std::span<std::byte> raw) noexcept;

private:
    std::vector<std::byte> state_;
};

/// Compresses and decompresses single zstd frames. Keeps its contexts between calls.
class ZstdBlock {
public:
    /// `level` is the compression level of zstd. `shortest_match` is the least number of bytes that a repetition must
    /// have (zstd's minMatch, 3 to 7); 0: what zstd chooses for the level.
    explicit ZstdBlock(int level = 3, int shortest_match = 0);
    ~ZstdBlock();
    ZstdBlock(ZstdBlock&&) noexcept;
    ZstdBlock& operator=(ZstdBlock&&) noexcept;
    /// Appends `raw` to `out` as one complete frame. The frame header states the size of `raw`.
    void compress(std::span<const std::byte> raw, Appender& out);
    /// Starts or continues a frame and appends the finished part to `out`. The frame header does not state the size of
    /// the data. Decompression therefore needs as much memory as the level requires, even for a short frame. The output
    /// depends only on the data, not on how calls split it.
    void stream(std::span<const std::byte> raw, Appender& out);
    /// Ends the frame of stream(). The next call of stream() starts a new frame.
    void end_stream(Appender& out);
    /// Decompresses `frame` into `raw`. Returns false if the frame is damaged or does not fill `raw` exactly.
    bool decompress(std::span<const std::byte> frame, std::span<std::byte> raw) noexcept;
    /// Decompresses the beginning of a frame whose end is missing. Returns the number of bytes written to the front of
    /// `raw`: the blocks of the frame that are complete, at most what fits. Returns 0 if the frame needs a window of
    /// more than `most_window` bytes, rounded up to a power of two.
    std::size_t decompress_front(std::span<const std::byte> frame, std::span<std::byte> raw,
                                 std::uint64_t most_window) noexcept;

private:
    struct State;
    std::unique_ptr<State> state_;
};

/// Returns true if `head` starts with a zstd frame or a skippable frame. Parallel compressors write skippable frames.
bool begins_zstd(std::span<const std::byte> head) noexcept;

/// Returns the window size, in bytes, that the header of a zstd frame states; 0 if the header is incomplete.
std::uint64_t zstd_window_of(std::span<const std::byte> header) noexcept;

/// Decompresses consecutive zstd frames as one stream of bytes. Skips skippable frames. Damage does not throw: read()
/// delivers every byte before the damage, and state() reports it.
class ZstdSource final : public Source {
public:
    /// The start of one frame, as byte offsets.
    struct Frame {
        std::uint64_t file_offset;  ///< offset of the frame in the file
        std::uint64_t raw_offset;   ///< offset of the frame's data in the decompressed data
    };
    enum class State : std::uint8_t {
        reading,
        ended,      ///< at the end of a frame: the input ended, `end_offset` was reached, or no frame follows
        truncated,  ///< the compressed input ended inside a frame
        damaged,    ///< zstd rejected the data, or the frame needs a larger window than Limits allow (see
                    ///< limit_refused())
    };
    /// Reads compressed bytes from `source`, whose next byte is at `file_offset` in the file. Stops after a frame if no
    /// zstd magic number follows. Also stops at `end_offset`, unless it is 0. `source` must outlive this object.
    ZstdSource(Source& source, std::uint64_t file_offset, std::uint64_t end_offset, const Limits& limits);
    ~ZstdSource() override;
    ZstdSource(ZstdSource&&) noexcept;
    ZstdSource& operator=(ZstdSource&&) noexcept;

    std::size_t read(std::span<std::byte> into) override;
    State state() const noexcept;
    /// Returns true if State::damaged is due to a window above Limits::zstd_window.
    bool limit_refused() const noexcept;
    /// Returns the window size in bytes that the rejected frame needs. Meaningful only if limit_refused() is true.
    std::uint64_t demanded() const noexcept;
    /// Returns the data frames found so far, in order. A frame is complete if another frame follows, or if the state is
    /// State::ended.
    std::span<const Frame> frames() const noexcept;
    /// Returns the file offset of the next byte to decompress.
    std::uint64_t file_offset() const noexcept;
    /// Reads the bytes that follow the last frame: first the buffered bytes, then the rest of the source.
    std::size_t read_behind(std::span<std::byte> into);

private:
    struct Impl;
    std::unique_ptr<Impl> impl_;
};

/// Decompresses a zlib stream or a gzip member into `raw`. Returns false if the block is damaged or does not fill `raw`
/// exactly.
bool inflate_whole(std::span<const std::byte> block, std::span<std::byte> raw) noexcept;

/// The container format of deflated data.
enum class Deflate : std::uint8_t { zlib, gzip };
/// Appends `raw` (below 4 GiB) to `out` as a zlib stream or a gzip member. The gzip header has no name and no time.
void deflate_whole(std::span<const std::byte> raw, Deflate around, Appender& out);

/// Decompresses a gzip file and concatenates its members. Damage and truncation do not throw; state() reports them.
/// `source` must outlive this object.
class GzipSource final : public Source {
public:
    enum class State : std::uint8_t { reading, ended, truncated, damaged };
    explicit GzipSource(Source& source);
    ~GzipSource() override;
    std::size_t read(std::span<std::byte> into) override;
    State state() const noexcept;
    /// Returns the file offset of the next byte to decompress.
    std::uint64_t file_offset() const noexcept;

private:
    struct Impl;
    std::unique_ptr<Impl> impl_;
};

}  // namespace hwtrace
