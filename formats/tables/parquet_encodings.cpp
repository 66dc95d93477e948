#include "parquet_encodings.hpp"

#include <algorithm>
#include <array>

#include "io/little_endian.hpp"
#include "io/zigzag.hpp"

namespace hwtrace::tables {
namespace {

/// Packs numbers of a fixed width, lowest bits first.
class BitPacker {
public:
    BitPacker(std::byte* out, unsigned width) noexcept : out_(out), width_(width) {}

    /// `number` must have at most `width` bits.
    void add(std::uint64_t number) noexcept {
        word_ |= number << used_;
        used_ += width_;
        if (used_ < 64) return;
        out_ = store_le(out_, word_);
        used_ -= 64;
        // The bits of the number that did not fit. A shift by 64 is undefined.
        word_ = used_ == 0 ? 0 : number >> (width_ - used_);
    }
    void finish() noexcept {
        for (; used_ > 0; used_ -= std::min(used_, 8U)) {
            out_ = store_le(out_, static_cast<std::uint8_t>(word_));
            word_ >>= 8;
        }
    }

private:
    std::byte* out_;
    std::uint64_t word_ = 0;
    unsigned width_, used_ = 0;
};

constexpr std::size_t group = 8;

/// Appends whole groups; fills the last one with zeros.
void append_groups(std::span<const std::uint32_t> numbers, unsigned width, Appender& out) {
    if (numbers.empty()) return;
    const std::size_t groups = (numbers.size() + group - 1) / group;
    out.leb128(groups << 1 | 1);
    BitPacker packer(out.grow(groups * width), width);
    for (const std::uint32_t number : numbers)
        packer.add(number);
    for (std::size_t i = numbers.size(); i < groups * group; ++i)
        packer.add(0);
    packer.finish();
}

}  // namespace

void append_run(std::uint32_t number, std::size_t count, unsigned width, Appender& out) {
    if (count == 0) return;
    out.leb128(count << 1);
    for (unsigned done = 0; done < width; done += 8)
        out.le(static_cast<std::uint8_t>(number >> done));
}

void append_hybrid(std::span<const std::uint32_t> numbers, unsigned width, Appender& out) {
    std::size_t packed = 0;  // numbers from here on wait to be packed
    std::size_t at = 0;
    while (at < numbers.size()) {
        const std::uint32_t number = numbers[at];
        std::size_t end = at + 1;
        while (end < numbers.size() && numbers[end] == number)
            ++end;
        // Groups must be whole before a run, so that a run may lend numbers to the last group.
        const std::size_t lent = (group - (at - packed) % group) % group;
        if (end - at >= lent + group) {
            append_groups(numbers.subspan(packed, at + lent - packed), width, out);
            append_run(number, end - at - lent, width, out);
            packed = end;
        }
        at = end;
    }
    append_groups(numbers.subspan(packed), width, out);
}

namespace {

constexpr std::size_t block_size = 128, miniblocks = 4, miniblock_size = block_size / miniblocks;

void append_zigzag(std::uint64_t value, Appender& out) {
    out.leb128(zigzag(static_cast<std::int64_t>(value)));
}

/// The differences of a block, and how they are packed.
struct DeltaBlock {
    /// `numbers` are the previous number, and up to 128 numbers.
    explicit DeltaBlock(std::span<const std::uint64_t> numbers) noexcept : count(numbers.size() - 1) {
        auto least = static_cast<std::int64_t>(numbers[1] - numbers[0]);
        for (std::size_t i = 0; i < count; ++i) {
            deltas[i] = numbers[i + 1] - numbers[i];
            least = std::min(least, static_cast<std::int64_t>(deltas[i]));
        }
        least_delta = static_cast<std::uint64_t>(least);
        for (std::size_t i = 0; i < count; ++i)
            deltas[i] -= least_delta;
        for (std::size_t begin = 0, mini = 0; begin < count; begin += miniblock_size, ++mini) {
            std::uint64_t bits = 0;
            for (std::size_t i = begin; i < std::min(begin + miniblock_size, count); ++i)
                bits |= deltas[i];
            widths[mini] = static_cast<std::uint8_t>(bit_width(bits));
        }
    }

    std::size_t count;
    std::uint64_t least_delta;
    std::array<std::uint64_t, block_size> deltas;
    std::array<std::uint8_t, miniblocks> widths{};
};

template <typename Use>
void for_each_block(std::span<const std::uint64_t> numbers, Use&& use) {
    for (std::size_t at = 0; at + 1 < numbers.size(); at += block_size)
        use(DeltaBlock(numbers.subspan(at, std::min(block_size + 1, numbers.size() - at))));
}

}  // namespace

void append_deltas(std::span<const std::uint64_t> numbers, Appender& out) {
    out.leb128(block_size);
    out.leb128(miniblocks);
    out.leb128(numbers.size());
    append_zigzag(numbers.empty() ? 0 : numbers[0], out);
    for_each_block(numbers, [&](const DeltaBlock& block) {
        append_zigzag(block.least_delta, out);
        for (const std::uint8_t width : block.widths)
            out.le(width);
        for (std::size_t begin = 0, mini = 0; begin < block.count; begin += miniblock_size, ++mini) {
            const unsigned width = block.widths[mini];
            if (width == 0) continue;
            BitPacker packer(out.grow(miniblock_size / 8 * width), width);
            for (std::size_t i = begin; i < begin + miniblock_size; ++i)
                packer.add(i < block.count ? block.deltas[i] : 0);
            packer.finish();
        }
    });
}

std::size_t delta_size(std::span<const std::uint64_t> numbers) noexcept {
    std::size_t size = 16;
    for_each_block(numbers, [&](const DeltaBlock& block) {
        size += 2 + miniblocks;
        for (const std::uint8_t width : block.widths)
            size += miniblock_size / 8 * width;
    });
    return size;
}

void append_split(std::span<const std::uint64_t> numbers, unsigned width, Appender& out) {
    std::byte* to = out.grow(numbers.size() * width);
    for (unsigned shift = 0; shift < width * 8; shift += 8)
        for (const std::uint64_t number : numbers)
            *to++ = static_cast<std::byte>(number >> shift);
}

void append_plain(std::span<const std::uint64_t> numbers, unsigned width, Appender& out) {
    std::byte* to = out.grow(numbers.size() * width);
    if (width == 4)
        for (const std::uint64_t number : numbers)
            to = store_le(to, static_cast<std::uint32_t>(number));
    else
        for (const std::uint64_t number : numbers)
            to = store_le(to, number);
}

void append_bits(std::span<const std::uint64_t> numbers, Appender& out) {
    BitPacker packer(out.grow((numbers.size() + 7) / 8), 1);
    for (const std::uint64_t number : numbers)
        packer.add(number != 0 ? 1 : 0);
    packer.finish();
}

}  // namespace hwtrace::tables
