// formats/ftr/scan_window.cpp - transactions and blocks outside a time window.
#include <algorithm>
#include <array>
#include <string>
#include <utility>
#include <vector>

#include "scan.hpp"
#include "scan_bytes.hpp"

namespace hwtrace::ftr {

namespace {

/// Maximum bytes of any attribute: two for the head, nine for each part.
constexpr std::size_t element_window = 29;
constexpr std::byte begin_byte{0xC7}, record_byte{0xC8}, end_byte{0xC9}, element_array_byte{0x83};

}  // namespace

bool Scan::is_outside(const Item& transaction) const noexcept {
    return window_ && transaction.start <= last_tick && window_->leaves_out(transaction.start, transaction.end);
}

/// Skips the elements of a transaction outside the window.
bool Scan::pass_elements(CborItems items) {
    CborCursor& cursor = *cursor_;
    do {
        if (!items.indefinite) cursor.advance(pass_usual_elements(items.left));
        if (!cursor.more(items)) return !cursor.failed();
    } while (cursor.skip(limits_.depth));
    return false;
}

/// Skips attributes whose parts are single heads. Subtracts their number from `left` and returns their size in bytes.
std::size_t Scan::pass_usual_elements(std::uint64_t& left) const noexcept {
    const std::byte* const begin = cursor_->at();
    if (cursor_->left() < element_window) return 0;
    const std::byte* const last = begin + (cursor_->left() - element_window);
    const std::byte* at = begin;
    for (; left != 0 && at <= last; --left) {
        const std::byte* place = at + 2;
        bool usual = (at[0] == begin_byte || at[0] == record_byte || at[0] == end_byte) && at[1] == element_array_byte;
        for (int part = 0; part < 3; ++part) {
            const auto head = std::to_integer<unsigned>(*place);
            const std::size_t size = cbor_argument_shapes[head & 31u].size;
            usual = usual && size != 0 && (head < 0x40 || head >= 0xE0);
            place += size;
        }
        if (!usual) break;
        at = place;
    }
    return static_cast<std::size_t>(at - begin);
}

/// Decides whether blocks may be skipped by their stated times. Reads a sample of these blocks, spread over the file.
void Scan::look_at_block_times() {
    constexpr std::size_t most = 32;
    std::vector<ChunkHead> looked_at;
    std::uint64_t every = 1, found = 0;
    ChunkWalk walk(input_, limits_, nullptr);
    walk.begin();
    for (ChunkHead block; walk.next(block);) {
        if (!block.is(Chunk::block) || block.cut || !window_->leaves_out_block(block.start, block.end)) continue;
        if (found++ % every != 0) continue;
        if (looked_at.size() == most) {
            for (std::size_t i = 0; i < most / 2; ++i)
                looked_at[i] = looked_at[2 * i];
            looked_at.resize(most / 2);
            every *= 2;
            if ((found - 1) % every != 0) continue;
        }
        looked_at.push_back(block);
    }
    leaves_out_blocks_ = true;
    for (const ChunkHead& block : looked_at) {
        if (states_its_times(block)) continue;
        leaves_out_blocks_ = false;
        Finding wrong{&rule(Check::header_times), block.offset, block.size()};
        wrong.expected = "times that include all transactions of the block";
        wrong.got = std::to_string(block.start)
                        .append(" to ")
                        .append(std::to_string(block.end))
                        .append("; the whole file is read, regardless of the times of blocks");
        findings_.report(std::move(wrong));
        break;
    }
}

/// Returns true if the block can be read and all its transactions are within its stated times.
bool Scan::states_its_times(const ChunkHead& block) {
    Findings untold(0);
    ContentSource contents(input_, limits_, untold);
    Content content;
    if (!contents.fetch(block, content)) return false;
    CborCursor cursor(content.bytes, content.base);
    CborItems transactions, elements, parts;
    if (!cursor.array(transactions)) return false;
    while (cursor.more(transactions)) {
        if (!cursor.array(elements)) return false;
        while (cursor.more(elements)) {
            CborHead head;
            if (!cursor.peek(head)) return false;
            if (!is_event(head)) {
                if (!cursor.skip(limits_.depth)) return false;
                continue;
            }
            std::uint64_t tag = 0;
            std::array<std::uint64_t, 4> numbers{};
            std::size_t count = 0;
            if (!cursor.tag(tag) || !cursor.array(parts)) return false;
            for (; cursor.more(parts); ++count)
                if (count < numbers.size() ? !cursor.unsigned_integer(numbers[count]) : !cursor.skip(limits_.depth))
                    return false;
            const auto [start, end] = std::pair(numbers[2], numbers[3]);
            if (count < numbers.size() || start < block.start || std::max(start, end) > block.end) return false;
        }
    }
    return !cursor.failed() && block.end <= last_tick;
}

}  // namespace hwtrace::ftr
