#include "pipeline/record_selection.hpp"

#include <algorithm>
#include <optional>

#include "io/error.hpp"
#include "model/protocols.hpp"
#include "model/record_kinds.hpp"

namespace hwtrace {

namespace {

bool fits_any(const std::vector<std::string>& patterns, std::string_view name, std::string_view path) noexcept {
    return std::any_of(patterns.begin(), patterns.end(), [&](const std::string& pattern) {
        return fits_pattern(name, pattern) || fits_pattern(path, pattern);
    });
}

/// What patterns of `--select` are held against: names from the root on; a root without a name of its own, "/", is
/// none.
std::string pattern_path(const Schema& schema, ScopeId scope) {
    std::string path;
    any_upwards(schema, scope, [&](ScopeId up) {
        const std::string& name = schema.scopes()[up].name;
        if (name != "/") path = path.empty() ? name : name + '/' + path;
        return false;
    });
    return path;
}

bool is_of_kinds(const Track& track, const RecordCriteria& criteria) noexcept {
    const auto& kinds = criteria.kinds;
    return kinds.empty() ||
           std::any_of(kinds.begin(), kinds.end(), [&](Kind kind) { return carrier_of(kind) == track.kind; });
}

bool fits(const Schema& schema, TrackId id, const RecordCriteria& criteria) {
    const Track& track = schema.tracks()[id];
    const auto& only = criteria.only;
    if (!only.empty() && !std::binary_search(only.begin(), only.end(), id)) return false;
    if (!is_of_kinds(track, criteria)) return false;
    const std::string scope_path = pattern_path(schema, track.scope);
    if (!criteria.tracks.empty() &&
        !fits_any(criteria.tracks, track.name, scope_path.empty() ? track.name : scope_path + '/' + track.name))
        return false;
    return criteria.scopes.empty() || any_upwards(schema, track.scope, [&](ScopeId up) {
               return fits_any(criteria.scopes, schema.scopes()[up].name, pattern_path(schema, up));
           });
}

bool any_fits(const Schema& schema, const RecordCriteria& criteria, std::optional<Track::Kind> kind) {
    for (TrackId id = 0; id < schema.tracks().size(); ++id)
        if ((!kind || schema.tracks()[id].kind == *kind) && fits(schema, id, criteria)) return true;
    return false;
}

}  // namespace

bool relations_follow_intervals(const Schema& schema, const RecordCriteria& criteria) {
    const auto& tracks = schema.tracks();
    if (tracks.empty()) {  // all of them appear while reading
        const auto& kinds = criteria.kinds;
        const bool wants_intervals =
            kinds.empty() || std::find(kinds.begin(), kinds.end(), Kind::interval) != kinds.end();
        return wants_intervals && criteria.scopes.empty() && criteria.tracks.empty() && criteria.only.empty();
    }
    if (std::any_of(tracks.begin(), tracks.end(), [](const Track& track) { return track.kind == Track::Kind::hart; }))
        return false;
    return any_fits(schema, criteria, Track::Kind::stream);
}

RecordSelection::RecordSelection(const Schema& source, const RecordCriteria& criteria, const Schema& complete)
    : source_(source),
      criteria_(criteria),
      follows_intervals_(relations_follow_intervals(complete, criteria)),
      derived_(source, [this](const Track& track) { return wants(track, met_++); }) {
    const auto& tracks = complete.tracks();
    has_hart_ =
        std::any_of(tracks.begin(), tracks.end(), [](const Track& track) { return track.kind == Track::Kind::hart; });
    if (!tracks.empty() && !any_fits(complete, criteria, std::nullopt))
        fail(Failure::usage, "--select: no track of this trace is of those kinds, scopes and tracks");
}

bool RecordSelection::wants(const Track& track, TrackId id) const {
    if (follows_intervals_ && track.kind == Track::Kind::relation_type) return is_of_kinds(track, criteria_);
    return fits(source_, id, criteria_);
}

bool RecordSelection::wants(const Record& record) const noexcept {
    const std::vector<Kind>& kinds = criteria_.kinds;
    return derived_[record.track] != none &&
           (kinds.empty() || std::find(kinds.begin(), kinds.end(), record.kind) != kinds.end());
}

void RecordSelection::apply(const Batch& in, Batch& out) {
    derived_.follow(in);
    for (const Record& record : in.records()) {
        begins_frame_ = begins_frame_ || (record.flags & record_first_of_frame) != 0;
        const bool wanted = wants(record);
        if (wanted) {
            Record& copied = out.copy(in, record, derived_[record.track]);
            if (begins_frame_) copied.flags |= record_first_of_frame;
            begins_frame_ = false;
        }
        if (has_hart_) group_order_.follow(in, record, wanted, out);
    }
}

}  // namespace hwtrace
