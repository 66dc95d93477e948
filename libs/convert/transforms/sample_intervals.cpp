#include "convert/transforms/sample_intervals.hpp"

#include <algorithm>
#include <string>
#include <utility>

#include "convert/transforms/signal_making.hpp"
#include "convert/transforms/signal_mark.hpp"
#include "domain/conventions.hpp"
#include "domain/picosecond_scale.hpp"
#include "io/cursor.hpp"
#include "io/hex_digits.hpp"
#include "model/hash.hpp"

namespace hwtrace {

namespace {

namespace names = conventions;

bool is_stream(const Track& track) noexcept {
    return track.kind == Track::Kind::stream;
}

bool is_relation(const Track& track) noexcept {
    return track.kind == Track::Kind::relation_type;
}

std::vector<bool> byte_fields(const std::vector<Field>& members) {
    std::vector<bool> bytes;
    bytes.reserve(members.size());
    for (const Field& member : members)
        bytes.push_back(member.type == Type::blob);
    if (std::ranges::find(bytes, true) == bytes.end()) bytes.clear();
    return bytes;
}

/// Returns the stream that replaces a signal made from `object`. Its last attribute is the mark. If `object` is a
/// signal, the attribute before the mark holds the flags.
Track stream_of(const Track& signal, const Track& object) {
    Track stream = signal;
    stream.kind = Track::Kind::stream;
    if (object.kind == Track::Kind::hart) stream.name = names::instruction;
    // In a stream, only repeated attributes may follow a repeated one.
    const auto append = [&](Field field) {
        field.repeated = !stream.fields.empty() && stream.fields.back().repeated;
        stream.fields.push_back(std::move(field));
    };
    if (is_stream(object)) {
        stream.fields = object.fields;
        const std::size_t added = 1 + object.fields.size();
        for (std::size_t i = added; i < signal.fields.size(); ++i)
            append(signal.fields[i]);
    } else {
        bool repeated = false;
        for (Field& field : stream.fields) {
            field.repeated = repeated = repeated || field.repeated;
            field.phase = field.repeated ? Phase::record : Phase::begin;
            if (field.type == Type::blob) field.type = Type::text;
        }
    }
    const auto add = [&](std::string_view name) {
        Field added{std::string(name), Type::u64};
        added.phase = Phase::record;
        while (std::ranges::find(stream.fields, added.name, &Field::name) != stream.fields.end())
            added.name += '#';
        append(std::move(added));
    };
    if (object.kind == Track::Kind::signal) add(names::change_flags);
    add(names::signal_mark);
    return stream;
}

/// Returns the relation track beside samples of `object`. The first two fields of this track are the ends of the
/// relation.
Track ends_of(const Track& object, TimeBase base) {
    std::vector<Field> ends{Field{std::string(names::relation_from), Type::u64},
                            Field{std::string(names::relation_to), Type::u64}};
    return make_track(Track::Kind::relation_type, object.scope, object.name, base, std::move(ends));
}

TimeBase timed(TimeBase time, const std::optional<TimeBase>& base) noexcept {
    return has_duration(time) ? time : base.value_or(time);
}

/// Groups relations by name, because a file does not distinguish relations with the same name.
struct RelationsBeside {
    std::vector<std::size_t> of_object;  ///< by object: index of its group, or `absent`
    std::vector<std::size_t> objects;    ///< by group: the first object

    static constexpr std::size_t absent = ~std::size_t{0};

    explicit RelationsBeside(const MarkedTracks& marked) {
        HashMap<std::string_view, std::size_t> by_name;
        for (std::size_t id = 0; id < marked.signals.size(); ++id) {
            const Track& track = marked.objects.tracks()[id];
            const bool is_made = is_relation(track) && !marked.mark.passes_on(id);
            if (is_made && by_name.try_emplace(track.name, objects.size()).second) objects.push_back(id);
            of_object.push_back(is_made ? by_name.at(track.name) : absent);
        }
    }
};

bool alike(const std::vector<Field>& expected, const std::vector<Field>& fields) {
    return fields.size() >= expected.size() &&
           std::equal(expected.begin(), expected.end(), fields.begin(), [](const Field& a, const Field& b) {
               return a.name == b.name && a.type == b.type && a.repeated == b.repeated && a.phase == b.phase;
           });
}

}  // namespace

// --- conversion of samples to intervals ------------------------------------------------------------------------------

SampleIntervals::SampleIntervals(const Schema& source, std::optional<TimeBase> base, bool beside_relations)
    : source_(source), copies_(source, schema_) {
    const MarkedTracks marked = MarkedTracks::of(source).value();
    const Schema& objects = marked.objects;
    declare_all_but_tracks(source, schema_);
    for (TrackId id = 0; id < source.tracks().size(); ++id) {
        if (!marked.mark.passes_on(id)) {
            declare(source.tracks()[id], objects.tracks()[id], base);
            continue;
        }
        origins_.emplace_back().passes = true;
        schema_.declare(source.tracks()[id]);
    }
    if (!beside_relations) return;
    const RelationsBeside beside(marked);
    const auto first = static_cast<TrackId>(schema_.tracks().size());
    for (const std::size_t object : beside.objects)
        schema_.declare(ends_of(objects.tracks()[object], timed(objects.tracks()[object].time, base)));
    for (TrackId id = 0; id < origins_.size(); ++id)
        if (beside.of_object[id] != RelationsBeside::absent)
            origins_[id].relation = first + static_cast<TrackId>(beside.of_object[id]);
}

void SampleIntervals::declare(const Track& signal, const Track& object, const std::optional<TimeBase>& base) {
    Origin& origin = origins_.emplace_back();
    Track stream = stream_of(signal, object);
    stream.time = timed(stream.time, base);
    origin.duration = object.kind == Track::Kind::hart ? 1 : 0;
    origin.is_interval = is_stream(object);
    origin.mark = static_cast<std::uint32_t>(stream.fields.size() - 1);
    if (object.kind == Track::Kind::signal) origin.flags = origin.mark - 1;
    origin.text = text_fields(stream.fields);
    if (!origin.is_interval) origin.bytes = byte_fields(signal.fields);
    if (object.kind == Track::Kind::hart) origin.registers = std::make_unique<RegisterAttributes>(signal.fields);
    schema_.declare(std::move(stream));
}

std::uint64_t SampleIntervals::cell(const Origin& origin, const Attribute& value) {
    if (origin.text.empty() || !origin.text[value.field]) return value.value;
    const auto text = static_cast<StringId>(value.value);
    if (origin.bytes.empty() || !origin.bytes[value.field]) return copies_.text(text);
    hex_.clear();
    append_hex_digits(as_bytes(source_.text(text)), hex_);
    return schema_.intern(hex_);
}

void SampleIntervals::apply(const Batch& in, Batch& out) {
    for (const Record& sample : in.records()) {
        const Origin& origin = origins_[sample.track];
        if (origin.passes) {
            copies_.copy(in, sample, sample.track, out);
            continue;
        }
        std::span<const Attribute> values = in.attributes(sample);
        std::uint64_t duration = origin.duration;
        std::uint32_t before = 0;
        if (origin.is_interval) {
            duration = values.front().value;
            values = values.subspan(1);
            before = 1;
        }
        attributes_.clear();
        if (origin.registers)
            origin.registers->put(values, schema_, sample.track, attributes_);
        else
            for (const Attribute& value : values) {
                const std::uint32_t field = value.field - before;
                attributes_.push_back({field, cell(origin, {field, value.value})});
            }
        if (origin.flags != none && sample.flags != 0) attributes_.push_back({origin.flags, sample.flags});
        if (sample.value != 0) attributes_.push_back({origin.mark, sample.value});
        out.interval(sample.track, sample.time, duration, attributes_);
        if (origin.relation == none || values.size() < 2) continue;
        const std::uint64_t ends[] = {values[0].value, values[1].value};
        out.relation(origin.relation, sample.time, ends);
    }
}

// --- conversion of intervals back to samples -------------------------------------------------------------------------

bool SignalsOfIntervals::is_made(const Schema& source) {
    const auto marked = MarkedTracks::of(source);
    if (!marked || marked->signals.empty() || source.tracks().size() < marked->signals.size()) return false;
    for (std::size_t id = 0; id < marked->signals.size(); ++id) {
        if (marked->mark.passes_on(id)) continue;
        const Track& track = source.tracks()[id];
        if (!is_stream(track)) return false;
        const Track made = stream_of(marked->signals[id], marked->objects.tracks()[id]);
        if (track.name != made.name || !alike(made.fields, track.fields)) return false;
    }
    return true;
}

bool SignalsOfIntervals::has_instructions(const Schema& source) {
    const auto marked = MarkedTracks::of(source);
    if (!marked) return false;
    const auto& objects = marked->objects.tracks();
    return std::ranges::find(objects, Track::Kind::hart, &Track::kind) != objects.end();
}

SignalsOfIntervals::SignalsOfIntervals(const Schema& source, Losses& losses)
    : source_(source), losses_(losses), copies_(source, schema_) {
    const MarkedTracks marked = MarkedTracks::of(source).value();
    const Schema& objects = marked.objects;
    const std::vector<Track>& signals = marked.signals;
    declare_all_but_tracks(source, schema_);
    const RelationsBeside beside(marked);
    for (std::size_t id = 0; id < signals.size(); ++id) {
        const Track& object = objects.tracks()[id];
        if (marked.mark.passes_on(id)) {
            origins_.emplace_back().passes = true;
            schema_.declare(source.tracks()[id]);
            continue;
        }
        Track signal = signals[id];
        signal.time = source.tracks()[id].time;
        Origin& origin = origins_.emplace_back();
        origin.is_interval = is_stream(object);
        const Track made = stream_of(signal, object);
        origin.mark = static_cast<std::uint32_t>(made.fields.size() - 1);
        if (object.kind == Track::Kind::signal) origin.flags = origin.mark - 1;
        origin.text = text_fields(made.fields);
        if (!origin.is_interval) origin.bytes = byte_fields(signal.fields);
        if (object.kind == Track::Kind::hart) origin.registers = std::make_unique<RegisterAttributes>(signal.fields);
        // The relation track beside the samples follows all streams and has the name of the source's relation track.
        if (const std::size_t of = beside.of_object[id]; of != RelationsBeside::absent)
            for (auto track = static_cast<TrackId>(signals.size()); track < source.tracks().size(); ++track)
                if (is_relation(source.tracks()[track]) && source.tracks()[track].name == object.name)
                    origin.relation = track;
        schema_.declare(std::move(signal));
    }
    relations_.resize(source.tracks().size());
    beside_.resize(source.tracks().size());
    for (const Origin& origin : origins_)
        if (origin.relation != none) beside_[origin.relation] = true;
}

void SignalsOfIntervals::lost(Loss loss, const Record& record, std::uint64_t count) {
    losses_.count(
        loss, source_.tracks()[record.track].name,
        [&] { return std::string(name_of(record.kind)).append(" at ").append(std::to_string(record.time)); }, count);
}

void SignalsOfIntervals::apply(const Batch& in, Batch& out) {
    for (const Record& record : in.records()) {
        if (record.track < origins_.size() && origins_[record.track].passes)
            copies_.copy(in, record, record.track, out);
        else if (record.track < origins_.size() && origins_[record.track].registers)
            append_instruction(in, record, origins_[record.track], out);
        else if (record.track < origins_.size())
            put(in, record, origins_[record.track], out);
        else if (record.track < beside_.size() && beside_[record.track])
            pass_relation(record);
        else
            lost(record.kind == Kind::relation ? Loss::relation_dropped : Loss::kind_dropped, record);
    }
}

void SignalsOfIntervals::append_instruction(const Batch& in, const Record& record, const Origin& origin, Batch& out) {
    values_.clear();
    origin.registers->take(in.attributes(record), source_.tracks()[record.track].fields, origin.mark + 1, values_,
                           [&](const Attribute&) { lost(Loss::field_dropped, record); });
    std::uint64_t mark = 0;
    if (const auto found = std::ranges::find(values_, origin.mark, &Attribute::field); found != values_.end()) {
        mark = found->value;
        values_.erase(found);
    }
    out.change(record.track, record.time, values_, mark);
}

void SignalsOfIntervals::put(const Batch& in, const Record& record, const Origin& origin, Batch& out) {
    values_.clear();
    const std::uint32_t before = origin.is_interval ? 1 : 0;
    if (origin.is_interval) values_.push_back({0, record.value});
    std::uint64_t mark = 0;
    std::uint8_t flags = 0;
    for (const Attribute& attribute : in.attributes(record)) {
        const std::uint32_t field = attribute.field;
        if (field == origin.flags) {
            flags = static_cast<std::uint8_t>(attribute.value & SignalMaking::kept_flags);
            continue;
        }
        if (field == origin.mark) {
            mark = attribute.value;
            continue;
        }
        if (field > origin.mark) {
            lost(Loss::field_dropped, record);
            continue;
        }
        std::uint64_t cell = attribute.value;
        if (!origin.text.empty() && origin.text[field]) {
            const auto text = static_cast<StringId>(cell);
            if (!origin.bytes.empty() && origin.bytes[field]) {
                bytes_.clear();
                append_bytes_of_hex(source_.text(text), bytes_);
                cell = schema_.intern(as_text(bytes_));
            } else {
                cell = copies_.text(text);
            }
        }
        values_.push_back({field + before, cell});
    }
    if (origin.relation != none) --relations_[origin.relation];
    out.change(record.track, record.time, values_, mark).flags = flags;
}

/// Counts a relation, which is redundant with its sample. Attributes other than the ends are lost.
void SignalsOfIntervals::pass_relation(const Record& record) {
    ++relations_[record.track];
    if (record.count > 2) lost(Loss::field_dropped, record);
}

bool SignalsOfIntervals::finish(Batch&) {
    for (TrackId id = 0; id < relations_.size(); ++id)
        if (relations_[id] > 0)
            losses_.count(
                Loss::relation_dropped, source_.tracks()[id].name, [] { return "added by another tool"; },
                static_cast<std::uint64_t>(relations_[id]));
    return false;
}

}  // namespace hwtrace
