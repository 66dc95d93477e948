// io/lz4_frame.hpp - reads LZ4 frames as a Source and writes one frame to an Output. The only code that parses frames.
#pragma once

#include <cstdint>
#include <memory>
#include <span>

#include "io/input.hpp"
#include "io/output.hpp"

namespace hwtrace {

/// Returns true if `head` starts with the magic number of an LZ4 frame.
bool begins_lz4_frame(std::span<const std::byte> head) noexcept;

/// Decompresses the first block of a frame into `into`; `head` may hold only the beginning of the frame. Returns the
/// number of bytes, fewer if `head` ends early. Does not verify checksums.
std::size_t decompress_lz4_head(std::span<const std::byte> head, std::span<std::byte> into) noexcept;

/// Decompresses consecutive LZ4 frames as one stream of bytes. Handles linked and independent blocks of every size. The
/// largest block size, 4 MiB, limits the memory. Verifies checksums where present and skips skippable frames. Damage
/// and truncation do not throw: read() delivers every block before them, and state() reports them. `source` must
/// outlive this object.
class Lz4FrameSource final : public Source {
public:
    enum class State : std::uint8_t { reading, ended, truncated, damaged };
    explicit Lz4FrameSource(Source& source);
    ~Lz4FrameSource() override;
    std::size_t read(std::span<std::byte> into) override;
    State state() const noexcept;
    /// Returns the file offset of the next byte to decompress.
    std::uint64_t file_offset() const noexcept;

private:
    struct Impl;
    std::unique_ptr<Impl> impl_;
};

/// Compresses bytes into one LZ4 frame and appends it to `output`, which must outlive this object. The frame has linked
/// blocks of 64 KiB and a content checksum. The output depends only on the data.
class Lz4FrameWriter {
public:
    explicit Lz4FrameWriter(Output& output);
    ~Lz4FrameWriter();
    Lz4FrameWriter(const Lz4FrameWriter&) = delete;
    Lz4FrameWriter& operator=(const Lz4FrameWriter&) = delete;

    /// Compresses more bytes and writes finished data to the output. Throws Failure::io.
    void write(std::span<const std::byte> bytes);
    /// Ends the frame. Nothing may be written after it.
    void finish();

private:
    struct Impl;
    std::unique_ptr<Impl> impl_;
};

}  // namespace hwtrace
