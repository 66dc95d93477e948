// io/fnv1a_parallel.hpp - shared parts of the vector implementations of FNV-1a 64. Only for libs/io/fnv1a*.cpp;
// fnv1a.cpp derives the method.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <span>

#include "io/fnv1a.hpp"

namespace hwtrace::fnv1a {

/// Computes the checksum byte by byte, as the definition does.
std::uint64_t run_scalar(std::uint64_t state, std::span<const std::byte> bytes) noexcept;

#if defined(__x86_64__)
/// Computes the checksum with AVX2. The processor must support it.
std::uint64_t run_avx2(std::uint64_t state, std::span<const std::byte> bytes) noexcept;
/// Computes the checksum with AVX-512 F and BW. The processor must support both.
std::uint64_t run_avx512(std::uint64_t state, std::span<const std::byte> bytes) noexcept;
#endif

/// The number of signed 16-bit digits of a power of P. The vector multiplication works on such digits.
constexpr std::size_t digits_per_power = 4;

/// Returns P^1, P^2, ... P^`count`.
template <std::size_t count>
constexpr std::array<std::uint64_t, count> powers_of_prime() {
    std::array<std::uint64_t, count> powers{};
    std::uint64_t power = 1;
    for (std::uint64_t& entry : powers)
        entry = power *= Fnv1a64::prime;
    return powers;
}

/// The digits of P^(block_bytes - n) for every byte n of a block, in the order in which a kernel with vectors of
/// `vector_bytes` bytes uses them. The digits are ordered by vector. Within a vector, the bytes that unpacklo_epi8
/// takes (the lower eight of every sixteen) precede the bytes that unpackhi_epi8 takes.
template <std::size_t vector_bytes, std::size_t block_bytes>
struct Weights {
    static constexpr std::size_t words = vector_bytes / 2;
    alignas(64) std::int16_t digit[block_bytes / vector_bytes][2][digits_per_power][words];

    constexpr Weights() : digit{} {
        const auto powers = powers_of_prime<block_bytes>();
        for (std::size_t vector = 0; vector < block_bytes / vector_bytes; ++vector)
            for (std::size_t half = 0; half < 2; ++half)
                for (std::size_t word = 0; word < words; ++word) {
                    const std::size_t n = vector * vector_bytes + word / 8 * 16 + half * 8 + word % 8;
                    std::uint64_t rest = powers[block_bytes - n - 1];
                    for (std::size_t place = 0; place < digits_per_power; ++place) {
                        const auto lowest = static_cast<std::int16_t>(rest & 0xFFFF);
                        digit[vector][half][place][word] = lowest;
                        // A negative digit borrows from the next place.
                        rest = (rest - static_cast<std::uint64_t>(std::int64_t{lowest})) >> 16;
                    }
                }
    }
};

/// Returns a table that is indexed by four bits of a byte. `first_bit` is 0 for the lower half of the byte and 4 for
/// the upper half. Bit j of an entry is the XOR of those of the four bits that are below bit j of the byte.
constexpr std::array<std::uint8_t, 16> xor_of_bits_below(unsigned first_bit) {
    std::array<std::uint8_t, 16> table{};
    for (unsigned half = 0; half < table.size(); ++half)
        for (unsigned bit = 0; bit < 4; ++bit)
            if ((half >> bit & 1) != 0)
                table[half] = static_cast<std::uint8_t>(table[half] ^ (0xFFu << (first_bit + bit + 1)));
    return table;
}

}  // namespace hwtrace::fnv1a
