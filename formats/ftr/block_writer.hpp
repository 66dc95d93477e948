// formats/ftr/block_writer.hpp - fills the blocks of transactions and decides when to write them.
#pragma once

#include <cstdint>
#include <deque>
#include <limits>
#include <span>
#include <vector>

#include "chunk_writer.hpp"
#include "codec/losses.hpp"
#include "dictionary_writer.hpp"
#include "io/appender.hpp"
#include "model/schema.hpp"

namespace hwtrace::ftr {

class BlockWriter {
public:
    /// Selects which changes of order are counted as losses.
    struct Order {
        bool numbers_tell_it = false;  ///< a reader can restore the order from transaction ids, so nothing is lost
        bool counts_turns = false;     ///< counts a loss if interleaved streams are written one after the other
    };
    /// The subject of the loss that `counts_turns` enables.
    static constexpr Subject turns = Subject::general("streams");

    /// If `stream_times` is set, the head of a block states the times of its whole stream so far. All arguments must
    /// outlive the writer.
    BlockWriter(const Schema& schema, ChunkWriter& chunks, DictionaryWriter& dictionary, Heads heads, bool stream_times,
                Losses& losses)
        : schema_(schema),
          chunks_(chunks),
          dictionary_(dictionary),
          heads_(heads),
          stream_times_(stream_times),
          losses_(losses) {}

    /// Must be called before the first transaction.
    void set_order(Order order) noexcept { order_ = order; }
    /// Adds a stream. If `by_end` is set, its blocks are sorted by the ends of transactions.
    void add_stream(std::uint64_t number, bool by_end);
    std::size_t streams() const noexcept { return blocks_.size(); }
    std::uint64_t number_of(std::uint32_t stream) const noexcept { return blocks_[stream].number; }

    /// Appends a transaction to `stream`. `append_bytes` writes at most `most` bytes and returns the position after
    /// them.
    template <typename Put>
    void append(std::uint32_t stream, TrackId track, std::uint64_t start, std::uint64_t end, std::size_t most,
                Put&& append_bytes) {
        Block& block = blocks_[stream];
        if (block.content.empty()) *block.content.grow(1) = begin_of_array;
        const std::size_t offset = block.content.size();
        std::byte* const first = block.content.grow(most);
        const auto size = static_cast<std::size_t>(append_bytes(first) - first);
        block.content.shrink(most - size);

        block.last_arrival = ++arrivals_;
        if (offset == 1) block.first_arrival = arrivals_;
        block.start = std::min(block.start, start);
        if (block.by_end) {
            block.sorted = block.sorted && (block.places.empty() || end >= block.places.back().end);
            block.places.push_back({end, start, offset, static_cast<std::uint32_t>(size), track});
        }
        block.end = std::max(block.end, end);
        waiting_ += size;
        if (block.content.size() > block_size) [[unlikely]]
            flush(block);
        else if (waiting_ > most_waiting) [[unlikely]]
            flush();
    }

    /// Writes the pending block of the stream.
    void flush(std::uint32_t stream) { flush(blocks_[stream]); }
    /// Writes the pending blocks of all streams.
    void flush();

private:
    static constexpr std::uint64_t greatest = std::numeric_limits<std::uint64_t>::max();
    /// The maximum memory of all pending blocks together, in bytes.
    static constexpr std::size_t most_waiting = std::size_t{32} << 20;
    /// If there are more streams than this, a block releases its memory when it is written.
    static constexpr std::size_t most_kept_buffers = 256;

    /// A transaction in a block that may have to be sorted.
    struct Place {
        std::uint64_t end, start;
        std::size_t offset;
        std::uint32_t size;
        TrackId track;
    };
    /// The pending transactions of a stream.
    struct Block {
        std::uint64_t number = 0;
        bool by_end = false;  ///< sort before writing
        bool sorted = true;
        std::uint64_t start = greatest, end = 0;                ///< times of the transactions in the block
        std::uint64_t stream_start = greatest, stream_end = 0;  ///< times of all transactions of the stream
        std::uint64_t first_arrival = 0,
                      last_arrival = 0;  ///< positions of the first and last transaction in arrival order
        Appender content = {};
        std::vector<Place> places = {};  ///< empty if the block need not be sorted
    };

    void flush(Block& block);
    void put(Block& block);
    void sort(Block& block);
    void count_reordered(const Block& block);
    void count_turn(const Block& block);

    const Schema& schema_;
    ChunkWriter& chunks_;
    DictionaryWriter& dictionary_;
    const Heads heads_;
    const bool stream_times_;
    Losses& losses_;
    Order order_;
    std::deque<Block> blocks_;  ///< by stream
    std::uint64_t arrivals_ = 0;
    std::size_t waiting_ = 0;  ///< bytes in all pending blocks
    Appender sorted_;
    std::vector<std::uint32_t> order_of_places_, ranks_, by_begin_;
};

}  // namespace hwtrace::ftr
