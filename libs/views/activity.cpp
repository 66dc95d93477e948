#include "views/activity.hpp"

#include <algorithm>
#include <limits>
#include <utility>

#include "codec/record_sorter.hpp"
#include "domain/conventions.hpp"
#include "domain/protocols.hpp"
#include "io/number_text.hpp"
#include "model/hash.hpp"

namespace hwtrace {

namespace {

/// Returns the duration that the trace states, in ticks; 0 if it states none.
WideTick stated_span(const Schema& schema) noexcept {
    const std::string* const text = schema.metadata(conventions::trace_cycles);
    return text == nullptr ? 0 : parse_digits(*text).value_or(0);
}

void sum_up(Busy& sum, const Busy& busy) noexcept {
    sum.intervals += busy.intervals;
    sum.busy += busy.busy;
    sum.total += busy.total;
}

/// Returns the sort key for a start time. Negative times become 0; traces in cycles have no negative times.
std::uint64_t sort_key(WideTick begin) noexcept {
    return begin < 0 ? 0 : static_cast<std::uint64_t>(begin);
}

bool is_host_call(const Track& track) noexcept {
    return track.name == conventions::host_call;
}

/// Returns the number of scopes with intervals that are not host calls, at least 1.
std::uint64_t working_scopes(const Schema& schema) {
    std::vector<ScopeId> scopes;
    for (const Track& track : schema.tracks())
        if (track.kind == Track::Kind::stream && !is_host_call(track)) scopes.push_back(track.scope);
    std::ranges::sort(scopes);
    scopes.erase(std::unique(scopes.begin(), scopes.end()), scopes.end());
    return std::max<std::uint64_t>(scopes.size(), 1);
}

}  // namespace

std::uint64_t saturated(WideTick value) noexcept {
    constexpr WideTick largest = std::numeric_limits<std::uint64_t>::max();
    return static_cast<std::uint64_t>(std::clamp(value, WideTick{0}, largest));
}

std::optional<std::uint64_t> share(WideTick part, WideTick whole) noexcept {
    constexpr WideTick hundredths = 10'000;
    constexpr WideTick largest = WideTick{1} << 96;  // keeps the product in range; sums of durations are much smaller
    if (whole <= 0) return std::nullopt;
    return saturated((std::min(part, largest) * hundredths + whole / 2) / whole);
}

ActivityMeter::ActivityMeter(const Schema& schema, const std::optional<Range>& range) : schema_(schema), range_(range) {
    if (range && range->unit != Range::Unit::record) windows_.emplace(schema, *range, std::nullopt);
}

void ActivityMeter::Gauge::add(WideTick begin, WideTick end) noexcept {
    if (busy.intervals == 0 || begin >= covered)
        busy.busy += end - begin;
    else if (end > covered)
        busy.busy += end - covered;
    covered = busy.intervals == 0 ? end : std::max(covered, end);
    busy.total += end - begin;
    ++busy.intervals;
}

void ActivityMeter::Gauge::save(StateOut& out) const {
    out(busy.intervals, busy.total, first_begin, last_end);
    coverage.save(out);
}

void ActivityMeter::Gauge::add(StateIn& in) {
    const auto intervals = in.get<std::uint64_t>();
    const auto total = in.get<WideTick>(), begin = in.get<WideTick>(), end = in.get<WideTick>();
    first_begin = busy.intervals == 0 ? begin : std::min(first_begin, begin);
    last_end = busy.intervals == 0 ? end : std::max(last_end, end);
    busy.intervals += intervals;
    busy.total += total;
    coverage.add(in);
    busy.busy = coverage.busy();
}

ActivityMeter::Gauge& ActivityMeter::scope_gauge(TrackId track) {
    const ScopeId scope = schema_.tracks()[track].scope;
    return scopes_[scope == none ? scopes_.size() - 1 : scope];
}

void ActivityMeter::meet() {
    if (tracks_.size() < schema_.tracks().size()) {
        tracks_.resize(schema_.tracks().size());
        if (windows_) windows_->meet_tracks();
    }
    while (scopes_.size() < schema_.scopes().size() + 1)
        scopes_.insert(scopes_.empty() ? scopes_.end() : scopes_.end() - 1, Gauge{});
}

void ActivityMeter::add(const Batch& batch) {
    meet();
    for (const Record& record : batch.records()) {
        if (record.kind != Kind::interval) continue;
        const WideTick begin = exact_begin(schema_, batch, record);
        const WideTick end = begin + WideTick{record.value};
        const auto [from, to] = windows_ ? windows_->clipped(record.track, begin, end) : std::pair(begin, end);
        const bool works = !is_host_call(schema_.tracks()[record.track]);
        Gauge& track = tracks_[record.track];
        Gauge& ordered = works ? scope_gauge(record.track) : track;
        in_order_ = in_order_ && (ordered.busy.intervals == 0 || begin >= ordered.last_begin);
        track.first_begin = track.busy.intervals == 0 ? begin : std::min(track.first_begin, begin);
        track.last_end = track.busy.intervals == 0 ? end : std::max(track.last_end, end);
        ordered.last_begin = begin;
        track.add(from, to);
        if (works) ordered.add(from, to);
        if (!is_shard_) continue;
        track.coverage.add(from, to);
        if (works) ordered.coverage.add(from, to);
    }
}

void ActivityMeter::save(StateOut& out) const {
    out(in_order_);
    for (const std::vector<Gauge>* const gauges : {&tracks_, &scopes_}) {
        std::vector<std::uint32_t> used;
        for (std::uint32_t i = 0; i < gauges->size(); ++i)
            if ((*gauges)[i].busy.intervals != 0) used.push_back(i);
        out(used.size());
        for (const std::uint32_t i : used) {
            // Other shards may know more scopes.
            const bool is_last = gauges == &scopes_ && i + 1 == scopes_.size();
            out(is_last ? std::uint32_t{none} : i);
            (*gauges)[i].save(out);
        }
    }
}

void ActivityMeter::add(StateIn& in) {
    meet();
    in_order_ = in.get<bool>() && in_order_;
    if (!in_order_) not_reduced_ = "the intervals of a shard are out of order";
    for (std::vector<Gauge>* const gauges : {&tracks_, &scopes_}) {
        for (std::size_t left = in.count(); left > 0; --left) {
            auto i = in.get<std::uint32_t>();
            if (gauges == &scopes_ && i == none) i = static_cast<std::uint32_t>(scopes_.size() - 1);
            StateIn::require(i < gauges->size());
            Gauge& gauge = (*gauges)[i];
            gauge.add(in);
            if (!gauge.coverage.exact()) not_reduced_ = "too many intervals of different shards overlap";
        }
    }
}

void ActivityMeter::set_span(Activity& activity, const TimeBase& base) const {
    std::optional<WideTick> first, last;
    TrackId any = none;
    for (TrackId id = 0; id < tracks_.size(); ++id) {
        if (tracks_[id].busy.intervals == 0 || schema_.tracks()[id].time != base) continue;
        first = std::min(first.value_or(tracks_[id].first_begin), tracks_[id].first_begin);
        last = std::max(last.value_or(tracks_[id].last_end), tracks_[id].last_end);
        any = id;
    }
    if (any == none) return;
    const bool by_position = range_ && !windows_;
    const WideTick stated = by_position || base.kind != TimeBase::Kind::cycles ? 0 : stated_span(schema_);
    if (windows_) {
        const auto [begin, end] = windows_->bounds(any);
        const WideTick from = range_->begin == 0 ? std::min<WideTick>(0, *first) : begin;
        activity.span = end.value_or(stated > from ? stated : *last) - from;
        activity.span_from = Activity::Span::window;
    } else {
        activity.span = stated > 0 ? stated : *last - *first;
        activity.span_from = stated > 0 ? Activity::Span::stated : Activity::Span::extent;
    }
}

WideTick ActivityMeter::span(const TimeBase& base) const {
    Activity activity;
    set_span(activity, base);
    return activity.span;
}

std::optional<Activity> ActivityMeter::result(const ActivityMeter& whole) const {
    Activity activity;
    HashMap<std::string_view, std::size_t> types;
    std::optional<TimeBase> base;
    for (TrackId id = 0; id < tracks_.size(); ++id) {
        if (tracks_[id].busy.intervals == 0) continue;
        const Track& track = schema_.tracks()[id];
        if (base && *base != track.time) return std::nullopt;
        base = track.time;
        const std::string scope = path_of(schema_, track.scope);
        activity.tracks.push_back({scope, track.name, tracks_[id].busy});
        const auto [place, is_new] = types.try_emplace(track.name, activity.types.size());
        if (is_new) activity.types.push_back({{}, track.name, {}});
        sum_up(activity.types[place->second].busy, tracks_[id].busy);
    }
    if (!base) return std::nullopt;
    for (std::size_t i = 0; i < scopes_.size(); ++i) {
        if (scopes_[i].busy.intervals == 0) continue;
        const bool is_scope = i + 1 < scopes_.size();
        activity.scopes.push_back(
            {is_scope ? path_of(schema_, static_cast<ScopeId>(i)) : std::string(), scopes_[i].busy});
    }
    activity.working_scopes = working_scopes(whole.schema_);
    whole.set_span(activity, *base);
    return activity;
}

void measure_sorted(Reader& reader, const std::string& folder, const std::function<void(const Batch&)>& measure,
                    const ProgressListener& progress) {
    const Schema& schema = reader.schema();
    RecordSorter sorter(folder);
    Batch batch;
    for (; reader.read(batch); batch.clear()) {
        for (const Record& record : batch.records())
            if (record.kind == Kind::interval)
                sorter.add(sort_key(exact_begin(schema, batch, record)), 0, batch, record);
        if (progress) progress(reader.position());
    }
    std::vector<RecordSorter::Place> places;
    for (bool more = true; more;) {
        batch.clear();
        places.clear();
        more = sorter.give(batch, places);
        measure(batch);
    }
}

}  // namespace hwtrace
