// domain/distinct_counter.hpp - counts different numbers, such as the pages that a program touches, in bounded memory.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

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
    void add(std::uint64_t number) {
        const std::uint64_t mixed = mixed_bits(number);
        if ((mixed & ((std::uint64_t{1} << level_) - 1)) != 0) return;
        if (mixed == 0) {
            has_zero_ = true;
            return;
        }
        if (count_ >= places_.size() / 2) make_room();
        std::uint64_t& place = places_[place_of(mixed)];
        if (place == 0) ++count_;
        place = mixed;
    }
    bool exact() const noexcept { return level_ == 0; }
    /// Returns the number of different numbers, or an estimate.
    std::uint64_t count() const noexcept { return (count_ + (has_zero_ ? 1 : 0)) << level_; }

private:
    static constexpr std::size_t most_places = std::size_t{1} << 19;

    std::size_t place_of(std::uint64_t mixed) const noexcept {
        const std::size_t mask = places_.size() - 1;
        std::size_t place = static_cast<std::size_t>(mixed >> 32) & mask;
        while (places_[place] != 0 && places_[place] != mixed)
            place = (place + 1) & mask;
        return place;
    }
    /// Doubles the table. At its largest size, samples half of the numbers instead.
    void make_room() {
        std::vector<std::uint64_t> before(places_.empty()                ? 64
                                          : places_.size() < most_places ? places_.size() * 2
                                                                         : most_places);
        if (places_.size() == most_places) ++level_;
        before.swap(places_);
        count_ = 0;
        for (const std::uint64_t mixed : before) {
            if (mixed == 0 || (mixed & ((std::uint64_t{1} << level_) - 1)) != 0) continue;
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
