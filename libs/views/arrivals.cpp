#include "views/arrivals.hpp"

#include <algorithm>
#include <limits>
#include <utility>

#include "domain/protocols.hpp"

namespace hwtrace {

void ArrivalMeter::add(const Batch& batch) {
    for (const Record& record : batch.records()) {
        if (record.kind != Kind::interval) continue;
        Tally& tally = tallies_[record.track];
        const WideTick begin = exact_begin(schema_, batch, record);
        if (tally.begins++ == 0) {
            tally.gaps = LengthMeter(&histograms_);
            tally.is_binned = binned_++ < most_binned;
        } else if (begin >= tally.last) {
            constexpr WideTick longest = std::numeric_limits<std::uint64_t>::max();
            tally.gaps.add(static_cast<std::uint64_t>(std::min(begin - tally.last, longest)));
        } else {
            in_order_ = false;
        }
        tally.last = begin;
        if (tally.is_binned) ++tally.bins.at(record.time).count;
    }
}

std::vector<ArrivalMeter::Windows> ArrivalMeter::windows() const {
    std::vector<Windows> all;
    for (TrackId id = 0; id < schema_.tracks().size(); ++id) {
        const Tally& tally = tallies_.of(id);
        if (!tally.is_binned) continue;
        const TimeBase& base = schema_.tracks()[id].time;
        auto of_base = std::ranges::find(all, base, &Windows::base);
        if (of_base == all.end()) of_base = all.insert(all.end(), {base, {}});
        of_base->range = joined(of_base->range, tally.bins.range(), most_windows);
    }
    return all;
}

std::optional<Arrivals> ArrivalMeter::result() const {
    Arrivals result;
    const std::vector<Windows> all = windows();
    for (TrackId id = 0; id < schema_.tracks().size(); ++id) {
        const Tally& tally = tallies_.of(id);
        if (tally.begins == 0) continue;
        const Track& track = schema_.tracks()[id];
        Arrivals::OfTrack made{path_of(schema_, track.scope), track.name, tally.begins, tally.gaps.summary(), {}};
        if (tally.is_binned) {
            const BinRange& range = std::ranges::find(all, track.time, &Windows::base)->range;
            made.throughput = Arrivals::Throughput{range.width(), range.count, 0};
            for (const Begins& bin : tally.bins.coarsened(range))
                made.throughput->most = std::max(made.throughput->most, bin.count);
        }
        result.tracks.push_back(std::move(made));
    }
    if (result.tracks.empty()) return std::nullopt;
    return result;
}

}  // namespace hwtrace
