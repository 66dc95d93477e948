#include "views/drawn_intervals.hpp"

#include <algorithm>
#include <tuple>
#include <utility>

#include "domain/conventions.hpp"
#include "domain/interval_time.hpp"
#include "domain/protocols.hpp"
#include "io/counted.hpp"

namespace hwtrace {

namespace {

constexpr Tick latest = std::numeric_limits<Tick>::max();

Tick clamped(WideTick time) noexcept {
    return static_cast<Tick>(std::clamp(time, WideTick{std::numeric_limits<Tick>::min()}, WideTick{latest}));
}

}  // namespace

DrawnIntervals::DrawnIntervals(const Schema& schema, By by, const std::optional<Range>& range)
    : schema_(schema), by_(by), meter_(schema, range) {
    if (range && range->unit != Range::Unit::record) windows_.emplace(schema, *range, std::nullopt);
}

void DrawnIntervals::add(const Batch& batch) {
    if (met_tracks_ < schema_.tracks().size() && windows_) windows_->meet_tracks();
    met_tracks_ = schema_.tracks().size();
    meter_.add(batch);
    for (const Record& record : batch.records()) {
        if (record.kind != Kind::interval) continue;
        const Track& track = schema_.tracks()[record.track];
        ++intervals_;
        const WideTick begin = exact_begin(schema_, batch, record);
        const WideTick end = begin + WideTick{record.value};
        const auto [from, to] = windows_ ? windows_->clipped(record.track, begin, end) : std::pair(begin, end);
        if (to > WideTick{latest}) [[unlikely]]
            note_beyond(track.time, to - WideTick{latest});
        const Tick first = clamped(from);
        order_.add(track.time, {first, ticks_between(first, clamped(to)), record.track},
                   [this](const IntervalOrder::Interval& interval) { place(interval); });
    }
}

void DrawnIntervals::note_beyond(const TimeBase& base, WideTick ticks) {
    const auto known = std::ranges::find(beyond_, base, &std::pair<TimeBase, WideTick>::first);
    if (known == beyond_.end())
        beyond_.emplace_back(base, ticks);
    else
        known->second = std::max(known->second, ticks);
}

WideTick DrawnIntervals::span(const TimeBase& base) const {
    const WideTick span = meter_.span(base);
    const auto known = std::ranges::find(beyond_, base, &std::pair<TimeBase, WideTick>::first);
    return known != beyond_.end() && known->second < span ? span - known->second : span;
}

void DrawnIntervals::finish() {
    order_.finish([this](const IntervalOrder::Interval& interval) { place(interval); });
}

void DrawnIntervals::place(const IntervalOrder::Interval& interval) {
    if (by_ == By::lane)
        place_in_lane(interval);
    else
        place_in_scope(interval);
}

void DrawnIntervals::place_in_lane(const IntervalOrder::Interval& interval) {
    OfTrack& track = tracks_[interval.track];
    const Tick end = static_cast<Tick>(static_cast<std::uint64_t>(interval.begin) + interval.duration);
    const std::size_t lane = track.lanes.place(interval.begin, end);
    while (track.rows.size() <= std::min(lane, most_lanes - 1)) {
        const Track& declared = schema_.tracks()[interval.track];
        track.rows.push_back(add_row(name_in(path_of(schema_, declared.scope), declared.name), declared, interval.track,
                                     track.rows.size()));
    }
    if (lane >= most_lanes || track.rows[lane] == none) {
        ++not_collected_;
        return;
    }
    DrawnRow& row = rows_[track.rows[lane]].row;
    row.bins.add(interval.begin, interval.duration);
    ++row.count;
}

void DrawnIntervals::place_in_scope(const IntervalOrder::Interval& interval) {
    const Track& track = schema_.tracks()[interval.track];
    auto place = std::ranges::lower_bound(scope_rows_, track.scope, {}, &std::pair<ScopeId, std::uint32_t>::first);
    if (place == scope_rows_.end() || place->first != track.scope) {
        const std::string path = path_of(schema_, track.scope);
        place = scope_rows_.insert(place, {track.scope, none});
        place->second = add_row(path.empty() ? track.name : path, track, none, 0);
    }
    if (place->second == none) {
        ++not_collected_;
        return;
    }
    Collected& collected = rows_[place->second];
    if (collected.row.base != track.time) {
        ++not_collected_;
        return;
    }
    const Tick end = static_cast<Tick>(static_cast<std::uint64_t>(interval.begin) + interval.duration);
    if (track.name == conventions::host_call) {
        collected.row.bins.cover(interval.begin, end > interval.begin ? end - 1 : end);
        return;
    }
    const Tick from = std::max(interval.begin, collected.covered);
    collected.row.bins.add_points(interval.begin);
    if (end > from) collected.row.bins.add_busy(from, ticks_between(from, end));
    collected.covered = std::max(collected.covered, end);
    ++collected.row.count;
}

std::uint32_t DrawnIntervals::add_row(std::string name, const Track& track, TrackId id, std::size_t lane) {
    if (rows_.size() == most_rows) return none;
    Collected& collected = rows_.emplace_back();
    collected.scope = track.scope;
    collected.row.name = std::move(name);
    collected.row.base = track.time;
    collected.row.track = id;
    collected.row.lane = lane;
    return static_cast<std::uint32_t>(rows_.size() - 1);
}

std::vector<DrawnRow> DrawnIntervals::take_rows() {
    const std::vector<std::size_t> order = hierarchy_order(schema_);
    const auto key = [&](const Collected& collected) {
        const std::size_t scope = collected.scope < order.size() ? order[collected.scope] : order.size();
        return std::tuple(scope, collected.row.track, collected.row.lane);
    };
    std::ranges::stable_sort(rows_, {}, key);
    std::vector<DrawnRow> rows;
    rows.reserve(rows_.size());
    for (Collected& collected : rows_) {
        const bool is_known = !rows.empty() && rows.back().base == collected.row.base;
        collected.row.span = is_known ? rows.back().span : span(collected.row.base);
        rows.push_back(std::move(collected.row));
    }
    rows_.clear();
    return rows;
}

std::vector<std::string> DrawnIntervals::notes() const {
    std::vector<std::string> notes;
    if (not_collected_ != 0)
        notes.push_back(counted(not_collected_, "interval") + " not shown: a track has at most " +
                        std::to_string(most_lanes) + " lanes and the view " + std::to_string(most_rows) +
                        " rows; use --select or --range");
    if (order_.late() != 0)
        notes.push_back(counted(order_.late(), "interval") +
                        " began long before the intervals around them in the file; lanes and shares are approximate");
    return notes;
}

std::vector<std::size_t> hierarchy_order(const Schema& schema) {
    const auto& scopes = schema.scopes();
    std::vector<ScopeId> first_child(scopes.size() + 1, none), next(scopes.size(), none);
    for (auto id = static_cast<ScopeId>(scopes.size()); id-- != 0;) {
        const std::size_t parent = scopes[id].parent < scopes.size() ? scopes[id].parent : scopes.size();
        next[id] = first_child[parent];
        first_child[parent] = id;
    }
    std::vector<std::size_t> order(scopes.size(), scopes.size());  // scopes that form a cycle stay last
    std::vector<ScopeId> open{first_child[scopes.size()]};
    for (std::size_t place = 0; !open.empty();) {
        const ScopeId id = open.back();
        open.pop_back();
        if (id == none || order[id] != scopes.size()) continue;
        order[id] = place++;
        open.push_back(next[id]);
        open.push_back(first_child[id]);
    }
    return order;
}

}  // namespace hwtrace
