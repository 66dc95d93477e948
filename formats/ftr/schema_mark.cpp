#include "schema_mark.hpp"

#include <algorithm>
#include <array>
#include <utility>

#include "domain/conventions.hpp"
#include "domain/interval_identity.hpp"
#include "domain/transaction_types.hpp"
#include "io/text_cursor.hpp"
#include "timescale.hpp"

namespace hwtrace::ftr {

namespace names = conventions;

namespace {

constexpr std::string_view title = "hwtrace-ftr-schema 1\n";
constexpr std::uint64_t types = static_cast<std::uint64_t>(Type::blob) + 1;
constexpr std::uint64_t phases = static_cast<std::uint64_t>(Phase::end) + 1;

enum class Letter : char { clock = 'c', enumeration = 'e', scope = 's', stream = 't', relation = 'r' };

/// Writes the lines of a mark.
class Lines {
public:
    explicit Lines(std::string& text) : text_(text) {}
    void begin(Letter letter) { text_.push_back(static_cast<char>(letter)); }
    void number(std::uint64_t value) { text_.append(" ").append(std::to_string(value)); }
    void id(std::uint32_t id) { id == none ? none_here() : number(id); }
    void optional(const std::optional<std::uint64_t>& value) { value ? number(*value) : none_here(); }
    void bytes(std::string_view bytes) {
        number(bytes.size());
        text_.append(":").append(bytes);
    }
    void end() { text_.push_back('\n'); }

private:
    void none_here() { text_.append(" -"); }
    std::string& text_;
};

// The read functions return false if the text does not continue as expected.

bool read_number(TextCursor& at, std::uint64_t& value) {
    return at.word(" ") && at.number(value);
}

/// Reads a number below `limit` into a smaller type.
template <typename Small>
bool read_small(TextCursor& at, Small& value, std::uint64_t limit) {
    std::uint64_t number = 0;
    if (!read_number(at, number) || number >= limit) return false;
    value = static_cast<Small>(number);
    return true;
}

bool read_optional(TextCursor& at, std::optional<std::uint64_t>& value) {
    if (at.word(" -")) return true;
    return read_number(at, value.emplace());
}

bool read_id(TextCursor& at, std::uint32_t& id, std::size_t limit) {
    return at.word(" -") || read_small(at, id, limit);
}

bool read_text(TextCursor& at, std::string& text) {
    std::uint64_t size = 0;
    std::string_view bytes;
    if (!read_number(at, size) || !at.word(":") || !at.bytes(size, bytes)) return false;
    text = bytes;
    return true;
}

/// Parses the lines of a mark. Each function parses the rest of a line after its letter.
class Objects {
public:
    Objects(SchemaMark& mark, const Limits& limits) : mark_(mark), limits_(limits) {}

    bool read(TextCursor& at, Letter letter) {
        count();
        switch (letter) {
            case Letter::clock:
                return read_clock(at, mark_.clocks.emplace_back());
            case Letter::enumeration:
                return read_enumeration(at, mark_.enums.emplace_back());
            case Letter::scope:
                return read_scope(at);
            case Letter::stream:
            case Letter::relation:
                break;
        }
        SchemaMark::MarkedTrack& marked = mark_.tracks.emplace_back();
        marked.track.kind = letter == Letter::stream ? Track::Kind::stream : Track::Kind::relation_type;
        return read_track(at, marked);
    }

private:
    void count() {
        check_limit(++objects_, limits_.schema_objects, "the number of objects in the schema mark", "max-schema");
    }

    static bool read_clock(TextCursor& at, Clock& clock) {
        return read_number(at, clock.period_ps) && read_text(at, clock.name);
    }

    bool read_enumeration(TextCursor& at, Enum& enumeration) {
        std::uint64_t left = 0;
        if (!read_text(at, enumeration.name) || !read_number(at, left)) return false;
        for (; left > 0; --left) {
            count();
            EnumValue& value = enumeration.values.emplace_back();
            if (!read_number(at, value.value) || !read_text(at, value.name)) return false;
        }
        return true;
    }

    bool read_scope(TextCursor& at) {
        Scope scope;
        const bool good = read_id(at, scope.parent, mark_.scopes.size()) &&
                          read_id(at, scope.clock, mark_.clocks.size()) && read_optional(at, scope.native_id) &&
                          read_text(at, scope.name) && read_text(at, scope.protocol);
        mark_.scopes.push_back(std::move(scope));
        return good;
    }

    bool read_track(TextCursor& at, SchemaMark::MarkedTrack& marked) {
        Track& track = marked.track;
        constexpr std::uint64_t bases = static_cast<std::uint64_t>(TimeBase::Kind::ordinal) + 1;
        std::uint64_t left = 0;
        const bool good = read_optional(at, marked.generator) && read_small(at, marked.made_numbers, 2) &&
                          read_id(at, track.scope, mark_.scopes.size()) && read_optional(at, track.native_id) &&
                          read_small(at, track.time.kind, bases) && read_number(at, track.time.num) &&
                          read_number(at, track.time.den) && read_text(at, track.name) && read_number(at, left);
        for (; good && left > 0; --left) {
            count();
            if (!read_field(at, track.fields.emplace_back())) return false;
        }
        return good;
    }

    bool read_field(TextCursor& at, Field& field) const {
        constexpr std::uint64_t widths = 64 + 1;
        std::uint8_t repeated_and_width = 0;
        const bool good = read_small(at, field.type, types) && read_small(at, field.phase, phases) &&
                          read_id(at, field.enumeration, mark_.enums.size()) &&
                          read_small(at, repeated_and_width, 2 * widths) && read_text(at, field.name);
        field.repeated = repeated_and_width % 2 != 0;
        field.width = repeated_and_width / 2;
        return good;
    }

    SchemaMark& mark_;
    const Limits& limits_;
    std::uint64_t objects_ = 0;
};

/// Returns true if records of the file can have the ids, ends and times that the track needs.
bool can_be_restored(const SchemaMark::MarkedTrack& marked, int exponent) {
    const Track& track = marked.track;
    const bool stream = track.kind == Track::Kind::stream;
    const bool has_fields = stream ? marked.made_numbers != states_numbers(track) : track.fields == kept_fields(track);
    const bool lists_last =
        std::none_of(track.fields.begin(), track.fields.begin() + static_cast<std::ptrdiff_t>(track.fixed_fields()),
                     [](const Field& field) { return field.repeated; });
    return has_fields && lists_last && ticks_in(track.time, exponent).has_value();
}

void put(const SchemaMark::MarkedTrack& marked, Lines& lines) {
    const Track& track = marked.track;
    const bool stream = track.kind == Track::Kind::stream;
    lines.begin(stream ? Letter::stream : Letter::relation);
    lines.optional(marked.generator);
    lines.number(marked.made_numbers ? 1 : 0);
    lines.id(track.scope);
    lines.optional(track.native_id);
    lines.number(static_cast<std::uint64_t>(track.time.kind));
    lines.number(track.time.num);
    lines.number(track.time.den);
    lines.bytes(track.name);
    lines.number(track.fields.size());
    for (const Field& field : track.fields) {
        lines.number(static_cast<std::uint64_t>(field.type));
        lines.number(static_cast<std::uint64_t>(field.phase));
        lines.id(field.enumeration);
        lines.number((field.repeated ? 1u : 0u) + 2u * field.width);
        lines.bytes(field.name);
    }
    lines.end();
}

/// Returns true if the reader derives the same fields without a mark.
bool states_all(const Track& track) {
    if (track.kind == Track::Kind::relation_type) {
        const std::uint32_t streams = streams_field(track);
        return track.fields == kept_fields(track) && (streams == none || streams == 2);
    }
    if (!states_numbers(track)) return false;
    return std::all_of(track.fields.begin() + 1, track.fields.end(), [](const Field& field) {
        return field.phase != Phase::unknown && field.enumeration == none && !field.repeated && field.width == 0 &&
               transaction_type_of(field.type).type == field.type;
    });
}

}  // namespace

bool SchemaMark::all_numbers_made() const noexcept {
    bool any = false, all = true;
    for (const MarkedTrack& marked : tracks) {
        if (marked.track.kind != Track::Kind::stream) continue;
        any = true;
        all = all && marked.made_numbers;
    }
    return any && all;
}

std::string SchemaMark::text() const {
    std::string text(title);
    Lines lines(text);
    for (const Clock& clock : clocks) {
        lines.begin(Letter::clock);
        lines.number(clock.period_ps);
        lines.bytes(clock.name);
        lines.end();
    }
    for (const Enum& enumeration : enums) {
        lines.begin(Letter::enumeration);
        lines.bytes(enumeration.name);
        lines.number(enumeration.values.size());
        for (const EnumValue& value : enumeration.values) {
            lines.number(value.value);
            lines.bytes(value.name);
        }
        lines.end();
    }
    for (const Scope& scope : scopes) {
        lines.begin(Letter::scope);
        lines.id(scope.parent);
        lines.id(scope.clock);
        lines.optional(scope.native_id);
        lines.bytes(scope.name);
        lines.bytes(scope.protocol);
        lines.end();
    }
    for (const MarkedTrack& marked : tracks)
        put(marked, lines);
    return text;
}

std::optional<SchemaMark> SchemaMark::parse(std::string_view text, int exponent, const Limits& limits) {
    constexpr std::string_view letters = "cestr";
    constexpr std::array by_letter{Letter::clock, Letter::enumeration, Letter::scope, Letter::stream, Letter::relation};
    SchemaMark mark;
    Objects objects(mark, limits);
    TextCursor at(text);
    if (!at.word(title)) return std::nullopt;
    while (!at.ended()) {
        std::size_t letter = 0;
        if (!at.letter(letters, letter) || !objects.read(at, by_letter[letter]) || !at.word("\n")) return std::nullopt;
    }
    const bool fits = std::all_of(mark.tracks.begin(), mark.tracks.end(),
                                  [&](const MarkedTrack& marked) { return can_be_restored(marked, exponent); });
    return fits ? std::optional(std::move(mark)) : std::nullopt;
}

std::uint32_t streams_field(const Track& track) noexcept {
    for (std::uint32_t i = 2; i + 1 < track.fields.size(); ++i)
        if (track.fields[i].name == names::relation_source_stream &&
            track.fields[i + 1].name == names::relation_sink_stream)
            return i;
    return none;
}

std::vector<Field> kept_fields(const Track& relation) {
    std::vector<Field> kept;
    for (const std::string_view name : {names::relation_from, names::relation_to})
        kept.push_back(Field{std::string(name), Type::u64});
    if (streams_field(relation) == none) return kept;
    for (const std::string_view name : {names::relation_source_stream, names::relation_sink_stream})
        kept.push_back(Field{std::string(name), Type::u64});
    return kept;
}

std::optional<SchemaMark> mark_of(const Schema& schema, const std::vector<DirectoryWriter::Generator>& generators,
                                  int exponent, const MarkUse& use) {
    const std::optional<TimeBase> base = base_of(exponent);
    bool needed = use.says_more || !schema.clocks().empty() || !schema.enums().empty();
    for (const Scope& scope : schema.scopes())
        needed = needed || scope.parent != none || scope.clock != none || !scope.native_id;
    SchemaMark mark;
    mark.clocks.assign(schema.clocks().begin(), schema.clocks().end());
    mark.enums.assign(schema.enums().begin(), schema.enums().end());
    mark.scopes.assign(schema.scopes().begin(), schema.scopes().end());
    for (std::size_t id = 0; id < schema.tracks().size(); ++id) {
        const Track& track = schema.tracks()[id];
        const bool stream = track.kind == Track::Kind::stream;
        if (!stream && track.kind != Track::Kind::relation_type) continue;
        if (!stream && !use.restores_relations && streams_field(track) == none) continue;
        const bool placed = stream ? track.scope != none && track.native_id : track.scope == none && !track.native_id;
        const bool occurs = stream || use.occurs(static_cast<TrackId>(id));
        needed = needed || (occurs && (!placed || !states_all(track) || track.time != base));
        SchemaMark::MarkedTrack& marked = mark.tracks.emplace_back();
        marked.track = track;
        if (stream) {
            if (id < generators.size()) marked.generator = generators[id].number;
            marked.made_numbers = !states_numbers(track);
        } else {
            marked.track.fields = kept_fields(track);
        }
    }
    return needed ? std::optional(std::move(mark)) : std::nullopt;
}

}  // namespace hwtrace::ftr
