#include "io/fnv1a.hpp"

#include <array>

namespace hwtrace {

namespace {

std::uint64_t run_scalar(std::uint64_t state, std::span<const std::byte> bytes) noexcept {
    for (const std::byte byte : bytes)
        state = (state ^ static_cast<std::uint64_t>(byte)) * Fnv1a64::prime;
    return state;
}

}  // namespace

std::span<const Fnv1aMethod> fnv1a_methods() noexcept {
    static constexpr std::array methods{Fnv1aMethod{"scalar", run_scalar}};
    return methods;
}

void Fnv1a64::add(std::span<const std::byte> bytes) noexcept {
    state_ = fnv1a_methods().back().run(state_, bytes);
}

}  // namespace hwtrace
