// io/unpacked.hpp - reads a file that may be compressed as a whole.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string_view>

#include "io/input.hpp"
#include "io/limits.hpp"

namespace hwtrace {

class Appender;
class Cursor;

/// The compression of a whole file.
enum class Packing : std::uint8_t { plain, gzip, lz4, zstd, xz };
/// Returns "plain", "gzip", "lz4", "zstd" or "xz".
std::string_view name_of(Packing packing) noexcept;

/// Detects the compression from the first bytes of a file. Six bytes suffice for xz, and four for all others.
Packing packing_of(std::span<const std::byte> head) noexcept;

/// Delivers the decompressed bytes of a file. Damage and truncation do not throw: read() delivers all data before them,
/// and state() reports them.
class Unpacked final : public Source {
public:
    enum class State : std::uint8_t { reading, ended, truncated, damaged };

    /// `input` must be at the beginning, and must outlive this object.
    Unpacked(Input& input, const Limits& limits);
    ~Unpacked() override;

    std::size_t read(std::span<std::byte> into) override;
    /// Returns the detected compression.
    Packing packing() const noexcept;
    /// Returns the state. A plain file is never truncated or damaged.
    State state() const noexcept;
    /// Throws Failure::limit if the state is State::damaged because a zstd frame or an xz stream needs more memory than
    /// Limits::zstd_window allows.
    void check_memory() const;
    /// Prepares for save_place(). Returns false if the input cannot be read from a place inside. Bytes that
    /// were read before are read again, but not delivered again.
    bool keep_places();
    /// Appends a place at or before the byte `raw_offset` of the decompressed data, which was read. Requires
    /// keep_places().
    void save_place(std::uint64_t raw_offset, Appender& out) const;
    /// Continues at a place that another object has saved for the same input. Returns the offset of the next byte of
    /// the decompressed data, or nullopt if the input lacks the place. Throws Truncated or Failure::input if the bytes
    /// state no place.
    std::optional<std::uint64_t> restore_place(Cursor& in);

    /// Returns the file offset of the next byte to consume.
    std::uint64_t file_offset() const noexcept;

private:
    std::size_t read_packed(std::span<std::byte> into);

    struct Impl;
    std::unique_ptr<Impl> impl_;
};

/// Decompresses `head` into `into`. `head` holds the first bytes of a file. Returns the number of bytes, which is less
/// than into.size() if `head` ends early.
std::size_t unpack_head(std::span<const std::byte> head, std::span<std::byte> into);

}  // namespace hwtrace
