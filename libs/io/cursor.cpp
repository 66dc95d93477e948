#include "io/cursor.hpp"

#include "io/counted.hpp"

#include <string>

namespace hwtrace {

Truncated::Truncated(std::uint64_t offset, std::uint64_t needed, std::uint64_t left)
    : Error(Failure::input, "byte " + std::to_string(offset) + ": expected " + counted(needed, "more byte") +
                                ", found " + std::to_string(left)),
      offset_(offset),
      needed_(needed),
      left_(left) {}

void Cursor::truncated(std::uint64_t needed) const {
    throw Truncated(offset(), needed, left());
}

std::uint64_t Cursor::long_leb128() {
    constexpr std::size_t longest = 10;
    std::uint64_t value = 0;
    for (std::size_t i = 0; i < longest; ++i) {
        if (i == left()) truncated(i + 1);
        const auto byte = static_cast<std::uint8_t>(at_[i]);
        const std::uint64_t bits = byte & 0x7Fu;
        if (i == longest - 1 && bits > 1) break;  // the value exceeds 64 bits
        value |= bits << (7 * i);
        if ((byte & 0x80u) == 0) {
            at_ += i + 1;
            return value;
        }
    }
    fail(Failure::input, "byte " + std::to_string(offset()) +
                             ": expected a LEB128 number of at most 10 bytes and 64 bits, found a longer one");
}

}  // namespace hwtrace
