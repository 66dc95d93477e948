#include "views/arrivals.hpp"

#include <algorithm>
#include <limits>

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

std::optional<Arrivals::Throughput> ArrivalMeter::throughput(TrackId track) const {
    const Tally& tally = tallies_.of(track);
    if (!tally.is_binned) return std::nullopt;
    BinRange range;
    for (TrackId other = 0; other < schema_.tracks().size(); ++other)
        if (tallies_.of(other).is_binned && schema_.tracks()[other].time == schema_.tracks()[track].time)
            range = joined(range, tallies_.of(other).bins.range(), most_windows);
    Arrivals::Throughput result{range.width(), range.count, 0};
    for (const Begins& bin : tally.bins.coarsened(range))
        result.most = std::max(result.most, bin.count);
    return result;
}

std::optional<Arrivals> ArrivalMeter::result() const {
    Arrivals result;
    for (TrackId id = 0; id < schema_.tracks().size(); ++id) {
        const Tally& tally = tallies_.of(id);
        if (tally.begins == 0) continue;
        const Track& track = schema_.tracks()[id];
        result.tracks.push_back(
            {path_of(schema_, track.scope), track.name, tally.begins, tally.gaps.summary(), throughput(id)});
    }
    if (result.tracks.empty()) return std::nullopt;
    return result;
}

}  // namespace hwtrace
