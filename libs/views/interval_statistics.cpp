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
        of_track.scope_id = track.scope;
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

namespace {

void join(IntervalSummary& sum, const IntervalSummary& later) {
    if (later.durations.count == 0) return;
    const bool is_first = sum.durations.count == 0;
    sum.first = is_first ? later.first : std::min(sum.first, later.first);
    sum.last = is_first ? later.last : std::max(sum.last, later.last);
    LengthMeter durations;
    durations.add(sum.durations);
    durations.add(later.durations);
    sum.durations = durations.summary();
}

bool is_same(const IntervalStatistics::OfTrack& a, const IntervalStatistics::OfTrack& b) noexcept {
    const std::size_t common = std::min(a.attributes.size(), b.attributes.size());
    return a.scope_id == b.scope_id && a.scope == b.scope && a.name == b.name &&
           std::equal(
               a.attributes.begin(), a.attributes.begin() + static_cast<std::ptrdiff_t>(common), b.attributes.begin(),
               [](const auto& x, const auto& y) { return x.name == y.name && x.phase == y.phase && x.type == y.type; });
}

}  // namespace

bool IntervalStatistics::join(const IntervalStatistics& later) {
    const std::size_t common = std::min(tracks.size(), later.tracks.size());
    for (std::size_t i = 0; i < common; ++i)
        if (!is_same(tracks[i], later.tracks[i])) return false;
    for (std::size_t i = 0; i < later.tracks.size(); ++i) {
        if (i == tracks.size()) {
            tracks.push_back(later.tracks[i]);
            continue;
        }
        hwtrace::join(tracks[i].summary, later.tracks[i].summary);
        for (std::size_t j = 0; j < later.tracks[i].attributes.size(); ++j) {
            if (j == tracks[i].attributes.size())
                tracks[i].attributes.push_back(later.tracks[i].attributes[j]);
            else
                tracks[i].attributes[j].count += later.tracks[i].attributes[j].count;
        }
    }
    std::map<ScopeId, OfScope> joined;
    for (const OfTrack& track : tracks) {
        OfScope& scope = joined[track.scope_id];
        scope.name = track.scope;
        hwtrace::join(scope.summary, track.summary);
    }
    scopes.clear();
    for (auto& [id, scope] : joined)
        scopes.push_back(std::move(scope));
    return true;
}

}  // namespace hwtrace
