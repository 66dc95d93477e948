// formats/flux/ring.hpp - the memory of a target's ring, as it is when the trace ends.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

namespace hwtrace::flux {

/// Sections that are filled one behind the other, and around: the oldest gives way. What stands in front of them stays.
class Ring {
public:
    /// Of `size` bytes in all, `head` at its beginning and the rest in `sections`, the last of which takes what is
    /// over. Throws Failure::usage where that leaves no room for them, or more than they can have.
    Ring(std::span<const std::byte> head, std::uint64_t size, std::uint64_t sections);

    /// Makes room for an entry of at most `size` bytes, in the next section where this one has too little. False, with
    /// nothing changed, where that has too little too.
    bool reserve(std::size_t size);
    /// Appends an entry, for which there is room.
    void put(std::span<const std::byte> entry);
    /// What was appended is one more record.
    void count_record() noexcept { ++section().records; }
    /// How many sections have been entered behind the first.
    std::uint64_t lap() const noexcept { return lap_; }
    /// Records that others have written over.
    std::uint64_t lost() const noexcept { return lost_; }
    std::span<const std::byte> memory() const noexcept { return memory_; }

private:
    struct Section {
        std::size_t at = 0;  ///< its header
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
