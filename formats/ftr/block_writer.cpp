#include "block_writer.hpp"

#include <algorithm>
#include <array>
#include <string>
#include <utility>

#include "wire.hpp"

namespace hwtrace::ftr {

void BlockWriter::add_stream(std::uint64_t number, bool by_end) {
    Block& block = blocks_.emplace_back();
    block.number = number;
    block.by_end = by_end;
}

void BlockWriter::flush() {
    std::vector<Block*> waiting;
    for (Block& block : blocks_)
        if (!block.content.empty()) waiting.push_back(&block);
    std::sort(waiting.begin(), waiting.end(), [](const Block* a, const Block* b) { return a->number < b->number; });
    for (std::size_t i = 0; i < waiting.size(); ++i) {
        if (order_.counts_turns && i + 1 < waiting.size() && waiting[i + 1]->first_arrival < waiting[i]->last_arrival)
            count_turn(*waiting[i]);
        put(*waiting[i]);
    }
}

void BlockWriter::flush(Block& block) {
    if (block.content.empty()) return;
    const bool overtakes =
        order_.counts_turns && std::any_of(blocks_.begin(), blocks_.end(), [&](const Block& other) {
            return &other != &block && !other.content.empty() && other.first_arrival < block.last_arrival;
        });
    if (overtakes) count_turn(block);
    put(block);
}

void BlockWriter::put(Block& block) {
    dictionary_.take_source();
    dictionary_.flush(chunks_, heads_);
    waiting_ -= block.content.size() - 1;
    if (!block.sorted) sort(block);
    *block.content.grow(1) = end_of_array;
    block.stream_start = std::min(block.stream_start, block.start);
    block.stream_end = std::max(block.stream_end, block.end);
    const std::array<std::uint64_t, 3> parameters{block.number, stream_times_ ? block.stream_start : block.start,
                                                  stream_times_ ? block.stream_end : block.end};
    chunks_.put(Chunk::block, parameters, block.content.span());
    block.content.clear();
    if (blocks_.size() > most_kept_buffers) block.content = Appender();
    block.places.clear();
    block.sorted = true;
    block.start = greatest;
    block.end = 0;
}

void BlockWriter::sort(Block& block) {
    order_of_places_.resize(block.places.size());
    for (std::uint32_t i = 0; i < order_of_places_.size(); ++i)
        order_of_places_[i] = i;
    const auto& places = block.places;
    std::sort(order_of_places_.begin(), order_of_places_.end(), [&](std::uint32_t a, std::uint32_t b) {
        return places[a].end != places[b].end ? places[a].end < places[b].end : a < b;
    });
    if (!order_.numbers_tell_it) count_reordered(block);
    sorted_.clear();
    *sorted_.grow(1) = begin_of_array;
    for (const std::uint32_t i : order_of_places_)
        sorted_.bytes(block.content.span().subspan(places[i].offset, places[i].size));
    std::swap(sorted_, block.content);
}

/// Counts the cases in which sorting swaps two intervals of a track that begin at the same time.
void BlockWriter::count_reordered(const Block& block) {
    const auto& places = block.places;
    // Sort by track and begin. If the positions then ascend, the order is unchanged.
    std::vector<std::uint32_t>& ranks = ranks_;
    ranks.resize(places.size());
    for (std::uint32_t rank = 0; rank < order_of_places_.size(); ++rank)
        ranks[order_of_places_[rank]] = rank;
    by_begin_ = order_of_places_;
    std::sort(by_begin_.begin(), by_begin_.end(), [&](std::uint32_t a, std::uint32_t b) {
        if (places[a].track != places[b].track) return places[a].track < places[b].track;
        if (places[a].start != places[b].start) return places[a].start < places[b].start;
        return ranks[a] < ranks[b];
    });
    for (std::size_t i = 1; i < by_begin_.size(); ++i) {
        const Place& before = places[by_begin_[i - 1]];
        const Place& here = places[by_begin_[i]];
        if (before.track == here.track && before.start == here.start && by_begin_[i - 1] > by_begin_[i])
            losses_.count(Loss::order_changed, schema_.tracks()[here.track].name, [&] {
                return "at " + std::to_string(here.start) + ": the transaction that ends first is written first";
            });
    }
}

void BlockWriter::count_turn(const Block& block) {
    losses_.count(Loss::order_changed, turns,
                  [&] { return "a block of stream " + std::to_string(block.number) + " precedes earlier records"; });
}

}  // namespace hwtrace::ftr
