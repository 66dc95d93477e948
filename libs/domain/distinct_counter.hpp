// domain/distinct_counter.hpp - counts different numbers, such as the pages that a program touches, in bounded memory.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "io/saved_state.hpp"

namespace hwtrace {

/// Mixes the bits of a number. Different numbers have different results, which are the same in every run.
constexpr std::uint64_t mixed_bits(std::uint64_t number) noexcept {
    number = (number ^ number >> 30) * 0xBF58'476D'1CE4'E5B9;
    number = (number ^ number >> 27) * 0x94D0'49BB'1331'11EB;
    return number ^ number >> 31;
}

/// Counts different numbers. The count is exact up to 262,144 of them. If there are more, a sample of them is kept: one
/// in two, in four, in eight, ... The standard error of the estimate is then at most 0.3 %.
class DistinctCounter {
public:
    void add(std::uint64_t number) { add_mixed(mixed_bits(number)); }
    /// Appends the numbers that are kept.
    void save(StateOut& out) const {
        std::vector<std::uint64_t> kept;
        for (const std::uint64_t mixed : places_)
            if (mixed != 0) kept.push_back(mixed);
        std::ranges::sort(kept);
        out(level_, has_zero_, kept.size());
        std::uint64_t before = 0;
        for (const std::uint64_t mixed : kept) {
            out((mixed - before) >> level_);
            before = mixed;
        }
    }
    /// Adds the numbers that save() wrote. The result is that of one counter for all numbers, whatever their order.
    void add(StateIn& in) {
        const auto level = static_cast<unsigned>(in.below(64));
        if (level > level_) {
            level_ = level;
            fill(places_.size());
        }
        has_zero_ = in.get<bool>() || has_zero_;
        std::uint64_t mixed = 0;
        for (std::size_t left = in.count(); left > 0; --left) {
            mixed += in.get<std::uint64_t>() << level;
            add_mixed(mixed);
        }
    }
    bool exact() const noexcept { return level_ == 0; }
    /// Returns the number of different numbers, or an estimate.
    std::uint64_t count() const noexcept { return (count_ + (has_zero_ ? 1 : 0)) << level_; }

private:
    static constexpr std::size_t most_places = std::size_t{1} << 19;

    bool is_kept(std::uint64_t mixed) const noexcept { return (mixed & ((std::uint64_t{1} << level_) - 1)) == 0; }
    void add_mixed(std::uint64_t mixed) {
        if (!is_kept(mixed)) return;
        if (mixed == 0) {
            has_zero_ = true;
            return;
        }
        if (!places_.empty() && places_[place_of(mixed)] != 0) return;
        while (count_ >= places_.size() / 2 && is_kept(mixed))
            make_room();
        if (!is_kept(mixed)) return;
        places_[place_of(mixed)] = mixed;
        ++count_;
    }
    std::size_t place_of(std::uint64_t mixed) const noexcept {
        const std::size_t mask = places_.size() - 1;
        std::size_t place = static_cast<std::size_t>(mixed >> 32) & mask;
        while (places_[place] != 0 && places_[place] != mixed)
            place = (place + 1) & mask;
        return place;
    }
    /// Doubles the table. At its largest size, samples half of the numbers instead.
    void make_room() {
        if (places_.size() == most_places) ++level_;
        fill(places_.empty() ? 64 : places_.size() < most_places ? places_.size() * 2 : most_places);
    }
    /// Makes a table of this size from the numbers that are kept.
    void fill(std::size_t size) {
        std::vector<std::uint64_t> before(size);
        before.swap(places_);
        count_ = 0;
        for (const std::uint64_t mixed : before) {
            if (mixed == 0 || !is_kept(mixed)) continue;
            places_[place_of(mixed)] = mixed;
            ++count_;
        }
    }

    std::vector<std::uint64_t> places_;  // an open hash table of mixed numbers; 0: free
    std::size_t count_ = 0;
    unsigned level_ = 0;  // one number in 2^level is kept
    bool has_zero_ = false;
};

}  // namespace hwtrace
