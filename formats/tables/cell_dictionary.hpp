// formats/tables/cell_dictionary.hpp - numbers the distinct cells of a column.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "model/hash.hpp"

namespace hwtrace::tables {

/// Distinct cells in the order of their first appearance. Faster than a HashMap: cells lie in one array, and clearing
/// costs nothing.
class CellDictionary {
public:
    /// Numbers `cells`. Returns false, with unusable results, if there are more than `most` distinct ones.
    bool number(std::span<const std::uint64_t> cells, std::size_t most) {
        distinct_.clear();
        numbers_.resize(cells.size());
        resize(64);
        std::uint64_t last = 0;
        std::uint32_t last_number = none;
        for (std::size_t i = 0; i < cells.size(); ++i) {
            const std::uint64_t cell = cells[i];
            if (cell != last || last_number == none) {
                last = cell;
                last_number = find(cell);
                if (distinct_.size() > most) return false;
            }
            numbers_[i] = last_number;
        }
        return true;
    }
    std::span<const std::uint64_t> distinct() const noexcept { return distinct_; }
    /// Returns the number of each cell: an index into distinct().
    std::span<const std::uint32_t> numbers() const noexcept { return numbers_; }

private:
    static constexpr std::uint32_t none = 0xFFFF'FFFF;

    std::uint32_t find(std::uint64_t cell) {
        const std::size_t mask = places_.size() - 1;
        std::size_t at = KeyedHash<std::uint64_t>()(cell) & mask;
        for (; places_[at] != none; at = (at + 1) & mask)
            if (distinct_[places_[at]] == cell) return places_[at];
        const auto number = static_cast<std::uint32_t>(distinct_.size());
        places_[at] = number;
        distinct_.push_back(cell);
        if (distinct_.size() * 2 > places_.size()) resize(places_.size() * 4);
        return number;
    }
    void resize(std::size_t size) {
        places_.assign(size, none);
        for (std::uint32_t number = 0; number < distinct_.size(); ++number) {
            std::size_t at = KeyedHash<std::uint64_t>()(distinct_[number]) & (size - 1);
            while (places_[at] != none)
                at = (at + 1) & (size - 1);
            places_[at] = number;
        }
    }

    std::vector<std::uint64_t> distinct_;
    std::vector<std::uint32_t> numbers_;
    std::vector<std::uint32_t> places_;  ///< a hash table of indexes into distinct_; its size is a power of two
};

}  // namespace hwtrace::tables
