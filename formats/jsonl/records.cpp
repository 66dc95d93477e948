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
constexpr std::array register_classes{RegisterClass::csr, RegisterClass::integer, RegisterClass::floating,
                                      RegisterClass::vector};
constexpr std::array roles{OperandRole::state, OperandRole::source, OperandRole::destination};
constexpr std::array access_types{AccessType::invalid, AccessType::read, AccessType::write};

Field field_named(std::string_view name, Type type) {
    Field field;
    field.name = name;
    field.type = type;
    return field;
}

/// Returns a type that can hold values of both types.
Type common_type(Type before, Type after) noexcept {
    const auto is_number = [](Type type) { return type == Type::u64 || type == Type::i64 || type == Type::f64; };
    if (before == after) return before;
    if (!is_number(before) || !is_number(after)) return Type::text;
    return before == Type::f64 || after == Type::f64 ? Type::f64 : Type::i64;
}

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
        track.fields = {field_named(conventions::relation_from, Type::u64),
                        field_named(conventions::relation_to, Type::u64)};
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
    batch.mutable_records().back().flags |= common.flags;
}

// --- events ----------------------------------------------------------------------------------------------------------

/// Adds a field to a track with undeclared fields. If the track has records, a new track with the same name replaces
/// it.
std::uint32_t Records::add_field(TrackId& id, std::string_view key, JsonValue value) {
    Field made = field_named(key, Values::type_of(value));
    if (!tracks_.facts(id).has_records) return tracks_.add_attribute(id, std::move(made));
    Track track = schema_.tracks()[id];
    lines_.report(Check::track_grows, {}, shown(track.name));
    track.fields.push_back(std::move(made));
    id = tracks_.replace(id, std::move(track));
    return static_cast<std::uint32_t>(schema_.tracks()[id].fields.size() - 1);
}

void Records::widen(TrackId& id, std::uint32_t number, Type type) {
    Track track = schema_.tracks()[id];
    lines_.report(Check::track_grows, {}, shown(track.name));
    track.fields[number].type = type;
    id = tracks_.replace(id, std::move(track));
}

void Records::fixed_value(TrackId& id, JsonMember member) {
    const std::string_view key = text_of(member.key, key_scratch_);
    std::uint32_t number = expected_;
    if (number >= cells_.size() || tracks_.facts(id).fields[number] != key) {
        number = tracks_.facts(id).fields.find(key);
        const bool may_grow = tracks_.facts(id).is_open && tracks_.facts(id).fixed == tracks_.facts(id).fields.size();
        if (number == none && may_grow) {
            if (member.value.is_null()) return;
            number = add_field(id, key, member.value);
            cells_.resize(tracks_.facts(id).fixed);
            given_.resize(cells_.size());
        }
    }
    if (number >= cells_.size()) return lines_.report(Check::field_unknown, {}, shown(member.key));
    expected_ = number + 1;
    const auto field = [&]() -> const Field& { return schema_.tracks()[id].fields[number]; };
    std::uint64_t cell = 0;
    Fit fit = convert_in_range(field(), member.value, cell);
    if (fit == Fit::wrong && tracks_.facts(id).is_open && !member.value.is_object() && !member.value.is_array()) {
        const Type wider = common_type(field().type, Values::type_of(member.value));
        if (wider != field().type) {
            widen(id, number, wider);
            fit = convert(field(), member.value, cell);
        }
    }
    if (fit == Fit::absent) return;
    if (fit == Fit::wrong)
        lines_.report(Check::value_wrong, std::string(name_of(field().type)), shown(member.value.raw));
    cells_[number] = fit == Fit::good ? cell : values_.nothing(field());
    given_[number] = true;
}

/// Fills the cells that have no value. The first of `cells` belongs to the track's field `from`.
void Records::missing_cells(TrackId id, std::size_t from, std::span<std::uint64_t> cells) {
    const bool tells = !tracks_.facts(id).is_open;
    for (std::size_t i = 0; i < cells.size(); ++i) {
        if (given_[i]) continue;
        const Field& field = schema_.tracks()[id].fields[from + i];
        cells[i] = values_.nothing(field);
        if (tells) lines_.report(Check::value_missing, {}, shown(field.name));
    }
}

bool Records::row(TrackId id, JsonValue row) {
    if (!row.is_object()) return false;
    const TrackFacts& facts = tracks_.facts(id);
    const std::vector<Field>& fields = schema_.tracks()[id].fields;
    const std::size_t first = cells_.size(), width = fields.size() - facts.fixed;
    cells_.resize(first + width);
    given_.assign(width, false);
    auto expected = static_cast<std::uint32_t>(facts.fixed);
    JsonWalk walk(row);
    for (JsonMember member; walk.next(member);) {
        const std::string_view key = text_of(member.key, key_scratch_);
        std::uint32_t number = expected;
        if (number >= fields.size() || facts.fields[number] != key) number = facts.fields.find(key);
        if (number == none || number < facts.fixed) {
            lines_.report(Check::field_unknown, {}, shown(member.key));
            continue;
        }
        expected = number + 1;
        std::uint64_t cell = 0;
        const Fit fit = convert_in_range(fields[number], member.value, cell);
        if (fit == Fit::absent) continue;
        if (fit == Fit::wrong)
            lines_.report(Check::value_wrong, std::string(name_of(fields[number].type)), shown(member.value.raw));
        cells_[first + number - facts.fixed] = fit == Fit::good ? cell : values_.nothing(fields[number]);
        given_[number - facts.fixed] = true;
    }
    missing_cells(id, facts.fixed, std::span(cells_).subspan(first));
    return true;
}

void Records::rows(TrackId id, JsonValue rows) {
    const TrackFacts& facts = tracks_.facts(id);
    if (!rows.is_array() || facts.fixed == facts.fields.size()) return wrong("rows", &rows);
    JsonWalk walk(rows);
    for (JsonValue element; walk.next(element);)
        if (!row(id, element)) wrong("rows", &element);
}

bool Records::event(TrackId& id, Tick time, Kind kind, Batch& batch) {
    cells_.assign(tracks_.facts(id).fixed, 0);
    given_.assign(cells_.size(), false);
    expected_ = 0;
    const JsonValue* const fields = find_member(rest_, "fields");
    const JsonValue* const all_rows = find_member(rest_, "rows");
    if (fields != nullptr && fields->is_object()) {
        JsonWalk walk(*fields);
        for (JsonMember member; walk.next(member);)
            fixed_value(id, member);
        for (const JsonMember& member : rest_)
            if (&member.value != fields && &member.value != all_rows) unknown_member(member.key);
    } else {
        const bool has_rows = all_rows != nullptr && tracks_.facts(id).fixed != tracks_.facts(id).fields.size();
        for (const JsonMember& member : rest_)
            if (!has_rows || &member.value != all_rows) fixed_value(id, member);
    }
    missing_cells(id, 0, cells_);
    if (all_rows != nullptr && tracks_.facts(id).fixed != tracks_.facts(id).fields.size()) rows(id, *all_rows);
    tracks_.facts(id).has_records = true;
    if (kind == Kind::event)
        batch.event(id, time, cells_);
    else
        batch.relation(id, time, cells_);
    return true;
}

// --- intervals and changes -------------------------------------------------------------------------------------------

/// Returns the field with this key. Adds it if the track's fields are undeclared; otherwise reports a finding and
/// returns `none`.
std::uint32_t Records::field_for(TrackId id, std::string_view key, JsonValue value) {
    const TrackFacts& facts = tracks_.facts(id);
    if (expected_ < facts.fields.size() && facts.fields[expected_] == key) return expected_;
    const std::uint32_t number = facts.fields.find(key);
    if (number != none) return number;
    if (!facts.is_open) {
        lines_.report(Check::field_unknown, {}, shown(key));
        return none;
    }
    Field made = field_named(key, Values::type_of(value));
    if (value.is_array()) {
        JsonWalk walk(value);
        JsonValue first;
        made.repeated = true;
        made.type = walk.next(first) ? Values::type_of(first) : Type::text;
    }
    return tracks_.add_attribute(id, std::move(made));
}

void Records::attribute_value(TrackId id, std::uint32_t number, JsonValue value) {
    const Field& field = schema_.tracks()[id].fields[number];
    std::uint64_t cell = 0;
    const Fit fit = convert_in_range(field, value, cell);
    if (fit == Fit::good) [[likely]] {
        attributes_.push_back({number, cell});
        return;
    }
    if (fit == Fit::absent) return;
    // On a track with undeclared fields, a value of another type gets a second field with the same name.
    const bool makes = tracks_.facts(id).is_open && !value.is_object() && !value.is_array();
    if (!makes) return lines_.report(Check::value_wrong, std::string(name_of(field.type)), shown(value.raw));
    const Type type = Values::type_of(value);
    const std::uint32_t other = tracks_.find_field(id, field.name, type);
    if (other != none && convert_in_range(schema_.tracks()[id].fields[other], value, cell) == Fit::good) {
        attributes_.push_back({other, cell});
        return;
    }
    Field made = field_named(field.name, type);
    if (convert(made, value, cell) != Fit::good)
        return lines_.report(Check::value_wrong, std::string(name_of(type)), shown(value.raw));
    attributes_.push_back({tracks_.add_attribute(id, std::move(made)), cell});
}

void Records::attribute(TrackId id, std::string_view key, JsonValue value) {
    if (value.is_null()) return;
    const std::uint32_t number = field_for(id, text_of(key, key_scratch_), value);
    if (number == none) return;
    expected_ = number + 1;
    if (!value.is_array()) return attribute_value(id, number, value);
    JsonWalk walk(value);
    bool is_empty = true;
    for (JsonValue element; walk.next(element); is_empty = false)
        attribute_value(id, number, element);
    if (is_empty) empty_list(id, number);
}

/// Appends the statement that a repeated attribute has no elements.
void Records::empty_list(TrackId id, std::uint32_t number) {
    Field field{schema_.tracks()[id].fields[number].name, Type::boolean};
    field.name.append(conventions::empty_suffix);
    const std::uint32_t known = tracks_.find_field(id, field.name, field.type);
    attributes_.push_back({known == none ? tracks_.add_attribute(id, std::move(field)) : known, 1});
}

/// Appends attributes from an object with a value for each key, or from a list of [key, value] pairs.
void Records::attributes(TrackId id, JsonValue all) {
    JsonWalk walk(all);
    if (all.is_object()) {
        for (JsonMember member; walk.next(member);)
            attribute(id, member.key, member.value);
        return;
    }
    for (JsonValue element; walk.next(element);) {
        JsonValue key, value, more;
        const bool is_array = element.is_array();
        JsonWalk pair(element);
        if (!is_array || !pair.next(key) || !key.is_string() || !pair.next(value) || pair.next(more)) {
            wrong("attributes", &element);
            continue;
        }
        attribute(id, key.raw.substr(1, key.raw.size() - 2), value);
    }
}

bool Records::interval(TrackId id, Tick time, const Common& common, Batch& batch) {
    std::uint64_t duration = 0;
    if (common.duration == nullptr) {
        wrong("duration", nullptr);
        return false;
    }
    if (const auto number = whole_number(*common.duration)) {
        duration = *number;
        if (duration != 0) expect_no_unit(id, *common.duration);
    } else {
        const auto length = ticks(id, *common.duration);
        if (!length) return false;
        if (*length < 0) {
            lines_.report(Check::time_wrong, {}, shown(common.duration->raw));
            return false;
        }
        duration = static_cast<std::uint64_t>(*length);
    }
    attributes_.clear();
    expected_ = 0;
    const JsonValue* const all = find_member(rest_, "attributes");
    if (all != nullptr && (all->is_object() || all->is_array())) {
        attributes(id, *all);
        for (const JsonMember& member : rest_)
            if (&member.value != all) unknown_member(member.key);
    } else {
        for (const JsonMember& member : rest_)
            attribute(id, member.key, member.value);
    }
    batch.interval(id, time, duration, attributes_);
    return true;
}

bool Records::change(TrackId id, Tick time, Batch& batch) {
    attributes_.clear();
    expected_ = 0;
    std::uint64_t mark = change_unmarked;
    bool has_value = true;
    for (const JsonMember& member : rest_) {
        if (member.key == "values" && (member.value.is_object() || member.value.is_array())) {
            attributes(id, member.value);
        } else if (member.key == "mark") {
            const auto number = whole_number(member.value);
            if (!number) wrong("mark", &member.value);
            mark = number.value_or(change_unmarked);
        } else if (member.key == "no_value") {
            has_value = !member.value.is_true();
        } else if (member.key == "value" && member.value.is_null()) {
            has_value = false;
        } else if (member.key == "value" && schema_.tracks()[id].fields.size() == 1) {
            attribute(id, tracks_.facts(id).fields[0], member.value);
        } else {
            attribute(id, member.key, member.value);
        }
    }
    Record& record = batch.change(id, time, attributes_, mark);
    if (!has_value) record.flags |= record_no_value;
    return true;
}

// --- tables ----------------------------------------------------------------------------------------------------------

bool Records::slot(TrackId id, Tick time, Kind kind, Batch& batch) {
    const JsonValue* slot = nullptr;
    const JsonValue* field = nullptr;
    const JsonValue* property = nullptr;
    const JsonValue* value = nullptr;
    for (const JsonMember& member : rest_) {
        if (member.key == "slot")
            slot = &member.value;
        else if (member.key == "field")
            field = &member.value;
        else if (member.key == "property")
            property = &member.value;
        else if (member.key == "value")
            value = &member.value;
        else
            unknown_member(member.key);
    }
    std::uint32_t place = 0;
    if (property == nullptr) {
        const auto number = slot == nullptr ? std::nullopt : small_number<std::uint32_t>(*slot);
        if (!number) {
            wrong("slot", slot);
            return false;
        }
        place = *number;
    }
    if (kind == Kind::clear) {
        batch.clear_slot(id, time, place);
        return true;
    }
    const JsonValue* const which = property == nullptr ? field : property;
    const std::string_view member = property == nullptr ? "field" : "property";
    if (which == nullptr || value == nullptr) {
        wrong(which == nullptr ? member : "value", nullptr);
        return false;
    }
    const Track& track = schema_.tracks()[id];
    const std::vector<Field>& fields = property == nullptr ? track.fields : track.properties;
    const FieldKeys& keys = property == nullptr ? tracks_.facts(id).fields : tracks_.facts(id).properties;
    std::optional<std::uint16_t> number;
    if (which->is_string()) {
        const std::uint32_t found = keys.find(text_of(*which, key_scratch_));
        if (found <= std::numeric_limits<std::uint16_t>::max()) number = static_cast<std::uint16_t>(found);
        if (!number) {
            lines_.report(Check::field_unknown, {}, shown(which->raw));
            return false;
        }
    } else {
        number = small_number<std::uint16_t>(*which);
        if (!number) {
            wrong(member, which);
            return false;
        }
    }
    std::uint64_t cell = 0;
    const Field plain;
    const Field& type = *number < fields.size() ? fields[*number] : plain;
    const Fit fit = convert(type, *value, cell);
    if (fit != Fit::good) {
        lines_.report(Check::value_wrong, std::string(name_of(type.type)), shown(value->raw));
        cell = values_.nothing(type);
    }
    Record& record =
        kind == Kind::add ? batch.add(id, time, place, *number, cell) : batch.set(id, time, place, *number, cell);
    if (property != nullptr) record.flags |= record_property;
    return true;
}

// --- instructions ----------------------------------------------------------------------------------------------------

bool Records::words(JsonValue list) {
    cells_.clear();
    if (!list.is_array()) return false;
    JsonWalk walk(list);
    for (JsonValue element; walk.next(element);) {
        const auto word = whole_number(element);
        if (!word) return false;
        cells_.push_back(*word);
    }
    return true;
}

bool Records::operand(JsonValue object, Batch& batch) {
    if (!object.is_object()) return false;
    std::optional<OperandRole> role;
    std::optional<RegisterClass> register_class;
    std::uint16_t number = 0;
    std::optional<std::uint64_t> value;
    bool has_words = false;
    JsonWalk walk(object);
    for (JsonMember member; walk.next(member);) {
        if (member.key == "role" && member.value.is_string()) {
            role = find_named(roles, text_of(member.value, scratch_));
        } else if (member.key == "register" && member.value.is_string()) {
            const std::string_view name = text_of(member.value, scratch_);
            for (const RegisterClass candidate : register_classes) {
                if (!name.starts_with(name_of(candidate))) continue;
                const auto read = parse_digits(name.substr(name_of(candidate).size()));
                if (!read || *read > std::numeric_limits<std::uint16_t>::max()) return false;
                number = static_cast<std::uint16_t>(*read);
                register_class = candidate;
                break;
            }
        } else if (member.key == "value") {
            value = whole_number(member.value);
            if (!value) return false;
        } else if (member.key == "words") {
            has_words = words(member.value);
            if (!has_words) return false;
        } else {
            unknown_member(member.key);
        }
    }
    if (!role || !register_class || has_words != (*register_class == RegisterClass::vector)) return false;
    if (has_words)
        batch.vector_operand(number, *role, cells_);
    else
        batch.operand(number, *register_class, *role, value.value_or(0));
    return true;
}

bool Records::access(JsonValue object, Batch& batch) {
    if (!object.is_object()) return false;
    std::optional<AccessType> type;
    std::optional<std::uint64_t> address;
    std::optional<std::uint16_t> size{0}, attributes{0};
    cells_.clear();
    JsonWalk walk(object);
    for (JsonMember member; walk.next(member);) {
        if (member.key == "type" && member.value.is_string())
            type = find_named(access_types, text_of(member.value, scratch_));
        else if (member.key == "address")
            address = whole_number(member.value);
        else if (member.key == "size")
            size = small_number<std::uint16_t>(member.value);
        else if (member.key == "attributes")
            attributes = small_number<std::uint16_t>(member.value);
        else if (member.key != "data")
            unknown_member(member.key);
        else if (!words(member.value))
            return false;
    }
    if (!type || !address || !size || !attributes) return false;
    batch.access(*address, *size, *attributes, *type);
    for (const std::uint64_t word : cells_)
        batch.access_data(word);
    return true;
}

bool Records::order(JsonValue letters) {
    parts_.clear();
    if (!letters.is_string()) return false;
    for (const char letter : text_of(letters, scratch_)) {
        const std::size_t part = conventions::part_letters.find(letter);
        if (part == std::string_view::npos) return false;
        parts_.push_back(static_cast<Part>(part));
    }
    return true;
}

bool Records::instruction(TrackId id, Tick time, Batch& batch) {
    Instruction made;
    std::optional<std::uint64_t> pc;
    parts_.clear();
    const JsonValue* pc_value = nullptr;
    for (const JsonMember& member : rest_) {
        const JsonValue value = member.value;
        bool good = true;
        if (member.key == "pc") {
            pc_value = &member.value;
            pc = whole_number(value);
        } else if (member.key == "encoding" || member.key == "target") {
            const auto number = whole_number(value);
            good = number.has_value();
            (member.key == "target" ? made.target : made.encoding) = number.value_or(0);
            if (member.key == "target" && good) made.has_target = true;
        } else if (member.key == "size") {
            const auto size = small_number<std::uint8_t>(value);
            good = size.has_value();
            made.size = size.value_or(0);
        } else if (member.key == "operands" || member.key == "accesses") {
            good = value.is_array();
            JsonWalk walk(value);
            for (JsonValue element; good && walk.next(element);)
                if (!(member.key == "operands" ? operand(element, batch) : access(element, batch)))
                    wrong(member.key, &element);
        } else if (member.key == "order") {
            good = order(value);
            if (!good) parts_.clear();
        } else {
            unknown_member(member.key);
        }
        if (!good) wrong(member.key, &member.value);
    }
    if (!pc) {
        wrong("pc", pc_value);
        batch.drop_open_parts();
        return false;
    }
    Instruction& instruction = batch.instruction(id, time, *pc);
    instruction.encoding = made.encoding;
    instruction.target = made.target;
    instruction.has_target = made.has_target;
    instruction.size = made.size;
    if (!parts_.empty()) batch.set_order(instruction, parts_);
    return true;
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
