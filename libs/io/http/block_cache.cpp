#include "io/http/block_cache.hpp"

#include <algorithm>
#include <cstring>
#include <utility>

namespace hwtrace {

BlockCache::BlockCache(std::uint64_t size, Shape shape, Fetch fetch)
    : size_(size), shape_(shape), fetch_(std::move(fetch)) {}

void BlockCache::add_beginning(std::span<const std::byte> bytes) {
    for (std::uint64_t number = 0; !bytes.empty() && bytes.size() >= size_of(number); ++number) {
        insert(number, bytes.first(size_of(number)));
        bytes = bytes.subspan(size_of(number));
        streams_[0] = {number + 1, 1};
    }
}

std::size_t BlockCache::read_at(std::uint64_t offset, std::span<std::byte> into) {
    if (offset >= size_) return 0;
    into = into.first(static_cast<std::size_t>(std::min<std::uint64_t>(into.size(), size_ - offset)));
    const std::size_t wanted = into.size();
    while (!into.empty()) {
        const std::uint64_t number = offset / shape_.block;
        const auto within = static_cast<std::size_t>(offset % shape_.block);
        const auto found = block(number, (offset + into.size() - 1) / shape_.block);
        const std::size_t count = std::min(into.size(), found->bytes.size() - within);
        std::memcpy(into.data(), found->bytes.data() + within, count);
        offset += count;
        into = into.subspan(count);
    }
    return wanted;
}

std::size_t BlockCache::size_of(std::uint64_t number) const noexcept {
    return static_cast<std::size_t>(std::min<std::uint64_t>(shape_.block, size_ - number * shape_.block));
}

/// Returns the block, which it moves to the front. Fetches it if necessary, with blocks that follow.
BlockCache::Blocks::iterator BlockCache::block(std::uint64_t number, std::uint64_t last_needed) {
    if (const auto found = by_number_.find(number); found != by_number_.end()) {
        blocks_.splice(blocks_.begin(), blocks_, found->second);
        return blocks_.begin();
    }
    const std::size_t run = run_at(number, last_needed);
    const std::uint64_t begin = number * shape_.block;
    fetched_.resize(static_cast<std::size_t>(std::min<std::uint64_t>(run * shape_.block, size_ - begin)));
    fetch_(begin, fetched_);
    // Backwards, so that the block that is needed now is the one used last.
    for (std::size_t i = run; i-- > 0;)
        insert(number + i, std::span<const std::byte>(fetched_).subspan(i * shape_.block, size_of(number + i)));
    return blocks_.begin();
}

BlockCache::Blocks::iterator BlockCache::insert(std::uint64_t number, std::span<const std::byte> bytes) {
    if (by_number_.size() >= shape_.blocks) {
        by_number_.erase(blocks_.back().number);
        blocks_.splice(blocks_.begin(), blocks_, std::prev(blocks_.end()));  // reuses its memory
    } else {
        blocks_.emplace_front();
    }
    blocks_.front().number = number;
    blocks_.front().bytes.assign(bytes.begin(), bytes.end());
    by_number_[number] = blocks_.begin();
    return blocks_.begin();
}

/// Returns the number of blocks to request: not those that are in memory already, and none after the end.
std::size_t BlockCache::run_at(std::uint64_t number, std::uint64_t last_needed) {
    auto stream = std::ranges::find(streams_, number, &Stream::next);
    if (stream == streams_.end() || number == 0) {
        stream = std::prev(streams_.end());
        *stream = {number, 0};
    }
    const std::uint64_t run = std::min<std::uint64_t>({std::max(last_needed - number + 1, stream->total / 2),
                                                       shape_.longest_run, (size_ - 1) / shape_.block - number + 1});
    std::size_t missing = 1;
    while (missing < run && !by_number_.contains(number + missing))
        ++missing;
    *stream = {number + missing, stream->total + missing};
    std::rotate(streams_.begin(), stream, std::next(stream));
    return missing;
}

}  // namespace hwtrace
