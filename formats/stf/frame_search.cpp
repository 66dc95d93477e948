#include "frame_search.hpp"

#include <algorithm>
#include <array>
#include <limits>
#include <vector>

#include "io/compression.hpp"
#include "wire.hpp"

namespace hwtrace::stf {
namespace {

constexpr std::array frame_magic{std::byte{0x28}, std::byte{0xB5}, std::byte{0x2F}, std::byte{0xFD}};
constexpr std::size_t looked_at = 64u << 10;      // bytes searched at a time
constexpr std::size_t decompressed = 128u << 10;  // bytes decompressed at a time

std::optional<std::uint64_t> find_magic(const Input& input, std::uint64_t from, std::vector<std::byte>& buffer) {
    buffer.resize(looked_at);
    while (true) {
        const std::size_t got = input.read_at(from, buffer);
        const auto end = buffer.begin() + static_cast<std::ptrdiff_t>(got);
        const auto found = std::search(buffer.begin(), end, frame_magic.begin(), frame_magic.end());
        if (found != end) return from + static_cast<std::uint64_t>(found - buffer.begin());
        if (got < buffer.size()) return std::nullopt;
        from += got - (frame_magic.size() - 1);
    }
}

bool begins_body(std::byte first) noexcept {
    const auto descriptor = static_cast<Descriptor>(first);
    return !name_of(descriptor).empty() && descriptor != Descriptor::reserved &&
           descriptor != Descriptor::reserve_end && !is_header_only(descriptor);
}

struct Candidate {
    bool holds = false;
    std::uint64_t size = 0;  ///< compressed bytes that were read
};

/// Decompresses the bytes at `begin` as a single frame.
Candidate try_frame(const Input& input, std::uint64_t begin, const Limits& limits, std::vector<std::byte>& buffer) {
    buffer.resize(decompressed);
    Section section(input, begin, std::numeric_limits<std::uint64_t>::max());
    ZstdSource source(section, begin, 0, limits);
    bool any = false;
    while (const std::size_t got = source.read(buffer)) {
        if (source.frames().size() > 1) break;
        if (got > 0 && !any && !begins_body(buffer.front())) return {false, source.file_offset() - begin};
        any = true;
    }
    const bool whole = source.frames().size() > 1 || source.state() != ZstdSource::State::damaged;
    return {any && whole, source.file_offset() - begin};
}

}  // namespace

std::optional<std::uint64_t> find_chunk(const Input& input, std::uint64_t from, const Limits& limits) {
    constexpr std::uint64_t least_cost = decompressed;  // minimum cost of a candidate: setting up zstd and reading
    constexpr std::uint64_t for_nothing = 16u << 20;    // total cost that is always allowed
    std::vector<std::byte> buffer;
    const std::uint64_t begin = from;
    std::uint64_t spent = 0;
    while (const auto place = find_magic(input, from, buffer)) {
        const Candidate candidate = try_frame(input, *place, limits, buffer);
        if (candidate.holds) return place;
        const std::uint64_t cost = std::max(candidate.size, least_cost);
        spent += cost;
        // A frame may begin inside a false candidate, so candidates are skipped as a whole only if the cost is too
        // high.
        from = *place + (spent <= *place - begin + for_nothing ? 1 : cost);
    }
    return std::nullopt;
}

}  // namespace hwtrace::stf
