#include "views/relation_latencies.hpp"

#include <algorithm>
#include <limits>

#include "domain/protocols.hpp"
#include "select/interval_time.hpp"

namespace hwtrace {

void RelationLatencyMeter::add(const Batch& batch) {
    for (const Record& record : batch.records()) {
        if (record.kind == Kind::interval) {
            if (const auto id = ids_.of(batch, record))
                intervals_.add({*id, record.time, record.value, record.track, 0});
        } else if (record.kind == Kind::relation && record.count >= 2) {
            ++relations_;
            const auto cells = batch.cells(record);
            const Relation relation{record.track, cells[0], cells[1]};
            if (match(relation)) continue;
            waiting_.push_back(relation);
            if (waiting_.size() == most_waiting) match_waiting();
        }
    }
}

/// Matches the relations that wait. If too many still wait, the older half will never be matched.
void RelationLatencyMeter::match_waiting() {
    std::erase_if(waiting_, [&](const Relation& relation) { return match(relation); });
    if (waiting_.size() < most_waiting / 2) return;
    const std::size_t older = waiting_.size() / 2;
    unmatched_ += older;
    waiting_.erase(waiting_.begin(), waiting_.begin() + static_cast<std::ptrdiff_t>(older));
}

bool RelationLatencyMeter::match(const Relation& relation) {
    const RecentIntervals::Entry* const from = intervals_.find(relation.from);
    const RecentIntervals::Entry* const to = from == nullptr ? nullptr : intervals_.find(relation.to);
    if (to == nullptr) return false;
    if (schema_.tracks()[from->track].time != schema_.tracks()[to->track].time) {
        ++other_units_;
        return true;
    }
    Tally* const tally = tally_of({relation.track, from->track, to->track});
    if (tally == nullptr) {
        ++omitted_;
        return true;
    }
    const WideTick latency = WideTick{to->begin} + WideTick{to->duration} - WideTick{from->begin};
    constexpr WideTick longest = std::numeric_limits<std::uint64_t>::max();
    if (latency < 0)
        ++tally->backwards;
    else
        tally->latency.add(static_cast<std::uint64_t>(std::min(latency, longest)));
    return true;
}

RelationLatencyMeter::Tally* RelationLatencyMeter::tally_of(const Key& key) {
    constexpr unsigned bits = 21;
    if (std::max({key.relation, key.from, key.to}) >> bits != 0) return nullptr;  // a schema has a million objects
    const std::uint64_t packed =
        std::uint64_t{key.relation} << (2 * bits) | std::uint64_t{key.from} << bits | std::uint64_t{key.to};
    const auto known = places_.find(packed);
    if (known != places_.end()) return &tallies_[known->second].second;
    if (tallies_.size() == most_pairs) return nullptr;
    places_.emplace(packed, tallies_.size());
    return &tallies_.emplace_back(key, Tally{LengthMeter(&histograms_), 0}).second;
}

std::optional<RelationLatencies> RelationLatencyMeter::result() {
    if (relations_ == 0) return std::nullopt;
    std::erase_if(waiting_, [&](const Relation& relation) { return match(relation); });
    RelationLatencies result;
    for (const auto& [key, tally] : tallies_) {
        const auto& tracks = schema_.tracks();
        const Track& from = tracks[key.from];
        const Track& to = tracks[key.to];
        result.pairs.push_back({tracks[key.relation].name, path_of(schema_, from.scope), from.name,
                                path_of(schema_, to.scope), to.name, tally.latency.summary(), tally.backwards});
    }
    result.unmatched = unmatched_ + waiting_.size();
    result.other_units = other_units_;
    result.omitted = omitted_;
    return result;
}

}  // namespace hwtrace
