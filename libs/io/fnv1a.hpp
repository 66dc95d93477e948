// io/fnv1a.hpp - the checksum FNV-1a 64, in an exact form that is faster than one byte after the other.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string_view>

namespace hwtrace {

/// FNV-1a 64 over bytes that come in pieces; the result does not depend on how they are cut.
class Fnv1a64 {
public:
    static constexpr std::uint64_t basis = 0xCBF2'9CE4'8422'2325;
    static constexpr std::uint64_t prime = 0x0000'0100'0000'01B3;

    void add(std::span<const std::byte> bytes) noexcept;
    /// Of everything added so far.
    std::uint64_t value() const noexcept { return state_; }

private:
    std::uint64_t state_ = basis;
};

/// The ways to compute it; every one gives the same value. The first is the definition, the last the fastest that this
/// processor can do, which Fnv1a64 uses.
struct Fnv1aMethod {
    std::string_view name;  ///< "scalar", "avx2", ...
    std::uint64_t (*run)(std::uint64_t state, std::span<const std::byte> bytes) noexcept;
};
std::span<const Fnv1aMethod> fnv1a_methods() noexcept;

}  // namespace hwtrace
