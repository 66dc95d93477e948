// io/http/block_cache.hpp - a bounded cache of blocks of a remote file, with read-ahead.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <list>
#include <span>
#include <unordered_map>
#include <vector>

namespace hwtrace {

/// Reads at any offset of a source on which each request is slow. Keeps the blocks that were used last. A reader that
/// goes forward gets requests of half the bytes that it has read, up to `longest_run`: at most a third of all bytes is
/// read in vain. A reader that jumps gets single blocks. Not for several threads at once.
class BlockCache {
public:
    /// Fills the span with the bytes at an offset, or throws.
    using Fetch = std::function<void(std::uint64_t offset, std::span<std::byte> into)>;

    struct Shape {
        std::size_t block = 256u << 10;  ///< bytes per block
        std::size_t blocks = 64;         ///< blocks in memory
        std::size_t longest_run = 32;    ///< blocks per request, at most; not above `blocks`
    };

    /// `size` is the size of the source in bytes.
    BlockCache(std::uint64_t size, Shape shape, Fetch fetch);

    /// Adds the first bytes of the source, which are known already. Only whole blocks, or the whole source, are kept.
    void add_beginning(std::span<const std::byte> bytes);
    /// Fills `into` from `offset`. Returns fewer bytes only at the end of the source.
    std::size_t read_at(std::uint64_t offset, std::span<std::byte> into);

private:
    struct Block {
        std::uint64_t number = 0;
        std::vector<std::byte> bytes;
    };
    /// A reader that goes forward: the block after its last request, and the number of blocks that it requested.
    struct Stream {
        std::uint64_t next = 0, total = 0;
    };
    using Blocks = std::list<Block>;

    Blocks::iterator block(std::uint64_t number, std::uint64_t last_needed);
    Blocks::iterator insert(std::uint64_t number, std::span<const std::byte> bytes);
    std::size_t run_at(std::uint64_t number, std::uint64_t last_needed);
    std::size_t size_of(std::uint64_t number) const noexcept;

    std::uint64_t size_;
    Shape shape_;
    Fetch fetch_;
    Blocks blocks_;  // the one used last is at the front
    std::unordered_map<std::uint64_t, Blocks::iterator> by_number_;
    std::array<Stream, 4> streams_;  // the one used last is at the front
    std::vector<std::byte> fetched_;
};

}  // namespace hwtrace
