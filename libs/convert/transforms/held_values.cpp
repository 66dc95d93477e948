#include "convert/transforms/held_values.hpp"

#include <algorithm>
#include <limits>
#include <set>
#include <utility>

#include "convert/model_dump.hpp"
#include "convert/transforms/recording_ends.hpp"
#include "domain/conventions.hpp"
#include "domain/durations.hpp"
#include "io/error.hpp"

namespace hwtrace {

namespace {

namespace names = conventions;

/// Indexes of attributes that represent no field.
constexpr std::uint32_t mark_attribute = none - 1, no_value_attribute = none - 2, note_attribute = none - 3,
                        native_attribute = none - 4;

/// An attribute of a stream and its origin.
struct Made {
    Field attribute;
    std::uint32_t field;     ///< the index of its field, or one of the values above
    bool is_number = false;  ///< the attribute holds enum values without a label, as numbers
};

/// Returns the attributes for a track. An enum field has two: the label and the number.
std::vector<Made> made_of(const SignalMark::SourceTrack& track) {
    std::vector<Made> made;
    std::set<std::string, std::less<>> taken{std::string(names::interval_id)};
    const auto add = [&](std::uint32_t field, std::string name, Type type, Type told, EnumId enumeration = none) {
        const std::string stem = name + "." + std::string(name_of(told));
        for (std::size_t number = 1; !taken.insert(name).second; ++number)
            name = stem + (number == 1 ? "" : std::to_string(number));
        Field attribute{std::move(name), type, enumeration};
        attribute.phase = Phase::begin;
        made.push_back({std::move(attribute), field, false});
    };
    for (std::uint32_t field = 0; field < track.fields.size(); ++field) {
        const Field& of = track.fields[field];
        add(field, of.name, of.type == Type::blob ? Type::text : of.type, of.type, of.enumeration);
        if (of.type != Type::enumeration) continue;
        add(field, of.name, Type::u64, Type::u64);
        made.back().is_number = true;
    }
    if (track.kind == Track::Kind::signal) {
        add(mark_attribute, std::string(names::signal_mark), Type::u8, Type::u8);
        add(no_value_attribute, std::string(names::signal_no_value), Type::boolean, Type::boolean);
    }
    if (track.kind == Track::Kind::notes) add(note_attribute, std::string(names::note_text), Type::text, Type::text);
    if (track.kind == Track::Kind::native)
        add(native_attribute, std::string(names::native_hex), Type::text, Type::text);
    return made;
}

/// Returns the index of the field to which cell `index` of an event belongs.
std::size_t field_of_cell(const Track& track, std::size_t index) noexcept {
    const std::size_t fixed = track.fixed_fields(), width = track.fields.size() - fixed;
    return index < fixed || width == 0 ? index : fixed + (index - fixed) % width;
}

/// Returns true if the ticks of both time bases have the same length.
bool is_same(const TimeBase& a, const TimeBase& b) noexcept {
    __extension__ using Wide = unsigned __int128;
    return a == b || (has_duration(a) && has_duration(b) && Wide{a.num} * b.den == Wide{b.num} * a.den);
}

}  // namespace

// --- intervals of signals ------------------------------------------------------------------------------------------

HeldValues::HeldValues(const Schema& source, std::string folder, std::size_t run_bytes)
    : HeldValues(source, std::move(folder), run_bytes, {}, nullptr) {}

HeldValues::HeldValues(const Schema& source, std::string folder, std::string_view text_attribute, Losses& losses)
    : HeldValues(source, std::move(folder), RecordSorter::default_run_bytes, text_attribute, &losses) {}

HeldValues::HeldValues(const Schema& source, std::string folder, std::size_t run_bytes, std::string_view text_attribute,
                       Losses* losses)
    : source_(source), losses_(losses), copies_(source, schema_), sorter_(std::move(folder), run_bytes) {
    const SignalMark mark = signals_in(source, SignalMark::Form::held);
    declare_objects(source, schema_, nullptr, [&](ScopeId id) {
        Scope scope = source.scopes()[id];
        scope.native_id.reset();
        return scope;
    });
    if (losses_ == nullptr)
        describe_signals(source, mark, schema_);
    else
        describe_raised(source, schema_);
    for (const Enum& enumeration : source.enums())
        labels_.push_back(labelled_values(enumeration));
    std::vector<TimeBase> bases;
    std::set<std::uint64_t> numbers;
    for (TrackId id = 0; id < source.tracks().size(); ++id) {
        Track made = source.tracks()[id];
        Lane& lane = lanes_.emplace_back();
        const auto base = std::ranges::find(bases, made.time);
        lane.base = static_cast<std::uint32_t>(base - bases.begin());
        if (base == bases.end()) bases.push_back(made.time);
        const bool is_first = !made.native_id || numbers.insert(*made.native_id).second;
        if (mark.tracks[id].kind) {
            if (!is_first) made.native_id.reset();
            made.kind = Track::Kind::stream;
            made.fields.clear();
            lane.columns.resize(mark.tracks[id].fields.size());
            std::uint32_t index = 0;
            for (Made& one : made_of(mark.tracks[id])) {
                if (one.field == mark_attribute)
                    lane.mark_field = index;
                else if (one.field == no_value_attribute)
                    lane.no_value_field = index;
                else if (one.field < lane.columns.size() && one.is_number)
                    lane.columns[one.field].number = index;
                else if (one.field < lane.columns.size())
                    lane.columns[one.field].value = index;
                made.fields.push_back(std::move(one.attribute));
                ++index;
            }
            if (mark.tracks[id].kind == Track::Kind::signal && !text_attribute.empty()) {
                lane.text_field = index;
                Field text{std::string(text_attribute), Type::text};
                text.phase = Phase::begin;
                made.fields.push_back(std::move(text));
            }
        }
        schema_.declare(std::move(made));
    }
    last_times_.assign(bases.size(), std::numeric_limits<Tick>::min());
    has_texts_ = !text_attribute.empty() || std::ranges::any_of(source.tracks(), [](const Track& track) {
        return track.kind == Track::Kind::notes || track.kind == Track::Kind::native ||
               std::ranges::any_of(track.fields, [](const Field& field) { return holds_text(field.type); });
    });
}

bool HeldValues::makes(const Track& track) noexcept {
    return track.kind == Track::Kind::signal || track.kind == Track::Kind::event_type ||
           track.kind == Track::Kind::notes || track.kind == Track::Kind::native;
}

bool HeldValues::returns(const Track& track) noexcept {
    return track.kind != Track::Kind::storage && track.kind != Track::Kind::hart;
}

bool HeldValues::has_label(EnumId enumeration, std::uint64_t value) const {
    return enumeration < labels_.size() && std::ranges::binary_search(labels_[enumeration], value);
}

Attribute HeldValues::attribute(const Lane& lane, const Field& field, std::uint32_t index, std::uint64_t value) {
    const Column& column = lane.columns[index];
    if (field.type == Type::enumeration && !has_label(field.enumeration, value)) return {column.number, value};
    return {column.value, copies_.cell_with_digits(field, value)};
}

void HeldValues::end(TrackId track, Tick time) {
    Lane& lane = lanes_[track];
    if (!lane.is_open) return;
    lane.is_open = false;
    made_.clear();
    sorter_.add(lane.position, 0, made_,
                made_.interval(track, lane.begin, ticks_between(lane.begin, time), lane.values));
}

void HeldValues::apply(const Batch& in, Batch& out) {
    for (const Record& record : in.records()) {
        Lane& lane = lanes_[record.track];
        const std::uint64_t position = position_++;
        lane.is_used = true;
        last_times_[lane.base] = std::max(last_times_[lane.base], record.time);
        switch (record.kind) {
            case Kind::change:
                change(in, record, lane, position);
                break;
            case Kind::event:
            case Kind::note:
            case Kind::native:
                moment(in, record, lane, position);
                break;
            default:
                made_.clear();
                sorter_.add(position, 0, made_, copies_.copy(in, record, record.track, made_));
                break;
        }
    }
    if (!has_texts_) give_early(in.records().size(), out);
}

/// Passes on the records before the oldest value that has not ended, after `count` records arrived.
void HeldValues::give_early(std::size_t count, Batch& out) {
    since_search_ += count;
    if (since_search_ >= lanes_.size()) {  // so that the search takes little time for any number of tracks
        since_search_ = 0;
        std::uint64_t oldest = position_;
        for (const Lane& lane : lanes_)
            if (lane.is_open) oldest = std::min(oldest, lane.position);
        sorter_.promise(oldest);
    }
    places_.clear();
    sorter_.give_early(out, places_, 2 * count);
}

/// Counts the record as a loss if the conversion cannot be undone.
void HeldValues::count(const Record& record) {
    if (losses_ == nullptr) return;
    losses_->count(Loss::type_changed, source_.tracks()[record.track].name, [&] {
        return std::string(name_of(record.kind)).append(" at ").append(std::to_string(record.time));
    });
}

void HeldValues::change(const Batch& in, const Record& record, Lane& lane, std::uint64_t position) {
    count(record);
    end(record.track, record.time);
    const std::vector<Field>& fields = source_.tracks()[record.track].fields;
    lane.values.clear();
    for (const Attribute& value : in.attributes(record))
        lane.values.push_back(attribute(lane, fields[value.field], value.field, value.value));
    if (record.value != change_unmarked) lane.values.push_back({lane.mark_field, record.value});
    const bool has_value = (record.flags & record_no_value) == 0;
    if (!has_value) lane.values.push_back({lane.no_value_field, 1});
    if (lane.text_field != none) {
        text_.clear();
        append_change(source_, in, record, text_);
        lane.values.push_back({lane.text_field, schema_.intern(text_.text())});
    }
    lane.is_open = true;
    lane.begin = record.time;
    lane.position = position;
    if (!has_value) end(record.track, record.time);
}

/// Writes an event, note or native record as an interval.
void HeldValues::moment(const Batch& in, const Record& record, Lane& lane, std::uint64_t position) {
    count(record);
    const Track& track = source_.tracks()[record.track];
    lane.values.clear();
    if (record.kind == Kind::note) {
        lane.values.push_back({0, schema_.intern(in.text(record))});
    } else if (record.kind == Kind::native) {
        lane.values.push_back({0, copies_.digits_of(in.bytes(record))});
    } else {
        const std::span<const std::uint64_t> cells = in.cells(record);
        for (std::size_t i = 0; i < cells.size(); ++i) {
            const auto field = static_cast<std::uint32_t>(field_of_cell(track, i));
            if (field < track.fields.size())
                lane.values.push_back(attribute(lane, track.fields[field], field, cells[i]));
        }
    }
    made_.clear();
    sorter_.add(position, 0, made_, made_.interval(record.track, record.time, 0, lane.values));
}

/// Counts each track without records as a loss, because nothing in the target represents the track.
void HeldValues::count_unused() {
    for (TrackId id = 0; id < lanes_.size(); ++id)
        if (const Track& track = source_.tracks()[id]; !lanes_[id].is_used && makes(track))
            losses_->count(Loss::type_changed, Subject::unused(track.name),
                           [] { return std::string("the track, which has no records"); });
}

/// Ends the last value of each signal.
void HeldValues::end_all() {
    const std::optional<RecordingEnds> ends = until_stated_ends_ ? std::optional<RecordingEnds>(source_) : std::nullopt;
    for (TrackId track = 0; track < lanes_.size(); ++track) {
        if (!lanes_[track].is_open) continue;
        const Tick last = last_times_[lanes_[track].base];
        end(track, ends ? std::max(last, ends->of(track).value_or(last)) : last);
    }
}

bool HeldValues::finish(Batch& out) {
    if (!ended_ && losses_ != nullptr) count_unused();
    if (!ended_) end_all();
    ended_ = true;
    places_.clear();
    return sorter_.give(out, places_);
}

// --- signals of intervals ------------------------------------------------------------------------------------------

bool SignalsOfHeldValues::is_lowered(const Schema& source) {
    const std::optional<SignalMark> mark = signal_mark_of(source);
    if (!mark || mark->form != SignalMark::Form::held || mark->tracks.size() != source.tracks().size() ||
        (!mark->scope_ids.empty() && mark->scope_ids.size() != source.scopes().size()))
        return false;
    for (std::size_t id = 0; id < mark->tracks.size(); ++id) {
        const SignalMark::SourceTrack& fact = mark->tracks[id];
        const Track& track = source.tracks()[id];
        if (!fact.kind) continue;
        if (track.kind != Track::Kind::stream || (has_duration(fact.time) && !is_same(fact.time, track.time)))
            return false;
        const std::vector<Made> expected = made_of(fact);
        for (const Field& field : track.fields) {
            const auto found =
                std::ranges::find(expected, field.name, [](const Made& made) { return made.attribute.name; });
            if (found != expected.end() && found->attribute.type != field.type) return false;
        }
    }
    return true;
}

SignalsOfHeldValues::SignalsOfHeldValues(const Schema& source, Losses& losses)
    : source_(source), losses_(losses), copies_(source, schema_) {
    const std::optional<SignalMark> mark = signal_mark_of(source);
    if (!mark || !is_lowered(source)) fail(Failure::internal, "the intervals to be raised were not made from signals");
    declare_objects(source, schema_, nullptr, [&](ScopeId id) {
        Scope scope = source.scopes()[id];
        if (id < mark->scope_ids.size()) scope.native_id = mark->scope_ids[id];
        return scope;
    });
    describe_raised(source, schema_);
    for (std::size_t id = 0; id < mark->tracks.size(); ++id) {
        const SignalMark::SourceTrack& fact = mark->tracks[id];
        const Track& track = source.tracks()[id];
        Lane& lane = lanes_.emplace_back();
        lane.kind = fact.kind;
        if (!fact.kind) {
            schema_.declare(track);
            continue;
        }
        const std::vector<Made> expected = made_of(fact);
        for (const Field& field : track.fields) {
            const auto found =
                std::ranges::find(expected, field.name, [](const Made& made) { return made.attribute.name; });
            lane.fields.push_back(found == expected.end() ? none : found->field);
        }
        Track raised = make_track(*fact.kind, track.scope, track.name, fact.time, fact.fields);
        raised.native_id = fact.native_id;
        for (Field& field : raised.fields)
            if (field.enumeration >= source.enums().size()) field.enumeration = none;
        schema_.declare(std::move(raised));
    }
}

void SignalsOfHeldValues::apply(const Batch& in, Batch& out) {
    for (const Record& record : in.records()) {
        const Lane& lane = lanes_[record.track];
        if (lane.kind && record.kind == Kind::interval)
            raise(in, record, lane, out);
        else
            copies_.copy(in, record, record.track, out);
    }
}

void SignalsOfHeldValues::raise(const Batch& in, const Record& record, const Lane& lane, Batch& out) {
    const Track& track = schema_.tracks()[record.track];
    const std::vector<Field>& attributes = source_.tracks()[record.track].fields;
    values_.clear();
    std::uint64_t mark = change_unmarked;
    bool has_value = true;
    std::string_view text;
    for (const Attribute& attribute : in.attributes(record)) {
        const std::uint32_t field = lane.fields[attribute.field];
        if (field == mark_attribute)
            mark = attribute.value;
        else if (field == no_value_attribute)
            has_value = attribute.value == 0;
        else if (field == note_attribute || field == native_attribute)
            text = source_.text(static_cast<StringId>(attribute.value));
        else if (field != none)
            values_.push_back({field, copies_.cell_of_digits(track.fields[field], attribute.value)});
        else if (attributes[attribute.field].name != names::interval_id)
            losses_.count(Loss::field_dropped, track.name, [&] { return attributes[attribute.field].name; });
    }
    if (lane.kind == Track::Kind::notes) {
        out.note(record.track, record.time, text);
    } else if (lane.kind == Track::Kind::native) {
        bytes_.clear();
        append_bytes_of_hex(text, bytes_);
        out.native(record.track, record.time, bytes_);
    } else if (lane.kind == Track::Kind::signal) {
        Record& change = out.change(record.track, record.time, values_, mark);
        if (!has_value) change.flags |= record_no_value;
    } else {
        cells_.clear();
        for (const Attribute& value : values_)
            cells_.push_back(value.value);
        while (cells_.size() < track.fixed_fields())  // another tool omitted some attributes
            cells_.push_back(holds_text(track.fields[cells_.size()].type) ? schema_.intern({}) : 0);
        out.event(record.track, record.time, cells_);
    }
}

}  // namespace hwtrace
