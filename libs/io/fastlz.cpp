#include "io/fastlz.hpp"

#include <cstring>

namespace hwtrace {

namespace {

constexpr unsigned run_limit = 32;          ///< smaller opcodes start a run of opcode + 1 literal bytes
constexpr unsigned longest_short = 7;       ///< value of the upper three opcode bits if length bytes follow
constexpr std::size_t far_distance = 8192;  ///< level 2: added to a distance of two extra bytes
constexpr unsigned far_mark =
    31u << 8;  ///< level 2: upper part of the distance that marks a far match, if the lower part is 255

enum class End : std::uint8_t {
    whole,    ///< the output is complete
    cut,      ///< the block ends before the output is complete
    damaged,  ///< too much output, or a match that refers to bytes before the output
};

/// Parses a block that unpacks to `size` bytes. Calls `run(bytes)` for literals and `repeat(distance, length)` for
/// matches.
template <typename Run, typename Repeat>
End walk(std::span<const std::byte> block, std::uint64_t size, Run&& run, Repeat&& repeat) noexcept {
    if (block.empty()) return size == 0 ? End::whole : End::cut;
    const std::byte* at = block.data();
    const std::byte* const end = at + block.size();
    std::uint64_t made = 0;
    const auto next = [&] { return std::to_integer<unsigned>(*at++); };

    unsigned opcode = next();
    const unsigned level = (opcode >> 5) + 1;
    if (level > 2) return End::damaged;
    opcode &= run_limit - 1;
    for (;;) {
        if (opcode < run_limit) {
            const std::size_t count = opcode + 1;
            if (size - made < count) return End::damaged;
            if (static_cast<std::size_t>(end - at) < count) return End::cut;
            run(std::span(at, count));
            at += count;
            made += count;
        } else {
            std::size_t length = (opcode >> 5) + 2;
            std::size_t distance = (opcode & (run_limit - 1)) << 8;
            if (opcode >> 5 == longest_short) {
                unsigned more = 0;
                do {
                    if (at == end) return End::cut;
                    more = next();
                    length += more;
                } while (level == 2 && more == 255);
            }
            if (at == end) return End::cut;
            const unsigned low = next();
            if (level == 2 && low == 255 && distance == far_mark) {
                if (end - at < 2) return End::cut;
                const unsigned high = next();
                distance = (high << 8) + next() + far_distance;
            } else {
                distance += low + 1;
            }
            if (distance > made || length > size - made) return End::damaged;
            repeat(distance, length);
            made += length;
        }
        if (at == end) return made == size ? End::whole : End::cut;
        opcode = next();
    }
}

/// Copies a match. Source and destination may overlap.
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
    std::byte* to = raw.data();
    const auto run = [&](std::span<const std::byte> bytes) {
        std::memcpy(to, bytes.data(), bytes.size());
        to += bytes.size();
    };
    const auto repeat = [&](std::size_t distance, std::size_t length) {
        copy_match(to, distance, length);
        to += length;
    };
    return walk(block, raw.size(), run, repeat) == End::whole;
}

bool may_begin_fastlz(std::span<const std::byte> bytes, std::uint64_t raw_size) noexcept {
    return walk(
               bytes, raw_size, [](std::span<const std::byte>) {}, [](std::size_t, std::size_t) {}) == End::cut;
}

}  // namespace hwtrace
