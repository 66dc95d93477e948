#include "compare/lane_comparison.hpp"

#include <algorithm>
#include <cstring>
#include <functional>
#include <string_view>

namespace hwtrace {

namespace {

std::string_view text_of(std::span<const std::byte> bytes) noexcept {
    return {reinterpret_cast<const char*>(bytes.data()), bytes.size()};
}

}  // namespace

// --- the ledger ----------------------------------------------------------------------------------------------------

void ComparisonLedger::keep(Place place, Difference difference) {
    kept_.emplace(place, std::move(difference));
    if (kept_.size() > keep_) kept_.erase(std::prev(kept_.end()));
}

void ComparisonLedger::different(const ComparableRecord& first, const ComparableRecord& second) {
    ++counts(first.track).different;
    meet(first, second);
    const Place place{first.position, second.position};
    if (!is_wanted(place)) return;
    keep(place, {first.track, {first.position, second.position}, {}, differing_parts(correspondence_, first, second)});
}

void ComparisonLedger::only(std::size_t side, const ComparableRecord& record, std::optional<std::uint64_t> other,
                            Lack lack) {
    ++counts(record.track).only[side];
    if (lack == Lack::after_end) ++counts(record.track).after_end[side];
    first_only_[side] = std::min(first_only_[side], record.position);
    Difference difference{.track = record.track, .missing = 1 - side};
    difference.position[side] = record.position;
    difference.position[1 - side] = other;
    const Place place{difference.position[0].value_or(record.position), record.position};
    if (is_wanted(place)) keep(place, std::move(difference));
}

std::vector<Difference> ComparisonLedger::differences() const {
    std::vector<Difference> differences;
    for (const auto& [place, difference] : kept_)
        differences.push_back(difference);
    return differences;
}

// --- waiting records -----------------------------------------------------------------------------------------------

void LaneComparison::Held::add(const ComparableRecord& record) {
    entries_.push_back({bytes_.size(), static_cast<std::uint32_t>(record.parts.size()), record.track, record.time,
                        record.duration, record.position});
    bytes_.insert(bytes_.end(), record.parts.begin(), record.parts.end());
}

ComparableRecord LaneComparison::Held::at(std::size_t index) const noexcept {
    const Entry& entry = entries_[first_ + index];
    return {entry.track, entry.time, entry.duration, entry.position,
            std::span(bytes_).subspan(entry.offset, entry.size)};
}

void LaneComparison::Held::drop(std::size_t count) {
    first_ += count;
    if (first_ == entries_.size()) return clear();
    if (first_ < 1024 || first_ < entries_.size() / 2) return;
    // Offsets are not ascending if records of equal times were sorted.
    std::size_t begin = bytes_.size();
    for (std::size_t i = first_; i < entries_.size(); ++i)
        begin = std::min(begin, entries_[i].offset);
    entries_.erase(entries_.begin(), entries_.begin() + static_cast<std::ptrdiff_t>(first_));
    first_ = 0;
    bytes_.erase(bytes_.begin(), bytes_.begin() + static_cast<std::ptrdiff_t>(begin));
    for (Entry& entry : entries_)
        entry.offset -= begin;
}

void LaneComparison::Held::sort_from(std::size_t index) {
    const auto text = [&](const Entry& entry) { return text_of(std::span(bytes_).subspan(entry.offset, entry.size)); };
    std::stable_sort(entries_.begin() + static_cast<std::ptrdiff_t>(first_ + index), entries_.end(),
                     [&](const Entry& a, const Entry& b) {
                         if (a.duration != b.duration) return a.duration < b.duration;
                         return text(a) < text(b);
                     });
}

void LaneComparison::Held::clear() noexcept {
    entries_.clear();
    bytes_.clear();
    first_ = 0;
}

// --- the comparison ------------------------------------------------------------------------------------------------

void LaneComparison::add(std::size_t side, const ComparableRecord& record) {
    Held& held = held_[side];
    if (options_.any_order) {
        if (open_[side] != 0 && held.at(held.size() - 1).time != record.time) {
            held.sort_from(held.size() - open_[side]);
            open_[side] = 0;
        }
        ++open_[side];
    }
    held.add(record);
    compare();
}

void LaneComparison::end(std::size_t side) {
    if (open_[side] != 0) held_[side].sort_from(held_[side].size() - open_[side]);
    open_[side] = 0;
    ended_[side] = true;
    compare();
}

void LaneComparison::restart() {
    ended_ = {};
    behind_ = {};
    hopeless_ = 0;
}

bool LaneComparison::equal(const ComparableRecord& first, const ComparableRecord& second) const noexcept {
    return first.track == second.track && first.parts.size() == second.parts.size() &&
           (first.parts.empty() || std::memcmp(first.parts.data(), second.parts.data(), first.parts.size()) == 0) &&
           same_times(correspondence_, correspondence_.track(first.track), first, second);
}

std::uint64_t LaneComparison::hash(std::size_t side, const ComparableRecord& record, WideTick& bucket) const {
    const CommonTrack& track = correspondence_.track(record.track);
    bucket = 0;
    if (!correspondence_.ignored().time && track.comparable)
        bucket = record.time * static_cast<WideTick>(track.factor[side]) / (track.tolerance + 1);
    return std::hash<std::string_view>{}(text_of(record.parts)) ^ (record.track * std::uint64_t{0x9E37'79B9'7F4A'7C15});
}

void LaneComparison::compare() {
    while (true) {
        const std::array<std::size_t, 2> count{ready(0), ready(1)};
        if (count[0] != 0 && count[1] != 0) {
            const ComparableRecord first = held_[0].at(0), second = held_[1].at(0);
            const bool same = equal(first, second);
            if (!same && hopeless_ == 0) {
                const bool known =
                    (ended_[0] || count[0] >= options_.window) && (ended_[1] || count[1] >= options_.window);
                if (!known) return;
                resynchronise();
                continue;
            }
            if (!same) {
                settle(1, 1);
            } else {
                ledger_.equal(first, second);
                drop(0, 1);
                drop(1, 1);
            }
            if (hopeless_ != 0) --hopeless_;
            continue;
        }
        const std::size_t side = count[0] != 0 ? 0 : 1;
        if (count[side] == 0 || !ended_[1 - side]) return;
        for (std::size_t i = 0; i < count[side]; ++i)
            only(side, held_[side].at(i), ComparisonLedger::Lack::after_end);
        drop(side, count[side]);
    }
}

void LaneComparison::resynchronise() {
    const std::size_t first = std::min(ready(0), options_.window), second = std::min(ready(1), options_.window);
    // Search small sections of the windows first. If an agreement is nearer than the length of its section, no nearer
    // agreement exists.
    constexpr std::size_t near = 16, growth = 16;
    for (std::size_t part = near; part < std::max(first, second); part *= growth) {
        const auto agreement = nearest_agreement(std::min(first, part), std::min(second, part));
        if (agreement && agreement->first + agreement->second < part)
            return settle(agreement->first, agreement->second);
    }
    if (const auto agreement = nearest_agreement(first, second)) return settle(agreement->first, agreement->second);
    // No agreement exists within the windows. The second halves of the windows may still agree with later records.
    const bool is_rest = ended_[0] && ended_[1] && first == ready(0) && second == ready(1);
    if (is_rest) return settle(first, second);
    hopeless_ = std::max(std::min(first, second) / 2, std::size_t{1});
}

std::optional<std::pair<std::size_t, std::size_t>> LaneComparison::nearest_agreement(std::size_t first,
                                                                                     std::size_t second) {
    constexpr std::size_t most_candidates = 16;  // maximum number of records with equal hashes
    const auto mixed = [](std::uint64_t hash, WideTick bucket) {
        return hash ^ (static_cast<std::uint64_t>(bucket) * std::uint64_t{0xD6E8'FEB8'6659'FD93});
    };
    index_.clear();
    for (std::size_t i = 0; i < second; ++i) {
        WideTick bucket = 0;
        const std::uint64_t plain = hash(1, held_[1].at(i), bucket);
        index_.push_back({mixed(plain, bucket), i});
    }
    std::ranges::sort(index_, [](const Indexed& a, const Indexed& b) {
        return a.hash != b.hash ? a.hash < b.hash : a.index < b.index;
    });
    const auto agree = [&](std::size_t i, std::size_t j) {
        if (!equal(held_[0].at(i), held_[1].at(j))) return false;
        const bool is_last =
            i + 1 >= std::min(ready(0), options_.window) || j + 1 >= std::min(ready(1), options_.window);
        return is_last || equal(held_[0].at(i + 1), held_[1].at(j + 1));
    };
    std::optional<std::pair<std::size_t, std::size_t>> best;
    const auto is_better = [&](std::size_t i, std::size_t j) {
        if (!best) return true;
        const std::size_t sum = i + j, best_sum = best->first + best->second;
        const auto skew = [](std::size_t a, std::size_t b) { return a < b ? b - a : a - b; };
        return sum < best_sum || (sum == best_sum && skew(i, j) < skew(best->first, best->second));
    };
    for (std::size_t i = 0; i < first; ++i) {
        if (best && i > best->first + best->second) break;
        const ComparableRecord record = held_[0].at(i);
        const WideTick reach = correspondence_.track(record.track).tolerance != 0 ? 1 : 0;
        WideTick bucket = 0;
        const std::uint64_t plain = hash(0, record, bucket);
        for (WideTick at = bucket - reach; at <= bucket + reach; ++at) {
            const std::uint64_t wanted = mixed(plain, at);
            auto candidate = std::ranges::lower_bound(index_, wanted, {}, &Indexed::hash);
            for (std::size_t n = 0; n < most_candidates && candidate != index_.end() && candidate->hash == wanted;
                 ++n, ++candidate)
                if (is_better(i, candidate->index) && agree(i, candidate->index)) best = {i, candidate->index};
        }
    }
    return best;
}

void LaneComparison::settle(std::size_t first, std::size_t second) {
    // Some of these records may still be equal.
    constexpr std::size_t most_pairs = 1 << 14;
    while (first != 0 && second != 0 && first * second <= most_pairs) {
        std::size_t i = first, j = second;
        for (std::size_t sum = 0; sum + 1 < first + second && i == first; ++sum)
            for (std::size_t at = sum < second ? 0 : sum - second + 1; at <= sum && at < first && i == first; ++at)
                if (equal(held_[0].at(at), held_[1].at(sum - at))) {
                    i = at;
                    j = sum - at;
                }
        if (i == first) break;
        settle_unequal(i, j);
        ledger_.equal(held_[0].at(0), held_[1].at(0));
        drop(0, 1);
        drop(1, 1);
        first -= i + 1;
        second -= j + 1;
    }
    settle_unequal(first, second);
}

void LaneComparison::settle_unequal(std::size_t first, std::size_t second) {
    // Index the records of the second trace by track, in order.
    left_.clear();
    for (std::size_t i = 0; i < second; ++i)
        left_.emplace_back(held_[1].at(i).track, i);
    std::ranges::stable_sort(left_, {}, &std::pair<std::uint32_t, std::size_t>::first);
    constexpr std::size_t taken = static_cast<std::size_t>(-1);
    const auto take = [&](std::uint32_t track) -> std::size_t {
        auto at = std::ranges::lower_bound(left_, track, {}, &std::pair<std::uint32_t, std::size_t>::first);
        if (at == left_.end() || at->first != track) return taken;
        for (; at != left_.end() && at->first == track; ++at)
            if (at->second != taken) return std::exchange(at->second, taken);
        return taken;
    };
    for (std::size_t i = 0; i < first; ++i) {
        const ComparableRecord record = held_[0].at(i);
        behind_[0] = record.position + 1;
        const std::size_t partner = take(record.track);
        if (partner == taken) {
            only(0, record, ComparisonLedger::Lack::between);
            continue;
        }
        const ComparableRecord other = held_[1].at(partner);
        if (equal(record, other))  // possible if the run was too long to compare all pairs
            ledger_.equal(record, other);
        else
            ledger_.different(record, other);
    }
    std::vector<std::size_t> added;
    for (const auto& [track, index] : left_)
        if (index != taken) added.push_back(index);
    std::ranges::sort(added);
    for (const std::size_t index : added)
        only(1, held_[1].at(index), ComparisonLedger::Lack::between);
    drop(0, first);
    drop(1, second);
}

void LaneComparison::only(std::size_t side, const ComparableRecord& record, ComparisonLedger::Lack lack) {
    ledger_.only(side, record, behind_[1 - side], lack);
}

void LaneComparison::drop(std::size_t side, std::size_t count) {
    if (count == 0) return;
    behind_[side] = held_[side].at(count - 1).position + 1;
    held_[side].drop(count);
}

}  // namespace hwtrace
