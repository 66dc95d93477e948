#include "schema_mark.hpp"

#include <algorithm>
#include <charconv>

#include "model/conventions.hpp"
#include "model/interval_identity.hpp"
#include "model/transaction_types.hpp"
#include "timescale.hpp"

namespace hwtrace::ftr {

namespace names = conventions;

namespace {

constexpr std::string_view title = "hwtrace-ftr-schema 1\n";
constexpr std::uint64_t types = static_cast<std::uint64_t>(Type::blob) + 1;
constexpr std::uint64_t phases = static_cast<std::uint64_t>(Phase::end) + 1;

enum class Letter : char { clock = 'c', enumeration = 'e', scope = 's', stream = 't', relation = 'r' };

/// The lines of a mark.
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

/// Reads them back. The first thing that does not fit makes every later answer a default.
class Parsing {
public:
    explicit Parsing(std::string_view text) : rest_(text) {}

    bool good() const noexcept { return good_; }
    bool at_end() const noexcept { return rest_.empty(); }
    char letter() { return take(1).empty() ? '\0' : last_; }
    void end() { expect('\n'); }

    std::optional<std::uint64_t> optional() {
        expect(' ');
        if (rest_.starts_with('-')) {
            rest_.remove_prefix(1);
            return std::nullopt;
        }
        return digits();
    }
    /// Below `limit`.
    std::uint64_t number(std::uint64_t limit) {
        expect(' ');
        const std::uint64_t value = digits();
        if (value >= limit) good_ = false;
        return good_ ? value : 0;
    }
    std::uint64_t number() {
        expect(' ');
        return digits();
    }
    std::uint32_t id(std::size_t limit) {
        const std::optional<std::uint64_t> value = optional();
        if (value && *value >= limit) good_ = false;
        return value && good_ ? static_cast<std::uint32_t>(*value) : none;
    }
    std::string bytes() {
        const std::uint64_t size = number();
        expect(':');
        return size <= rest_.size() ? std::string(take(static_cast<std::size_t>(size)))
                                    : (good_ = false, std::string());
    }

private:
    std::string_view take(std::size_t count) {
        if (!good_ || count > rest_.size()) {
            good_ = false;
            return {};
        }
        const std::string_view taken = rest_.substr(0, count);
        rest_.remove_prefix(count);
        if (count == 1) last_ = taken.front();
        return taken;
    }
    void expect(char c) {
        if (letter() != c) good_ = false;
    }
    std::uint64_t digits() {
        std::uint64_t value = 0;
        const auto [behind, error] = std::from_chars(rest_.data(), rest_.data() + rest_.size(), value);
        if (error != std::errc()) good_ = false;
        if (!good_) return 0;
        rest_.remove_prefix(static_cast<std::size_t>(behind - rest_.data()));
        return value;
    }

    std::string_view rest_;
    bool good_ = true;
    char last_ = '\0';
};

/// Records of the file have the numbers, ends and times that the track needs.
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
        lines.number(field.repeated ? 1 : 0);
        lines.bytes(field.name);
    }
    lines.end();
}

/// Whether the reader makes the same of the fields by itself.
bool states_all(const Track& track) {
    if (track.kind == Track::Kind::relation_type) {
        const std::uint32_t streams = streams_field(track);
        return track.fields == kept_fields(track) && (streams == none || streams == 2);
    }
    if (!states_numbers(track)) return false;
    return std::all_of(track.fields.begin() + 1, track.fields.end(), [](const Field& field) {
        return field.phase != Phase::unknown && field.enumeration == none && !field.repeated &&
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
    if (!text.starts_with(title)) return std::nullopt;
    SchemaMark mark;
    Parsing parsing(text.substr(title.size()));
    std::uint64_t objects = 0;
    const auto count = [&] {
        check_limit(++objects, limits.schema_objects, "the number of objects in the schema's mark", "max-schema");
    };
    while (parsing.good() && !parsing.at_end()) {
        count();
        switch (const char letter = parsing.letter(); static_cast<Letter>(letter)) {
            case Letter::clock: {
                Clock clock;
                clock.period_ps = parsing.number();
                clock.name = parsing.bytes();
                mark.clocks.push_back(std::move(clock));
                break;
            }
            case Letter::enumeration: {
                Enum enumeration;
                enumeration.name = parsing.bytes();
                for (std::uint64_t left = parsing.number(); left > 0 && parsing.good(); --left) {
                    count();
                    EnumValue value;
                    value.value = parsing.number();
                    value.name = parsing.bytes();
                    enumeration.values.push_back(std::move(value));
                }
                mark.enums.push_back(std::move(enumeration));
                break;
            }
            case Letter::scope: {
                Scope scope;
                scope.parent = parsing.id(mark.scopes.size());
                scope.clock = parsing.id(mark.clocks.size());
                scope.native_id = parsing.optional();
                scope.name = parsing.bytes();
                scope.protocol = parsing.bytes();
                mark.scopes.push_back(std::move(scope));
                break;
            }
            case Letter::stream:
            case Letter::relation: {
                MarkedTrack marked;
                Track& track = marked.track;
                track.kind =
                    letter == static_cast<char>(Letter::stream) ? Track::Kind::stream : Track::Kind::relation_type;
                marked.generator = parsing.optional();
                marked.made_numbers = parsing.number(2) != 0;
                track.scope = parsing.id(mark.scopes.size());
                track.native_id = parsing.optional();
                track.time.kind = static_cast<TimeBase::Kind>(parsing.number(3));
                track.time.num = parsing.number();
                track.time.den = parsing.number();
                track.name = parsing.bytes();
                for (std::uint64_t left = parsing.number(); left > 0 && parsing.good(); --left) {
                    count();
                    Field field;
                    field.type = static_cast<Type>(parsing.number(types));
                    field.phase = static_cast<Phase>(parsing.number(phases));
                    field.enumeration = parsing.id(mark.enums.size());
                    field.repeated = parsing.number(2) != 0;
                    field.name = parsing.bytes();
                    track.fields.push_back(std::move(field));
                }
                if (!parsing.good() || !can_be_restored(marked, exponent)) return std::nullopt;
                mark.tracks.push_back(std::move(marked));
                break;
            }
            default:
                return std::nullopt;
        }
        parsing.end();
    }
    if (!parsing.good()) return std::nullopt;
    return mark;
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
                                  int exponent) {
    const std::optional<TimeBase> base = base_of(exponent);
    bool needed = !schema.clocks().empty() || !schema.enums().empty();
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
        const bool placed = stream ? track.scope != none && track.native_id : track.scope == none && !track.native_id;
        needed = needed || !placed || !states_all(track) || track.time != base;
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
