// formats/ftr/scan_bytes.hpp - bytes and numbers that several parts of the scan compare with.
#pragma once

#include <cstdint>
#include <limits>

#include "io/cbor.hpp"
#include "model/time.hpp"
#include "wire.hpp"

namespace hwtrace::ftr {

inline constexpr std::uint64_t last_tick = std::numeric_limits<Tick>::max();
inline constexpr unsigned largest_unsigned_byte = 0x1B;

inline bool is_event(const CborHead& head) noexcept {
    return head.major == CborMajor::tag && head.argument == static_cast<std::uint64_t>(Element::event);
}

}  // namespace hwtrace::ftr
