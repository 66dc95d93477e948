// io/lz4_frame.hpp - LZ4 frames as a Source, and one frame written to an Output. The only place that knows LZ4's
// frames.
#pragma once

#include <cstdint>
#include <memory>
#include <span>

#include "io/input.hpp"
#include "io/output.hpp"

namespace hwtrace {

/// True when `head` begins as a file of LZ4 frames does.
bool begins_lz4_frame(std::span<const std::byte> head) noexcept;

/// Fills `into` from the first block of a frame, of which `head` may be no more than a part; the number of bytes, fewer
/// where `head` says no more. Nothing is checked.
std::size_t decompress_lz4_head(std::span<const std::byte> head, std::span<std::byte> into) noexcept;

/// Streams LZ4 frames that stand back to back, as one run of bytes: linked and independent blocks, of every size (64
/// KiB to 4 MiB, which bounds the memory), with or without checksums, which are checked where they are; skippable
/// frames are skipped. Damage and truncation are reported by state(), not thrown; every block before them is delivered.
class Lz4FrameSource final : public Source {
public:
    enum class State : std::uint8_t { reading, ended, truncated, damaged };
    explicit Lz4FrameSource(Source& source);
    ~Lz4FrameSource() override;
    std::size_t read(std::span<std::byte> into) override;
    State state() const noexcept;
    std::uint64_t file_offset() const noexcept;

private:
    struct Impl;
    std::unique_ptr<Impl> impl_;
};

/// Compresses what it is given and appends it to `output`, which must outlive it: linked blocks of 64 KiB and a
/// checksum of the content. The bytes depend on the data alone.
class Lz4FrameWriter {
public:
    explicit Lz4FrameWriter(Output& output);
    ~Lz4FrameWriter();
    Lz4FrameWriter(const Lz4FrameWriter&) = delete;
    Lz4FrameWriter& operator=(const Lz4FrameWriter&) = delete;

    void write(std::span<const std::byte> bytes);
    /// Ends the frame; nothing may be written after it.
    void finish();

private:
    struct Impl;
    std::unique_ptr<Impl> impl_;
};

}  // namespace hwtrace
