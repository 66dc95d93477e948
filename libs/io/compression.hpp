// io/compression.hpp - LZ4 and zstd blocks, and gzip and zstd streams as Sources. The only place that knows lz4, zstd,
// zlib.
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

/// One LZ4 block (no frame). Reused: keeps its state between calls.
class Lz4 {
public:
    Lz4();
    ~Lz4();
    Lz4(Lz4&&) noexcept;
    Lz4& operator=(Lz4&&) noexcept;
    /// Appends the compressed block of `raw` (at most 2 GiB - 32 MiB) to `out`.
    void compress(std::span<const std::byte> raw, Appender& out);
    /// Fills `raw` exactly from `block`; returns false when the block is damaged or has another size.
    static bool decompress(std::span<const std::byte> block, std::span<std::byte> raw) noexcept;
    /// Fills the front of `raw` from `block`, of a size that nobody states; the number of bytes, or none when the block
    /// is damaged or does not fit.
    static std::optional<std::size_t> decompress_any(std::span<const std::byte> block,
                                                     std::span<std::byte> raw) noexcept;

private:
    std::vector<std::byte> state_;
};

/// One zstd frame at a time, with reused contexts.
class ZstdBlock {
public:
    explicit ZstdBlock(int level = 3);
    ~ZstdBlock();
    ZstdBlock(ZstdBlock&&) noexcept;
    ZstdBlock& operator=(ZstdBlock&&) noexcept;
    /// A whole frame, which says how much it holds.
    void compress(std::span<const std::byte> raw, Appender& out);
    /// Begins a frame, or goes on with it; appends to `out` what is ready. Such a frame does not say how much it holds,
    /// and takes memory by its level, whatever that is. Its bytes depend on the data alone, not on how it is cut.
    void stream(std::span<const std::byte> raw, Appender& out);
    /// Ends that frame; other frames come before or behind it.
    void end_stream(Appender& out);
    /// Fills `raw` exactly; false when the frame is damaged or has another size.
    bool decompress(std::span<const std::byte> frame, std::span<std::byte> raw) noexcept;

private:
    struct State;
    std::unique_ptr<State> state_;
};

/// True when `head` begins as a zstd file does: with a frame, or with a skippable one (parallel compressors write it).
bool begins_zstd(std::span<const std::byte> head) noexcept;

/// Streams zstd frames that stand back to back, as one run of decompressed bytes; skippable frames are skipped. Damage
/// is reported by state(), not thrown, so that every byte before it is delivered.
class ZstdSource final : public Source {
public:
    /// Where one frame began.
    struct Frame {
        std::uint64_t file_offset;  ///< of its first byte
        std::uint64_t raw_offset;   ///< of its first decompressed byte
    };
    enum class State : std::uint8_t {
        reading,
        ended,  ///< at the end of a frame: the compressed input ended, or `end_offset` was reached, or no frame follows
        truncated,  ///< the compressed input ended inside a frame
        damaged,    ///< zstd refused the data, or the frame wants a larger window than Limits allow (then
                    ///< limit_refused())
    };
    /// Reads compressed bytes from `source`, whose position is `file_offset`. Stops at `end_offset` (exclusive) when it
    /// is not 0, and before the first frame-sized place that does not begin with a zstd magic.
    ZstdSource(Source& source, std::uint64_t file_offset, std::uint64_t end_offset, const Limits& limits);
    ~ZstdSource() override;
    ZstdSource(ZstdSource&&) noexcept;
    ZstdSource& operator=(ZstdSource&&) noexcept;

    std::size_t read(std::span<std::byte> into) override;
    State state() const noexcept;
    /// True when the damage is a window above Limits::zstd_window.
    bool limit_refused() const noexcept;
    /// Where limit_refused(): bytes of the window that the frame wants.
    std::uint64_t demanded() const noexcept;
    /// Every frame with data begun so far, in order; grows while reading. A frame is complete when a later one, or
    /// State::ended, follows.
    std::span<const Frame> frames() const noexcept;
    /// File offset of the next compressed byte that the decompressor has not consumed.
    std::uint64_t file_offset() const noexcept;
    /// Compressed bytes that were read from the source but not consumed (behind the last frame), then the rest of it.
    std::size_t read_behind(std::span<std::byte> into);

private:
    struct Impl;
    std::unique_ptr<Impl> impl_;
};

/// Fills `raw` exactly from a zlib stream or a gzip member; false when it is damaged or has another size.
bool inflate_whole(std::span<const std::byte> block, std::span<std::byte> raw) noexcept;

/// What stands around deflated data.
enum class Deflate : std::uint8_t { zlib, gzip };
/// Appends `raw` (below 4 GiB) to `out` as a zlib stream or a gzip member, which tells nothing but the data.
void deflate_whole(std::span<const std::byte> raw, Deflate around, Appender& out);

/// Streams a gzip file (several members as one). Damage and truncation are reported by state(), not thrown.
class GzipSource final : public Source {
public:
    enum class State : std::uint8_t { reading, ended, truncated, damaged };
    explicit GzipSource(Source& source);
    ~GzipSource() override;
    std::size_t read(std::span<std::byte> into) override;
    State state() const noexcept;
    std::uint64_t file_offset() const noexcept;

private:
    struct Impl;
    std::unique_ptr<Impl> impl_;
};

}  // namespace hwtrace
