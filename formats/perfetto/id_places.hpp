// formats/perfetto/id_places.hpp - finds ids in a sorted list, mostly without a search.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <ranges>
#include <vector>

namespace hwtrace::perfetto {

/// Divides the range of the ids into parts of equal width, at most one for each entry of the list, and knows where each
/// part begins in the list. An entry takes at most 4 bytes. Finding an id takes O(log n) for n entries in its part.
class IdPlaces {
public:
    static constexpr std::size_t most_ids = std::numeric_limits<std::uint32_t>::max();

    IdPlaces() = default;
    /// The list has `count` ids (at most most_ids); `id_at(i)` returns the ids in ascending order.
    template <typename IdAt>
    IdPlaces(std::size_t count, IdAt id_at) : count_(count) {
        if (count == 0) return;
        lowest_ = id_at(0);
        const std::uint64_t span = id_at(count - 1) - lowest_;
        while (span >> shift_ >= count)
            ++shift_;
        begins_.resize((span >> shift_) + 2, static_cast<std::uint32_t>(count));
        std::size_t next = 0;
        for (std::size_t i = 0; i < count; ++i)
            for (const std::size_t part = part_of(id_at(i)); next <= part; ++next)
                begins_[next] = static_cast<std::uint32_t>(i);
    }

    /// Returns the index of the first entry with this id. Returns an index at which `id_at` returns another id, or the
    /// number of ids, if the list does not have it.
    template <typename IdAt>
    std::size_t find(std::uint64_t id, IdAt id_at) const {
        if (count_ == 0 || id < lowest_) return count_;
        const std::size_t part = part_of(id);
        if (part >= begins_.size() - 1) return count_;
        return *std::ranges::lower_bound(std::views::iota(begins_[part], begins_[part + 1]), id, {}, id_at);
    }

private:
    std::size_t part_of(std::uint64_t id) const noexcept { return static_cast<std::size_t>((id - lowest_) >> shift_); }

    std::size_t count_ = 0;
    std::uint64_t lowest_ = 0;
    unsigned shift_ = 0;
    std::vector<std::uint32_t> begins_;  ///< by part, and the end of the last one
};

}  // namespace hwtrace::perfetto
