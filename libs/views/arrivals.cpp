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
        } else if (begin < tally.last) {
            in_order_ = false;
        } else if (!is_shard_) {
            count_gap(tally, tally.last, begin);
        }
        if (is_shard_) keep_begin(tally, begin);
        tally.last = begin;
        if (tally.is_binned) ++tally.bins.at(record.time).count;
    }
}

void ArrivalMeter::count_gap(Tally& tally, WideTick from, WideTick to) {
    constexpr WideTick longest = std::numeric_limits<std::uint64_t>::max();
    tally.gaps.add(static_cast<std::uint64_t>(std::min(to - from, longest)));
}

void ArrivalMeter::keep_begin(Tally& tally, WideTick begin) {
    tally.begun.all().push_back({begin, begin, 0});
    tally.begun.settle([&](const auto& into, const auto& next) { count_gap(tally, into.end, next.begin); });
}

void ArrivalMeter::save(StateOut& out) const {
    std::vector<TrackId> met;
    for (TrackId id = 0; id < schema_.tracks().size(); ++id)
        if (tallies_.of(id).begins != 0) met.push_back(id);
    out(in_order_, met.size());
    for (const TrackId id : met) {
        const Tally& tally = tallies_.of(id);
        out(id, tally.begins, tally.is_binned);
        tally.gaps.save(out);
        tally.begun.save(out);
        const BinRange& range = tally.bins.range();
        out(range.shift, range.first, range.count);
        for (const Begins& bin : tally.bins.bins())
            out(bin.count);
    }
}

void ArrivalMeter::add(StateIn& in, Tally& tally) {
    const auto begins = in.get<std::uint64_t>();
    const bool is_binned = in.get<bool>();
    StateIn::require(begins != 0);
    if (tally.begins == 0) {
        tally.gaps = LengthMeter(&histograms_);
        tally.is_binned = binned_++ < most_binned;
    }
    if (!is_binned || !tally.is_binned) not_reduced_ = "more than 4096 tracks have intervals";
    tally.begins += begins;
    tally.gaps.add(in);
    tally.begun.add(in);
    const std::vector<Stretches::Stretch>& all = tally.begun.all();
    for (std::size_t i = 1; i < all.size(); ++i)
        if (all[i].begin < all[i - 1].end) not_reduced_ = "too many intervals of different shards overlap";
    if (not_reduced_.empty())
        tally.begun.settle([&](const auto& into, const auto& next) { count_gap(tally, into.end, next.begin); });
    BinRange range;
    range.shift = static_cast<unsigned>(in.below(64));
    in(range.first);
    range.count = in.below(most_windows + 1);
    const Tick least = std::numeric_limits<Tick>::min() >> range.shift;
    const Tick most = std::numeric_limits<Tick>::max() >> range.shift;
    const bool fits = range.first >= least && range.first <= most &&
                      (range.count == 0 || ticks_between(range.first, most) >= range.count - 1);
    StateIn::require(fits);
    tally.bins.cover(range, [&](Begins& bin) { bin.count += in.get<std::uint64_t>(); });
}

void ArrivalMeter::add(StateIn& in) {
    in_order_ = in.get<bool>() && in_order_;
    if (!in_order_) not_reduced_ = "the intervals of a shard are out of order";
    for (std::size_t left = in.count(); left > 0; --left)
        add(in, tallies_[static_cast<TrackId>(in.below(schema_.tracks().size()))]);
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
        Tally joined;
        if (const auto& begun = tally.begun.all(); !begun.empty()) {
            joined.gaps = tally.gaps;
            for (std::size_t i = 1; i < begun.size(); ++i)
                count_gap(joined, begun[i - 1].end, begun[i].begin);
        }
        const LengthMeter& gaps = tally.begun.all().empty() ? tally.gaps : joined.gaps;
        Arrivals::OfTrack made{path_of(schema_, track.scope), track.name, tally.begins, gaps.summary(), {}};
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
