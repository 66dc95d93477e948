#include "compare/time_shift.hpp"

#include <algorithm>
#include <functional>
#include <map>
#include <span>
#include <string_view>
#include <tuple>
#include <utility>

namespace hwtrace {

namespace {

/// How many records of a content are compared with how many of the other trace. Records may be missing at the begin of
/// one trace, so that the first ones need not be pairs. The fewer contents there are, the more records are compared.
constexpr std::size_t most_first = 32, least_others = 32, most_votes = std::size_t{1} << 21;
/// How many of the most frequent offsets are tried with all records.
constexpr std::size_t most_tried = 16;

constexpr WideTick size_of(WideTick ticks) noexcept {
    return ticks < 0 ? -ticks : ticks;
}

}  // namespace

void ShiftFinder::add(std::size_t side, const ComparableRecord& record) {
    if (has_enough(side)) return;
    const std::string_view parts(reinterpret_cast<const char*>(record.parts.data()), record.parts.size());
    const std::uint64_t content = std::hash<std::string_view>{}(parts);
    seen_[side].push_back({record.track, record.time, record.duration, content});
}

/// Returns the records of a trace whose track both traces have, in order of time base, content and time.
std::vector<ShiftFinder::Placed> ShiftFinder::placed(std::size_t side, Pairs pairs,
                                                     std::vector<TimeBase>& bases) const {
    std::map<std::tuple<TimeBase::Kind, std::uint64_t, std::uint64_t>, std::uint32_t> numbers;
    for (std::uint32_t i = 0; i < bases.size(); ++i)
        numbers.emplace(std::tuple(bases[i].kind, bases[i].num, bases[i].den), i);
    std::vector<Placed> all;
    for (const Seen& seen : seen_[side]) {
        const CommonTrack& track = correspondence_.track(seen.track);
        if (!track.in_both() || !track.comparable) continue;
        const TimeBase& base = correspondence_.schema(1).tracks()[track.ids[1]].time;
        const auto [number, is_new] =
            numbers.try_emplace(std::tuple(base.kind, base.num, base.den), static_cast<std::uint32_t>(bases.size()));
        if (is_new) bases.push_back(base);
        std::uint64_t content = 0;
        if (pairs == Pairs::by_content) {
            // With a tolerance, durations that differ may count as equal.
            const std::uint64_t duration = track.tolerance == 0 ? seen.duration * track.factor[side] : 0;
            content = seen.content ^ ((duration + 1) * std::uint64_t{0x9E37'79B9'7F4A'7C15});
        }
        all.push_back({number->second, seen.track, content, seen.time * static_cast<WideTick>(track.factor[side])});
    }
    std::ranges::sort(all, [](const Placed& left, const Placed& right) {
        return std::tie(left.base, left.track, left.content, left.time) <
               std::tie(right.base, right.track, right.content, right.time);
    });
    return all;
}

/// Calls `each(first, second)` with the records of both traces that have equal contents. All are of one time base.
template <typename Each>
void ShiftFinder::for_each_content(const Sides& sides, Each&& each) {
    const auto key = [](const Placed& one) { return std::pair(one.track, one.content); };
    const auto end_of = [&](std::span<const Placed> from) {
        std::size_t end = 1;
        while (end < from.size() && key(from[end]) == key(from.front()))
            ++end;
        return end;
    };
    Sides left = sides;
    while (!left[0].empty() && !left[1].empty()) {
        const auto first = key(left[0].front()), second = key(left[1].front());
        const std::array ends{first <= second ? end_of(left[0]) : 0, second <= first ? end_of(left[1]) : 0};
        if (first == second) each(left[0].first(ends[0]), left[1].first(ends[1]));
        for (const std::size_t side : both_sides)
            left[side] = left[side].subspan(ends[side]);
    }
}

/// Returns the offsets, in ticks of the second trace, that may be the wanted one: 0 and the most frequent ones.
std::vector<WideTick> ShiftFinder::candidates(const Sides& sides) const {
    std::size_t contents = 0;
    for_each_content(sides, [&](std::span<const Placed>, std::span<const Placed>) { ++contents; });
    const std::size_t others =
        std::max(least_others, most_votes / (2 * most_first * std::max<std::size_t>(contents, 1)));
    std::vector<WideTick> offsets;
    for_each_content(sides, [&](std::span<const Placed> first, std::span<const Placed> second) {
        const auto factor = static_cast<WideTick>(correspondence_.track(first.front().track).factor[1]);
        const auto vote = [&](const Placed& a, const Placed& b) {
            const WideTick offset = b.time - a.time;
            if (offset % factor == 0) offsets.push_back(offset / factor);
        };
        for (std::size_t i = 0; i < std::min(first.size(), most_first); ++i)
            for (std::size_t j = 0; j < std::min(second.size(), others); ++j)
                vote(first[i], second[j]);
        for (std::size_t j = 0; j < std::min(second.size(), most_first); ++j)
            for (std::size_t i = most_first; i < std::min(first.size(), others); ++i)
                vote(first[i], second[j]);
    });
    std::ranges::sort(offsets);
    using Votes = std::pair<std::size_t, WideTick>;
    const auto is_better = [](const Votes& left, const Votes& right) {
        return std::pair(right.first, size_of(left.second)) < std::pair(left.first, size_of(right.second));
    };
    std::vector<Votes> best;
    for (std::size_t begin = 0, end = 0; begin < offsets.size(); begin = end) {
        while (end < offsets.size() && offsets[end] == offsets[begin])
            ++end;
        const Votes votes{end - begin, offsets[begin]};
        if (best.size() == most_tried && !is_better(votes, best.back())) continue;
        best.insert(std::ranges::upper_bound(best, votes, is_better), votes);
        if (best.size() > most_tried) best.pop_back();
    }
    std::vector<WideTick> result{0};
    for (const auto& [votes, offset] : best)
        result.push_back(offset);
    return result;
}

/// Returns how many records of the second trace have a counterpart, if their times are `offset` ticks later.
std::uint64_t ShiftFinder::explained(const Sides& sides, WideTick offset) const {
    std::uint64_t result = 0;
    for_each_content(sides, [&](std::span<const Placed> first, std::span<const Placed> second) {
        const CommonTrack& track = correspondence_.track(first.front().track);
        const WideTick shift = offset * static_cast<WideTick>(track.factor[1]);
        std::size_t i = 0, j = 0;
        while (i < first.size() && j < second.size()) {
            const WideTick later = second[j].time - shift - first[i].time;
            const bool is_pair = size_of(later) <= track.tolerance;
            if (is_pair) ++result;
            if (is_pair || later > 0) ++i;
            if (is_pair || later < 0) ++j;
        }
    });
    return result;
}

std::optional<ShiftFinder::Result> ShiftFinder::voted(Pairs pairs) const {
    std::vector<TimeBase> bases;
    const std::array<std::vector<Placed>, 2> all{placed(0, pairs, bases), placed(1, pairs, bases)};
    std::optional<Result> result;
    for (std::uint32_t base = 0; base < bases.size(); ++base) {
        Sides sides;
        for (const std::size_t side : both_sides) {
            const auto begin = std::ranges::lower_bound(all[side], base, {}, &Placed::base);
            const auto end = std::ranges::upper_bound(begin, all[side].end(), base, {}, &Placed::base);
            sides[side] = std::span(all[side]).subspan(static_cast<std::size_t>(begin - all[side].begin()),
                                                       static_cast<std::size_t>(end - begin));
        }
        std::uint64_t count = 0;
        for_each_content(sides, [&](std::span<const Placed> first, std::span<const Placed> second) {
            count += std::min(first.size(), second.size());
        });
        if (count == 0) continue;
        if (!result) result.emplace();
        WideTick best = 0;
        std::uint64_t most = 0;
        for (const WideTick offset : candidates(sides)) {
            const std::uint64_t pairs_of_offset = explained(sides, offset);
            if (pairs_of_offset > most || (pairs_of_offset == most && size_of(offset) < size_of(best)))
                std::tie(best, most) = std::pair(offset, pairs_of_offset);
        }
        if (most < count - most)
            result->is_constant = false;
        else if (best != 0)
            result->shifts.push_back({bases[base], best});
    }
    return result;
}

ShiftFinder::Result ShiftFinder::result() const {
    std::optional<Result> found = voted(Pairs::by_content);
    if (!found) found = voted(Pairs::by_track);
    return found.value_or(Result{});
}

}  // namespace hwtrace
