#include "slice_sample.hpp"

#include <algorithm>
#include <functional>
#include <utility>

#include "domain/lanes.hpp"

namespace hwtrace::report {
namespace {

constexpr std::size_t long_share = 4;  // a quarter of the kept slices are the longest ones

std::uint64_t length_of(const Slice& slice) noexcept {
    return ticks_between(slice.begin, slice.end);
}

}  // namespace

void SliceSample::thin(std::size_t most) {
    if (cost_ <= most || kept_.empty()) return;
    const std::size_t slices = std::max<std::size_t>(most * kept_.size() / cost_, 2);
    const std::size_t longest = slices / long_share;
    while (stride_ < (std::uint64_t{1} << 62) && total_ / stride_ >= slices - longest)
        stride_ *= 2;
    std::vector<std::uint64_t> lengths;
    lengths.reserve(kept_.size());
    for (const Slice& slice : kept_)
        lengths.push_back(length_of(slice));
    const auto limit = lengths.begin() + static_cast<std::ptrdiff_t>(std::min(longest, lengths.size() - 1));
    std::ranges::nth_element(lengths, limit, std::greater{});
    long_ = *limit;
    std::erase_if(kept_, [this](const Slice& slice) { return !is_sampled(slice.index) && length_of(slice) <= long_; });
    cost_ = 0;
    for (const Slice& slice : kept_)
        cost_ += slice.cost();
}

void SliceSample::sort() {
    std::ranges::stable_sort(kept_, {}, &Slice::begin);
}

void SliceSample::pack() {
    Lanes lanes;
    for (Slice& slice : kept_)
        slice.lane = lanes.place(slice.begin, slice.end);
}

}  // namespace hwtrace::report
