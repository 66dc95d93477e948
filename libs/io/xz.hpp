// io/xz.hpp - xz streams as a Source, and one xz stream written to an Output. The only place that knows liblzma.
#pragma once

#include <cstdint>
#include <memory>
#include <span>

#include "io/input.hpp"
#include "io/limits.hpp"
#include "io/output.hpp"

namespace hwtrace {

/// True when `head` begins as an xz file does.
bool begins_xz(std::span<const std::byte> head) noexcept;

/// Streams an xz file (several streams as one). Damage and truncation are reported by state(), not thrown.
class XzSource final : public Source {
public:
    enum class State : std::uint8_t {
        reading,
        ended,
        truncated,
        damaged,  ///< liblzma refused the data, or it wants more memory than Limits allow (then limit_refused())
    };
    /// The memory of the decompressor is bounded by Limits::zstd_window.
    XzSource(Source& source, const Limits& limits);
    ~XzSource() override;
    std::size_t read(std::span<std::byte> into) override;
    State state() const noexcept;
    /// True when the damage is a dictionary above the limit.
    bool limit_refused() const noexcept;
    /// Where limit_refused(): bytes that it wants.
    std::uint64_t demanded() const noexcept;
    std::uint64_t file_offset() const noexcept;

private:
    struct Impl;
    std::unique_ptr<Impl> impl_;
};

/// Compresses what it is given and appends it to `output`, which must outlive it. The bytes depend on the data alone.
class XzWriter {
public:
    explicit XzWriter(Output& output);
    ~XzWriter();
    XzWriter(const XzWriter&) = delete;
    XzWriter& operator=(const XzWriter&) = delete;

    void write(std::span<const std::byte> bytes);
    /// Ends the stream; nothing may be written after it.
    void finish();

private:
    struct Impl;
    std::unique_ptr<Impl> impl_;
};

}  // namespace hwtrace
