#include "views/schema_tree.hpp"

#include <algorithm>
#include <string>
#include <string_view>
#include <vector>

#include "codec/json_object.hpp"
#include "domain/protocols.hpp"
#include "domain/value_text.hpp"

namespace hwtrace {

namespace {

constexpr std::string_view tree_schema = "hwtrace-schema/1";

/// Returns the time base that all tracks share, or nullopt if time bases differ or there are no tracks.
std::optional<TimeBase> common_base(const Schema& schema) {
    std::optional<TimeBase> base;
    for (const Track& track : schema.tracks()) {
        if (base && *base != track.time) return std::nullopt;
        base = track.time;
    }
    return base;
}

/// A scope and its depth in the tree.
struct Branch {
    ScopeId scope;
    std::size_t depth;
};

/// Returns every scope once, after its parent. Breaks cycles of parents, which damaged files may have.
std::vector<Branch> branches_of(const Schema& schema) {
    const auto& scopes = schema.scopes();
    std::vector<std::vector<ScopeId>> children(scopes.size());
    std::vector<Branch> open;
    for (ScopeId id = static_cast<ScopeId>(scopes.size()); id-- > 0;) {
        if (scopes[id].parent < scopes.size())
            children[scopes[id].parent].push_back(id);
        else
            open.push_back({id, 0});
    }
    std::vector<Branch> found;
    std::vector<bool> seen(scopes.size());
    const auto walk = [&] {
        while (!open.empty()) {
            const Branch branch = open.back();
            open.pop_back();
            if (seen[branch.scope]) continue;
            seen[branch.scope] = true;
            found.push_back(branch);
            for (const ScopeId child : children[branch.scope])
                open.push_back({child, branch.depth + 1});
        }
    };
    walk();
    for (ScopeId id = 0; id < scopes.size(); ++id) {
        if (seen[id]) continue;
        open.push_back({id, 0});
        walk();
    }
    return found;
}

/// Returns the tracks of each scope; the last element has the tracks without a scope.
std::vector<std::vector<TrackId>> tracks_by_scope(const Schema& schema) {
    std::vector<std::vector<TrackId>> tracks(schema.scopes().size() + 1);
    for (TrackId id = 0; id < schema.tracks().size(); ++id)
        tracks[std::min<std::size_t>(schema.tracks()[id].scope, schema.scopes().size())].push_back(id);
    return tracks;
}

class Tree {
public:
    Tree(const Schema& schema, TextOutput& out)
        : schema_(schema), out_(out), roles_(track_roles(schema)), base_(common_base(schema)) {}

    void put() {
        if (base_) {
            out_.put("time  ");
            append_unit(*base_, out_);
            out_.put('\n');
        }
        append_metadata();
        append_clocks();
        append_enums();
        const std::vector<std::vector<TrackId>> tracks = tracks_by_scope(schema_);
        out_.put("scopes\n");
        for (const Branch& branch : branches_of(schema_)) {
            append_scope(branch);
            for (const TrackId id : tracks[branch.scope])
                append_track(id, branch.depth + 2);
        }
        if (tracks.back().empty()) return;
        out_.put("without a scope\n");
        for (const TrackId id : tracks.back())
            append_track(id, 1);
    }

private:
    void indent(std::size_t depth) {
        constexpr std::size_t deepest = 24;
        for (std::size_t i = 0; i < std::min(depth, deepest); ++i)
            out_.put("  ");
    }

    void append_metadata() {
        if (schema_.metadata().empty()) return;
        out_.put("metadata\n");
        for (const Metadata& entry : schema_.metadata()) {
            out_.put("  ");
            append_name(entry.key, out_);
            out_.put(" = ");
            append_quoted(entry.value, out_);
            out_.put('\n');
        }
    }

    void append_clocks() {
        if (schema_.clocks().empty()) return;
        out_.put("clocks\n");
        for (const Clock& clock : schema_.clocks()) {
            out_.put("  ");
            append_name(clock.name, out_);
            append_period(clock.period_ps);
            out_.put('\n');
        }
    }

    void append_enums() {
        if (schema_.enums().empty()) return;
        out_.put("enums\n");
        for (const Enum& enumeration : schema_.enums()) {
            out_.put("  ");
            append_name(enumeration.name, out_);
            out_.put(':');
            for (const EnumValue& value : enumeration.values) {
                out_.put(' ');
                out_.decimal(value.value);
                out_.put('=');
                append_name(value.name, out_);
            }
            out_.put('\n');
        }
    }

    void append_scope(const Branch& branch) {
        const Scope& scope = schema_.scopes()[branch.scope];
        indent(branch.depth + 1);
        append_name(scope.name, out_);
        bool first = true;
        if (!scope.protocol.empty()) {
            out_.put(": protocol ");
            append_name(scope.protocol, out_);
            first = false;
        }
        if (const ClockId clock = clock_of(schema_, branch.scope); clock < schema_.clocks().size()) {
            out_.put(first ? ": clock " : ", clock ");
            append_name(schema_.clocks()[clock].name, out_);
            append_period(schema_.clocks()[clock].period_ps);
            if (scope.clock == none) out_.put(" of a scope above");
        }
        out_.put('\n');
    }

    void append_period(std::uint64_t period_ps) {
        if (period_ps == 0) {
            out_.put(" (period unknown)");
            return;
        }
        out_.put(" (");
        out_.decimal(period_ps);
        out_.put(" ps)");
    }

    void append_track(TrackId id, std::size_t depth) {
        const Track& track = schema_.tracks()[id];
        indent(depth);
        out_.put(name_of(track.kind));
        out_.put(' ');
        append_name(track.name, out_);
        append_traits(id, track);
        out_.put('\n');
        std::size_t width = 0;
        for (const Field& field : track.fields)
            width = std::max(width, name_text(field.name).size());
        constexpr std::size_t widest = 40;
        for (const Field& field : track.fields) {
            indent(depth + 1);
            append_name(field.name, out_);
            for (std::size_t at = name_text(field.name).size(); at < std::min(width, widest); ++at)
                out_.put(' ');
            out_.put("  ");
            append_type(field);
            out_.put('\n');
        }
        for (const Field& property : track.properties)
            append_property(property, depth + 1);
    }

    /// Writes the traits of a track, as in ": sparse, 16 slots; instructions in flight".
    void append_traits(TrackId id, const Track& track) {
        std::string_view separator = ": ";
        if (track.kind == Track::Kind::storage) {
            out_.put(separator);
            out_.put(track.sparse ? "sparse, " : "dense, ");
            out_.put(counted(track.slots, "slot"));
            separator = "; ";
        }
        if (!roles_[id].empty()) {
            out_.put(separator);
            out_.put(roles_[id]);
            separator = "; ";
        }
        for (const RingPointers& ring : ring_pointers(track)) {
            out_.put(separator == "; " && !roles_[id].empty() ? ", " : separator);
            out_.put("a ring from ");
            append_name(track.properties[ring.head].name, out_);
            out_.put(" up to ");
            append_name(track.properties[ring.tail].name, out_);
            separator = "; ";
        }
        if (!base_) {
            out_.put(separator);
            out_.put("time in ");
            append_unit(track.time, out_);
        }
    }

    void append_property(const Field& property, std::size_t depth) {
        indent(depth);
        out_.put("property ");
        append_name(property.name, out_);
        out_.put("  ");
        append_type(property);
        if (property.role != 0) {
            out_.put(property.role == 1   ? ", head of pair "
                     : property.role == 2 ? ", tail of pair "
                                          : ", of unknown role in pair ");
            out_.decimal(property.pair);
        }
        out_.put('\n');
    }

    void append_type(const Field& field) {
        out_.put(name_of(field.type));
        if (field.enumeration < schema_.enums().size()) {
            out_.put(' ');
            append_name(schema_.enums()[field.enumeration].name, out_);
        }
        if (field.repeated) out_.put(", repeated");
    }

    const Schema& schema_;
    TextOutput& out_;
    std::vector<std::string_view> roles_;
    std::optional<TimeBase> base_;  // common to all tracks
};

/// Writes the objects of the tree in JSON.
class TreeObjects {
public:
    /// If `typed` is set, each object has a member "type", for JSON Lines.
    TreeObjects(const Schema& schema, JsonIntegers integers, bool typed, TextOutput& out)
        : schema_(schema), integers_(integers), typed_(typed), out_(out), roles_(track_roles(schema)) {}

    void metadata(std::size_t index) {
        JsonObject object = begin("metadata");
        object.text("key", schema_.metadata()[index].key);
        object.text("value", schema_.metadata()[index].value);
        object.close();
    }

    void clock(std::size_t id) {
        JsonObject object = begin("clock");
        object.number("id", std::uint64_t{id});
        object.text("name", schema_.clocks()[id].name);
        object.number("period_ps", schema_.clocks()[id].period_ps);
        object.close();
    }

    void enumeration(std::size_t id) {
        JsonObject object = begin("enum");
        object.number("id", std::uint64_t{id});
        object.text("name", schema_.enums()[id].name);
        append_array(schema_.enums()[id].values, object.known_member("values"), [&](const EnumValue& value) {
            JsonObject label(integers_, out_);
            label.number("value", value.value);
            label.text("name", value.name);
            label.close();
        });
        object.close();
    }

    void scope(std::size_t id) {
        const Scope& scope = schema_.scopes()[id];
        JsonObject object = begin("scope");
        object.number("id", std::uint64_t{id});
        object.text("name", scope.name);
        object.text("path", path_of(schema_, static_cast<ScopeId>(id)));
        if (scope.parent != none) object.number("parent", std::uint64_t{scope.parent});
        if (!scope.protocol.empty()) object.text("protocol", scope.protocol);
        if (const ClockId clock = clock_of(schema_, static_cast<ScopeId>(id)); clock < schema_.clocks().size()) {
            object.text("clock", schema_.clocks()[clock].name);
            object.number("period_ps", schema_.clocks()[clock].period_ps);
        }
        object.close();
    }

    void track(std::size_t id) {
        const Track& track = schema_.tracks()[id];
        JsonObject object = begin("track");
        object.number("id", std::uint64_t{id});
        object.text("kind", name_of(track.kind));
        object.text("name", track.name);
        if (track.scope != none) object.text("scope", path_of(schema_, track.scope));
        object.known_member("time").put('"');
        append_unit(track.time, out_);
        out_.put('"');
        if (!roles_[id].empty()) object.text("role", roles_[id]);
        if (track.kind == Track::Kind::storage) {
            object.number("slots", std::uint64_t{track.slots});
            if (track.sparse) object.flag("sparse");
            if (track.buffer) object.flag("buffer");
        }
        append_array(track.fields, object.known_member("fields"), [&](const Field& field) { append_field(field); });
        if (!track.properties.empty())
            append_array(track.properties, object.known_member("properties"),
                         [&](const Field& field) { append_field(field); });
        object.close();
    }

private:
    JsonObject begin(std::string_view type) {
        JsonObject object(integers_, out_);
        if (typed_) object.text("type", type);
        return object;
    }

    void append_field(const Field& field) {
        JsonObject object(integers_, out_);
        object.text("name", field.name);
        object.text("type", name_of(field.type));
        if (field.enumeration < schema_.enums().size()) object.text("enum", schema_.enums()[field.enumeration].name);
        if (field.repeated) object.flag("repeated");
        if (field.role != 0) {
            if (field.role <= 2)
                object.text("role", field.role == 1 ? "head" : "tail");
            else
                object.number("role", std::uint64_t{field.role});
            object.number("pair", std::uint64_t{field.pair});
        }
        object.close();
    }

    const Schema& schema_;
    JsonIntegers integers_;
    bool typed_;
    TextOutput& out_;
    std::vector<std::string_view> roles_;
};

/// Calls `section(name, count, put)` for each kind of object.
template <typename Section>
void for_each_section(const Schema& schema, TreeObjects& objects, Section&& section) {
    section("metadata", schema.metadata().size(), [&](std::size_t at) { objects.metadata(at); });
    section("clocks", schema.clocks().size(), [&](std::size_t at) { objects.clock(at); });
    section("enums", schema.enums().size(), [&](std::size_t at) { objects.enumeration(at); });
    section("scopes", schema.scopes().size(), [&](std::size_t at) { objects.scope(at); });
    section("tracks", schema.tracks().size(), [&](std::size_t at) { objects.track(at); });
}

void append_json(const Schema& schema, const Settings& settings, TextOutput& out) {
    TreeObjects objects(schema, settings.json_integers, false, out);
    out.put('{');
    append_json_head(tree_schema, settings, out);
    for_each_section(schema, objects, [&](std::string_view name, std::size_t count, auto&& put) {
        out.put(",\n\"");
        out.put(name);
        out.put("\":[");
        for (std::size_t at = 0; at < count; ++at) {
            out.put(at == 0 ? "\n" : ",\n");
            put(at);
        }
        out.put(']');
    });
    out.put("}\n");
}

void append_json_lines(const Schema& schema, const Settings& settings, TextOutput& out) {
    TreeObjects objects(schema, settings.json_integers, true, out);
    out.put('{');
    append_json_head(tree_schema, settings, out);
    out.put("}\n");
    for_each_section(schema, objects, [&](std::string_view, std::size_t count, auto&& put) {
        for (std::size_t at = 0; at < count; ++at) {
            put(at);
            out.put('\n');
        }
    });
}

class DeclarationRows {
public:
    DeclarationRows(const Schema& schema, TextOutput& out) : schema_(schema), out_(out), roles_(track_roles(schema)) {}

    void put() {
        out_.put("scope,kind,track,track_id,role,slots,sparse,buffer,field,type,enum,property\n");
        for (TrackId id = 0; id < schema_.tracks().size(); ++id) {
            const Track& track = schema_.tracks()[id];
            for (const Field& field : track.fields)
                row(id, &field, {});
            for (const Field& property : track.properties)
                row(id, &property, property.role == 1 ? "head" : property.role == 2 ? "tail" : "plain");
            if (track.fields.empty() && track.properties.empty()) row(id, nullptr, {});
        }
    }

private:
    void row(TrackId id, const Field* field, std::string_view property) {
        const Track& track = schema_.tracks()[id];
        const bool is_storage = track.kind == Track::Kind::storage;
        if (track.scope != none) append_csv(path_of(schema_, track.scope), out_);
        out_.put(',');
        out_.put(name_of(track.kind));
        out_.put(',');
        append_csv(track.name, out_);
        out_.put(',');
        out_.decimal(id);
        out_.put(',');
        out_.put(roles_[id]);
        out_.put(',');
        if (is_storage) out_.decimal(track.slots);
        out_.put(',');
        if (is_storage) out_.put(track.sparse ? "true" : "false");
        out_.put(',');
        if (is_storage) out_.put(track.buffer ? "true" : "false");
        out_.put(',');
        if (field != nullptr) append_csv(field->name, out_);
        out_.put(',');
        if (field != nullptr) out_.put(name_of(field->type));
        out_.put(',');
        if (field != nullptr && field->enumeration < schema_.enums().size())
            append_csv(schema_.enums()[field->enumeration].name, out_);
        out_.put(',');
        out_.put(property);
        out_.put('\n');
    }

    const Schema& schema_;
    TextOutput& out_;
    std::vector<std::string_view> roles_;
};

}  // namespace

void append_unit(const TimeBase& base, TextOutput& out) {
    switch (base.kind) {
        case TimeBase::Kind::ordinal:
            out.put("position");
            return;
        case TimeBase::Kind::cycles:
            out.put("cycles");
            if (base.den == 0 || (base.num == 1 && base.den == 1)) return;
            out.put(" of ");
            break;
        case TimeBase::Kind::seconds:
            if (base == picoseconds) {
                out.put("ps");
                return;
            }
            break;
    }
    out.decimal(base.num);
    out.put('/');
    out.decimal(base.den);
    out.put(" s");
}

void dump_schema_tree(const Schema& schema, TextForm form, const Settings& settings, TextOutput& out) {
    switch (form) {
        case TextForm::text:
            return Tree(schema, out).put();
        case TextForm::json:
            return append_json(schema, settings, out);
        case TextForm::jsonl:
            return append_json_lines(schema, settings, out);
        case TextForm::csv:
            return DeclarationRows(schema, out).put();
    }
}

}  // namespace hwtrace
