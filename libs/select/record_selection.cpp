#include "select/record_selection.hpp"

#include <algorithm>
#include <optional>
#include <utility>

#include "domain/protocols.hpp"
#include "domain/record_mark.hpp"
#include "io/error.hpp"
#include "model/record_kinds.hpp"

namespace hwtrace {

namespace {

bool fits_any(const std::vector<std::string>& patterns, std::string_view name, std::string_view path) noexcept {
    return std::any_of(patterns.begin(), patterns.end(), [&](const std::string& pattern) {
        return fits_pattern(name, pattern) || fits_pattern(path, pattern);
    });
}

/// Returns the path of a scope for matching with the patterns of --select. The path starts at the root but omits a root
/// named "/".
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

bool any_fits(const Schema& schema, const RecordCriteria& criteria, const FieldMatch& match,
              std::optional<Track::Kind> kind) {
    for (TrackId id = 0; id < schema.tracks().size(); ++id) {
        const Track& track = schema.tracks()[id];
        if (kind && track.kind != *kind) continue;
        if (accepts_track(schema, id, criteria) && (!match.any() || match.can_fit(schema, track))) return true;
    }
    return false;
}

}  // namespace

bool accepts_track(const Schema& schema, TrackId id, const RecordCriteria& criteria) {
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

bool relations_follow_intervals(const Schema& schema, const RecordCriteria& criteria,
                                std::optional<std::uint64_t> period_ps) {
    const auto& tracks = schema.tracks();
    if (tracks.empty()) {  // all tracks appear while reading
        const auto& kinds = criteria.kinds;
        const bool wants_intervals =
            kinds.empty() || std::find(kinds.begin(), kinds.end(), Kind::interval) != kinds.end();
        return wants_intervals && criteria.scopes.empty() && criteria.tracks.empty() && criteria.only.empty();
    }
    if (has_hart(schema)) return false;
    return any_fits(schema, criteria, FieldMatch(schema, criteria.fields, period_ps), Track::Kind::stream);
}

bool may_select(const Schema& schema, const RecordCriteria& criteria, Track::Kind kind) {
    return any_fits(schema, criteria, FieldMatch(schema, criteria.fields), kind);
}

void settle(const Schema& schema, Criteria& criteria) {
    RecordCriteria& records = criteria.records;
    if (records.fields.empty() || !has_hart(schema)) return;
    if (!any_fits(schema, records, FieldMatch(schema, records.fields), Track::Kind::hart)) return;
    criteria.instructions.fields = std::exchange(records.fields, {});
}

RecordSelection::RecordSelection(const Schema& source, const RecordCriteria& criteria, const Schema& complete,
                                 const RecordSelectionOptions& options)
    : source_(source),
      complete_(complete),
      criteria_(criteria),
      match_(source, criteria.fields, options.period_ps),
      follows_intervals_(relations_follow_intervals(complete, criteria, options.period_ps)),
      derived_(source, [this](const Track& track, TrackId id) { return wants(track, id); }),
      has_hart_(has_hart(complete)),
      rows_(complete, options.limits) {
    if (complete.tracks().empty()) return;
    if (!any_fits(complete, criteria, match_, std::nullopt)) refuse_nothing();
}

/// Throws an error that states why no track is selected.
void RecordSelection::refuse_nothing() const {
    std::vector<TrackId> fitting;
    for (TrackId id = 0; id < complete_.tracks().size(); ++id)
        if (accepts_track(complete_, id, criteria_)) fitting.push_back(id);
    if (fitting.empty())
        fail(Failure::usage,
             "--select: no track of this trace matches the kinds, scopes and tracks; hwtrace-info -v lists scopes and "
             "tracks");
    fail(Failure::usage, "--select: " + match_.reason(complete_, fitting));
}

bool RecordSelection::wants(const Track& track, TrackId id) const {
    if (follows_intervals_ && track.kind == Track::Kind::relation_type) return is_of_kinds(track, criteria_);
    if (!accepts_track(source_, id, criteria_)) return false;
    // Fields may appear while reading.
    return !match_.any() || match_.can_fit(complete_, id < complete_.tracks().size() ? complete_.tracks()[id] : track);
}

bool RecordSelection::accepts_kind(Kind kind) const noexcept {
    const std::vector<Kind>& kinds = criteria_.kinds;
    return kinds.empty() || std::ranges::find(kinds, kind) != kinds.end();
}

/// Writes the record, unless its kind is not selected.
void RecordSelection::put(const Batch& from, const Record& record, Batch& out) {
    if (!accepts_kind(record.kind)) return;
    Record& copied = out.copy(from, record, derived_[record.track]);
    if (begins_frame_) copied.flags |= record_first_of_frame;
    begins_frame_ = false;
}

/// Determines for each new signal whether it can hold a value until the next change.
void RecordSelection::meet_signals() {
    for (auto id = static_cast<TrackId>(signals_.size()); id < source_.tracks().size(); ++id) {
        SignalPlace& signal = signals_.emplace_back();
        if (source_.tracks()[id].kind != Track::Kind::signal) continue;
        if (met_signals_ == 0) of_records_ = signals_of_records(source_);
        signal.holds = met_signals_ >= of_records_.size() || !of_records_[met_signals_];
        ++met_signals_;
    }
}

void RecordSelection::apply_change(const Batch& in, const Record& record, Batch& out) {
    if (signals_.size() < source_.tracks().size()) meet_signals();
    SignalPlace& signal = signals_[record.track];
    if (match_.fits(in, record)) {
        signal.inside = true;
        return put(in, record, out);
    }
    if (!std::exchange(signal.inside, false) || !signal.holds) return;
    gap_.clear();
    Record& made = gap_.change(record.track, record.time, std::span<const Attribute>());
    made.flags = static_cast<std::uint8_t>(record_no_value | (record.flags & record_restated));
    put(gap_, made, out);
}

/// Handles a record of a track that can match.
void RecordSelection::apply_fields(const Batch& in, const Record& record, Batch& out) {
    const bool is_row_operation = record.kind == Kind::set || record.kind == Kind::add || record.kind == Kind::clear;
    if (record.kind == Kind::change) {
        apply_change(in, record, out);
    } else if (is_row_operation && !is_property(record)) {
        rows_.apply(in, record, match_, [&](const Batch& from, const Record& made) { put(from, made, out); });
    } else {
        const bool follows = record.kind == Kind::relation && follows_intervals_;
        if (follows || match_.fits(in, record)) put(in, record, out);
    }
}

void RecordSelection::apply(const Batch& in, Batch& out) {
    derived_.follow(in);
    for (const Record& record : in.records()) {
        const std::size_t before = out.records().size();
        begins_frame_ = begins_frame_ || (record.flags & record_first_of_frame) != 0;
        if (match_.any()) rows_.follow_frames(record);
        if (derived_[record.track] != none) {
            if (match_.any())
                apply_fields(in, record, out);
            else
                put(in, record, out);
        }
        if (has_hart_) group_order_.follow(in, record, out.records().size() != before, out);
    }
}

}  // namespace hwtrace
