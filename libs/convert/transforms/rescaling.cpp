#include "convert/transforms/rescaling.hpp"

#include <algorithm>
#include <string>

#include "domain/conventions.hpp"
#include "domain/protocols.hpp"

namespace hwtrace {

namespace {

bool is_event_or_table(const Track& track) noexcept {
    return track.kind == Track::Kind::event_type || track.kind == Track::Kind::storage;
}

/// Returns the track's time base. If it has no period, uses the period of its scope's clock.
TimeBase base_of(const Schema& schema, const Track& track) noexcept {
    if (track.time.kind != TimeBase::Kind::cycles || has_duration(track.time)) return track.time;
    const std::uint64_t period = period_of(schema, track.scope);
    return period == 0 ? track.time : TimeBase{TimeBase::Kind::cycles, period, picoseconds_per_second};
}

}  // namespace

bool Rescaling::is_needed(const Schema& source) noexcept {
    return std::any_of(source.tracks().begin(), source.tracks().end(),
                       [](const Track& track) { return is_event_or_table(track) && track.time != picoseconds; });
}

bool Rescaling::needs_period(const Schema& source) noexcept {
    return std::any_of(source.tracks().begin(), source.tracks().end(), [&](const Track& track) {
        return is_event_or_table(track) && !has_duration(base_of(source, track));
    });
}

bool Rescaling::takes(const Track& track) noexcept {
    return is_event_or_table(track) || track.kind == Track::Kind::notes || track.kind == Track::Kind::native;
}

Rescaling::Rescaling(const Schema& source, std::uint64_t unknown_ps, Losses& losses)
    : source_(source), losses_(losses), track_maps_(source, schema_) {
    for (const Metadata& fact : source.metadata())
        schema_.describe(fact.key, fact.value);
    if (needs_period(source))
        schema_.describe(std::string(conventions::rescaled), std::string(conventions::rescaled_cycles));
    for (Clock clock : source.clocks()) {
        if (clock.period_ps == 0) clock.period_ps = unknown_ps;
        schema_.declare(std::move(clock));
    }
    for (const Scope& scope : source.scopes())
        schema_.declare(scope);
    for (const Enum& enumeration : source.enums())
        schema_.declare(enumeration);
    std::vector<TimeBase> bases;
    for (const Track& track : source.tracks()) {
        if (takes(track))
            track_maps_.declare(track, track.scope);
        else
            track_maps_.skip();
        const TimeBase base = base_of(source, track);
        const auto known = std::find(bases.begin(), bases.end(), base);
        scale_of_.push_back(static_cast<std::uint32_t>(known - bases.begin()));
        if (known != bases.end()) continue;
        bases.push_back(base);
        scales_.emplace_back(base, unknown_ps);
    }
}

Tick Rescaling::time_of(const Record& record) {
    const std::uint32_t scale = scale_of_[record.track];
    if (record.time == last_time_ && scale == last_scale_) [[likely]]
        return last_ps_;
    last_time_ = record.time;
    last_scale_ = scale;
    const auto ps = record.time < 0 ? std::nullopt : scales_[scale].ps(record.time);
    if (!ps)
        losses_.count(Loss::time_rounded, source_.tracks()[record.track].name,
                      [&] { return "tick " + std::to_string(record.time) + " is clamped"; });
    last_ps_ = ps ? *ps : record.time < 0 ? 0 : std::numeric_limits<Tick>::max();
    return last_ps_;
}

void Rescaling::apply(const Batch& in, Batch& out) {
    for (const Record& record : in.records()) {
        if (!track_maps_.pass_with_frame(in, record, time_of(record), out))
            losses_.count(Loss::kind_dropped, source_.tracks()[record.track].name,
                          [&] { return std::string(name_of(record.kind)) + " at " + std::to_string(record.time); });
    }
}

}  // namespace hwtrace
