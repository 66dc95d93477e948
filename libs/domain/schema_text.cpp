#include "domain/schema_text.hpp"

#include <algorithm>
#include <utility>

namespace hwtrace {

namespace {

constexpr std::string_view base_letters = "cto";
constexpr TimeBase::Kind bases[] = {TimeBase::Kind::cycles, TimeBase::Kind::seconds, TimeBase::Kind::ordinal};
constexpr std::string_view type_letters = "abcdefghijklmnopqrstu";
static_assert(type_letters.size() == static_cast<std::size_t>(Type::blob) + 1);
constexpr std::string_view phase_digits = "0123";
constexpr std::string_view kind_letters = "egsirhnx";  // in the order of Track::Kind
static_assert(kind_letters.size() == static_cast<std::size_t>(Track::Kind::native) + 1);
constexpr std::uint64_t widest = 64, greatest_byte = 255;

void append_number(std::string& text, std::string_view before, std::uint64_t number) {
    text.append(before).append(std::to_string(number));
}

bool read_number(TextCursor& at, std::string_view before, std::uint64_t& number) {
    return at.word(before) && at.number(number);
}

/// Reads a number below `count`.
bool read_index(TextCursor& at, std::size_t count, std::uint32_t& index) {
    std::uint64_t number = 0;
    if (!at.number(number) || number >= count) return false;
    index = static_cast<std::uint32_t>(number);
    return true;
}

/// Reads a number of at most `greatest`.
bool read_small(TextCursor& at, std::uint64_t greatest, std::uint8_t& value) {
    std::uint64_t number = 0;
    if (!at.number(number) || number > greatest) return false;
    value = static_cast<std::uint8_t>(number);
    return true;
}

bool read_id(TextCursor& at, std::optional<std::uint64_t>& id) {
    std::uint64_t number = 0;
    if (!at.word("#")) return true;
    if (!at.number(number)) return false;
    id = number;
    return true;
}

// --- schema objects; each begins with a letter for its kind ---

void put(std::string& text, const Clock& clock) {
    append_number(text, "k", clock.period_ps);
    append_sized(text, clock.name);
}

bool read(TextCursor& at, Clock& clock) {
    return at.number(clock.period_ps) && read_sized(at, clock.name);
}

void put(std::string& text, const Scope& scope) {
    text += 's';
    if (scope.parent != none) append_number(text, "^", scope.parent);
    if (scope.clock != none) append_number(text, "@", scope.clock);
    if (scope.native_id) append_number(text, "#", *scope.native_id);
    if (!scope.protocol.empty()) append_sized(text.append("~"), scope.protocol);
    append_sized(text, scope.name);
}

bool read(TextCursor& at, const Schema& schema, Scope& scope) {
    if (at.word("^") && !read_index(at, none, scope.parent)) return false;
    if (at.word("@") && !read_index(at, schema.clocks().size(), scope.clock)) return false;
    if (!read_id(at, scope.native_id)) return false;
    if (at.word("~") && !read_sized(at, scope.protocol)) return false;
    return read_sized(at, scope.name);
}

void put(std::string& text, const Enum& enumeration) {
    text.append("e{");
    for (const EnumValue& label : enumeration.values)
        append_label(text, label);
    text += '}';
    append_sized(text, enumeration.name);
}

bool read(TextCursor& at, Enum& enumeration) {
    if (!at.word("{")) return false;
    while (!at.word("}"))
        if (!read_label(at, enumeration.values.emplace_back())) return false;
    return read_sized(at, enumeration.name);
}

void put(std::string& text, const Track& track) {
    text += 't';
    text += kind_letters[static_cast<std::size_t>(track.kind)];
    append_base(text, track.time);
    if (track.scope != none) append_number(text, "^", track.scope);
    if (track.native_id) append_number(text, "#", *track.native_id);
    if (track.slots != 0) append_number(text, "n", track.slots);
    if (track.sparse) text += '-';
    if (track.buffer) text += '+';
    append_fields(text, track.fields);
    if (!track.properties.empty()) append_fields(text, track.properties);
    append_sized(text, track.name);
}

bool has_enums(const Schema& schema, const std::vector<Field>& fields) {
    for (const Field& field : fields)
        if (field.enumeration != none && field.enumeration >= schema.enums().size()) return false;
    return true;
}

bool read(TextCursor& at, const Schema& schema, Track& track) {
    std::size_t kind = 0;
    if (!at.letter(kind_letters, kind) || !read_base(at, track.time)) return false;
    track.kind = static_cast<Track::Kind>(kind);
    if (at.word("^") && !read_index(at, schema.scopes().size(), track.scope)) return false;
    if (!read_id(at, track.native_id)) return false;
    if (at.word("n") && !read_index(at, none, track.slots)) return false;
    track.sparse = at.word("-");
    track.buffer = at.word("+");
    if (!read_fields(at, track.fields)) return false;
    if (TextCursor ahead = at; ahead.word("{") && !read_fields(at, track.properties)) return false;
    return has_enums(schema, track.fields) && has_enums(schema, track.properties) && read_sized(at, track.name);
}

}  // namespace

void append_sized(std::string& text, std::string_view name) {
    append_number(text, "=", name.size());
    text.append(":").append(name);
}

bool read_sized(TextCursor& at, std::string& name) {
    std::uint64_t size = 0;
    std::string_view bytes;
    if (!read_number(at, "=", size) || !at.word(":") || !at.bytes(size, bytes)) return false;
    name = bytes;
    return true;
}

void append_base(std::string& text, const TimeBase& base) {
    for (std::size_t i = 0; i < base_letters.size(); ++i)
        if (bases[i] == base.kind) text += base_letters[i];
    append_number(text, "", base.num);
    append_number(text, "/", base.den);
}

bool read_base(TextCursor& at, TimeBase& base) {
    std::size_t kind = 0;
    if (!at.letter(base_letters, kind)) return false;
    base.kind = bases[kind];
    return at.number(base.num) && read_number(at, "/", base.den);
}

void append_field(std::string& text, const Field& field) {
    text += type_letters[static_cast<std::size_t>(field.type)];
    if (field.repeated) text += '*';
    if (field.width != 0) append_number(text, "w", field.width);
    if (field.enumeration != none) append_number(text, "e", field.enumeration);
    if (field.phase != Phase::unknown) append_number(text, "p", static_cast<std::uint64_t>(field.phase));
    if (field.role != 0 || field.pair != 0) {
        append_number(text, "r", field.role);
        append_number(text, "/", field.pair);
    }
    append_sized(text, field.name);
}

bool read_field(TextCursor& at, Field& field) {
    std::size_t type = 0, phase = 0;
    if (!at.letter(type_letters, type)) return false;
    field.type = static_cast<Type>(type);
    field.repeated = at.word("*");
    if (at.word("w") && !read_small(at, widest, field.width)) return false;
    if (at.word("e") && !read_index(at, none, field.enumeration)) return false;
    if (at.word("p")) {
        if (!at.letter(phase_digits, phase)) return false;
        field.phase = static_cast<Phase>(phase);
    }
    if (at.word("r") &&
        (!read_small(at, greatest_byte, field.role) || !at.word("/") || !read_small(at, greatest_byte, field.pair)))
        return false;
    return read_sized(at, field.name);
}

void append_fields(std::string& text, const std::vector<Field>& fields) {
    text += '{';
    for (const Field& field : fields)
        append_field(text, field);
    text += '}';
}

bool read_fields(TextCursor& at, std::vector<Field>& fields) {
    if (!at.word("{")) return false;
    while (!at.word("}"))
        if (!read_field(at, fields.emplace_back())) return false;
    return true;
}

void append_label(std::string& text, const EnumValue& label) {
    append_number(text, "", label.value);
    append_sized(text, label.name);
}

bool read_label(TextCursor& at, EnumValue& label) {
    return at.number(label.value) && read_sized(at, label.name);
}

std::string objects_text(const Schema& schema) {
    std::string text;
    for (const Clock& clock : schema.clocks())
        put(text, clock);
    for (const Scope& scope : schema.scopes())
        put(text, scope);
    for (const Enum& enumeration : schema.enums())
        put(text, enumeration);
    for (const Track& track : schema.tracks())
        put(text, track);
    return text;
}

bool read_objects(TextCursor& at, Schema& schema) {
    while (!at.ended()) {
        Clock clock;
        Scope scope;
        Enum enumeration;
        Track track;
        if (at.word("k") && read(at, clock))
            schema.declare(std::move(clock));
        else if (at.word("s") && read(at, schema, scope))
            schema.declare(std::move(scope));
        else if (at.word("e") && read(at, enumeration))
            schema.declare(std::move(enumeration));
        else if (at.word("t") && read(at, schema, track))
            schema.declare(std::move(track));
        else
            return false;
    }
    // A source may have scopes that precede their parents, or scopes that form a cycle.
    return std::ranges::all_of(schema.scopes(), [&](const Scope& scope) {
        return scope.parent == none || scope.parent < schema.scopes().size();
    });
}

}  // namespace hwtrace
