#include "convert/transforms/signal_making.hpp"

#include <algorithm>
#include <limits>
#include <optional>
#include <utility>

#include "convert/transforms/signal_mark.hpp"
#include "domain/conventions.hpp"
#include "domain/durations.hpp"
#include "domain/record_mark.hpp"
#include "domain/tick_ratio.hpp"
#include "io/cursor.hpp"
#include "model/hash.hpp"

namespace hwtrace {

namespace {

namespace names = conventions;

bool is_signal(const Track& track) noexcept {
    return track.kind == Track::Kind::signal;
}

/// Returns true if the schema has metadata of the format. Its signals then come from a file of that format.
bool is_from(const Schema& schema, std::string_view format) {
    const std::string own = std::string(format) + '.';
    return std::ranges::any_of(schema.metadata(), [&](const Metadata& fact) { return fact.key.starts_with(own); });
}

/// Gives the fields of a signal unique names, because a target may distinguish them by name only.
std::vector<Field> apart(std::vector<Field> fields) {
    HashMap<std::string, std::size_t> times;
    for (const Field& field : fields)
        ++times[field.name];
    HashSet<std::string> taken;
    for (const auto& [name, count] : times)
        taken.insert(name);
    for (std::size_t i = 0; i < fields.size(); ++i) {
        if (times[fields[i].name] == 1) continue;
        do
            fields[i].name.append("#").append(std::to_string(i));
        while (!taken.insert(fields[i].name).second);
    }
    return fields;
}

/// Returns which of the members of a track are in ticks of the track. A stream's first member is the duration.
std::vector<bool> durations_in(const Track& track, const std::vector<Field>& members) {
    std::vector<bool> durations;
    durations.reserve(members.size());
    for (const Field& member : members)
        durations.push_back(member.type == Type::time);
    if (track.kind == Track::Kind::stream && !durations.empty()) durations.front() = true;
    return durations;
}

/// Returns true if the track is of the object's kind and name, and its first fields are those of the object.
bool begins_like(const Track& track, const Track& object) {
    return track.kind == object.kind && track.name == object.name && track.fields.size() >= object.fields.size() &&
           std::equal(object.fields.begin(), object.fields.end(), track.fields.begin(),
                      [](const Field& a, const Field& b) { return a.name == b.name && a.type == b.type; });
}

/// Returns the time base of the signal for a track. It is a base in which a tick of the track is a whole number.
TimeBase base_of_signal(const Track& track, const Format& to) noexcept {
    if (to.writes.stated_base == nullptr || is_signal(track) || !has_duration(track.time)) return track.time;
    const TimeBase stated = to.writes.stated_base(track.time);
    const std::optional<Ratio> ticks = ticks_in(track.time, stated);
    return ticks && ticks->den == 1 && ticks->num != 1 ? stated : track.time;
}

}  // namespace

// --- from records to signals -----------------------------------------------------------------------------------------

SignalMaking::SignalMaking(const Schema& source, const Format& to, RecordOrder order, Losses& losses,
                           std::vector<bool> passes)
    : losses_(losses), counts_(order != RecordOrder::by_time), copies_(source, schema_) {
    declare_all_but_tracks(source, schema_);
    is_own_ = is_from(source, to.name);
    Schema kept;
    declare_objects(source, kept);
    RecordMark mark{to.name, order};
    passes.resize(source.tracks().size());
    for (TrackId id = 0; id < source.tracks().size(); ++id) {
        const Track& track = source.tracks()[id];
        declare(track, to, passes[id]);
        if (origins_.back().passes && !passes[id]) continue;
        kept.declare(track);
        mark.passes.push_back(passes[id]);
    }
    schema_.describe(std::string(names::record_source), mark.text(kept));
}

bool SignalMaking::rescales(const Track& track, const Format& to) noexcept {
    return !belongs_to(track, to.name) && base_of_signal(track, to) != track.time;
}

void SignalMaking::declare(const Track& track, const Format& to, bool passes) {
    Origin& origin = origins_.emplace_back();
    origin.passes = passes || (!is_signal(track) && belongs_to(track, to.name));
    if (origin.passes || is_signal(track)) {
        origin.text = text_fields(track.fields);
        Track same = track;
        if (!origin.passes && !is_own_) same.fields = apart(std::move(same.fields));
        origin.target = schema_.declare(std::move(same));
        return;
    }
    Track signal = signal_of(track, counts_, &schema_);
    origin.text = text_fields(signal.fields);
    origin.first = static_cast<std::uint32_t>(first_members(track).size());
    origin.fields = static_cast<std::uint32_t>(track.fields.size());
    origin.fixed = static_cast<std::uint32_t>(track.fixed_fields());
    origin.properties = static_cast<std::uint32_t>(track.properties.size());
    if (counts_) origin.order = static_cast<std::uint32_t>(signal.fields.size() - 1);
    signal.time = base_of_signal(track, to);
    origin.ticks = ticks_in(track.time, signal.time).value_or(Ratio{});
    if (origin.ticks != Ratio{}) origin.durations = durations_in(track, signal.fields);
    origin.target = schema_.declare(std::move(signal));
}

void SignalMaking::apply(const Batch& in, Batch& out) {
    for (const Record& record : in.records())
        put(in, record, out);
}

/// Converts ticks of the track to ticks of its signal.
Tick SignalMaking::scaled(const Origin& origin, Tick ticks) {
    const Scaled result = scale(ticks, origin.ticks);
    if (result.saturated) [[unlikely]]
        losses_.count(Loss::time_rounded, schema_.tracks()[origin.target].name,
                      [&] { return std::to_string(ticks) + " ticks exceed 63 bits in the unit of the target"; });
    return result.value;
}

void SignalMaking::add(const Origin& origin, std::uint32_t member, std::uint64_t cell) {
    if (!origin.durations.empty() && origin.durations[member]) {
        constexpr auto most = std::uint64_t{std::numeric_limits<Tick>::max()};
        cell = static_cast<std::uint64_t>(scaled(origin, static_cast<Tick>(std::min(cell, most))));
    }
    const bool text = member < origin.text.size() && origin.text[member];
    values_.push_back({member, text ? std::uint64_t{copies_.text(static_cast<StringId>(cell))} : cell});
}

/// Appends the values of a set, add or clear record. Returns false for fields that the storage lacks, and for an add
/// record of a string.
bool SignalMaking::append_operation(const Record& record, const Origin& origin) {
    const bool property = is_property(record);
    if (!property) values_.push_back({0, record.ref});
    if (record.kind == Kind::clear) return true;
    if (record.field >= (property ? origin.properties : origin.fields)) return false;
    const std::uint32_t member = origin.first + (property ? origin.fields : 0) + record.field;
    if (record.kind == Kind::add && !origin.text.empty() && origin.text[member]) return false;
    add(origin, member, record.value);
    return true;
}

void SignalMaking::put(const Batch& in, const Record& record, Batch& out) {
    const Origin& origin = origins_[record.track];
    if (origin.passes) {
        copies_.copy(in, record, origin.target, out);
        return;
    }
    values_.clear();
    std::uint64_t mark = change_unmarked;
    if ((record.flags & record_first_of_frame) != 0) mark |= frame_mark;
    if ((record.flags & record_restated) != 0) mark |= restated_mark;
    switch (record.kind) {
        case Kind::event:
        case Kind::relation: {
            const std::span<const std::uint64_t> cells = in.cells(record);
            const auto count = static_cast<std::uint32_t>(cells.size());
            for (std::uint32_t i = 0; i < std::min(origin.fixed, count); ++i)
                add(origin, i, cells[i]);
            const std::uint32_t row = origin.fields - origin.fixed;
            for (std::uint32_t member = origin.fixed; member < origin.fields; ++member)
                for (std::uint32_t at = member; at < count; at += row)
                    add(origin, member, cells[at]);
            break;
        }
        case Kind::interval:
            add(origin, 0, record.value);
            for (const Attribute& attribute : in.attributes(record))
                add(origin, origin.first + attribute.field, attribute.value);
            break;
        case Kind::set:
        case Kind::clear:
        case Kind::add:
            if (record.kind == Kind::add) mark |= add_mark;
            if (append_operation(record, origin)) break;
            return losses_.count(Loss::kind_dropped, schema_.tracks()[origin.target].name, [&] {
                return std::string(name_of(record.kind)).append(" at ").append(std::to_string(record.time));
            });
        case Kind::instruction:
            InstructionValues::put(in, record, values_);
            break;
        case Kind::note:
            values_.push_back({0, schema_.intern(in.text(record))});
            break;
        case Kind::native:
            values_.push_back({0, schema_.intern(as_text(in.bytes(record)))});
            break;
        case Kind::change:
            for (const Attribute& attribute : in.attributes(record))
                add(origin, attribute.field, attribute.value);
            mark = record.value;
            break;
    }
    if (counts_) {
        ++count_;
        if (origin.order != none) values_.push_back({origin.order, count_});
    }
    const Tick time = origin.ticks == Ratio{} ? record.time : scaled(origin, record.time);
    out.change(origin.target, time, values_, mark).flags = static_cast<std::uint8_t>(record.flags & kept_flags);
}

// --- from signals to records -----------------------------------------------------------------------------------------

bool RecordsOfSignals::is_made(const Schema& schema) {
    const auto marked = MarkedTracks::of(schema);
    if (!marked) return false;
    const std::vector<Track>& signals = marked->signals;
    if (marked->mark.passes.empty())
        return static_cast<std::size_t>(std::ranges::count_if(schema.tracks(), is_signal)) == signals.size();
    if (schema.tracks().size() < signals.size()) return false;
    for (TrackId id = 0; id < signals.size(); ++id) {
        const Track &track = schema.tracks()[id], &object = marked->objects.tracks()[id];
        if (marked->mark.passes_on(id) ? !begins_like(track, object) : !is_signal(track)) return false;
    }
    return true;
}

bool RecordsOfSignals::reorders(const Schema& schema) {
    Schema objects;
    const auto mark = RecordMark::read(schema, objects);
    return mark && mark->counts();
}

bool RecordsOfSignals::are_time_ordered(const Schema& schema) {
    Schema objects;
    const auto mark = RecordMark::read(schema, objects);
    return mark && mark->order != RecordOrder::any;
}

RecordsOfSignals::RecordsOfSignals(const Schema& source, std::string folder, Losses& losses)
    : source_(source),
      losses_(losses),
      copies_(source, schema_),
      reorders_(reorders(source)),
      sorter_(std::move(folder)) {
    const RecordMark mark = RecordMark::read(source, schema_).value_or(RecordMark{});
    const std::string own = std::string(mark.format) + '.';
    // Metadata of the target format describes its file, not the trace.
    for (const Metadata& fact : source.metadata())
        if (fact.key != names::record_source && !fact.key.starts_with(own)) schema_.describe(fact.key, fact.value);
    for (const Track& track : schema_.tracks())
        members_.push_back(is_signal(track) ? apart(track.fields) : members_of(track, nullptr));
    TrackId next = 0;
    for (const Track& track : source.tracks()) {
        Origin& origin = origins_.emplace_back();
        if (mark.passes.empty() ? !is_signal(track) : next == mark.passes.size()) continue;
        origin.passes = mark.passes_on(next);
        origin.target = next++;
        origin.ticks = ticks_in(track.time, schema_.tracks()[origin.target].time).value_or(Ratio{1, 1});
    }
}

/// Returns the target's field for a field of a signal. This is an equal field, or a field with the same name whose type
/// the mark states. Adds the field if the target has neither.
std::uint32_t RecordsOfSignals::field_of_signal(Origin& origin, const Field& field) {
    const Track& target = schema_.tracks()[origin.target];
    if (const auto same = std::ranges::find(target.fields, field); same != target.fields.end())
        return static_cast<std::uint32_t>(same - target.fields.begin());
    const std::vector<Field>& members = members_[origin.target];
    const auto named = std::ranges::find(members, field.name, &Field::name);
    if (named != members.end()) {
        const bool is_text = holds_text(named->type);
        const bool states = named->type == Type::logic && !holds_text(field.type) && field.width != 0;
        if (states) origin.digits.back() = field.width;
        if (states || is_text == holds_text(field.type)) return static_cast<std::uint32_t>(named - members.begin());
    }
    return schema_.add_attribute(origin.target, field);
}

/// Maps fields that were added to the source since the last call.
void RecordsOfSignals::meet_fields(TrackId source) {
    Origin& origin = origins_[source];
    const std::vector<Field>& fields = source_.tracks()[source].fields;
    const Track& target = schema_.tracks()[origin.target];
    const std::vector<Field>& members = members_[origin.target];
    for (std::size_t i = origin.fields.size(); i < fields.size(); ++i) {
        const bool is_text = holds_text(fields[i].type);
        origin.text.push_back(is_text);
        origin.digits.push_back(0);
        origin.durations.push_back(false);
        if (is_signal(target)) {
            origin.fields.push_back(field_of_signal(origin, fields[i]));
            continue;
        }
        const auto member = std::ranges::find(members, fields[i].name, &Field::name);
        if (member == members.end())
            origin.fields.push_back(fields[i].name == names::attribute_order ? order_field : none);
        else
            origin.fields.push_back(
                holds_text(member->type) == is_text ? static_cast<std::uint32_t>(member - members.begin()) : none);
        if (member != members.end() && origin.ticks != Ratio{})
            origin.durations.back() = durations_in(target, members)[static_cast<std::size_t>(member - members.begin())];
    }
}

std::uint64_t RecordsOfSignals::cell(const Origin& origin, const Attribute& value) {
    if (origin.text[value.field]) return copies_.text(static_cast<StringId>(value.value));
    if (origin.durations[value.field])
        return static_cast<std::uint64_t>(scale(static_cast<Tick>(value.value), origin.ticks).value);
    if (origin.digits[value.field] == 0) return value.value;
    states_.clear();
    for (unsigned bit = origin.digits[value.field]; bit > 0; --bit)
        states_ += (value.value >> (bit - 1) & 1) != 0 ? '1' : '0';
    return schema_.intern(states_);
}

/// Returns the position to which the record is restored.
std::uint64_t RecordsOfSignals::order_of(const Batch& in, const Record& change) {
    const Origin& origin = origins_[change.track];
    if (origin.target == none || origin.passes) return greatest_order_;
    if (origin.fields.size() != source_.tracks()[change.track].fields.size()) meet_fields(change.track);
    std::uint64_t order = greatest_order_;
    if (!is_signal(schema_.tracks()[origin.target]))
        for (const Attribute& value : in.attributes(change))
            if (origin.fields[value.field] == order_field) order = value.value;
    greatest_order_ = std::max(greatest_order_, order);
    return order;
}

void RecordsOfSignals::apply(const Batch& in, Batch& out) {
    for (const Record& record : in.records()) {
        if (reorders_ && (record.kind == Kind::change || origins_[record.track].passes))
            sorter_.add(order_of(in, record), 0, in, record);
        else
            put(in, record, out);
    }
}

bool RecordsOfSignals::finish(Batch& out) {
    if (!reorders_) return false;
    held_.clear();
    places_.clear();
    const bool more = sorter_.give(held_, places_);
    for (const Record& record : held_.records())
        put(held_, record, out);
    return more;
}

void RecordsOfSignals::lost(const Record& record, std::string_view why) {
    losses_.count(Loss::kind_dropped, source_.tracks()[record.track].name,
                  [&] { return std::string(why).append(" at ").append(std::to_string(record.time)); });
}

/// Copies a record of a track that was passed on. Attributes that the track got since then become its attributes.
void RecordsOfSignals::pass(const Batch& in, const Record& record, const Origin& origin, Batch& out) {
    const std::vector<Field>& fields = source_.tracks()[record.track].fields;
    while (schema_.tracks()[origin.target].fields.size() < fields.size())
        schema_.add_attribute(origin.target, fields[schema_.tracks()[origin.target].fields.size()]);
    copies_.copy(in, record, origin.target, out);
}

void RecordsOfSignals::put(const Batch& in, const Record& record, Batch& out) {
    const Origin& origin = origins_[record.track];
    if (origin.passes) return pass(in, record, origin, out);
    if (origin.target == none || record.kind != Kind::change) return lost(record, name_of(record.kind));
    if (origin.fields.size() != source_.tracks()[record.track].fields.size()) meet_fields(record.track);
    const Track& track = schema_.tracks()[origin.target];
    const bool is_bytes = track.kind == Track::Kind::notes || track.kind == Track::Kind::native;
    values_.clear();
    for (const Attribute& value : in.attributes(record)) {
        const std::uint32_t field = origin.fields[value.field];
        if (field == none) return lost(record, "a member that the trace does not have");
        if (field != order_field) values_.push_back({field, is_bytes ? value.value : cell(origin, value)});
    }
    const Tick time = origin.ticks == Ratio{1, 1} ? record.time : scale(record.time, origin.ticks).value;
    const bool is_add = (record.value & SignalMaking::add_mark) != 0;
    Record* made = nullptr;
    switch (track.kind) {
        case Track::Kind::signal:
            out.change(origin.target, time, values_, record.value).flags = record.flags;
            return;
        case Track::Kind::stream:
            made = make_interval(origin.target, time, out);
            break;
        case Track::Kind::storage:
            made = make_operation(track, origin.target, time, is_add, out);
            break;
        case Track::Kind::hart:
            if (instructions_.instruction(origin.target, time, values_, out)) made = &out.mutable_records().back();
            break;
        case Track::Kind::notes:
        case Track::Kind::native: {
            if (values_.size() != 1) break;
            const std::string_view text = source_.text(static_cast<StringId>(values_.front().value));
            made = track.kind == Track::Kind::notes ? &out.note(origin.target, time, text)
                                                    : &out.native(origin.target, time, as_bytes(text));
            break;
        }
        case Track::Kind::event_type:
        case Track::Kind::relation_type:
            made = make_event(track, origin.target, time, out);
            break;
    }
    if (made == nullptr) return lost(record, "members are missing");
    if ((record.value & SignalMaking::frame_mark) != 0) made->flags |= record_first_of_frame;
    if ((record.value & SignalMaking::restated_mark) != 0) made->flags |= record_restated;
}

// Each of the next functions makes a record from `values_`, or returns null if the values do not fit.

Record* RecordsOfSignals::make_interval(TrackId id, Tick time, Batch& out) {
    std::optional<std::uint64_t> duration;
    std::size_t attributes = 0;
    for (const Attribute& value : values_) {
        if (value.field == 0)
            duration = value.value;
        else
            values_[attributes++] = {value.field - 1, value.value};
    }
    if (!duration) return nullptr;
    return &out.interval(id, time, *duration, std::span(values_).first(attributes));
}

Record* RecordsOfSignals::make_operation(const Track& track, TrackId id, Tick time, bool is_add, Batch& out) {
    if (values_.empty() || values_.size() > 2) return nullptr;
    const bool has_slot = values_.front().field == 0;
    const Attribute& last = values_.back();
    const std::size_t fields = track.fields.size();
    if (!has_slot) {
        if (values_.size() != 1 || last.field <= fields) return nullptr;
        return &out.set_property(id, time, static_cast<std::uint16_t>(last.field - 1 - fields), last.value);
    }
    if (values_.front().value >= none) return nullptr;
    const auto slot = static_cast<std::uint32_t>(values_.front().value);
    if (values_.size() == 1) return &out.clear_slot(id, time, slot);
    if (last.field == 0 || last.field > fields) return nullptr;
    const auto field = static_cast<std::uint16_t>(last.field - 1);
    return is_add ? &out.add(id, time, slot, field, last.value) : &out.set(id, time, slot, field, last.value);
}

/// Makes an event or a relation. Arrays become its rows.
Record* RecordsOfSignals::make_event(const Track& track, TrackId id, Tick time, Batch& out) {
    const std::size_t fixed = track.fixed_fields(), row = track.fields.size() - fixed;
    if (columns_.size() < row) columns_.resize(row);
    for (std::size_t i = 0; i < row; ++i)
        columns_[i].clear();
    cells_.assign(fixed, 0);
    seen_.assign(fixed, false);
    std::size_t known = 0;
    for (const Attribute& value : values_) {
        if (value.field >= fixed) {
            columns_[value.field - fixed].push_back(value.value);
            continue;
        }
        if (seen_[value.field]) return nullptr;
        cells_[value.field] = value.value;
        seen_[value.field] = true;
        ++known;
    }
    if (known != fixed) return nullptr;
    const std::size_t rows = row == 0 ? 0 : columns_.front().size();
    for (std::size_t i = 0; i < row; ++i)
        if (columns_[i].size() != rows) return nullptr;
    for (std::size_t at = 0; at < rows; ++at)
        for (std::size_t i = 0; i < row; ++i)
            cells_.push_back(columns_[i][at]);
    const bool is_relation = track.kind == Track::Kind::relation_type;
    return is_relation ? &out.relation(id, time, cells_) : &out.event(id, time, cells_);
}

}  // namespace hwtrace
