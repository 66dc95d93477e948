#include "chunk_index.hpp"

#include <algorithm>
#include <array>
#include <string>

#include "io/counted.hpp"
#include "rules.hpp"
#include "wire.hpp"

namespace hwtrace::stf {

std::optional<ChunkIndex> ChunkIndex::read(const Input& input, std::uint64_t index_offset, const Limits& limits,
                                           Finding& fault) {
    constexpr std::size_t count_size = 8;
    const std::uint64_t end = input.size().value_or(0);
    const auto wrong = [&](Check check, std::uint64_t offset, std::string where, std::string expected,
                           std::uint64_t got) {
        fault = {.rule = &rule(check),
                 .offset = offset,
                 .where = std::move(where),
                 .expected = std::move(expected),
                 .got = std::to_string(got)};
        return std::nullopt;
    };
    if (index_offset == 0)
        return wrong(Check::index_absent, zstf_index_at, "ZSTF header", "the offset of the index", 0);
    if (index_offset <= zstf_header_size || index_offset >= end)
        return wrong(Check::index_misplaced, zstf_index_at, "ZSTF header", "an offset after the chunks", index_offset);

    std::array<std::byte, count_size> head{};
    const std::size_t got = input.read_at(index_offset, head);
    const auto count = load_le<std::uint64_t>(head.data());
    if (got < head.size() || count > (end - index_offset - count_size) / zstf_entry_size)
        return wrong(Check::index_cut, end, "chunk index", counted(count, "entry", "entries"), end - index_offset);
    if (count == 0) return wrong(Check::index_count, index_offset, "chunk index", "at least 1 chunk", 0);
    if (count >= limits.block / sizeof(ChunkPlace)) return std::nullopt;

    std::vector<ChunkPlace> places;
    places.reserve(static_cast<std::size_t>(count) + 1);
    const std::vector<std::byte> bytes =
        input.read_all_at(index_offset + count_size, static_cast<std::size_t>(count) * zstf_entry_size);
    std::uint64_t raw_offset = 0;
    for (std::size_t number = 0; number < count; ++number) {
        constexpr std::uint64_t largest = std::uint64_t{1} << 40;  // bytes of a chunk; sums cannot overflow
        const std::byte* const entry = bytes.data() + number * zstf_entry_size;
        const std::uint64_t at = index_offset + count_size + number * zstf_entry_size;
        const auto where = [&] { return "chunk index, entry " + std::to_string(number); };
        const auto offset = load_le<std::uint64_t>(entry);
        const auto raw_size = load_le<std::uint64_t>(entry + 16);
        const std::uint64_t least = number == 0 ? zstf_header_size : places.back().file_offset + 1;
        if (offset < least || offset >= index_offset || (number == 0 && offset != least))
            return wrong(Check::index_offset, at, where(), "an offset after the previous chunk", offset);
        if (raw_size == 0 || raw_size > largest)
            return wrong(Check::index_raw_size, at + 16, where(), "the size of a chunk", raw_size);
        places.push_back({offset, raw_offset, load_le<std::uint64_t>(entry + 8)});
        raw_offset += raw_size;
    }
    places.push_back({index_offset, raw_offset, 0});
    return ChunkIndex(std::move(places));
}

}  // namespace hwtrace::stf
