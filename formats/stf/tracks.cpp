#include "tracks.hpp"

#include <string>
#include <utility>
#include <vector>

namespace hwtrace::stf {

Tracks declare_tracks(Schema& schema) {
    const ScopeId root = schema.declare(Scope{std::string(root_name), none, {}, none});
    const ScopeId core = schema.declare(Scope{std::string(hart_name), root, {}, none});
    const auto declare = [&](Track::Kind kind, std::string_view name, std::vector<Field> fields) {
        return schema.declare(make_track(kind, core, name, ordinals, std::move(fields)));
    };
    Tracks tracks;
    tracks.hart = declare(Track::Kind::hart, hart_name, {});
    tracks.events.fill(none);
    for (const EventTrack& event : event_tracks) {
        std::vector<Field> fields;
        for (std::size_t i = 0; i < event.fixed + event.repeated; ++i) {
            fields.push_back({.name = std::string(event.columns[i].name),
                              .type = event.columns[i].type,
                              .repeated = i >= event.fixed});
        }
        tracks.events[static_cast<std::size_t>(event.descriptor)] =
            declare(Track::Kind::event_type, event.name, std::move(fields));
    }
    tracks.comments = declare(Track::Kind::notes, comment_track, {});
    tracks.natives = declare(Track::Kind::native, native_track, {});
    return tracks;
}

}  // namespace hwtrace::stf
