#include "compare/time_shift.hpp"

#include <functional>
#include <map>
#include <string_view>
#include <utility>

#include "model/hash.hpp"

namespace hwtrace {

void ShiftFinder::add(std::size_t side, const ComparableRecord& record) {
    if (has_enough(side)) return;
    const std::string_view parts(reinterpret_cast<const char*>(record.parts.data()), record.parts.size());
    const std::uint64_t content =
        std::hash<std::string_view>{}(parts) ^ (record.track * std::uint64_t{0x9E37'79B9'7F4A'7C15});
    seen_[side].push_back({record.track, record.time, content});
}

std::vector<TimeShift> ShiftFinder::voted(Pairs pairs) const {
    HashMap<std::uint64_t, std::vector<WideTick>> first;  // times, by content or by track
    const auto key_of = [&](const Seen& seen) {
        return pairs == Pairs::by_content ? seen.content : std::uint64_t{seen.track};
    };
    for (const Seen& seen : seen_[0])
        first[key_of(seen)].push_back(seen.time);
    struct Votes {
        TimeBase base;
        std::map<WideTick, std::uint64_t> offsets;
    };
    std::vector<Votes> all;
    HashMap<std::uint64_t, std::size_t> used;
    for (const Seen& seen : seen_[1]) {
        const CommonTrack& track = correspondence_.track(seen.track);
        if (!track.in_both() || !track.comparable) continue;
        const auto times = first.find(key_of(seen));
        const std::size_t number = used[key_of(seen)]++;
        if (times == first.end() || number >= times->second.size()) continue;
        const WideTick factor = static_cast<WideTick>(track.factor[1]);
        const WideTick offset = seen.time * factor - times->second[number] * static_cast<WideTick>(track.factor[0]);
        if (offset % factor != 0) continue;
        const TimeBase& base = correspondence_.schema(1).tracks()[track.ids[1]].time;
        std::size_t place = 0;
        while (place < all.size() && !(all[place].base == base))
            ++place;
        if (place == all.size()) all.push_back({base, {}});
        ++all[place].offsets[offset / factor];
    }
    std::vector<TimeShift> result;
    for (const Votes& votes : all) {
        const auto size = [](WideTick ticks) { return ticks < 0 ? -ticks : ticks; };
        auto best = votes.offsets.begin();
        for (auto at = votes.offsets.begin(); at != votes.offsets.end(); ++at)
            if (at->second > best->second || (at->second == best->second && size(at->first) < size(best->first)))
                best = at;
        result.push_back({votes.base, best->first});
    }
    return result;
}

std::vector<TimeShift> ShiftFinder::result() const {
    std::vector<TimeShift> shifts = voted(Pairs::by_content);
    if (shifts.empty()) shifts = voted(Pairs::by_order);
    std::erase_if(shifts, [](const TimeShift& shift) { return shift.ticks == 0; });
    return shifts;
}

}  // namespace hwtrace
