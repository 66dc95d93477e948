#include "track_counts.hpp"

#include <algorithm>

#include "details.hpp"
#include "domain/protocols.hpp"
#include "durations.hpp"

namespace hwtrace::report {
namespace {

constexpr std::size_t most_scopes = 5000, most_tracks = 5000, most_name = 200;

}  // namespace

void TrackCounts::write(JsonStream& json) const {
    static_assert(static_cast<std::size_t>(Kind::native) + 1 == std::tuple_size_v<decltype(kinds_)>);
    std::uint64_t records = 0;
    for (const std::uint64_t count : kinds_)
        records += count;
    json.member("records", records);
    json.object("kinds");
    for (std::size_t kind = 0; kind < kinds_.size(); ++kind)
        if (kinds_[kind] != 0) json.member(name_of(static_cast<Kind>(kind)), kinds_[kind]);
    json.end_object();
    json.member("scope_count", schema_.scopes().size());
    json.array("scopes");
    for (ScopeId id = 0; id < std::min(schema_.scopes().size(), most_scopes); ++id) {
        json.begin_array();
        json.text(short_text(path_of(schema_, id), most_name));
        json.text(short_text(schema_.scopes()[id].protocol, most_name));
        json.number(period_of(schema_, id));
        json.end_array();
    }
    json.end_array();
    json.member("track_count", schema_.tracks().size());
    json.array("tracks");
    for (TrackId id = 0; id < std::min(tracks_.size(), most_tracks); ++id) {
        const Track& track = schema_.tracks()[id];
        json.begin_object();
        json.member("id", std::uint64_t{id});
        if (track.scope != none) json.member("scope", std::uint64_t{track.scope});
        json.member("kind", name_of(track.kind));
        json.member("label", std::string_view(short_text(track.name, most_name)));
        json.member("fields", track.fields.size() + track.properties.size());
        json.member("records", tracks_[id].records);
        json.key("base");
        write_base(json, track.time);
        if (tracks_[id].records != 0) {
            json.member("first", tracks_[id].first);
            json.member("last", tracks_[id].last);
        }
        json.end_object();
    }
    json.end_array();
}

}  // namespace hwtrace::report
