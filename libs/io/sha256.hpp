// io/sha256.hpp - the SHA-256 checksum (FIPS 180-4), for manifests.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <span>
#include <string>

namespace hwtrace {

/// Computes SHA-256 incrementally. The result does not depend on how calls divide the bytes.
class Sha256 {
public:
    void add(std::span<const std::byte> bytes) noexcept;
    /// Returns the checksum of everything added, as 64 lower-case hexadecimal digits. add() must not follow.
    std::string hexadecimal();

private:
    static constexpr std::size_t block_size = 64;

    void add_block(const std::byte* block) noexcept;

    std::array<std::uint32_t, 8> state_{0x6a09e667, 0xbb67ae85, 0x3c6ef372, 0xa54ff53a,
                                        0x510e527f, 0x9b05688c, 0x1f83d9ab, 0x5be0cd19};
    std::array<std::byte, block_size> partial_{};  // the bytes of an incomplete block
    std::uint64_t size_ = 0;                       // in bytes
};

}  // namespace hwtrace
