// formats/report/slice_sample.hpp - the slices of a row that a report draws in detail: all, or a sample of many.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include "model/time.hpp"

namespace hwtrace::report {

/// Something that lasts from `begin` to `end`, or an instant.
struct Slice {
    /// A part of a slice, such as a pipeline stage.
    struct Part {
        std::uint32_t name = 0;
        std::uint32_t lane = 0;
        Tick begin = 0, end = 0;
    };
    Tick begin = 0, end = 0;
    std::uint64_t lane = 0;
    std::uint32_t name = 0;  ///< number of a text
    std::string detail;      ///< lines "name: value"
    std::vector<Part> parts;
    std::uint64_t index = 0;  ///< set by SliceSample

    /// Returns the slice's share of the budget.
    std::size_t cost() const noexcept { return 1 + parts.size() / 4; }
};

/// Keeps the longest slices and a uniform sample of the others.
class SliceSample {
public:
    /// Counts a slice. Returns true if it is to be kept: then call keep().
    bool wants(Tick begin, Tick end) noexcept {
        const std::uint64_t index = total_++;
        return is_sampled(index) || ticks_between(begin, end) > long_;
    }
    /// Keeps the slice that was counted last.
    void keep(Slice slice) {
        slice.index = total_ - 1;
        cost_ += slice.cost();
        kept_.push_back(std::move(slice));
    }
    /// Drops slices until their cost is at most about `most`.
    void thin(std::size_t most);
    /// Sorts the kept slices by begin.
    void sort();
    /// Puts the sorted slices into the lowest lanes in which they do not overlap.
    void pack();

    std::uint64_t total() const noexcept { return total_; }
    std::size_t cost() const noexcept { return cost_; }
    const std::vector<Slice>& kept() const noexcept { return kept_; }

private:
    /// Returns true for one in `stride_` slices. They are scattered, because every second or fourth slice of a periodic
    /// row may have the same name.
    bool is_sampled(std::uint64_t index) const noexcept {
        std::uint64_t bits = (index ^ index >> 30) * 0xBF58'476D'1CE4'E5B9;
        bits = (bits ^ bits >> 27) * 0x94D0'49BB'1331'11EB;
        return ((bits ^ bits >> 31) & (stride_ - 1)) == 0;
    }

    std::uint64_t total_ = 0;
    std::uint64_t stride_ = 1;                ///< a power of two
    std::uint64_t long_ = ~std::uint64_t{0};  ///< longer slices are kept as well
    std::size_t cost_ = 0;
    std::vector<Slice> kept_;
};

}  // namespace hwtrace::report
