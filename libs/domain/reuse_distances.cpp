#include "domain/reuse_distances.hpp"

#include <algorithm>
#include <bit>

#include "domain/distinct_counter.hpp"

namespace hwtrace {

ReuseDistances::ReuseDistances(std::size_t most_lines)
    : most_lines_(std::max<std::size_t>(most_lines, 2)), lines_(most_lines_ * 4), tree_(most_lines_ * 4 + 1) {}

bool ReuseDistances::is_sampled(std::uint64_t line) const noexcept {
    return (mixed_bits(line) & ((std::uint64_t{1} << level_) - 1)) == 0;
}

void ReuseDistances::mark(std::size_t time, std::uint32_t change) noexcept {
    for (std::size_t at = time + 1; at < tree_.size(); at += at & (~at + 1))
        tree_[at] += change;
}

std::uint32_t ReuseDistances::marks_up_to(std::size_t time) const noexcept {
    std::uint32_t sum = 0;
    for (std::size_t at = time + 1; at != 0; at &= at - 1)
        sum += tree_[at];
    return sum;
}

void ReuseDistances::add(std::uint64_t line) {
    ++references_;
    if (!is_sampled(line)) return;
    if (now_ == lines_.size()) compact();
    const std::uint64_t weight = std::uint64_t{1} << level_;
    const auto [known, is_new] = latest_.try_emplace(line, static_cast<std::uint32_t>(now_));
    if (is_new) {
        first_uses_ += weight;
    } else {
        const std::uint64_t between = latest_.size() - marks_up_to(known->second);
        counts_[static_cast<std::size_t>(std::bit_width(between << level_))] += weight;
        mark(known->second, static_cast<std::uint32_t>(-1));
        known->second = static_cast<std::uint32_t>(now_);
    }
    mark(now_, 1);
    lines_[now_++] = line;
    if (latest_.size() > most_lines_) sample_half();
}

/// Renumbers the times of the followed lines from 0, in the same order.
void ReuseDistances::compact() {
    std::ranges::fill(tree_, 0u);
    std::size_t kept = 0;
    for (std::size_t time = 0; time < now_; ++time) {
        const auto known = latest_.find(lines_[time]);
        if (known == latest_.end() || known->second != time) continue;
        lines_[kept] = lines_[time];
        known->second = static_cast<std::uint32_t>(kept);
        mark(kept++, 1);
    }
    now_ = kept;
}

void ReuseDistances::sample_half() {
    ++level_;
    std::erase_if(latest_, [&](const auto& entry) { return !is_sampled(entry.first); });
    compact();
}

}  // namespace hwtrace
