#include "views/value_durations.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include "domain/interval_time.hpp"
#include "domain/protocols.hpp"
#include "views/drawn_records.hpp"

namespace hwtrace {

ValueDurations::ValueDurations(const Schema& schema, const std::optional<Range>& range) : schema_(schema) {
    if (range && range->unit != Range::Unit::record) windows_.emplace(schema, *range, std::nullopt);
}

std::size_t ValueDurations::clock_of(const TimeBase& base) {
    const auto known = std::ranges::find(clocks_, base, &Clock::base);
    if (known != clocks_.end()) return static_cast<std::size_t>(known - clocks_.begin());
    clocks_.push_back({base, 0, false});
    return clocks_.size() - 1;
}

std::uint32_t ValueDurations::follow(std::string name, std::size_t clock) {
    if (held_.size() == most_values) {
        ++not_followed_;
        return none;
    }
    Held& held = held_.emplace_back();
    held.name = std::move(name);
    held.clock = clock;
    return static_cast<std::uint32_t>(held_.size() - 1);
}

void ValueDurations::meet(TrackId id) {
    const Track& track = schema_.tracks()[id];
    OfTrack& met = tracks_[id];
    met.met = true;
    met.clock = clock_of(track.time);
    if (track.kind == Track::Kind::storage && (is_buffer(schema_, id) || is_catalogue(schema_, id))) {
        met.occupancy = Occupancy(track.slots);
        met.buffer = follow(name_in(path_of(schema_, track.scope), track.name), met.clock);
    }
}

void ValueDurations::meet_members(OfTrack& met, const Track& track) {
    for (std::size_t i = met.field.size(); i < track.fields.size(); ++i) {
        met.field.push_back(none);
        const Field& field = track.fields[i];
        if (!is_numeric(field)) continue;
        std::string name = name_in(path_of(schema_, track.scope), track.name);
        if (track.fields.size() != 1 && !field.name.empty()) name.append(".").append(field.name);
        met.field.back() = follow(std::move(name), met.clock);
    }
}

void ValueDurations::hold(Held& held, Tick until) {
    if (!held.known) return;
    const std::uint64_t ticks = ticks_between(held.since, until);
    if (ticks != 0) held.by_time.add(static_cast<double>(held.value), ticks);
}

void ValueDurations::take(std::uint32_t index, Tick time, long double value, bool counted) {
    if (index == none) return;
    Held& held = held_[index];
    hold(held, time);
    if (!std::isfinite(value)) {
        ++not_finite_;
        held.known = false;
        return;
    }
    held.least = held.changes == 0 ? value : std::min(held.least, value);
    held.greatest = held.changes == 0 ? value : std::max(held.greatest, value);
    held.whole_numbers = held.whole_numbers && value == std::floor(value);
    ++held.changes;
    if (counted) held.by_change.add(static_cast<double>(value), 1);
    held.known = true;
    held.value = value;
    held.since = std::max(held.since, time);
    if (held.changes == 1) held.since = time;
}

void ValueDurations::pass(const Batch& batch, const Record& record) {
    Clock& clock = clocks_[tracks_[record.track].clock];
    Tick last = record.time;
    if (record.kind == Kind::interval) {
        const WideTick begin = exact_begin(schema_, batch, record);
        WideTick end = begin + WideTick{record.value};
        if (windows_) end = windows_->clipped(record.track, begin, end).second;
        last = static_cast<Tick>(std::clamp(end, WideTick{last}, WideTick{std::numeric_limits<Tick>::max()}));
    }
    clock.last = clock.known ? std::max(clock.last, last) : last;
    clock.known = true;
}

void ValueDurations::add_change(OfTrack& track, const Batch& batch, const Record& change) {
    const Track& declared = schema_.tracks()[change.track];
    if (track.field.size() < declared.fields.size()) meet_members(track, declared);
    if ((change.flags & record_no_value) != 0) {
        for (const std::uint32_t index : track.field) {
            if (index == none) continue;
            hold(held_[index], change.time);
            held_[index].known = false;
        }
        return;
    }
    for (const Attribute& value : batch.attributes(change))
        if (value.field < track.field.size())
            take(track.field[value.field], change.time, number_of(declared.fields[value.field], value.value),
                 (change.flags & record_restated) == 0);
}

void ValueDurations::add(const Batch& batch) {
    if (tracks_.size() < schema_.tracks().size()) {
        if (windows_) windows_->meet_tracks();
        tracks_.resize(schema_.tracks().size());
    }
    for (const Record& record : batch.records()) {
        if (!tracks_[record.track].met) meet(record.track);
        OfTrack& track = tracks_[record.track];
        pass(batch, record);
        if (record.kind == Kind::change) {
            add_change(track, batch, record);
        } else if (track.buffer != none && !is_property(record) && track.occupancy.has(record.ref)) {
            if (record.kind == Kind::clear ? track.occupancy.free(record.ref) : track.occupancy.fill(record.ref))
                take(track.buffer, record.time, static_cast<long double>(track.occupancy.occupied()),
                     (record.flags & record_restated) == 0);
        }
    }
}

std::vector<Distribution> ValueDurations::result() {
    std::vector<Distribution> result;
    for (Held& held : held_) {
        if (held.changes == 0) continue;
        hold(held, clocks_[held.clock].last);
        Distribution& distribution = result.emplace_back();
        distribution.sort = Distribution::Sort::values;
        distribution.name = held.name;
        distribution.count = held.changes;
        distribution.by_time = held.by_time.total() != 0;
        const ValueWeights& weights = distribution.by_time ? held.by_time : held.by_change;
        distribution.exact = weights.exact();
        distribution.whole_numbers = held.whole_numbers;
        distribution.least = held.least;
        distribution.greatest = held.greatest;
        set_buckets(weights.sorted(), distribution);
    }
    return result;
}

}  // namespace hwtrace
