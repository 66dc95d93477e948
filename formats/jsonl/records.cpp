#include "records.hpp"

#include <algorithm>
#include <limits>

#include "domain/conventions.hpp"
#include "io/number_text.hpp"
#include "model/record_kinds.hpp"

namespace hwtrace::jsonl {

namespace {

constexpr std::array kinds{Kind::event,    Kind::set,      Kind::clear,       Kind::add,  Kind::change,
                           Kind::interval, Kind::relation, Kind::instruction, Kind::note, Kind::native};

}  // namespace

void Records::wrong(std::string_view member, const JsonValue* value) {
    lines_.report(Check::member_wrong, std::string(member), value == nullptr ? "nothing" : shown(value->raw));
}

void Records::unknown_member(std::string_view key) {
    lines_.report(Check::member_unknown, "a member of this record", shown(key));
}

Records::Common Records::take_common() {
    Common common;
    rest_.clear();
    for (const JsonMember& member : lines_.members()) {
        const std::string_view key = member.key;
        const JsonValue* const value = &member.value;
        switch (key.size()) {
            case 4:
                if (key == "type") {
                    common.type = value;
                    continue;
                }
                if (key == "time") {
                    common.time = value;
                    continue;
                }
                break;
            case 5:
                if (key == "track") {
                    common.track = value;
                    continue;
                }
                if (key == "scope") {
                    common.scope = value;
                    continue;
                }
                if (key == "frame") {
                    if (value->is_true()) common.flags |= record_first_of_frame;
                    continue;
                }
                break;
            case 8:
                if (key == "track_id") {
                    common.track_id = value;
                    continue;
                }
                if (key == "restated") {
                    if (value->is_true()) common.flags |= record_restated;
                    continue;
                }
                if (key == "duration") {
                    common.duration = value;
                    continue;
                }
                break;
            default:
                break;
        }
        rest_.push_back(member);
    }
    return common;
}

/// Returns the kind that the record's type or duration determines. Returns nothing if it has neither, or if its type is
/// unknown (reported).
std::optional<Kind> Records::kind_of(const Common& common) {
    if (common.type == nullptr) {
        if (common.duration != nullptr) return Kind::interval;
        return std::nullopt;
    }
    const auto kind = common.type->is_string() ? find_named(kinds, text_of(*common.type, scratch_)) : std::nullopt;
    if (!kind) lines_.report(Check::type_unknown, "event, interval, ...", shown(common.type->raw));
    return kind;
}

TrackId Records::make_track(std::string_view name, const std::optional<std::string_view>& scope, Kind kind,
                            const Common& common) {
    Track track;
    track.kind = carrier_of(kind);
    const auto place = tracks_.place_of(name, scope);
    track.scope = place.first;
    track.name = place.second;
    const TimeBase fallback = common.time != nullptr      ? TimeBase{TimeBase::Kind::cycles, 1, 0}
                              : kind == Kind::instruction ? ordinals
                                                          : last_base_;
    const auto unit = common.time == nullptr ? std::nullopt : base_of_time(*common.time);
    track.time = declarations_.base().value_or(unit.value_or(fallback));
    if (kind == Kind::relation)
        track.fields = {Field{std::string(conventions::relation_from), Type::u64},
                        Field{std::string(conventions::relation_to), Type::u64}};
    const TrackId id = tracks_.declare(std::move(track), true);
    tracks_.facts(id).has_units = unit && !declarations_.base();
    return id;
}

/// Returns the record's track, or nothing after a finding. Sets `kind` if the record does not state it.
std::optional<TrackId> Records::track_of(const Common& common, std::optional<Kind>& kind) {
    const auto fits = [&](TrackId id) {
        const Track::Kind has = schema_.tracks()[id].kind;
        if (!kind) kind = kind_carried_by(has);
        if (carrier_of(*kind) == has) [[likely]]
            return true;
        lines_.report(Check::track_wrong, std::string("a record for a track of kind ").append(name_of(has)),
                      std::string(name_of(*kind)));
        return false;
    };
    if (common.track_id != nullptr) {
        const auto number = whole_number(*common.track_id);
        if (number && *number < schema_.tracks().size()) [[likely]] {
            const auto id = static_cast<TrackId>(*number);
            return fits(id) ? std::optional(id) : std::nullopt;
        }
        lines_.report(Check::object_unknown, "a track", shown(common.track_id->raw));
        return std::nullopt;
    }
    std::string_view name = "notes";
    if (common.track != nullptr && common.track->is_string()) {
        name = text_of(*common.track, scratch_);
    } else if (common.track != nullptr || kind != Kind::note) {
        wrong("track", common.track);
        return std::nullopt;
    }
    std::optional<std::string_view> scope;
    if (common.scope != nullptr && common.scope->is_string()) {
        scope = text_of(*common.scope, scope_scratch_);
    } else if (common.scope != nullptr) {
        wrong("scope", common.scope);
        return std::nullopt;
    }
    const Tracks::Found found = tracks_.find(name, scope, kind ? std::optional(carrier_of(*kind)) : std::nullopt);
    if (found.is_ambiguous) {
        lines_.report(Check::track_wrong, "a name of only one track", shown(name));
        return std::nullopt;
    }
    if (found.track != none) return fits(found.track) ? std::optional(found.track) : std::nullopt;
    const bool is_made = !kind || *kind == Kind::event || *kind == Kind::interval || *kind == Kind::change ||
                         *kind == Kind::relation || *kind == Kind::instruction || *kind == Kind::note;
    if (!is_made) {
        lines_.report(Check::object_unknown, "a track", shown(name));
        return std::nullopt;
    }
    if (!kind) kind = Kind::event;
    return make_track(name, scope, *kind, common);
}

/// Reports `time`, which has no unit and is not 0, if the times of the track have units.
void Records::expect_no_unit(TrackId id, JsonValue time) {
    if (tracks_.facts(id).has_units) lines_.report(Check::unit_missing, {}, shown(time.raw));
}

/// Converts a time or a duration of the track's records. Returns nothing after a finding.
std::optional<Tick> Records::ticks(TrackId id, JsonValue value) {
    const auto ticks = ticks_of(value, schema_.tracks()[id].time);
    if (!ticks) {
        lines_.report(Check::time_wrong, {}, shown(value.raw));
        return std::nullopt;
    }
    if (!ticks->exact) lines_.report(Check::time_between, {}, shown(value.raw));
    if (ticks->value != 0 && !has_unit(value)) expect_no_unit(id, value);
    return ticks->value;
}

/// Converts a value to a cell. Reports a number that is rounded.
Fit Records::convert(const Field& field, JsonValue value, std::uint64_t& cell) {
    const Fit fit = values_.cell(field, value, cell);
    if (fit != Fit::rounded) [[likely]]
        return fit;
    lines_.report(Check::value_rounded, {}, shown(value.raw));
    return Fit::good;
}

/// Like convert(), for values of events, intervals and signals. A number outside the range of the field's type is
/// wrong. Operations on tables may have such numbers, because their operands are wider than the fields.
Fit Records::convert_in_range(const Field& field, JsonValue value, std::uint64_t& cell) {
    const Fit fit = convert(field, value, cell);
    return fit == Fit::good && !Values::is_in_range(field.type, cell) ? Fit::wrong : fit;
}

std::optional<Tick> Records::time_of(const Common& common, TrackId id) {
    TrackFacts& facts = tracks_.facts(id);
    const TimeBase& base = schema_.tracks()[id].time;
    if (common.time == nullptr) {
        // Instructions without a time are numbered.
        const bool counts = base.kind == TimeBase::Kind::ordinal && schema_.tracks()[id].kind == Track::Kind::hart;
        if (!counts) lines_.report(Check::time_missing);
        if (!counts && base == last_base_) facts.last = last_time_;
        const Tick time = facts.last;
        if (counts && facts.last < std::numeric_limits<Tick>::max()) ++facts.last;
        return time;
    }
    const auto time = ticks(id, *common.time);
    if (!time) return std::nullopt;
    facts.last = last_time_ = *time;
    last_base_ = base;
    return time;
}

void Records::put(Batch& batch) {
    const Common common = take_common();
    std::optional<Kind> kind = kind_of(common);
    if (common.type != nullptr && !kind) return;
    const auto known = track_of(common, kind);
    if (!known) return;
    TrackId track = *known;
    const auto time = time_of(common, track);
    if (!time) return;
    // Only intervals have a duration. In other records a field may have this name.
    if (common.duration != nullptr && *kind != Kind::interval) rest_.push_back({"duration", *common.duration});
    bool done = false;
    switch (*kind) {
        case Kind::event:
        case Kind::relation:
            done = event(track, *time, *kind, batch);
            break;
        case Kind::interval:
            done = interval(track, *time, common, batch);
            break;
        case Kind::change:
            done = change(track, *time, batch);
            break;
        case Kind::set:
        case Kind::add:
        case Kind::clear:
            done = slot(track, *time, *kind, batch);
            break;
        case Kind::instruction:
            done = instruction(track, *time, batch);
            break;
        case Kind::note:
        case Kind::native:
            done = bytes(track, *time, *kind, batch);
            break;
    }
    if (!done) return;
    ++count_;
    if ((common.flags & record_restated) != 0) ++restated_;
    batch.mutable_records().back().flags |= common.flags;
}

// --- notes and native records ----------------------------------------------------------------------------------------

bool Records::bytes(TrackId id, Tick time, Kind kind, Batch& batch) {
    const std::string_view name = kind == Kind::note ? "text" : "bytes";
    for (const JsonMember& member : rest_)
        if (member.key != name) unknown_member(member.key);
    const JsonValue* const value = find_member(rest_, name);
    if (kind == Kind::note) {
        const auto text = value == nullptr ? std::nullopt : values_.text(*value);
        if (text) batch.note(id, time, *text);
        if (!text) wrong(name, value);
        return text.has_value();
    }
    const bool good =
        value != nullptr && value->is_string() && read_digits(value->raw.substr(1, value->raw.size() - 2), bytes_);
    if (good) batch.native(id, time, bytes_);
    if (!good) wrong(name, value);
    return good;
}

}  // namespace hwtrace::jsonl
