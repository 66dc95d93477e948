// formats/report/slice_sample.hpp - the slices of a row that a report draws in detail: all, or a sample of many.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
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
    std::size_t cost() const noexcept { return 1 + parts.size(); }
};

/// Keeps the longest slices and an even sample of the others.
class SliceSample {
public:
    /// Counts a slice. Returns true if it is to be kept: then call keep().
    bool wants(Tick begin, Tick end) noexcept {
        const std::uint64_t index = total_++;
        return (index & (stride_ - 1)) == 0 || ticks_between(begin, end) > long_;
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

    std::uint64_t total() const noexcept { return total_; }
    std::size_t cost() const noexcept { return cost_; }
    const std::vector<Slice>& kept() const noexcept { return kept_; }

private:
    std::uint64_t total_ = 0;
    std::uint64_t stride_ = 1;  ///< every slice with an index that is a multiple of this power of two is kept
    std::uint64_t long_ = ~std::uint64_t{0};  ///< longer slices are kept as well
    std::size_t cost_ = 0;
    std::vector<Slice> kept_;
};

}  // namespace hwtrace::report
