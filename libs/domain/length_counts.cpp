#include "domain/length_counts.hpp"

#include <algorithm>
#include <bit>

namespace hwtrace {
namespace {

constexpr unsigned class_bits = 6;  // 64 classes per power of two
constexpr std::size_t class_count = (64 - class_bits + 1) << class_bits;

/// Returns the class of a length. Each length below 64 has its own class. Longer lengths share a class if they have the
/// same bit width and the same highest 7 bits.
std::size_t class_of(std::uint64_t length) noexcept {
    const auto width = static_cast<unsigned>(std::bit_width(length));
    if (width <= class_bits) return static_cast<std::size_t>(length);
    const unsigned shift = width - class_bits - 1;
    return static_cast<std::size_t>((std::uint64_t{shift} << class_bits) + (length >> shift));
}

/// Returns the smallest length of a class.
std::uint64_t least_of(std::size_t number) noexcept {
    constexpr std::size_t first_wide = std::size_t{2} << class_bits;
    if (number < first_wide) return number;
    const std::size_t shift = (number >> class_bits) - 1;
    return static_cast<std::uint64_t>(number - (shift << class_bits)) << shift;
}

}  // namespace

void LengthCounts::add(std::uint64_t length, std::uint64_t times) {
    if (count_ == 0) only_ = length;
    if (has_one() && length != only_) lengths_.emplace(only_, count_);
    if (!exact())
        classes_[class_of(length)] += times;
    else if (!lengths_.empty())
        lengths_[length] += times;
    count_ += times;
    if (lengths_.size() > most_lengths) use_classes();
}

void LengthCounts::use_classes() {
    if (!exact()) return;
    classes_.resize(class_count);
    if (lengths_.empty()) classes_[class_of(only_)] = count_;
    for (const auto& [length, times] : lengths_)
        classes_[class_of(length)] += times;
    lengths_.clear();
}

void LengthCounts::add(const LengthCounts& other) {
    if (other.count_ == 0) return;
    if (other.has_one()) return add(other.only_, other.count_);
    for (const auto& [length, times] : other.lengths_)
        add(length, times);
    if (other.exact()) return;
    use_classes();
    for (std::size_t i = 0; i < class_count; ++i)
        classes_[i] += other.classes_[i];
    count_ += other.count_;
}

std::uint64_t LengthCounts::median() const {
    return percentile(entries(), 50);
}

std::vector<LengthCounts::Entry> LengthCounts::entries() const {
    std::vector<Entry> all;
    if (count_ == 0) return all;
    if (has_one()) return {{only_, count_}};
    all.reserve(lengths_.size());
    for (const auto& [length, times] : lengths_)
        all.push_back({length, times});
    std::ranges::sort(all, {}, &Entry::length);
    for (std::size_t i = 0; i < classes_.size(); ++i)
        if (classes_[i] != 0) all.push_back({least_of(i), classes_[i]});
    return all;
}

std::uint64_t percentile(const std::vector<LengthCounts::Entry>& entries, unsigned per_cent) noexcept {
    std::uint64_t count = 0;
    for (const LengthCounts::Entry& entry : entries)
        count += entry.times;
    // The rank is ceil(count * per_cent / 100), computed without overflow.
    const std::uint64_t wanted = count / 100 * per_cent + (count % 100 * per_cent + 99) / 100;
    std::uint64_t passed = 0;
    for (const LengthCounts::Entry& entry : entries)
        if ((passed += entry.times) >= wanted) return entry.length;
    return 0;
}

}  // namespace hwtrace
