#include "views/activity.hpp"

#include <algorithm>
#include <limits>

#include "codec/record_sorter.hpp"
#include "io/number_text.hpp"
#include "model/conventions.hpp"
#include "model/hash.hpp"
#include "model/protocols.hpp"

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

void ActivityMeter::Gauge::add(WideTick begin, std::uint64_t duration) noexcept {
    const WideTick end = begin + WideTick{duration};
    if (busy.intervals == 0 || begin >= covered)
        busy.busy += WideTick{duration};
    else if (end > covered)
        busy.busy += end - covered;
    covered = busy.intervals == 0 ? end : std::max(covered, end);
    last_begin = begin;
    busy.total += WideTick{duration};
    ++busy.intervals;
}

ActivityMeter::Gauge& ActivityMeter::scope_gauge(TrackId track) {
    const ScopeId scope = schema_.tracks()[track].scope;
    return scopes_[scope == none ? scopes_.size() - 1 : scope];
}

void ActivityMeter::add(const Batch& batch) {
    if (tracks_.size() < schema_.tracks().size()) tracks_.resize(schema_.tracks().size());
    while (scopes_.size() < schema_.scopes().size() + 1)
        scopes_.insert(scopes_.empty() ? scopes_.end() : scopes_.end() - 1, Gauge{});
    for (const Record& record : batch.records()) {
        if (record.kind != Kind::interval) continue;
        const WideTick begin = exact_begin(schema_, batch, record);
        const WideTick end = begin + WideTick{record.value};
        Gauge& scope = scope_gauge(record.track);
        in_order_ = in_order_ && (scope.busy.intervals == 0 || begin >= scope.last_begin);
        scope.add(begin, record.value);
        tracks_[record.track].add(begin, record.value);
        first_begin_ = std::min(first_begin_.value_or(begin), begin);
        last_end_ = std::max(last_end_.value_or(end), end);
    }
}

std::optional<Activity> ActivityMeter::result() const {
    if (!first_begin_) return std::nullopt;
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
    for (std::size_t i = 0; i < scopes_.size(); ++i) {
        if (scopes_[i].busy.intervals == 0) continue;
        const bool is_scope = i + 1 < scopes_.size();
        activity.scopes.push_back(
            {is_scope ? path_of(schema_, static_cast<ScopeId>(i)) : std::string(), scopes_[i].busy});
    }
    const bool whole = extent_ == Extent::whole && base->kind == TimeBase::Kind::cycles;
    const WideTick stated = whole ? stated_span(schema_) : 0;
    activity.span_stated = stated > 0;
    activity.span = stated > 0 ? stated : *last_end_ - *first_begin_;
    return activity;
}

std::optional<Activity> sorted_activity(Reader& reader, const std::string& folder, Extent extent,
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
    ActivityMeter meter(schema, extent);
    std::vector<RecordSorter::Place> places;
    for (bool more = true; more;) {
        batch.clear();
        places.clear();
        more = sorter.give(batch, places);
        meter.add(batch);
    }
    return meter.result();
}

}  // namespace hwtrace
