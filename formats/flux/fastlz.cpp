#include "fastlz.hpp"

#include <cstdint>
#include <cstring>

namespace hwtrace::flux {

namespace {

constexpr unsigned run_limit = 32;          ///< opcodes below it: a run of so many bytes, and one more
constexpr unsigned longest_short = 7;       ///< the upper three bits of an opcode whose length goes on
constexpr std::size_t far_distance = 8192;  ///< level 2: what the distances with two more bytes begin at
constexpr unsigned far_mark = 31u << 8;     ///< together with a last byte of 255

/// Copies bytes that may overlap: what has been written is read again.
void copy_match(std::byte* to, std::size_t distance, std::size_t length) noexcept {
    const std::byte* from = to - distance;
    if (distance >= length) {
        std::memcpy(to, from, length);
    } else if (distance == 1) {
        std::memset(to, std::to_integer<int>(*from), length);
    } else {
        for (std::size_t i = 0; i < length; ++i)
            to[i] = from[i];
    }
}

}  // namespace

bool decompress_fastlz(std::span<const std::byte> block, std::span<std::byte> raw) noexcept {
    if (block.empty()) return raw.empty();
    const std::byte* at = block.data();
    const std::byte* const end = at + block.size();
    std::byte* to = raw.data();
    std::byte* const to_end = to + raw.size();
    const auto next = [&] { return std::to_integer<unsigned>(*at++); };

    unsigned opcode = next();
    const unsigned level = (opcode >> 5) + 1;
    if (level > 2) return false;
    opcode &= run_limit - 1;
    for (;;) {
        if (opcode < run_limit) {
            const std::size_t count = opcode + 1;
            if (static_cast<std::size_t>(end - at) < count || static_cast<std::size_t>(to_end - to) < count)
                return false;
            std::memcpy(to, at, count);
            at += count;
            to += count;
        } else {
            std::size_t length = (opcode >> 5) + 2;
            std::size_t distance = (opcode & (run_limit - 1)) << 8;
            if (opcode >> 5 == longest_short) {
                unsigned more = 0;
                do {
                    if (at == end) return false;
                    more = next();
                    length += more;
                } while (level == 2 && more == 255);
            }
            if (at == end) return false;
            const unsigned low = next();
            if (level == 2 && low == 255 && distance == far_mark) {
                if (end - at < 2) return false;
                const unsigned high = next();
                distance = (high << 8) + next() + far_distance;
            } else {
                distance += low + 1;
            }
            if (distance > static_cast<std::size_t>(to - raw.data()) || length > static_cast<std::size_t>(to_end - to))
                return false;
            copy_match(to, distance, length);
            to += length;
        }
        if (at == end) return to == to_end;
        opcode = next();
    }
}

}  // namespace hwtrace::flux
