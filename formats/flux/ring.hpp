// formats/flux/ring.hpp - simulation of a target's ring buffer.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

namespace hwtrace::flux {

/// The memory of a ring: a fixed head, then sections that are filled in turn. A new section overwrites the oldest one.
class Ring {
public:
    /// Creates `size` bytes of memory: `head`, then `sections` sections; the last one takes the remainder. Throws
    /// Failure::usage if a section would become too small or too large.
    Ring(std::span<const std::byte> head, std::uint64_t size, std::uint64_t sections);

    /// Makes room for an entry of at most `size` bytes. Enters the next section if the current one has too little room.
    /// If the next section is too small as well, returns false and changes nothing.
    bool reserve(std::size_t size);
    /// Appends an entry. Call reserve() first.
    void put(std::span<const std::byte> entry);
    /// Counts a record in the current section.
    void count_record() noexcept { ++section().records; }
    /// Returns the number of sections entered after the first.
    std::uint64_t lap() const noexcept { return lap_; }
    /// Returns the number of overwritten records.
    std::uint64_t lost() const noexcept { return lost_; }
    std::span<const std::byte> memory() const noexcept { return memory_; }

private:
    struct Section {
        std::size_t at = 0;  ///< offset of its header
        std::size_t size = 0, used = 0;
        unsigned counter = 0;
        std::uint64_t records = 0;
    };
    Section& section() noexcept { return sections_[current_]; }
    void enter(std::size_t section);
    void state(const Section& section);

    std::vector<std::byte> memory_;
    std::vector<Section> sections_;
    std::size_t current_ = 0;
    std::uint64_t lap_ = 0, lost_ = 0;
};

}  // namespace hwtrace::flux
