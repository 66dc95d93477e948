// formats/jsonl/record_fields.cpp - the functions of Records for the values of events, intervals and signals.
#include "domain/conventions.hpp"
#include "records.hpp"

namespace hwtrace::jsonl {

namespace {

/// Returns a type that can hold values of both types.
Type common_type(Type before, Type after) noexcept {
    const auto is_number = [](Type type) { return type == Type::u64 || type == Type::i64 || type == Type::f64; };
    if (before == after) return before;
    if (!is_number(before) || !is_number(after)) return Type::text;
    return before == Type::f64 || after == Type::f64 ? Type::f64 : Type::i64;
}

}  // namespace

// --- events ----------------------------------------------------------------------------------------------------------

/// Adds a field to a track with undeclared fields. If the track has records, a new track with the same name replaces
/// it.
std::uint32_t Records::add_field(TrackId& id, std::string_view key, JsonValue value) {
    Field made{std::string(key), Values::type_of(value)};
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
    Field made{std::string(key), Values::type_of(value)};
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
    Field made{field.name, type};
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

}  // namespace hwtrace::jsonl
