#include "domain/saved_schema.hpp"

#include <algorithm>
#include <utility>

namespace hwtrace {

namespace {

void save(const std::vector<Field>& fields, StateOut& out) {
    out(fields.size());
    for (const Field& field : fields)
        save_field(field, out);
}

std::vector<Field> fields_in(StateIn& in, const Schema& schema) {
    std::vector<Field> fields;
    for (std::size_t left = in.count(); left > 0; --left)
        fields.push_back(restore_field(in, schema));
    return fields;
}

/// Returns an id of one of `end` objects, or none.
std::uint32_t id_in(StateIn& in, std::size_t end) {
    const auto id = in.get<std::uint32_t>();
    StateIn::require(id == none || id < end);
    return id;
}

Track track_in(StateIn& in, const Schema& schema) {
    Track track;
    track.kind = in.one_up_to(Track::Kind::native);
    track.scope = id_in(in, schema.scopes().size());
    in(track.name);
    track.time.kind = in.one_up_to(TimeBase::Kind::ordinal);
    in(track.time.num, track.time.den);
    track.fields = fields_in(in, schema);
    track.properties = fields_in(in, schema);
    in(track.slots, track.sparse, track.buffer, track.native_id);
    return track;
}

template <typename List>
bool begins_with(const List& whole, const List& part) {
    return part.size() <= whole.size() && std::equal(part.begin(), part.end(), whole.begin());
}

/// Returns true if the objects of `whole` begin with what those of `part` can become.
template <typename List>
bool begin_with(const List& whole, const List& part) {
    return part.size() <= whole.size() && std::equal(part.begin(), part.end(), whole.begin(),
                                                     [](const auto& a, const auto& b) { return extends(b, a); });
}

}  // namespace

void save_field(const Field& field, StateOut& out) {
    out(field.name, field.type, field.enumeration, field.repeated, field.role, field.pair, field.phase, field.width);
}

Field restore_field(StateIn& in, const Schema& schema) {
    Field field;
    in(field.name);
    field.type = in.one_up_to(Type::blob);
    in(field.enumeration, field.repeated, field.role, field.pair);
    field.phase = in.one_up_to(Phase::end);
    in(field.width);
    StateIn::require(field.width <= 64 && (field.enumeration == none || field.enumeration < schema.enums().size()));
    return field;
}

void save_schema(const Schema& schema, StateOut& out) {
    out(schema.clocks().size());
    for (const Clock& clock : schema.clocks())
        out(clock.name, clock.period_ps);
    out(schema.scopes().size());
    for (const Scope& scope : schema.scopes())
        out(scope.name, scope.parent, scope.protocol, scope.clock, scope.native_id);
    out(schema.enums().size());
    for (const Enum& enumeration : schema.enums()) {
        out(enumeration.name, enumeration.values.size());
        for (const EnumValue& value : enumeration.values)
            out(value.value, value.name);
    }
    out(schema.tracks().size());
    for (const Track& track : schema.tracks()) {
        out(track.kind, track.scope, track.name, track.time.kind, track.time.num, track.time.den);
        save(track.fields, out);
        save(track.properties, out);
        out(track.slots, track.sparse, track.buffer, track.native_id);
    }
    out(schema.metadata().size());
    for (const Metadata& fact : schema.metadata())
        out(fact.key, fact.value);
}

void restore_schema(StateIn& in, Schema& schema) {
    for (std::size_t left = in.count(); left > 0; --left) {
        Clock clock;
        in(clock.name, clock.period_ps);
        schema.declare(std::move(clock));
    }
    const std::size_t scopes = in.count();  // a parent may come later
    for (std::size_t left = scopes; left > 0; --left) {
        Scope scope;
        in(scope.name);
        scope.parent = id_in(in, scopes);
        in(scope.protocol);
        scope.clock = id_in(in, schema.clocks().size());
        in(scope.native_id);
        schema.declare(std::move(scope));
    }
    for (std::size_t left = in.count(); left > 0; --left) {
        Enum enumeration;
        in(enumeration.name);
        for (std::size_t values = in.count(); values > 0; --values) {
            EnumValue& value = enumeration.values.emplace_back();
            in(value.value, value.name);
        }
        schema.declare(std::move(enumeration));
    }
    std::uint64_t slots = 0;
    for (std::size_t left = in.count(); left > 0; --left) {
        Track track = track_in(in, schema);
        slots += track.slots;
        check_limit(slots / 4, in.limits().block, "the statistics of the slots of tables", "--max-block");
        schema.declare(std::move(track));
    }
    for (std::size_t left = in.count(); left > 0; --left) {
        auto key = in.get<std::string>(), value = in.get<std::string>();
        schema.describe(std::move(key), std::move(value));
    }
}

bool extends(const Enum& whole, const Enum& part) {
    return whole.name == part.name && begins_with(whole.values, part.values);
}

bool extends(const Track& whole, const Track& part) {
    return whole.kind == part.kind && whole.scope == part.scope && whole.name == part.name && whole.time == part.time &&
           whole.slots == part.slots && whole.sparse == part.sparse && whole.buffer == part.buffer &&
           whole.native_id == part.native_id && whole.properties == part.properties &&
           begins_with(whole.fields, part.fields);
}

bool extends(const Schema& whole, const Schema& part) {
    return begins_with(whole.clocks(), part.clocks()) && begins_with(whole.scopes(), part.scopes()) &&
           begin_with(whole.enums(), part.enums()) && begin_with(whole.tracks(), part.tracks());
}

}  // namespace hwtrace
