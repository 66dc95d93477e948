#include "views/interval_lifetimes.hpp"

#include <algorithm>
#include <array>
#include <limits>

#include "domain/conventions.hpp"
#include "domain/interval_time.hpp"
#include "domain/protocols.hpp"
#include "domain/value_text.hpp"
#include "io/counted.hpp"
#include "views/signal_statistics.hpp"
#include "views/time_axis.hpp"

namespace hwtrace {

namespace {

constexpr std::array<Phase, 3> stated_phases{Phase::begin, Phase::record, Phase::end};

void append_time(std::string_view name, WideTick time, JsonObject& object) {
    if (time <= std::numeric_limits<Tick>::max())
        object.number(name, static_cast<std::int64_t>(time));
    else if (time <= std::numeric_limits<std::uint64_t>::max())
        object.number(name, static_cast<std::uint64_t>(time));
    else
        object.known_member(name).put(text_of(time));
}

}  // namespace

IntervalLifetimes::OfTrack& IntervalLifetimes::track_of(const Record& record) {
    if (record.track >= tracks_.size()) tracks_.resize(schema_.tracks().size());
    OfTrack& known = tracks_[record.track];
    const Track& track = schema_.tracks()[record.track];
    if (known.unit.empty()) {
        known.scope = path_of(schema_, track.scope);
        known.path = name_in(known.scope, track.name);
        known.unit = unit_of(track.time);
    }
    for (; known.fields < track.fields.size(); ++known.fields)
        known.has_phases = known.has_phases || track.fields[known.fields].phase != Phase::unknown;
    return known;
}

bool IntervalLifetimes::counts(const Batch& batch, const Record& record) {
    if (record.kind != Kind::interval) return false;
    if (only_ && ids_.of(batch, record) != only_) return false;
    ++track_of(record).count;
    ++shown_;
    return true;
}

bool IntervalLifetimes::is_id(const Record& record, const Attribute& attribute) const {
    return schema_.tracks()[record.track].fields[attribute.field].name == conventions::interval_id;
}

bool IntervalLifetimes::has_phase(const Batch& batch, const Record& record, Phase phase) const {
    const std::vector<Field>& fields = schema_.tracks()[record.track].fields;
    return std::ranges::any_of(batch.attributes(record), [&](const Attribute& attribute) {
        return fields[attribute.field].phase == phase && !is_id(record, attribute);
    });
}

void IntervalLifetimes::append_attributes(const Batch& batch, const Record& record, Phase phase,
                                          TextOutput& out) const {
    const std::vector<Field>& fields = schema_.tracks()[record.track].fields;
    for (const Attribute& attribute : batch.attributes(record)) {
        const Field& field = fields[attribute.field];
        if (field.phase != phase || is_id(record, attribute)) continue;
        out.put(' ');
        append_name(field.name, out);
        out.put(' ');
        append_value(schema_, field, attribute.value, out);
    }
}

void IntervalLifetimes::append_phases(const Batch& batch, const Record& record, TextOutput& out) const {
    bool first = true;
    for (const Phase phase : stated_phases) {
        if (!has_phase(batch, record, phase)) continue;
        if (!first) out.put(" | ");
        first = false;
        out.put(name_of(phase));
        append_attributes(batch, record, phase, out);
    }
}

void IntervalLifetimes::append_text(const Batch& batch, const Record& record, TextOutput& out) {
    const OfTrack& track = track_of(record);
    append_name(track.path, out);
    if (const auto id = ids_.of(batch, record)) {
        out.put(" #");
        out.decimal(*id);
    }
    append_attributes(batch, record, Phase::unknown, out);
    const WideTick begin = exact_begin(schema_, batch, record);
    const bool in_cycles = schema_.tracks()[record.track].time.kind == TimeBase::Kind::cycles;
    out.put(in_cycles ? " cycles " : " ");
    out.put(text_of(begin));
    out.put('-');
    out.put(text_of(begin + WideTick{record.value}));
    if (!in_cycles) {
        out.put(' ');
        out.put(track.unit);
    }
    out.put('\n');
    if (!track.has_phases) return;
    scratch_.clear();
    append_phases(batch, record, scratch_);
    if (scratch_.text().empty()) return;
    out.put("    ");
    out.put(scratch_.text());
    out.put('\n');
}

void IntervalLifetimes::append_counts(TextOutput& out) const {
    for (const OfTrack& track : tracks_) {
        if (track.count == 0) continue;
        out.put("# ");
        append_name(track.path, out);
        out.put(": ");
        out.put(counted(track.count, "interval"));
        out.put('\n');
    }
}

void IntervalLifetimes::fill_fields(const Batch& batch, const Record& record, Phase phase, JsonObject& members) const {
    const std::vector<Field>& fields = schema_.tracks()[record.track].fields;
    const std::span<const Attribute> attributes = batch.attributes(record);
    for (std::size_t i = 0; i < attributes.size(); ++i) {
        const Field& field = fields[attributes[i].field];
        if (field.phase != phase || is_id(record, attributes[i])) continue;
        const auto is_same = [&](const Attribute& other) { return other.field == attributes[i].field; };
        if (std::any_of(attributes.begin(), attributes.begin() + static_cast<std::ptrdiff_t>(i), is_same)) continue;
        TextOutput& out = members.member(field.name);
        const bool is_list = field.repeated || std::ranges::count_if(attributes.subspan(i), is_same) > 1;
        if (is_list) out.put('[');
        bool first = true;
        for (const Attribute& attribute : attributes.subspan(i)) {
            if (!is_same(attribute)) continue;
            if (!first) out.put(',');
            first = false;
            append_json_value(schema_, field, attribute.value, members.integers(), out);
        }
        if (is_list) out.put(']');
    }
}

void IntervalLifetimes::fill(const Batch& batch, const Record& record, JsonObject& object) {
    const OfTrack& track = track_of(record);
    const WideTick begin = exact_begin(schema_, batch, record);
    const WideTick end = begin + WideTick{record.value};
    object.text("scope", track.scope);
    object.text("name", schema_.tracks()[record.track].name);
    if (const auto id = ids_.of(batch, record)) object.number("id", *id);
    JsonObject fields(object.integers(), object.known_member("fields"));
    fill_fields(batch, record, Phase::unknown, fields);
    fields.close();
    if (schema_.tracks()[record.track].time.kind == TimeBase::Kind::cycles) {
        append_time("first_cycle", begin, object);
        append_time("last_cycle", end, object);
    }
    append_time("first_time", begin, object);
    append_time("last_time", end, object);
    object.text("unit", track.unit);
    TextOutput& out = object.known_member("stages");
    out.put('[');
    bool first = true;
    for (const Phase phase : stated_phases) {
        if (!track.has_phases || !has_phase(batch, record, phase)) continue;
        if (!first) out.put(',');
        first = false;
        JsonObject stage(object.integers(), out);
        stage.text("name", name_of(phase));
        JsonObject of_stage(object.integers(), stage.known_member("fields"));
        fill_fields(batch, record, phase, of_stage);
        of_stage.close();
        stage.close();
    }
    out.put(']');
}

void IntervalLifetimes::append_csv_row(const Batch& batch, const Record& record, JsonIntegers integers,
                                       TextOutput& out) {
    const OfTrack& track = track_of(record);
    const WideTick begin = exact_begin(schema_, batch, record);
    const std::string first = text_of(begin), last = text_of(begin + WideTick{record.value});
    append_csv(track.path, out);
    out.put(',');
    if (const auto id = ids_.of(batch, record)) out.decimal(*id);
    out.put(",,false,");
    const bool in_cycles = schema_.tracks()[record.track].time.kind == TimeBase::Kind::cycles;
    out.put(in_cycles ? first : "");
    out.put(',');
    out.put(in_cycles ? last : "");
    out.put(',');
    out.put(first);
    out.put(',');
    out.put(last);
    out.put(",complete,,,,,,,");
    scratch_.clear();
    if (track.has_phases) append_phases(batch, record, scratch_);
    if (!scratch_.text().empty()) append_csv(scratch_.text(), out);
    out.put(",,,,,,");
    scratch_.clear();
    JsonObject fields(integers, scratch_);
    fill_fields(batch, record, Phase::unknown, fields);
    for (const Phase phase : stated_phases) {  // two phases may have attributes of one name
        if (!track.has_phases || !has_phase(batch, record, phase)) continue;
        JsonObject of_phase(integers, fields.known_member(name_of(phase)));
        fill_fields(batch, record, phase, of_phase);
        of_phase.close();
    }
    fields.close();
    append_csv(scratch_.text(), out);
    out.put('\n');
}

}  // namespace hwtrace
