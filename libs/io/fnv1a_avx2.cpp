// io/fnv1a_avx2.cpp - FNV-1a 64 on vectors of 32 bytes. fnv1a.cpp explains the method.
#if defined(__x86_64__)

#include <immintrin.h>

#include <algorithm>
#include <iterator>
#include <numeric>

#include "io/fnv1a_parallel.hpp"

namespace hwtrace::fnv1a {

namespace {

constexpr std::size_t vector_bytes = 32;
constexpr std::size_t group_bytes = 8 * vector_bytes;
// The number of groups whose differences are summed together. A 32-bit sum holds 127 pairs of products (each at most
// 255 * 2^15), and every vector adds two pairs to each sum.
constexpr std::size_t block_groups = 4;
constexpr std::size_t block_bytes = block_groups * group_bytes;
static_assert(2 * block_bytes / vector_bytes <= 127);

constexpr Weights<vector_bytes, block_bytes> weights;
constexpr auto powers = powers_of_prime<block_bytes>();
constexpr auto below_in_lower_half = xor_of_bits_below(0);
constexpr auto below_in_upper_half = xor_of_bits_below(4);

/// Eight vectors of bytes, or their eight bit planes.
struct Group {
    __m256i row[8];
};

/// Bit i of the state's lowest byte, replicated to all bits of vector i.
struct LowByte {
    __m256i bit[8];
};

[[gnu::target("avx2"), gnu::always_inline]] inline __m256i load(const void* from) noexcept {
    return _mm256_loadu_si256(static_cast<const __m256i*>(from));
}

[[gnu::target("avx2"), gnu::always_inline]] inline __m256i both_halves(
    const std::array<std::uint8_t, 16>& table) noexcept {
    return _mm256_broadcastsi128_si256(_mm_loadu_si128(reinterpret_cast<const __m128i*>(table.data())));
}

[[gnu::target("avx2"), gnu::always_inline]] inline __m256i majority(__m256i a, __m256i b, __m256i c) noexcept {
    return _mm256_or_si256(_mm256_and_si256(a, b), _mm256_and_si256(_mm256_or_si256(a, b), c));
}

/// Exchanges bits in all pairs of rows that are `distance` apart. `mask` selects bits of the second row. Each is
/// exchanged with the bit of the first row that is `distance` places higher.
template <int distance>
[[gnu::target("avx2"), gnu::always_inline]] inline void exchange(Group& group, char mask) noexcept {
    for (int i = 0; i < 8; ++i) {
        if ((i & distance) != 0) continue;
        __m256i& first = group.row[i];
        __m256i& second = group.row[i + distance];
        const __m256i different =
            _mm256_and_si256(_mm256_xor_si256(_mm256_srli_epi64(first, distance), second), _mm256_set1_epi8(mask));
        second = _mm256_xor_si256(second, different);
        first = _mm256_xor_si256(first, _mm256_slli_epi64(different, distance));
    }
}

/// Transposes a group: bit j of a byte in row i becomes bit i of the byte at the same place in row j.
[[gnu::target("avx2"), gnu::always_inline]] inline void transpose(Group& group) noexcept {
    exchange<4>(group, 0x0F);
    exchange<2>(group, 0x33);
    exchange<1>(group, 0x55);
}

/// Returns the prefix XOR of the plane: at each position, the XOR of `low` and all bits up to and including that
/// position. `low` is the state before the group on entry and after the group on return.
[[gnu::target("avx2"), gnu::always_inline]] inline __m256i sum_of_plane(__m256i plane, __m256i& low) noexcept {
    // Compute the sums within 16 bytes: shift by 1, 2 and 4 bytes, then XOR the 8th byte into the upper eight.
    const __m256i last_of_first_8 =
        _mm256_broadcastsi128_si256(_mm_set_epi8(7, 7, 7, 7, 7, 7, 7, 7, -1, -1, -1, -1, -1, -1, -1, -1));
    plane = _mm256_xor_si256(plane, _mm256_slli_epi64(plane, 8));
    plane = _mm256_xor_si256(plane, _mm256_slli_epi64(plane, 16));
    plane = _mm256_xor_si256(plane, _mm256_slli_epi64(plane, 32));
    plane = _mm256_xor_si256(plane, _mm256_shuffle_epi8(plane, last_of_first_8));

    // Combine the two lanes of 16 bytes.
    const __m256i total_16 = _mm256_shuffle_epi8(plane, _mm256_set1_epi8(15));
    const __m256i other_16 = _mm256_permute2x128_si256(total_16, total_16, 0x01);
    const __m256i before_16 = _mm256_blend_epi32(_mm256_setzero_si256(), other_16, 0xF0);
    const __m256i total = _mm256_xor_si256(total_16, other_16);

    // Combine the eight vectors.
    const __m256i lower_half = _mm256_set1_epi8(0x0F);
    const __m256i before_vector = _mm256_xor_si256(
        low,
        _mm256_xor_si256(_mm256_shuffle_epi8(both_halves(below_in_lower_half), _mm256_and_si256(total, lower_half)),
                         _mm256_shuffle_epi8(both_halves(below_in_upper_half),
                                             _mm256_and_si256(_mm256_srli_epi64(total, 4), lower_half))));
    // The bit of the last vector is the sign bit. The comparison copies it to all bits.
    low = _mm256_cmpgt_epi8(_mm256_setzero_si256(), _mm256_xor_si256(before_vector, total));
    return _mm256_xor_si256(_mm256_xor_si256(plane, before_16), before_vector);
}

/// Turns the planes of the bytes b into the planes of x = low ^ b. `low` is the lowest byte of the state before the
/// group on entry and after the group on return.
[[gnu::target("avx2"), gnu::always_inline]] inline void solve(Group& planes, LowByte& low) noexcept {
    Group tripled;  // t = 3x
    __m256i x = _mm256_setzero_si256();
    __m256i carry_of_3 = _mm256_setzero_si256();
    __m256i carry_of_17 = _mm256_setzero_si256();
    for (int i = 0; i < 8; ++i) {
        const __m256i tripled_but_x = _mm256_xor_si256(x, carry_of_3);
        __m256i f = tripled_but_x;
        if (i >= 4) f = _mm256_xor_si256(f, _mm256_xor_si256(tripled.row[i - 4], carry_of_17));
        if (i == 7) f = _mm256_xor_si256(f, planes.row[0]);

        const __m256i bit_below = x;
        x = _mm256_xor_si256(f, sum_of_plane(_mm256_xor_si256(planes.row[i], f), low.bit[i]));
        planes.row[i] = x;
        tripled.row[i] = _mm256_xor_si256(x, tripled_but_x);
        carry_of_3 = majority(x, bit_below, carry_of_3);
        if (i >= 4) carry_of_17 = majority(tripled.row[i], tripled.row[i - 4], carry_of_17);
    }
}

/// Adds the weighted differences x - low of a group to one sum per digit.
[[gnu::target("avx2"), gnu::always_inline]] inline void add_differences(
    const Group& x, const std::byte* bytes, const std::int16_t (*weight)[2][digits_per_power][vector_bytes / 2],
    __m256i (&sums)[digits_per_power]) noexcept {
    const __m256i first_minus_second = _mm256_set1_epi16(static_cast<short>(0xFF01));
    for (std::size_t j = 0; j < 8; ++j) {
        const __m256i low = _mm256_xor_si256(x.row[j], load(bytes + j * vector_bytes));
        const __m256i difference[2] = {_mm256_maddubs_epi16(_mm256_unpacklo_epi8(x.row[j], low), first_minus_second),
                                       _mm256_maddubs_epi16(_mm256_unpackhi_epi8(x.row[j], low), first_minus_second)};
        for (std::size_t place = 0; place < digits_per_power; ++place)
            sums[place] = _mm256_add_epi32(
                sums[place], _mm256_add_epi32(_mm256_madd_epi16(difference[0], load(weight[j][0][place])),
                                              _mm256_madd_epi16(difference[1], load(weight[j][1][place]))));
    }
}

/// Returns the value of the sums. Each digit contributes 2^(16 * digit) times the sum of its lanes.
[[gnu::target("avx2"), gnu::always_inline]] inline std::uint64_t value_of(
    const __m256i (&sums)[digits_per_power]) noexcept {
    __m256i value = _mm256_setzero_si256();
    for (std::size_t place = digits_per_power; place-- > 0;)
        value = _mm256_add_epi64(_mm256_slli_epi64(value, 16),
                                 _mm256_add_epi64(_mm256_cvtepi32_epi64(_mm256_castsi256_si128(sums[place])),
                                                  _mm256_cvtepi32_epi64(_mm256_extracti128_si256(sums[place], 1))));
    std::uint64_t lanes[4];
    _mm256_storeu_si256(reinterpret_cast<__m256i*>(lanes), value);
    return std::accumulate(std::begin(lanes), std::end(lanes), std::uint64_t{0});
}

}  // namespace

[[gnu::target("avx2")]] std::uint64_t run_avx2(std::uint64_t state, std::span<const std::byte> bytes) noexcept {
    if (bytes.size() < group_bytes) return run_scalar(state, bytes);
    LowByte low;
    for (int i = 0; i < 8; ++i)
        low.bit[i] = _mm256_set1_epi8(static_cast<char>(-static_cast<int>(state >> i & 1)));
    while (bytes.size() >= group_bytes) {
        const std::size_t groups = std::min(bytes.size() / group_bytes, block_groups);
        const std::size_t size = groups * group_bytes;
        // A shorter block uses the last weights of a full block.
        const auto* const weight = weights.digit + (block_bytes - size) / vector_bytes;
        __m256i sums[digits_per_power];
        for (__m256i& sum : sums)
            sum = _mm256_setzero_si256();
        for (std::size_t group = 0; group < groups; ++group) {
            const std::byte* const start = bytes.data() + group * group_bytes;
            Group rows;
            for (std::size_t j = 0; j < 8; ++j)
                rows.row[j] = load(start + j * vector_bytes);
            transpose(rows);
            solve(rows, low);
            transpose(rows);
            add_differences(rows, start, weight + group * 8, sums);
        }
        state = state * powers[size - 1] + value_of(sums);
        bytes = bytes.subspan(size);
    }
    return run_scalar(state, bytes);
}

}  // namespace hwtrace::fnv1a

#endif
