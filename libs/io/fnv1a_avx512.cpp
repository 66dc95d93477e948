// io/fnv1a_avx512.cpp - FNV-1a 64 on vectors of 64 bytes. fnv1a.cpp explains the method. GFNI (for the sums over the
// bits of a byte) and VNNI (for the dot product) would gain 4 to 18 %, depending on the compiler. That does not justify
// requiring more than AVX-512 BW.
#if defined(__x86_64__)

// GCC 12 warns about the deliberately undefined operands in its own intrinsics.
#if defined(__GNUC__) && !defined(__clang__)
#pragma GCC diagnostic ignored "-Wuninitialized"
#pragma GCC diagnostic ignored "-Wmaybe-uninitialized"
#endif

#include <immintrin.h>

#include <algorithm>
#include <iterator>
#include <numeric>

#include "io/fnv1a_parallel.hpp"

namespace hwtrace::fnv1a {

namespace {

constexpr std::size_t vector_bytes = 64;
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

// Truth tables of ternary operations.
constexpr int xor_of_3 = 0x96;
constexpr int majority_of_3 = 0xE8;
constexpr int second_where_first_else_third = 0xCA;

/// Eight vectors of bytes, or their eight bit planes.
struct Group {
    __m512i row[8];
};

/// Bit i of the state's lowest byte, replicated to all bits of vector i.
struct LowByte {
    __m512i bit[8];
};

[[gnu::target("avx512f,avx512bw"), gnu::always_inline]] inline __m512i load(const void* from) noexcept {
    return _mm512_loadu_si512(from);
}

[[gnu::target("avx512f,avx512bw"), gnu::always_inline]] inline __m512i xor3(__m512i a, __m512i b, __m512i c) noexcept {
    return _mm512_ternarylogic_epi64(a, b, c, xor_of_3);
}

/// Replicates a table of 16 bytes to every lane, as shuffle_epi8 requires.
[[gnu::target("avx512f,avx512bw"), gnu::always_inline]] inline __m512i in_every_lane(
    const std::array<std::uint8_t, 16>& table) noexcept {
    return _mm512_broadcast_i32x4(_mm_loadu_si128(reinterpret_cast<const __m128i*>(table.data())));
}

/// Exchanges bits in all pairs of rows that are `distance` apart. `mask` selects the bits of the first row that stay.
/// The other bits of the first row are exchanged with the bits of the second row that are `distance` places lower.
template <unsigned distance>
[[gnu::target("avx512f,avx512bw"), gnu::always_inline]] inline void exchange(Group& group, char mask) noexcept {
    const __m512i taken = _mm512_set1_epi8(mask);
    for (unsigned i = 0; i < 8; ++i) {
        if ((i & distance) != 0) continue;
        const __m512i first = group.row[i];
        const __m512i second = group.row[i + distance];
        group.row[i] =
            _mm512_ternarylogic_epi64(taken, first, _mm512_slli_epi64(second, distance), second_where_first_else_third);
        group.row[i + distance] =
            _mm512_ternarylogic_epi64(taken, _mm512_srli_epi64(first, distance), second, second_where_first_else_third);
    }
}

/// Transposes a group: bit j of a byte in row i becomes bit i of the byte at the same place in row j.
[[gnu::target("avx512f,avx512bw"), gnu::always_inline]] inline void transpose(Group& group) noexcept {
    exchange<4>(group, 0x0F);
    exchange<2>(group, 0x33);
    exchange<1>(group, 0x55);
}

/// Returns the prefix XOR of the plane: at each position, the XOR of `low` and all bits up to and including that
/// position. `low` is the state before the group on entry and after the group on return.
[[gnu::target("avx512f,avx512bw"), gnu::always_inline]] inline __m512i sum_of_plane(__m512i plane,
                                                                                    __m512i& low) noexcept {
    // Compute the sums within 16 bytes: shift by 1, 2 and 4 bytes, then XOR the 8th byte into the upper eight.
    constexpr __mmask64 upper_8 = 0xFF00'FF00'FF00'FF00;
    plane = _mm512_xor_si512(plane, _mm512_slli_epi64(plane, 8));
    plane = _mm512_xor_si512(plane, _mm512_slli_epi64(plane, 16));
    plane = _mm512_xor_si512(plane, _mm512_slli_epi64(plane, 32));
    plane = _mm512_xor_si512(plane, _mm512_maskz_shuffle_epi8(upper_8, plane, _mm512_set1_epi8(7)));

    // Combine the four lanes of 16 bytes: first neighbouring lanes, then pairs of lanes.
    const __m512i lane = _mm512_shuffle_epi8(plane, _mm512_set1_epi8(15));
    const __m512i neighbour = _mm512_shuffle_i64x2(lane, lane, 0b10'11'00'01);
    const __m512i pair = _mm512_xor_si512(lane, neighbour);
    const __m512i other_pair = _mm512_shuffle_i64x2(pair, pair, 0b01'00'11'10);
    const __m512i total = _mm512_xor_si512(pair, other_pair);
    plane = _mm512_mask_xor_epi64(plane, 0b11001100, plane, neighbour);
    plane = _mm512_mask_xor_epi64(plane, 0b11110000, plane, other_pair);

    // Combine the eight vectors.
    const __m512i lower_half = _mm512_set1_epi8(0x0F);
    const __m512i before_vector =
        xor3(low, _mm512_shuffle_epi8(in_every_lane(below_in_lower_half), _mm512_and_si512(total, lower_half)),
             _mm512_shuffle_epi8(in_every_lane(below_in_upper_half),
                                 _mm512_and_si512(_mm512_srli_epi64(total, 4), lower_half)));
    // The bit of the last vector is the sign bit.
    low = _mm512_movm_epi8(_mm512_movepi8_mask(_mm512_xor_si512(before_vector, total)));
    return _mm512_xor_si512(plane, before_vector);
}

/// Turns the planes of the bytes b into the planes of x = low ^ b. `low` is the lowest byte of the state before the
/// group on entry and after the group on return.
[[gnu::target("avx512f,avx512bw"), gnu::always_inline]] inline void solve(Group& planes, LowByte& low) noexcept {
    Group tripled;  // t = 3x
    __m512i x = _mm512_setzero_si512();
    __m512i carry_of_3 = _mm512_setzero_si512();
    __m512i carry_of_17 = _mm512_setzero_si512();
    for (int i = 0; i < 8; ++i) {
        const __m512i tripled_but_x = _mm512_xor_si512(x, carry_of_3);
        __m512i f = tripled_but_x;
        if (i >= 4) f = xor3(f, tripled.row[i - 4], carry_of_17);
        if (i == 7) f = _mm512_xor_si512(f, planes.row[0]);

        const __m512i bit_below = x;
        x = _mm512_xor_si512(f, sum_of_plane(_mm512_xor_si512(planes.row[i], f), low.bit[i]));
        planes.row[i] = x;
        tripled.row[i] = _mm512_xor_si512(x, tripled_but_x);
        carry_of_3 = _mm512_ternarylogic_epi64(x, bit_below, carry_of_3, majority_of_3);
        if (i >= 4)
            carry_of_17 = _mm512_ternarylogic_epi64(tripled.row[i], tripled.row[i - 4], carry_of_17, majority_of_3);
    }
}

/// Adds the weighted differences x - low of a group to one sum per digit.
[[gnu::target("avx512f,avx512bw"), gnu::always_inline]] inline void add_differences(
    const Group& x, const std::byte* bytes, const std::int16_t (*weight)[2][digits_per_power][vector_bytes / 2],
    __m512i (&sums)[digits_per_power]) noexcept {
    const __m512i first_minus_second = _mm512_set1_epi16(static_cast<short>(0xFF01));
    for (std::size_t j = 0; j < 8; ++j) {
        const __m512i low = _mm512_xor_si512(x.row[j], load(bytes + j * vector_bytes));
        const __m512i difference[2] = {_mm512_maddubs_epi16(_mm512_unpacklo_epi8(x.row[j], low), first_minus_second),
                                       _mm512_maddubs_epi16(_mm512_unpackhi_epi8(x.row[j], low), first_minus_second)};
        for (std::size_t place = 0; place < digits_per_power; ++place)
            sums[place] = _mm512_add_epi32(
                sums[place], _mm512_add_epi32(_mm512_madd_epi16(difference[0], load(weight[j][0][place])),
                                              _mm512_madd_epi16(difference[1], load(weight[j][1][place]))));
    }
}

/// Returns the value of the sums. Each digit contributes 2^(16 * digit) times the sum of its lanes.
[[gnu::target("avx512f,avx512bw"), gnu::always_inline]] inline std::uint64_t value_of(
    const __m512i (&sums)[digits_per_power]) noexcept {
    __m512i value = _mm512_setzero_si512();
    for (std::size_t place = digits_per_power; place-- > 0;)
        value = _mm512_add_epi64(_mm512_slli_epi64(value, 16),
                                 _mm512_add_epi64(_mm512_cvtepi32_epi64(_mm512_castsi512_si256(sums[place])),
                                                  _mm512_cvtepi32_epi64(_mm512_extracti64x4_epi64(sums[place], 1))));
    std::uint64_t lanes[8];
    _mm512_storeu_si512(lanes, value);
    return std::accumulate(std::begin(lanes), std::end(lanes), std::uint64_t{0});
}

}  // namespace

[[gnu::target("avx512f,avx512bw")]] std::uint64_t run_avx512(std::uint64_t state,
                                                             std::span<const std::byte> bytes) noexcept {
    if (bytes.size() < group_bytes) return run_avx2(state, bytes);
    LowByte low;
    for (int i = 0; i < 8; ++i)
        low.bit[i] = _mm512_set1_epi8(static_cast<char>(-static_cast<int>(state >> i & 1)));
    while (bytes.size() >= group_bytes) {
        const std::size_t groups = std::min(bytes.size() / group_bytes, block_groups);
        const std::size_t size = groups * group_bytes;
        // A shorter block uses the last weights of a full block.
        const auto* const weight = weights.digit + (block_bytes - size) / vector_bytes;
        __m512i sums[digits_per_power];
        for (__m512i& sum : sums)
            sum = _mm512_setzero_si512();
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
    return run_avx2(state, bytes);
}

}  // namespace hwtrace::fnv1a

#endif
