#include "io/sha256.hpp"

#include <algorithm>
#include <bit>
#include <cstring>

#include "io/hex_digits.hpp"

namespace hwtrace {

namespace {

/// The first 32 bits of the fractional parts of the cube roots of the first 64 primes.
constexpr std::array<std::uint32_t, 64> round_constants{
    0x428a2f98, 0x71374491, 0xb5c0fbcf, 0xe9b5dba5, 0x3956c25b, 0x59f111f1, 0x923f82a4, 0xab1c5ed5,
    0xd807aa98, 0x12835b01, 0x243185be, 0x550c7dc3, 0x72be5d74, 0x80deb1fe, 0x9bdc06a7, 0xc19bf174,
    0xe49b69c1, 0xefbe4786, 0x0fc19dc6, 0x240ca1cc, 0x2de92c6f, 0x4a7484aa, 0x5cb0a9dc, 0x76f988da,
    0x983e5152, 0xa831c66d, 0xb00327c8, 0xbf597fc7, 0xc6e00bf3, 0xd5a79147, 0x06ca6351, 0x14292967,
    0x27b70a85, 0x2e1b2138, 0x4d2c6dfc, 0x53380d13, 0x650a7354, 0x766a0abb, 0x81c2c92e, 0x92722c85,
    0xa2bfe8a1, 0xa81a664b, 0xc24b8b70, 0xc76c51a3, 0xd192e819, 0xd6990624, 0xf40e3585, 0x106aa070,
    0x19a4c116, 0x1e376c08, 0x2748774c, 0x34b0bcb5, 0x391c0cb3, 0x4ed8aa4a, 0x5b9cca4f, 0x682e6ff3,
    0x748f82ee, 0x78a5636f, 0x84c87814, 0x8cc70208, 0x90befffa, 0xa4506ceb, 0xbef9a3f7, 0xc67178f2,
};

std::uint32_t big_endian(const std::byte* bytes) noexcept {
    std::uint32_t value = 0;
    for (std::size_t i = 0; i < 4; ++i)
        value = value << 8u | std::to_integer<std::uint32_t>(bytes[i]);
    return value;
}

}  // namespace

void Sha256::add_block(const std::byte* block) noexcept {
    std::array<std::uint32_t, 64> w{};
    for (std::size_t i = 0; i < 16; ++i)
        w[i] = big_endian(block + 4 * i);
    for (std::size_t i = 16; i < 64; ++i) {
        const std::uint32_t a = w[i - 15], b = w[i - 2];
        w[i] = w[i - 16] + (std::rotr(a, 7) ^ std::rotr(a, 18) ^ a >> 3u) + w[i - 7] +
               (std::rotr(b, 17) ^ std::rotr(b, 19) ^ b >> 10u);
    }
    std::array<std::uint32_t, 8> s = state_;
    for (std::size_t i = 0; i < 64; ++i) {
        const std::uint32_t choice = (s[4] & s[5]) ^ (~s[4] & s[6]);
        const std::uint32_t majority = (s[0] & s[1]) ^ (s[0] & s[2]) ^ (s[1] & s[2]);
        const std::uint32_t first = s[7] + (std::rotr(s[4], 6) ^ std::rotr(s[4], 11) ^ std::rotr(s[4], 25)) + choice +
                                    round_constants[i] + w[i];
        const std::uint32_t second = (std::rotr(s[0], 2) ^ std::rotr(s[0], 13) ^ std::rotr(s[0], 22)) + majority;
        s = {first + second, s[0], s[1], s[2], s[3] + first, s[4], s[5], s[6]};
    }
    for (std::size_t i = 0; i < s.size(); ++i)
        state_[i] += s[i];
}

void Sha256::add(std::span<const std::byte> bytes) noexcept {
    const std::size_t filled = size_ % block_size;
    size_ += bytes.size();
    if (filled != 0) {
        const std::size_t count = std::min(bytes.size(), block_size - filled);
        std::copy_n(bytes.begin(), count, partial_.begin() + static_cast<std::ptrdiff_t>(filled));
        bytes = bytes.subspan(count);
        if (filled + count != block_size) return;
        add_block(partial_.data());
    }
    for (; bytes.size() >= block_size; bytes = bytes.subspan(block_size))
        add_block(bytes.data());
    std::copy(bytes.begin(), bytes.end(), partial_.begin());
}

std::string Sha256::hexadecimal() {
    const std::uint64_t bits = size_ * 8;
    std::array<std::byte, 2 * block_size> end{std::byte{0x80}};
    // The padding fills the last block except its last 8 bytes, which hold the length.
    const std::size_t padding = block_size - (size_ + 8) % block_size;
    for (std::size_t i = 0; i < 8; ++i)
        end[padding + i] = static_cast<std::byte>(bits >> (56 - 8 * i));
    add(std::span(end).first(padding + 8));
    std::array<std::byte, 32> bytes{};
    for (std::size_t i = 0; i < bytes.size(); ++i)
        bytes[i] = static_cast<std::byte>(state_[i / 4] >> (24 - 8 * (i % 4)));
    std::string digits;
    append_hex_digits(bytes, digits);
    return digits;
}

}  // namespace hwtrace
