#include "views/interval_statistics.hpp"

#include <algorithm>
#include <map>

#include "domain/protocols.hpp"

namespace hwtrace {

void IntervalStatisticsMeter::Tally::merge(const Tally& other) {
    if (other.durations.count() == 0) return;
    const bool is_first = durations.count() == 0;
    first = is_first ? other.first : std::min(first, other.first);
    last = is_first ? other.last : std::max(last, other.last);
    durations.add(other.durations);
}

void IntervalStatisticsMeter::add(const Batch& batch) {
    for (const Record& record : batch.records()) {
        if (record.kind != Kind::interval) continue;
        Tally& tally = tallies_[record.track];
        const WideTick begin = exact_begin(schema_, batch, record);
        const WideTick end = begin + WideTick{record.value};
        const bool is_first = tally.durations.count() == 0;
        if (is_first) tally.durations = LengthMeter(&histograms_);
        tally.first = is_first ? begin : std::min(tally.first, begin);
        tally.last = is_first ? end : std::max(tally.last, end);
        tally.durations.add(record.value);
        for (const Attribute& attribute : batch.attributes(record)) {
            if (attribute.field >= tally.attributes.size())
                tally.attributes.resize(schema_.tracks()[record.track].fields.size());
            ++tally.attributes[attribute.field];
        }
    }
}

std::optional<IntervalStatistics> IntervalStatisticsMeter::result() const {
    IntervalStatistics result;
    std::map<ScopeId, Tally> scopes;
    for (TrackId id = 0; id < schema_.tracks().size(); ++id) {
        const Track& track = schema_.tracks()[id];
        if (track.kind != Track::Kind::stream) continue;
        const Tally& tally = tallies_.of(id);
        IntervalStatistics::OfTrack& of_track = result.tracks.emplace_back();
        of_track.scope = path_of(schema_, track.scope);
        of_track.name = track.name;
        of_track.summary = tally.finished();
        for (std::size_t i = 0; i < track.fields.size(); ++i)
            of_track.attributes.push_back({track.fields[i].name, track.fields[i].phase, track.fields[i].type,
                                           i < tally.attributes.size() ? tally.attributes[i] : 0});
        scopes[track.scope].merge(tally);
    }
    if (result.tracks.empty()) return std::nullopt;
    for (const auto& [scope, tally] : scopes)
        result.scopes.push_back({path_of(schema_, scope), tally.finished()});
    return result;
}

void IntervalStatisticsMeter::save(StateOut& out) const {
    std::vector<TrackId> met;
    for (TrackId id = 0; id < schema_.tracks().size(); ++id)
        if (tallies_.of(id).durations.count() != 0) met.push_back(id);
    out(met.size());
    for (const TrackId id : met) {
        const Tally& tally = tallies_.of(id);
        out(id, tally.first, tally.last, tally.attributes);
        tally.durations.save(out);
    }
}

void IntervalStatisticsMeter::add(StateIn& in) {
    for (std::size_t left = in.count(); left > 0; --left) {
        const auto id = static_cast<TrackId>(in.below(schema_.tracks().size()));
        Tally& tally = tallies_[id];
        const auto first = in.get<WideTick>(), last = in.get<WideTick>();
        const bool is_first = tally.durations.count() == 0;
        if (is_first) tally.durations = LengthMeter(&histograms_);
        tally.first = is_first ? first : std::min(tally.first, first);
        tally.last = is_first ? last : std::max(tally.last, last);
        const auto attributes = in.get<std::vector<std::uint64_t>>();
        StateIn::require(attributes.size() <= schema_.tracks()[id].fields.size());
        tally.attributes.resize(std::max(tally.attributes.size(), attributes.size()));
        for (std::size_t i = 0; i < attributes.size(); ++i)
            tally.attributes[i] += attributes[i];
        tally.durations.add(in);
    }
}

}  // namespace hwtrace
