// io/xz.hpp - reads xz streams as a Source and writes one xz stream to an Output, with liblzma.
#pragma once

#include <cstdint>
#include <memory>
#include <span>

#include "io/input.hpp"
#include "io/limits.hpp"
#include "io/output.hpp"

namespace hwtrace {

/// Returns true if `head` starts with the magic bytes of an xz stream.
bool begins_xz(std::span<const std::byte> head) noexcept;

/// Decompresses an xz file and concatenates its streams. Damage and truncation do not throw; state() reports them.
/// `source` must outlive this object.
class XzSource final : public Source {
public:
    enum class State : std::uint8_t {
        reading,
        ended,
        truncated,
        damaged,  ///< liblzma rejected the data, or needs more memory than Limits allow (see limit_refused())
    };
    /// Limits::zstd_window bounds the decompressor's memory.
    XzSource(Source& source, const Limits& limits);
    ~XzSource() override;
    std::size_t read(std::span<std::byte> into) override;
    State state() const noexcept;
    /// Returns true if State::damaged is due to the memory limit.
    bool limit_refused() const noexcept;
    /// Returns the memory in bytes that decompression needs. Meaningful only if limit_refused() is true.
    std::uint64_t demanded() const noexcept;
    /// Returns the file offset of the next byte to decompress.
    std::uint64_t file_offset() const noexcept;

private:
    struct Impl;
    std::unique_ptr<Impl> impl_;
};

/// Compresses bytes into one xz stream and appends it to `output`, which must outlive this object. The output depends
/// only on the data.
class XzWriter {
public:
    explicit XzWriter(Output& output);
    ~XzWriter();
    XzWriter(const XzWriter&) = delete;
    XzWriter& operator=(const XzWriter&) = delete;

    /// Compresses more bytes and writes finished data to the output. Throws Failure::io.
    void write(std::span<const std::byte> bytes);
    /// Ends the stream. Nothing may be written after it.
    void finish();

private:
    struct Impl;
    std::unique_ptr<Impl> impl_;
};

}  // namespace hwtrace
