#include "declarations.hpp"

#include <algorithm>
#include <array>
#include <utility>

#include "model/record_kinds.hpp"

namespace hwtrace::jsonl {

namespace {

constexpr std::array<std::string_view, 8> types{"clock", "scope",     "enum",     "label",
                                                "track", "attribute", "metadata", "text"};

constexpr auto field_types = [] {
    constexpr auto last = static_cast<std::size_t>(Type::blob);
    std::array<Type, last + 1> all{};
    for (std::size_t i = 0; i <= last; ++i)
        all[i] = static_cast<Type>(i);
    return all;
}();

constexpr std::array track_kinds{Track::Kind::event_type, Track::Kind::storage,       Track::Kind::signal,
                                 Track::Kind::stream,     Track::Kind::relation_type, Track::Kind::hart,
                                 Track::Kind::notes,      Track::Kind::native};

constexpr std::array phases{Phase::begin, Phase::record, Phase::end};

/// Returns the track kind that a name selects. The name is that of the kind, such as "stream", or that of its records,
/// such as "interval". Returns nullopt for other names.
std::optional<Track::Kind> track_kind_named(std::string_view name) noexcept {
    if (const auto own = find_named(track_kinds, name)) return own;
    const auto carries = [&](Track::Kind kind) { return name_of(kind_carried_by(kind)) == name; };
    const auto found = std::ranges::find_if(track_kinds, carries);
    return found == track_kinds.end() ? std::nullopt : std::optional(*found);
}

}  // namespace

const JsonValue* find_member(const std::vector<JsonMember>& members, std::string_view name) noexcept {
    const auto found = std::ranges::find(members, name, &JsonMember::key);
    return found == members.end() ? nullptr : &found->value;
}

bool Declarations::is_declaration(std::string_view type) noexcept {
    return std::ranges::find(types, type) != types.end();
}

void Declarations::declare(std::string_view type) {
    if (type == "text") return text();
    if (type == "track") return track();
    if (type == "attribute") return attribute();
    if (type == "metadata") return metadata();
    if (type == "scope") return scope();
    if (type == "enum") return enumeration();
    if (type == "label") return label();
    if (type == "clock") return clock();
}

void Declarations::read_head() {
    const JsonValue* const time = find_member(lines_.members(), "time");
    if (time == nullptr) return;
    base_ = time_base(*time, scratch_);
    if (!base_) wrong("time", *time);
}

void Declarations::wrong(std::string_view member, JsonValue value) {
    lines_.report(Check::member_wrong, std::string(member), shown(value.raw));
}

void Declarations::expect(std::string_view type, std::initializer_list<std::string_view> known) {
    for (const JsonMember& member : lines_.members())
        if (member.key != "type" && std::ranges::find(known, member.key) == known.end())
            lines_.report(Check::member_unknown, std::string("a member of ").append(type), shown(member.key));
}

void Declarations::expect_id(std::size_t next) {
    const JsonValue* const id = find_member(lines_.members(), "id");
    if (id == nullptr || whole_number(*id) == next) return;
    lines_.report(Check::id_wrong, std::to_string(next), shown(id->raw));
}

std::optional<std::string> Declarations::text_member(std::string_view name) {
    const JsonValue* const value = find_member(lines_.members(), name);
    if (value == nullptr) return std::nullopt;
    if (const auto text = values_.text(*value)) return std::string(*text);
    wrong(name, *value);
    return std::nullopt;
}

std::optional<std::string> Declarations::required_text(std::string_view name) {
    if (find_member(lines_.members(), name) == nullptr)
        lines_.report(Check::member_wrong, std::string(name), "nothing");
    return text_member(name);
}

std::optional<std::uint32_t> Declarations::reference(JsonValue value, std::size_t end, std::string_view what) {
    const auto number = whole_number(value);
    if (number && *number < end) return static_cast<std::uint32_t>(*number);
    lines_.report(Check::object_unknown, std::string(what), shown(value.raw));
    return std::nullopt;
}

bool Declarations::native_id(std::optional<std::uint64_t>& id) {
    const JsonValue* const value = find_member(lines_.members(), "native_id");
    if (value == nullptr) return true;
    id = whole_number(*value);
    if (!id) wrong("native_id", *value);
    return id.has_value();
}

std::optional<ScopeId> Declarations::scope_reference(JsonValue value) {
    if (!value.is_string()) return reference(value, schema_.scopes().size(), "a scope");
    const auto path = values_.text(value);
    return tracks_.scope_of(std::string(*path));
}

void Declarations::clock() {
    expect("clock", {"id", "name", "period_ps"});
    expect_id(schema_.clocks().size());
    const auto name = required_text("name");
    Clock clock;
    if (const JsonValue* const period = find_member(lines_.members(), "period_ps")) {
        const auto number = whole_number(*period);
        if (!number) wrong("period_ps", *period);
        clock.period_ps = number.value_or(0);
    }
    clock.name = name.value_or("");
    tracks_.count_objects(1);
    schema_.declare(std::move(clock));
}

void Declarations::scope() {
    expect("scope", {"id", "name", "parent", "protocol", "clock", "native_id"});
    expect_id(schema_.scopes().size());
    Scope scope;
    scope.name = required_text("name").value_or("");
    if (const JsonValue* const parent = find_member(lines_.members(), "parent"))
        scope.parent = scope_reference(*parent).value_or(none);
    scope.protocol = text_member("protocol").value_or("");
    if (const JsonValue* const clock = find_member(lines_.members(), "clock"))
        scope.clock = reference(*clock, schema_.clocks().size(), "a clock").value_or(none);
    native_id(scope.native_id);
    tracks_.declare(std::move(scope));
}

/// Converts an object of value and name to `label`. A name alone is converted too, and leaves label.value unchanged.
/// Returns false for other values.
bool Declarations::label_of(JsonValue object, EnumValue& label) {
    if (const auto name = values_.text(object)) {
        label.name = *name;
        return true;
    }
    if (!object.is_object()) return false;
    bool is_named = false;
    JsonWalk members(object);
    for (JsonMember member; members.next(member);) {
        if (member.key == "value") {
            const auto number = whole_number(member.value);
            if (!number) return false;
            label.value = *number;
        } else if (member.key == "name") {
            const auto text = values_.text(member.value);
            if (!text) return false;
            label.name = *text;
            is_named = true;
        }
    }
    return is_named;
}

/// Converts a list of labels; labels without a value are numbered by their position.
bool Declarations::labels(JsonValue array, Enum& enumeration) {
    if (!array.is_array()) return false;
    JsonWalk walk(array);
    for (JsonValue element; walk.next(element);) {
        tracks_.count_objects(1);
        EnumValue label;
        label.value = enumeration.values.size();
        if (!label_of(element, label)) return false;
        enumeration.values.push_back(std::move(label));
    }
    return true;
}

void Declarations::label() {
    expect("label", {"enum_id", "label"});
    const JsonValue* const id = find_member(lines_.members(), "enum_id");
    const JsonValue* const object = find_member(lines_.members(), "label");
    if (id == nullptr || object == nullptr)
        return lines_.report(Check::member_wrong, id == nullptr ? "enum_id" : "label", "nothing");
    const auto enumeration = reference(*id, schema_.enums().size(), "an enumeration");
    if (!enumeration) return;
    EnumValue made;
    if (!object->is_object() || !label_of(*object, made) || schema_.label(*enumeration, made.value) != nullptr)
        return wrong("label", *object);
    tracks_.count_objects(1);
    schema_.add_label(*enumeration, std::move(made));
}

void Declarations::enumeration() {
    expect("enum", {"id", "name", "values"});
    expect_id(schema_.enums().size());
    Enum enumeration;
    enumeration.name = required_text("name").value_or("");
    const JsonValue* const values = find_member(lines_.members(), "values");
    if (values != nullptr && !labels(*values, enumeration)) wrong("values", *values);
    tracks_.count_objects(1);
    schema_.declare(std::move(enumeration));
}

void Declarations::metadata() {
    expect("metadata", {"key", "value"});
    auto key = required_text("key");
    auto value = required_text("value");
    if (!key || !value) return;
    tracks_.count_objects(1);
    schema_.describe(std::move(*key), std::move(*value));
}

void Declarations::text() {
    expect("text", {"id", "text"});
    expect_id(schema_.string_count());
    const JsonValue* const value = find_member(lines_.members(), "text");
    const auto text = value == nullptr ? std::nullopt : values_.text(*value);
    if (!text) lines_.report(Check::member_wrong, "text", value == nullptr ? "nothing" : shown(value->raw));
    schema_.append(
        text.value_or(std::string_view()));  // a broken string is added, too, so that later strings keep their ids
}

/// Converts a type: its name ("u32[]": repeated), a list of labels, or the id or name of an enumeration.
bool Declarations::field_type(std::string_view name, JsonValue type, Field& field) {
    if (type.is_array()) {
        Enum enumeration;
        enumeration.name = name;
        if (!labels(type, enumeration)) return false;
        tracks_.count_objects(1);
        field.type = Type::enumeration;
        field.enumeration = schema_.declare(std::move(enumeration));
        return true;
    }
    if (!type.is_string()) return false;
    std::string_view word = text_of(type, scratch_);
    if (word.ends_with("[]")) {
        field.repeated = true;
        word.remove_suffix(2);
    }
    if (const auto known = find_named(field_types, word)) {
        field.type = *known;
        return true;
    }
    const auto& enums = schema_.enums();
    const auto found = std::ranges::find(enums, word, &Enum::name);
    if (found == enums.end()) return false;
    field.type = Type::enumeration;
    field.enumeration = static_cast<EnumId>(found - enums.begin());
    return true;
}

bool Declarations::field(JsonValue object, Field& field) {
    const auto small = [](JsonValue value, std::uint8_t& number) {
        const auto read = small_number<std::uint8_t>(value);
        number = read.value_or(0);
        return read.has_value();
    };
    if (!object.is_object()) return false;
    JsonWalk walk(object);
    for (JsonMember member; walk.next(member);) {
        bool good = true;
        if (member.key == "name") {
            const auto name = values_.text(member.value);
            good = name.has_value();
            if (good) field.name = *name;
        } else if (member.key == "type") {
            good = field_type(field.name, member.value, field);
        } else if (member.key == "enum") {
            const auto id = reference(member.value, schema_.enums().size(), "an enumeration");
            if (!id) return false;
            field.enumeration = *id;
        } else if (member.key == "repeated") {
            field.repeated = member.value.is_true();
        } else if (member.key == "width") {
            good = small(member.value, field.width);
        } else if (member.key == "role") {
            good = small(member.value, field.role);
        } else if (member.key == "pair") {
            good = small(member.value, field.pair);
        } else if (member.key == "phase") {
            const auto phase =
                member.value.is_string() ? find_named(phases, text_of(member.value, scratch_)) : std::optional<Phase>();
            good = phase.has_value();
            field.phase = phase.value_or(Phase::unknown);
        }
        if (!good) return false;
    }
    return true;
}

bool Declarations::fields(std::string_view member, std::vector<Field>& fields) {
    const JsonValue* const value = find_member(lines_.members(), member);
    if (value == nullptr) return true;
    bool good = value->is_array() || value->is_object();
    if (value->is_object()) {
        JsonWalk walk(*value);
        for (JsonMember entry; good && walk.next(entry);) {
            Field made;
            std::string unescaped;
            made.name = text_of(entry.key, unescaped);
            good = entry.value.is_object() ? field(entry.value, made) : field_type(made.name, entry.value, made);
            fields.push_back(std::move(made));
        }
    } else if (good) {
        JsonWalk walk(*value);
        for (JsonValue element; good && walk.next(element);)
            good = field(element, fields.emplace_back());
    }
    if (!good) wrong(member, *value);
    return good;
}

void Declarations::track() {
    expect("track",
           {"id", "kind", "name", "scope", "time", "native_id", "slots", "sparse", "buffer", "fields", "properties"});
    expect_id(schema_.tracks().size());
    const std::vector<JsonMember>& members = lines_.members();
    Track track;
    bool good = true;
    if (const JsonValue* const kind = find_member(members, "kind")) {
        const auto known = kind->is_string() ? track_kind_named(text_of(*kind, scratch_)) : std::nullopt;
        if (!known) wrong("kind", *kind);
        good = known.has_value();
        track.kind = known.value_or(Track::Kind::event_type);
    }
    auto name = required_text("name");
    good = good && name.has_value();
    track.name = name.value_or("");
    const JsonValue* const scope = find_member(members, "scope");
    if (scope != nullptr && !scope->is_null()) {
        const auto known = scope_reference(*scope);
        good = good && known.has_value();
        track.scope = known.value_or(none);
    }
    track.time = base_.value_or(TimeBase{TimeBase::Kind::cycles, 1, 0});
    if (const JsonValue* const time = find_member(members, "time")) {
        const auto base = time_base(*time, scratch_);
        if (!base) wrong("time", *time);
        good = good && base.has_value();
        track.time = base.value_or(ordinals);
    }
    good = native_id(track.native_id) && good;
    if (const JsonValue* const slots = find_member(members, "slots")) {
        const auto count = small_number<std::uint32_t>(*slots);
        if (!count) wrong("slots", *slots);
        good = good && count.has_value();
        track.slots = count.value_or(0);
    }
    const auto is_set = [&](std::string_view flag) {
        const JsonValue* const value = find_member(members, flag);
        return value != nullptr && value->is_true();
    };
    track.sparse = is_set("sparse");
    track.buffer = is_set("buffer");
    good = fields("fields", track.fields) && fields("properties", track.properties) && good;
    // A broken track is declared without fields, so that later tracks keep their ids. Its records become findings.
    const bool has_fields = find_member(members, "fields") != nullptr;
    if (!good) track.fields.clear(), track.properties.clear();
    tracks_.declare(std::move(track), !has_fields);
}

void Declarations::attribute() {
    expect("attribute", {"track_id", "field"});
    const JsonValue* const track = find_member(lines_.members(), "track_id");
    const JsonValue* const object = find_member(lines_.members(), "field");
    if (track == nullptr || object == nullptr)
        return lines_.report(Check::member_wrong, track == nullptr ? "track_id" : "field", "nothing");
    const auto id = reference(*track, schema_.tracks().size(), "a track");
    if (!id) return;
    const Track::Kind kind = schema_.tracks()[*id].kind;
    if (kind != Track::Kind::stream && kind != Track::Kind::signal)
        return lines_.report(Check::member_wrong, "the track_id of a stream or a signal", shown(track->raw));
    Field made;
    if (!field(*object, made)) return wrong("field", *object);
    tracks_.add_attribute(*id, std::move(made));
}

}  // namespace hwtrace::jsonl
