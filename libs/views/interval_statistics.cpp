#include "views/interval_statistics.hpp"

#include <algorithm>
#include <map>

#include "domain/protocols.hpp"

namespace hwtrace {

void IntervalStatisticsMeter::Tally::merge(const Tally& other) {
    if (other.summary.count == 0) return;
    const bool first = summary.count == 0;
    summary.count += other.summary.count;
    summary.first = first ? other.summary.first : std::min(summary.first, other.summary.first);
    summary.last = first ? other.summary.last : std::max(summary.last, other.summary.last);
    summary.shortest = first ? other.summary.shortest : std::min(summary.shortest, other.summary.shortest);
    summary.longest = std::max(summary.longest, other.summary.longest);
    lengths.add(other.lengths);
}

IntervalSummary IntervalStatisticsMeter::Tally::finished() const {
    IntervalSummary result = summary;
    result.median = std::max(lengths.median(), summary.shortest);
    result.exact_median = lengths.exact();
    return result;
}

void IntervalStatisticsMeter::add(const Batch& batch) {
    for (const Record& record : batch.records()) {
        if (record.kind != Kind::interval) continue;
        Tally& tally = tallies_[record.track];
        IntervalSummary& summary = tally.summary;
        const WideTick begin = exact_begin(schema_, batch, record);
        const WideTick end = begin + WideTick{record.value};
        const bool first = summary.count++ == 0;
        summary.first = first ? begin : std::min(summary.first, begin);
        summary.last = first ? end : std::max(summary.last, end);
        summary.shortest = first ? record.value : std::min(summary.shortest, record.value);
        summary.longest = std::max(summary.longest, record.value);
        tally.lengths.add(record.value);
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

}  // namespace hwtrace
