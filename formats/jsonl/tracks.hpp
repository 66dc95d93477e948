// formats/jsonl/tracks.hpp - finds scopes and tracks by name and keeps facts about each track while reading.
#pragma once

#include <cstdint>
#include <deque>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "codec/model_json.hpp"
#include "io/limits.hpp"
#include "model/hash.hpp"
#include "model/record.hpp"
#include "model/schema.hpp"
#include "values.hpp"

namespace hwtrace::jsonl {

/// Facts about one track that the schema does not hold.
struct TrackFacts {
    FieldKeys fields, properties;
    TextMap<std::uint32_t> by_type;  ///< the first field with a name and type, as of the last search
    std::size_t typed = 0;           ///< fields in by_type
    std::size_t fixed = 0;           ///< leading fields that are not repeated
    bool is_open = false;            ///< the fields are undeclared, so records add them
    bool has_records = false;
    bool has_units = false;  ///< the unit of the first record's time determined the time base
    Tick last = 0;           ///< the time of the last record
};

/// Declares scopes and tracks, finds them by name, and counts objects against the limit.
class Tracks {
public:
    /// Both arguments must outlive this object.
    Tracks(Schema& schema, const Limits& limits) : schema_(schema), limits_(limits) {}

    /// Adds `count` to the number of objects. Throws Failure::limit if there are too many (--max-schema).
    void count_objects(std::size_t count);
    ScopeId declare(Scope scope);
    TrackId declare(Track track, bool is_open);
    /// Declares a track with the name and scope of `before`, which it replaces for later records.
    TrackId replace(TrackId before, Track track);
    std::uint32_t add_attribute(TrackId track, Field field);
    /// Returns the first field of the track with this name and type, or `none`.
    std::uint32_t find_field(TrackId track, std::string_view name, Type type);

    /// Returns the facts about a track, valid until the next declaration.
    TrackFacts& facts(TrackId track) noexcept { return facts_[track]; }

    /// Returns the scope of a path such as "a.b" or "a/b". Declares missing scopes. Returns `none` for the empty path.
    ScopeId scope_of(std::string_view path);
    /// Returns the scope of a path, or nothing if it is not declared.
    std::optional<ScopeId> find_scope(std::string_view path) const;

    /// The result of a search by name.
    struct Found {
        TrackId track = none;
        bool is_ambiguous = false;
    };
    /// Finds a track by name or path, optionally only in `scope` and only of kind `kind`.
    Found find(std::string_view name, const std::optional<std::string_view>& scope, std::optional<Track::Kind> kind);
    /// Returns the scope for a new track, declaring it if necessary, and the track's name there.
    std::pair<ScopeId, std::string_view> place_of(std::string_view name, const std::optional<std::string_view>& scope);

private:
    Found look_up(std::string_view name, const std::optional<std::string_view>& scope,
                  std::optional<Track::Kind> kind) const;
    Found in_scope(std::string_view name, std::optional<ScopeId> scope, std::optional<Track::Kind> kind) const;
    std::optional<ScopeId> child(ScopeId parent, std::string_view name) const;

    Schema& schema_;
    const Limits& limits_;
    std::uint64_t objects_ = 0;
    std::deque<TrackFacts> facts_;
    TextMap<std::vector<TrackId>> by_name_;
    HashMap<ScopeId, TextMap<ScopeId>> children_;
    TextMap<TrackId> found_;  // results of look_up(), by its arguments
    std::string key_;         // reused
};

}  // namespace hwtrace::jsonl
