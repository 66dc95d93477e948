#include "pipeline/held_values.hpp"

#include <algorithm>
#include <limits>
#include <set>
#include <utility>

#include "io/error.hpp"
#include "model/conventions.hpp"
#include "model/durations.hpp"

namespace hwtrace {

namespace {

namespace names = conventions;

/// What the intervals of a signal with these fields have: its values, then mark and no_value.
std::vector<Field> attributes_of(std::span<const Field> fields) {
    std::vector<Field> attributes;
    std::set<std::string, std::less<>> taken{std::string(names::interval_id)};
    const auto add = [&](Field field, Type named) {
        const std::string stem = field.name + "." + std::string(name_of(named));
        for (std::size_t number = 1; !taken.insert(field.name).second; ++number)
            field.name = stem + (number == 1 ? "" : std::to_string(number));
        field.phase = Phase::begin;
        field.repeated = false;  // any attribute may occur several times
        attributes.push_back(std::move(field));
    };
    for (Field field : fields) {
        const Type type = field.type;
        if (type == Type::blob) field.type = Type::text;
        add(std::move(field), type);
    }
    add(Field{std::string(names::signal_mark), Type::u8}, Type::u8);
    add(Field{std::string(names::signal_no_value), Type::boolean}, Type::boolean);
    return attributes;
}

/// Whether ticks of both are equally long.
bool is_same(const TimeBase& a, const TimeBase& b) noexcept {
    __extension__ using Wide = unsigned __int128;
    return a == b || (has_duration(a) && has_duration(b) && Wide{a.num} * b.den == Wide{b.num} * a.den);
}

std::uint64_t duration(Tick begin, Tick end) noexcept {
    return static_cast<std::uint64_t>(std::max(end, begin)) - static_cast<std::uint64_t>(begin);
}

}  // namespace

// --- intervals of signals ------------------------------------------------------------------------------------------

HeldValues::HeldValues(const Schema& source, std::string folder, std::size_t run_bytes)
    : source_(source), copies_(source, schema_), sorter_(std::move(folder), run_bytes) {
    declare_objects(source, schema_);
    describe_signals(source, signals_in(source, SignalMark::Form::held), schema_);
    std::vector<TimeBase> bases;
    for (const Track& track : source.tracks()) {
        Signal& signal = signals_.emplace_back();
        const auto base = std::find(bases.begin(), bases.end(), track.time);
        signal.base = static_cast<std::uint32_t>(base - bases.begin());
        if (base == bases.end()) bases.push_back(track.time);
        Track made = track;
        if (track.kind == Track::Kind::signal) {
            signal.is_one = true;
            made.kind = Track::Kind::stream;
            made.fields = attributes_of(track.fields);
            signal.mark_field = static_cast<std::uint32_t>(track.fields.size());
        }
        schema_.declare(std::move(made));
    }
    last_times_.assign(bases.size(), std::numeric_limits<Tick>::min());
}

void HeldValues::end(TrackId track, Tick time) {
    Signal& signal = signals_[track];
    if (!signal.is_open) return;
    signal.is_open = false;
    made_.clear();
    sorter_.add(signal.position, 0, made_,
                made_.interval(track, signal.begin, duration(signal.begin, time), signal.values));
}

void HeldValues::apply(const Batch& in, Batch&) {
    for (const Record& record : in.records()) {
        Signal& signal = signals_[record.track];
        const std::uint64_t position = position_++;
        last_times_[signal.base] = std::max(last_times_[signal.base], record.time);
        if (record.kind != Kind::change) {
            made_.clear();
            sorter_.add(position, 0, made_, copies_.copy(in, record, record.track, made_));
            continue;
        }
        end(record.track, record.time);
        const std::vector<Field>& fields = source_.tracks()[record.track].fields;
        signal.values.clear();
        for (const Attribute& value : in.attributes(record))
            signal.values.push_back({value.field, copies_.cell_with_digits(fields[value.field], value.value)});
        if (record.value != change_unmarked) signal.values.push_back({signal.mark_field, record.value});
        const bool has_value = (record.flags & record_no_value) == 0;
        if (!has_value) signal.values.push_back({signal.mark_field + 1, 1});
        signal.is_open = true;
        signal.begin = record.time;
        signal.position = position;
        if (!has_value) end(record.track, record.time);
    }
}

bool HeldValues::finish(Batch& out) {
    for (TrackId track = 0; !ended_ && track < signals_.size(); ++track)
        end(track, last_times_[signals_[track].base]);
    ended_ = true;
    places_.clear();
    return sorter_.give(out, places_);
}

// --- and back ------------------------------------------------------------------------------------------------------

bool SignalsOfHeldValues::is_lowered(const Schema& source) {
    const std::optional<SignalMark> mark = signal_mark_of(source);
    if (!mark || mark->form != SignalMark::Form::held || mark->tracks.size() != source.tracks().size()) return false;
    for (std::size_t id = 0; id < mark->tracks.size(); ++id) {
        const SignalMark::SourceTrack& fact = mark->tracks[id];
        const Track& track = source.tracks()[id];
        if (!fact.is_signal) continue;
        if (track.kind != Track::Kind::stream || (has_duration(fact.time) && !is_same(fact.time, track.time)))
            return false;
        for (const Field& expected : attributes_of(fact.fields))
            for (const Field& field : track.fields)
                if (field.name == expected.name && field.type != expected.type) return false;
    }
    return true;
}

SignalsOfHeldValues::SignalsOfHeldValues(const Schema& source, Losses& losses)
    : source_(source), losses_(losses), copies_(source, schema_) {
    const std::optional<SignalMark> mark = signal_mark_of(source);
    if (!mark || !is_lowered(source)) fail(Failure::internal, "intervals that were no signals are raised to them");
    declare_objects(source, schema_);
    describe_raised(source, schema_);
    for (std::size_t id = 0; id < mark->tracks.size(); ++id) {
        const SignalMark::SourceTrack& fact = mark->tracks[id];
        const Track& track = source.tracks()[id];
        Signal& signal = signals_.emplace_back();
        signal.is_one = fact.is_signal;
        if (!fact.is_signal) {
            schema_.declare(track);
            continue;
        }
        const std::vector<Field> expected = attributes_of(fact.fields);
        for (const Field& field : track.fields) {
            const auto found = std::ranges::find(expected, field.name, &Field::name);
            const auto index = static_cast<std::size_t>(found - expected.begin());
            signal.fields.push_back(index < fact.fields.size()        ? static_cast<std::uint32_t>(index)
                                    : index == fact.fields.size()     ? mark_field
                                    : index == fact.fields.size() + 1 ? no_value_field
                                                                      : none);
        }
        Track raised = make_track(Track::Kind::signal, track.scope, track.name, fact.time, fact.fields);
        raised.native_id = track.native_id;
        for (Field& field : raised.fields)
            if (field.enumeration >= source.enums().size()) field.enumeration = none;
        schema_.declare(std::move(raised));
    }
}

void SignalsOfHeldValues::apply(const Batch& in, Batch& out) {
    for (const Record& record : in.records()) {
        const Signal& signal = signals_[record.track];
        if (signal.is_one && record.kind == Kind::interval)
            raise(in, record, signal, out);
        else
            copies_.copy(in, record, record.track, out);
    }
}

void SignalsOfHeldValues::raise(const Batch& in, const Record& record, const Signal& signal, Batch& out) {
    const std::vector<Field>& fields = schema_.tracks()[record.track].fields;
    values_.clear();
    std::uint64_t mark = change_unmarked;
    bool has_value = true;
    for (const Attribute& attribute : in.attributes(record)) {
        const std::uint32_t field = attribute.field < signal.fields.size() ? signal.fields[attribute.field] : none;
        if (field == mark_field)
            mark = attribute.value;
        else if (field == no_value_field)
            has_value = attribute.value == 0;
        else if (field != none)
            values_.push_back({field, copies_.cell_of_digits(fields[field], attribute.value)});
        else if (source_.tracks()[record.track].fields[attribute.field].name != names::interval_id)
            losses_.count(Loss::field_dropped, source_.tracks()[record.track].name,
                          [&] { return source_.tracks()[record.track].fields[attribute.field].name; });
    }
    Record& change = out.change(record.track, record.time, values_, mark);
    if (!has_value) change.flags |= record_no_value;
}

}  // namespace hwtrace
