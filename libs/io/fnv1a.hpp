// io/fnv1a.hpp - the FNV-1a 64 checksum, computed exactly and faster than byte by byte.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string_view>

namespace hwtrace {

/// Computes FNV-1a 64 incrementally. The result does not depend on how calls divide the bytes.
class Fnv1a64 {
public:
    static constexpr std::uint64_t basis = 0xCBF2'9CE4'8422'2325;
    static constexpr std::uint64_t prime = 0x0000'0100'0000'01B3;

    void add(std::span<const std::byte> bytes) noexcept;
    /// Returns the checksum of everything added so far.
    std::uint64_t value() const noexcept { return state_; }

private:
    std::uint64_t state_ = basis;
};

/// An implementation of FNV-1a 64. All implementations return the same value.
struct Fnv1aMethod {
    std::string_view name;  ///< "scalar", "avx2", ...
    std::uint64_t (*run)(std::uint64_t state, std::span<const std::byte> bytes) noexcept;
};
/// Returns the implementations that this processor supports. The first one follows the definition. The last one is the
/// fastest, and Fnv1a64 uses it.
std::span<const Fnv1aMethod> fnv1a_methods() noexcept;

}  // namespace hwtrace
