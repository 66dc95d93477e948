#include "compare/schema_comparison.hpp"

#include <algorithm>
#include <map>
#include <utility>

#include "domain/conventions.hpp"
#include "domain/protocols.hpp"
#include "domain/value_text.hpp"

namespace hwtrace {

namespace {

using Values = std::map<std::string, std::string>;

/// Adds the description of an object. Descriptions of objects with the same name are joined.
void add(Values& values, std::string name, const std::string& value) {
    std::string& all = values[std::move(name)];
    if (!all.empty()) all.append(" | ");
    all.append(value);
}

void compare(std::string_view what, const std::array<Values, 2>& sides, std::vector<SchemaDifference>& differences) {
    const auto value_in = [&](std::size_t side, const std::string& name) {
        const auto at = sides[side].find(name);
        return at == sides[side].end() ? std::nullopt : std::optional(at->second);
    };
    for (const auto& [name, value] : sides[0])
        if (value_in(1, name) != value) differences.push_back({std::string(what), name, {value, value_in(1, name)}});
    for (const auto& [name, value] : sides[1])
        if (!sides[0].contains(name)) differences.push_back({std::string(what), name, {std::nullopt, value}});
}

std::string with_id(std::string text, const std::optional<std::uint64_t>& id) {
    if (id) text.append(text.empty() ? "id=" : " id=").append(std::to_string(*id));
    return text;
}

Values clocks_of(const Schema& schema) {
    Values values;
    for (const Clock& clock : schema.clocks())
        add(values, name_text(clock.name), "period_ps=" + std::to_string(clock.period_ps));
    return values;
}

Values scopes_of(const Schema& schema) {
    Values values;
    for (ScopeId id = 0; id < schema.scopes().size(); ++id) {
        const Scope& scope = schema.scopes()[id];
        std::string text = scope.protocol.empty() ? std::string() : "protocol=" + name_text(scope.protocol);
        if (scope.clock < schema.clocks().size())
            text.append(text.empty() ? "clock=" : " clock=").append(name_text(schema.clocks()[scope.clock].name));
        add(values, name_text(path_of(schema, id)), with_id(std::move(text), scope.native_id));
    }
    return values;
}

Values enumerations_of(const Schema& schema) {
    Values values;
    for (const Enum& enumeration : schema.enums()) {
        std::string text;
        for (const EnumValue& value : enumeration.values)
            text.append(text.empty() ? "" : " ")
                .append(std::to_string(value.value))
                .append("=")
                .append(name_text(value.name));
        add(values, name_text(enumeration.name), text);
    }
    return values;
}

std::string field_text(const Schema& schema, const Field& field) {
    std::string text = name_text(field.name);
    text.append(":").append(name_of(field.type));
    if (field.enumeration < schema.enums().size())
        text.append("(").append(name_text(schema.enums()[field.enumeration].name)).append(")");
    if (field.repeated) text.append("[]");
    if (field.width != 0) text.append(" width=").append(std::to_string(field.width));
    if (field.phase != Phase::unknown) text.append(" ").append(name_of(field.phase));
    if (field.role != 0)
        text.append(" role=").append(std::to_string(field.role)).append("/").append(std::to_string(field.pair));
    return text;
}

/// Returns the descriptions of the fields. Fields of intervals and signals are sorted by name, because their names
/// identify them.
std::string fields_text(const Schema& schema, const Track& track, const std::vector<Field>& fields) {
    std::vector<std::string> texts;
    texts.reserve(fields.size());
    for (const Field& field : fields)
        texts.push_back(field_text(schema, field));
    if (track.kind == Track::Kind::stream || track.kind == Track::Kind::signal) std::ranges::sort(texts);
    std::string text;
    for (const std::string& one : texts)
        text.append(text.empty() ? "" : ",").append(one);
    return text;
}

std::string time_text(const TimeBase& base) {
    switch (base.kind) {
        case TimeBase::Kind::ordinal:
            return "positions";
        case TimeBase::Kind::seconds:
        case TimeBase::Kind::cycles:
            break;
    }
    return (base.kind == TimeBase::Kind::seconds ? "seconds*" : "cycles*") + std::to_string(base.num) + "/" +
           std::to_string(base.den);
}

std::string track_text(const Schema& schema, const Track& track) {
    std::string text = "fields=" + fields_text(schema, track, track.fields);
    if (!track.properties.empty()) text.append(" properties=").append(fields_text(schema, track, track.properties));
    if (track.kind == Track::Kind::storage) text.append(" slots=").append(std::to_string(track.slots));
    if (track.sparse) text.append(" sparse");
    if (track.buffer) text.append(" buffer");
    return with_id(std::move(text), track.native_id);
}

void compare_tracks(const Correspondence& correspondence, const std::array<SchemaSide, 2>& sides, bool alike,
                    std::vector<SchemaDifference>& differences) {
    for (std::uint32_t number = 0; number < correspondence.tracks().size(); ++number) {
        const CommonTrack& common = correspondence.track(number);
        if (common.ignored) continue;
        const auto track_in = [&](std::size_t side) -> const Track* {
            return common.ids[side] == none ? nullptr : &correspondence.schema(side).tracks()[common.ids[side]];
        };
        const std::string subject = std::string(name_of(common.kind)).append(" ").append(name_text(common.path));
        if (!common.in_both()) {
            const std::size_t side = common.ids[0] != none ? 0 : 1;
            if (!alike && !(number < sides[side].used.size() && sides[side].used[number])) continue;
            SchemaDifference difference{"track", subject, {}};
            difference.values[side] = track_text(correspondence.schema(side), *track_in(side));
            differences.push_back(std::move(difference));
            continue;
        }
        const Track &first = *track_in(0), &second = *track_in(1);
        if (!correspondence.ignored().time && !common.comparable && first.time.kind != second.time.kind)
            differences.push_back({"time", subject, {time_text(first.time), time_text(second.time)}});
        if (!alike) continue;
        const std::string one = track_text(correspondence.schema(0), first);
        const std::string other = track_text(correspondence.schema(1), second);
        if (one != other) differences.push_back({"track", subject, {one, other}});
    }
}

/// Returns the metadata that is compared.
Values facts_of(const Correspondence& correspondence, std::size_t side, const std::array<SchemaSide, 2>& sides,
                bool alike) {
    Values values;
    for (const Metadata& fact : correspondence.schema(side).metadata()) {
        const std::string_view key = fact.key;
        if (correspondence.ignored().has_key(key) || conventions::is_storage_fact(key, sides[0].format->name) ||
            conventions::is_storage_fact(key, sides[1].format->name))
            continue;
        if (!alike && key.starts_with(conventions::mark_prefix)) continue;
        const std::string_view format = sides[side].format->name;
        const bool own = key.starts_with(format) && key.substr(format.size()).starts_with(".");
        if (sides[0].format != sides[1].format && own && correspondence.schema(1 - side).metadata(key) == nullptr)
            continue;
        add(values, name_text(key), fact.value);
    }
    return values;
}

}  // namespace

std::vector<SchemaDifference> compare_schemas(const Correspondence& correspondence,
                                              const std::array<SchemaSide, 2>& sides, bool alike) {
    std::vector<SchemaDifference> differences;
    if (!correspondence.ignored().metadata)
        compare("metadata", {facts_of(correspondence, 0, sides, alike), facts_of(correspondence, 1, sides, alike)},
                differences);
    if (correspondence.ignored().schema) return differences;
    const Schema &first = correspondence.schema(0), &second = correspondence.schema(1);
    if (alike) {
        compare("clock", {clocks_of(first), clocks_of(second)}, differences);
        compare("scope", {scopes_of(first), scopes_of(second)}, differences);
        compare("enumeration", {enumerations_of(first), enumerations_of(second)}, differences);
    }
    compare_tracks(correspondence, sides, alike, differences);
    return differences;
}

}  // namespace hwtrace
