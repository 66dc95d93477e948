// io/fnv1a.cpp - FNV-1a computed in parallel, although every step depends on the previous step
//
// One step is h' = (h ^ b) * P mod 2^64 with a byte b and P = 2^40 + 0x1B3. Write low for the lowest byte of h and
// x = low ^ b. The XOR touches the lowest byte only, so h ^ b = h + (x - low), and over N bytes
//
//     h_N = h_0 * P^N + sum over n of (x_n - low_n) * P^(N-n)      (mod 2^64).
//
// The differences are within -255..255. Once the low bytes are known, the sum is a dot product with constants.
//
// The low bytes form a separate recurrence, because P = 0xB3 mod 256:
//
//     low' = (low ^ b) * 0xB3 mod 256 = x * 0xB3 mod 256.
//
// 0xB3 is odd, and carries only propagate upwards. So bit i of x * 0xB3 is x[i] ^ f_i, where f_i depends only on the
// bits of x below i. With x[i] = low[i] ^ b[i]:
//
//     low'[i] = low[i] ^ g,   g = b[i] ^ f_i.
//
// The bits are computed in the order i = 0 to 7. For each i, g is then known at all positions at once. low[i] at a
// position is the XOR of low_0[i] and of all g before that position. This is a prefix sum over GF(2), which takes
// log2(N) steps instead of N. If I is the prefix sum including the g of the position itself, then
//
//     x[i] = low_0[i] ^ I ^ f_i.
//
// f_i follows from 0xB3 = 3 * (1 + 16) + 128: with t = 3x, x * 0xB3 = t + 16t + 128x. Two ripple-carry additions give
//
//     t[i] = x[i] ^ x[i-1] ^ carry,
//     (x * 0xB3)[i] = t[i] ^ t[i-4] ^ carry of the second addition (from i = 4 on) ^ x[0] (at i = 7).
//
// The kernels process groups of eight vectors of W bytes. Vector j holds W bytes, starting at byte W * j. Transposing
// the 8 x 8 bits at each place makes eight planes: bit j of byte p of plane i is bit i of byte W * j + p of the input.
// The prefix sum over the bytes of a plane is computed for all eight j together. Then the totals, one bit for each j,
// are summed over j. The same transposition converts the planes of x back to bytes, which give low = x ^ b.
#include "io/fnv1a.hpp"

#include <array>

#include "io/fnv1a_parallel.hpp"

namespace hwtrace {

namespace fnv1a {

std::uint64_t run_scalar(std::uint64_t state, std::span<const std::byte> bytes) noexcept {
    for (const std::byte byte : bytes)
        state = (state ^ static_cast<std::uint64_t>(byte)) * Fnv1a64::prime;
    return state;
}

}  // namespace fnv1a

namespace {

class Methods {
public:
    Methods() noexcept {
        add({"scalar", fnv1a::run_scalar});
#if defined(__x86_64__)
        __builtin_cpu_init();  // this may run before the constructors of the C library
        if (__builtin_cpu_supports("avx2")) add({"avx2", fnv1a::run_avx2});
        if (__builtin_cpu_supports("avx512f") && __builtin_cpu_supports("avx512bw")) add({"avx512", fnv1a::run_avx512});
#endif
    }

    std::span<const Fnv1aMethod> all() const noexcept {
        return std::span(methods_).first(count_);
    }

private:
    void add(const Fnv1aMethod& method) noexcept {
        methods_[count_++] = method;
    }

    std::array<Fnv1aMethod, 3> methods_{};
    std::size_t count_ = 0;
};

}  // namespace

std::span<const Fnv1aMethod> fnv1a_methods() noexcept {
    static const Methods methods;
    return methods.all();
}

void Fnv1a64::add(std::span<const std::byte> bytes) noexcept {
    state_ = fnv1a_methods().back().run(state_, bytes);
}

}  // namespace hwtrace
