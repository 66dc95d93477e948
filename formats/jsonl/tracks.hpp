// formats/jsonl/tracks.hpp - scopes and tracks by their names, and what is known of each track while reading.
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

/// Beside the schema, of one track.
struct TrackFacts {
    FieldKeys fields, properties;
    std::size_t fixed = 0;  ///< leading fields that are not repeated
    bool is_open = false;   ///< nobody said what its fields are: records bring them
    bool has_records = false;
    Tick last = 0;  ///< the time of its last record
};

/// The objects that lines declare, counted.
class Tracks {
public:
    /// Both outlive this object.
    Tracks(Schema& schema, const Limits& limits) : schema_(schema), limits_(limits) {}

    /// Throws Failure::limit (--max-schema) where `count` more objects are too many.
    void count_objects(std::size_t count);
    ScopeId declare(Scope scope);
    TrackId declare(Track track, bool is_open);
    /// Another track, of the same name and scope, takes the place of `before`.
    TrackId replace(TrackId before, Track track);
    std::uint32_t add_attribute(TrackId track, Field field);

    /// Valid until the next declaration.
    TrackFacts& facts(TrackId track) noexcept { return facts_[track]; }

    /// The scope of that path, "a.b" or "a/b", or one that is made of it; the empty path is no scope.
    ScopeId scope_of(std::string_view path);
    /// The scope of that path, where there is one.
    std::optional<ScopeId> find_scope(std::string_view path) const;

    /// What a name is found to be.
    struct Found {
        TrackId track = none;
        bool is_ambiguous = false;
    };
    /// The track of that name, or of that path, in `scope` where that is given; `kind`: only one of these.
    Found find(std::string_view name, const std::optional<std::string_view>& scope, std::optional<Track::Kind> kind);
    /// Where a track of that name belongs: its scope, which is made where need be, and the name there.
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
    TextMap<TrackId> found_;  // what look_up() found, by all that it was given
    std::string key_;         // reused
};

}  // namespace hwtrace::jsonl
