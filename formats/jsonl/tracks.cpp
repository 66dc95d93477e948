#include "tracks.hpp"

#include <algorithm>
#include <utility>

namespace hwtrace::jsonl {

namespace {

char separator_of(std::string_view path) noexcept {
    return path.find('/') != std::string_view::npos ? '/' : '.';
}

}  // namespace

void Tracks::count_objects(std::size_t count) {
    objects_ += count;
    check_limit(objects_, limits_.schema_objects, "the number of objects", "--max-schema");
}

ScopeId Tracks::declare(Scope scope) {
    count_objects(1);
    auto& siblings = children_[scope.parent];
    std::string name = scope.name;
    const ScopeId id = schema_.declare(std::move(scope));
    siblings.try_emplace(std::move(name), id);
    found_.clear();
    return id;
}

TrackId Tracks::declare(Track track, bool is_open) {
    count_objects(1 + track.fields.size() + track.properties.size());
    TrackFacts& facts = facts_.emplace_back();
    facts.fields.extend(track.fields);
    facts.properties.extend(track.properties);
    facts.fixed = track.fixed_fields();
    facts.is_open = is_open;
    std::vector<TrackId>& same = by_name_[track.name];
    same.push_back(schema_.declare(std::move(track)));
    found_.clear();
    return same.back();
}

TrackId Tracks::replace(TrackId before, Track track) {
    const Tick last = facts_[before].last;
    const bool has_units = facts_[before].has_units;
    std::vector<TrackId>& same = by_name_[track.name];
    const TrackId after = declare(std::move(track), true);
    std::erase(same, before);
    facts_[after].last = last;
    facts_[after].has_records = true;
    facts_[after].has_units = has_units;
    return after;
}

std::uint32_t Tracks::add_attribute(TrackId track, Field field) {
    count_objects(1);
    const std::uint32_t number = schema_.add_attribute(track, std::move(field));
    TrackFacts& facts = facts_[track];
    facts.fields.extend(schema_.tracks()[track].fields);
    if (const std::vector<Field>& fields = schema_.tracks()[track].fields; !fields.back().repeated)
        facts.fixed = fields.size();
    return number;
}

std::uint32_t Tracks::find_field(TrackId track, std::string_view name, Type type) {
    TrackFacts& facts = facts_[track];
    const std::vector<Field>& fields = schema_.tracks()[track].fields;
    const auto key_of = [this](std::string_view field_name, Type field_type) -> const std::string& {
        key_.assign(1, static_cast<char>(field_type));
        return key_.append(field_name);
    };
    for (; facts.typed < fields.size(); ++facts.typed)
        facts.by_type.try_emplace(key_of(fields[facts.typed].name, fields[facts.typed].type),
                                  static_cast<std::uint32_t>(facts.typed));
    const auto found = facts.by_type.find(key_of(name, type));
    return found == facts.by_type.end() ? none : found->second;
}

std::optional<ScopeId> Tracks::child(ScopeId parent, std::string_view name) const {
    const auto siblings = children_.find(parent);
    if (siblings == children_.end()) return std::nullopt;
    const auto found = siblings->second.find(name);
    return found == siblings->second.end() ? std::nullopt : std::optional(found->second);
}

std::optional<ScopeId> Tracks::find_scope(std::string_view path) const {
    if (path.empty()) return none;
    if (const auto root = child(none, path)) return root;
    const char separator = separator_of(path);
    ScopeId scope = none;
    while (true) {
        const std::size_t end = path.find(separator);
        const auto next = child(scope, path.substr(0, end));
        if (!next) return std::nullopt;
        scope = *next;
        if (end == std::string_view::npos) return scope;
        path.remove_prefix(end + 1);
    }
}

ScopeId Tracks::scope_of(std::string_view path) {
    if (const auto known = find_scope(path)) return *known;
    const char separator = separator_of(path);
    ScopeId scope = none;
    while (true) {
        const std::size_t end = path.find(separator);
        const std::string_view name = path.substr(0, end);
        const auto known = child(scope, name);
        if (known) {
            scope = *known;
        } else {
            Scope made;
            made.name = name;
            made.parent = scope;
            scope = declare(std::move(made));
        }
        if (end == std::string_view::npos) return scope;
        path.remove_prefix(end + 1);
    }
}

/// Returns the track called `name` in `scope`, or in any scope if `scope` is empty.
Tracks::Found Tracks::in_scope(std::string_view name, std::optional<ScopeId> scope,
                               std::optional<Track::Kind> kind) const {
    const auto same = by_name_.find(name);
    if (same == by_name_.end()) return {};
    Found found;
    for (const TrackId id : same->second) {
        const Track& track = schema_.tracks()[id];
        if ((scope && track.scope != *scope) || (kind && track.kind != *kind)) continue;
        if (found.track == none) {
            found.track = id;
            continue;
        }
        // Without a kind, event types take precedence.
        const bool may_choose = !kind && scope;
        if (!may_choose) found.is_ambiguous = true;
        if (may_choose && schema_.tracks()[found.track].kind != Track::Kind::event_type &&
            track.kind == Track::Kind::event_type)
            found.track = id;
    }
    return found;
}

Tracks::Found Tracks::look_up(std::string_view name, const std::optional<std::string_view>& scope,
                              std::optional<Track::Kind> kind) const {
    if (scope) {
        const auto id = find_scope(*scope);
        return id ? in_scope(name, *id, kind) : Found{};
    }
    if (const Found root = in_scope(name, none, kind); root.track != none) return root;
    const char separator = separator_of(name);
    for (std::size_t at = name.rfind(separator); at != std::string_view::npos && at != 0;
         at = name.rfind(separator, at - 1)) {
        const auto id = find_scope(name.substr(0, at));
        if (!id) continue;
        if (const Found found = in_scope(name.substr(at + 1), *id, kind); found.track != none) return found;
    }
    return in_scope(name, std::nullopt, kind);
}

Tracks::Found Tracks::find(std::string_view name, const std::optional<std::string_view>& scope,
                           std::optional<Track::Kind> kind) {
    key_.assign(1, kind ? static_cast<char>('0' + static_cast<int>(*kind)) : '-');
    if (scope) key_.append("s").append(*scope).push_back('\0');
    key_.push_back('t');
    key_.append(name);
    if (const auto known = found_.find(key_); known != found_.end()) return {known->second, false};
    const Found found = look_up(name, scope, kind);
    if (found.track != none && !found.is_ambiguous) found_.emplace(key_, found.track);
    return found;
}

std::pair<ScopeId, std::string_view> Tracks::place_of(std::string_view name,
                                                      const std::optional<std::string_view>& scope) {
    if (scope) return {scope_of(*scope), name};
    const std::size_t at = name.rfind(separator_of(name));
    if (at == std::string_view::npos || at == 0 || at + 1 == name.size()) return {none, name};
    return {scope_of(name.substr(0, at)), name.substr(at + 1)};
}

}  // namespace hwtrace::jsonl
