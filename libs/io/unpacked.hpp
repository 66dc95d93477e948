// io/unpacked.hpp - a whole file as the bytes it means, compressed or not.
#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <string_view>

#include "io/input.hpp"
#include "io/limits.hpp"

namespace hwtrace {

/// What a file as a whole is compressed with.
enum class Packing : std::uint8_t { plain, gzip, lz4, zstd, xz };
/// "plain", "gzip", "lz4", "zstd", "xz".
std::string_view name_of(Packing packing) noexcept;

/// What the first bytes say: four of them are enough, six for xz.
Packing packing_of(std::span<const std::byte> head) noexcept;

/// The decompressed bytes of a file. Damage and truncation are reported by state(), not thrown, so that everything
/// before them is delivered.
class Unpacked final : public Source {
public:
    enum class State : std::uint8_t { reading, ended, truncated, damaged };

    /// Reads `input`, which outlives it, from its beginning; not the position of `input`'s next read where it is plain
    /// and something was read before.
    Unpacked(Input& input, const Limits& limits);
    ~Unpacked() override;

    std::size_t read(std::span<std::byte> into) override;
    Packing packing() const noexcept;
    /// A plain file is never truncated or damaged.
    State state() const noexcept;
    /// Throws Failure::limit where the damage is a demand for more memory than Limits allow (zstd, xz:
    /// Limits::zstd_window).
    void check_memory() const;
    /// Of the next byte of the file that has not been consumed.
    std::uint64_t file_offset() const noexcept;

private:
    struct Impl;
    std::unique_ptr<Impl> impl_;
};

/// The first bytes that `head`, the first bytes of a file, decompresses to: at most `into.size()`, fewer where `head`
/// says no more.
std::size_t unpack_head(std::span<const std::byte> head, std::span<std::byte> into);

}  // namespace hwtrace
