#include "views/relation_latencies.hpp"

#include <algorithm>
#include <limits>

#include "domain/interval_time.hpp"
#include "domain/protocols.hpp"

namespace hwtrace {

void RelationLatencyMeter::add(const Batch& batch) {
    for (const Record& record : batch.records()) {
        if (record.kind == Kind::interval) {
            const auto id = ids_.of(batch, record);
            if (!id) continue;
            intervals_.prefetch(*id);
            added_.push_back({*id, record.time, record.value, record.track, 0});
        } else if (record.kind == Kind::relation && record.count >= 2) {
            add_intervals();
            ++relations_;
            const auto cells = batch.cells(record);
            const Relation relation{record.track, cells[0], cells[1]};
            if (match(relation)) continue;
            if (is_shard_) {
                keep_open(relation);
                continue;
            }
            waiting_.push_back(relation);
            if (waiting_.size() == most_waiting) match_waiting();
        }
    }
    add_intervals();
}

void RelationLatencyMeter::add_intervals() {
    for (const RecentIntervals::Entry& interval : added_) {
        intervals_.add(interval);
        if (is_shard_) latest_.push_back({interval.id, interval.begin, interval.duration, interval.track});
    }
    added_.clear();
    if (latest_.size() >= 2 * RecentIntervals::kept)
        latest_.erase(latest_.begin(), latest_.end() - RecentIntervals::kept);
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
    if (is_shard_ || is_reduced_) {
        check_distance(*from, 0);
        check_distance(*to, 0);
    }
    count(relation, *from, *to);
    return true;
}

template <typename Ends>
void RelationLatencyMeter::count(const Relation& relation, const Ends& from, const Ends& to) {
    if (schema_.tracks()[from.track].time != schema_.tracks()[to.track].time) {
        ++other_units_;
        return;
    }
    Tally* const tally = tally_of({relation.track, from.track, to.track});
    if (tally == nullptr) {
        ++omitted_;
        return;
    }
    const WideTick latency = WideTick{to.begin} + WideTick{to.duration} - WideTick{from.begin};
    constexpr WideTick longest = std::numeric_limits<std::uint64_t>::max();
    if (latency < 0)
        ++tally->backwards;
    else
        tally->latency.add(static_cast<std::uint64_t>(std::min(latency, longest)));
}

RelationLatencyMeter::Tally* RelationLatencyMeter::tally_of(const Key& key) {
    constexpr unsigned bits = 21;
    if (std::max({key.relation, key.from, key.to}) >> bits != 0) return nullptr;  // a schema has a million objects
    const std::uint64_t packed =
        std::uint64_t{key.relation} << (2 * bits) | std::uint64_t{key.from} << bits | std::uint64_t{key.to};
    constexpr std::uint64_t spread = 0x9E37'79B9'7F4A'7C15;
    Recent& recent = recent_[packed * spread >> (64 - recent_bits)];
    if (recent.packed != packed) recent = {packed, place_of(packed, key)};
    return recent.place == most_pairs ? nullptr : &tallies_[recent.place].second;
}

/// Returns the place of the tally, a new one if necessary; most_pairs if there are too many.
std::size_t RelationLatencyMeter::place_of(std::uint64_t packed, const Key& key) {
    const auto known = places_.find(packed);
    if (known != places_.end()) return known->second;
    if (tallies_.size() == most_pairs) return most_pairs;
    places_.emplace(packed, tallies_.size());
    tallies_.emplace_back(key, Tally{LengthMeter(&histograms_), 0, relations_});
    return tallies_.size() - 1;
}

// --- shards ---

void RelationLatencyMeter::check_distance(const RecentIntervals::Entry& interval, std::uint64_t since) noexcept {
    constexpr std::string_view reason = "some intervals are more than half a million before their relations";
    if (since + (intervals_.added() - interval.serial) >= RecentIntervals::kept) not_reduced_ = reason;
}

void RelationLatencyMeter::keep_open(const Relation& relation) {
    if (open_.size() == RecentIntervals::kept) {
        not_reduced_ = "more than half a million relations of a shard lack an interval";
        return;
    }
    const auto known = [&](std::uint64_t id) -> std::optional<Interval> {
        const RecentIntervals::Entry* const entry = intervals_.find(id);
        if (entry == nullptr) return std::nullopt;
        check_distance(*entry, 0);
        return Interval{entry->id, entry->begin, entry->duration, entry->track};
    };
    open_.push_back({relations_, intervals_.added(), relation, known(relation.from), known(relation.to)});
}

void RelationLatencyMeter::save(StateOut& out) const {
    out(not_reduced_.empty(), relations_, other_units_, omitted_, tallies_.size());
    for (const auto& [key, tally] : tallies_) {
        out(key.relation, key.from, key.to, tally.first, tally.backwards);
        tally.latency.save(out);
    }
    const std::size_t forgotten = latest_.size() - std::min<std::size_t>(latest_.size(), RecentIntervals::kept);
    out(open_, std::uint64_t{intervals_.added()}, latest_.size() - forgotten);
    Interval before;
    for (std::size_t i = forgotten; i < latest_.size(); ++i) {
        const Interval& one = latest_[i];
        // Modulo 2^64; ids and times count up in most traces.
        const std::uint64_t later = static_cast<std::uint64_t>(one.begin) - static_cast<std::uint64_t>(before.begin);
        out(static_cast<std::int64_t>(one.id - before.id), static_cast<std::int64_t>(later), one.duration, one.track);
        before = one;
    }
}

void RelationLatencyMeter::check(const Interval& interval) const {
    StateIn::require(interval.track < schema_.tracks().size());
}

/// Counts a relation of the next shard, if its intervals are there or in earlier shards.
void RelationLatencyMeter::resolve(const Open& open) {
    const auto known = [&](const std::optional<Interval>& here, std::uint64_t id) -> std::optional<Interval> {
        if (here) return here;
        const RecentIntervals::Entry* const entry = intervals_.find(id);
        if (entry == nullptr) return std::nullopt;
        check_distance(*entry, open.intervals);
        return Interval{entry->id, entry->begin, entry->duration, entry->track};
    };
    const auto from = known(open.from, open.relation.from), to = known(open.to, open.relation.to);
    if (from && to) return count(open.relation, *from, *to);
    if (waiting_.size() < most_waiting - 1)
        waiting_.push_back(open.relation);
    else
        not_reduced_ = "too many relations precede their intervals";
}

void RelationLatencyMeter::add(StateIn& in) {
    is_reduced_ = true;
    if (!in.get<bool>()) not_reduced_ = "some intervals of a shard are too far from their relations";
    relations_ += in.get<std::uint64_t>();
    other_units_ += in.get<std::uint64_t>();
    const auto omitted = in.get<std::uint64_t>();
    omitted_ += omitted;
    struct OfShard {
        Key key{};
        Tally tally;
    };
    std::vector<OfShard> pairs;
    for (std::size_t left = in.count(); left > 0; --left) {
        StateIn::require(pairs.size() < most_pairs);
        OfShard& pair = pairs.emplace_back();
        in(pair.key.relation, pair.key.from, pair.key.to, pair.tally.first, pair.tally.backwards);
        for (const TrackId track : {pair.key.relation, pair.key.from, pair.key.to})
            StateIn::require(track < schema_.tracks().size());
        pair.tally.latency.add(in);
    }
    const auto open = in.get<std::vector<Open>>();
    for (const Open& one : open) {
        StateIn::require(one.relation.track < schema_.tracks().size());
        for (const auto* const end : {&one.from, &one.to})
            if (*end) check(**end);
    }
    // In order of their first relations.
    auto next = open.begin();
    for (OfShard& pair : pairs) {
        for (; next != open.end() && next->number < pair.tally.first; ++next)
            resolve(*next);
        Tally* const tally = tally_of(pair.key);
        if (tally == nullptr) {
            omitted_ += pair.tally.latency.count() + pair.tally.backwards;
            continue;
        }
        tally->backwards += pair.tally.backwards;
        tally->latency.add(pair.tally.latency);
    }
    for (; next != open.end(); ++next)
        resolve(*next);
    if (omitted_ != 0) not_reduced_ = "there are more than 256 pairs of tracks";
    const auto intervals = in.get<std::uint64_t>();
    const std::size_t kept = in.count();
    StateIn::require(kept <= intervals);
    has_forgotten_ = has_forgotten_ || kept != intervals;
    intervals_.skip(intervals - kept);
    Interval one;
    for (std::size_t left = kept; left > 0; --left) {
        one.id += static_cast<std::uint64_t>(in.get<std::int64_t>());
        const auto later = static_cast<std::uint64_t>(in.get<std::int64_t>());
        one.begin = static_cast<Tick>(static_cast<std::uint64_t>(one.begin) + later);
        in(one.duration, one.track);
        check(one);
        intervals_.add({one.id, one.begin, one.duration, one.track, 0});
    }
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
    if (has_forgotten_ && result.unmatched != 0)
        not_reduced_ = "some relations lack an interval, or it is more than half a million intervals away";
    result.other_units = other_units_;
    result.omitted = omitted_;
    return result;
}

}  // namespace hwtrace
