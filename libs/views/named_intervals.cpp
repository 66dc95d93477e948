#include "views/named_intervals.hpp"

#include <algorithm>
#include <tuple>
#include <utility>

#include "domain/interval_names.hpp"
#include "domain/value_text.hpp"
#include "io/text_output.hpp"

namespace hwtrace {

namespace {

/// Sorts names by type in order of declaration, then by total, the longest first.
void sort(std::vector<DurationsByName::OfName>& names) {
    std::ranges::sort(names, [](const auto& left, const auto& right) {
        if (left.type_track != right.type_track) return left.type_track < right.type_track;
        if (left.durations.total != right.durations.total) return left.durations.total > right.durations.total;
        return left.name < right.name;
    });
}

}  // namespace

void NamedIntervalMeter::learn(OfTrack& of_track, TrackId track) {
    const Track& stream = schema_.tracks()[track];
    of_track.fields = stream.fields.size();
    of_track.field = name_field_of(stream);
    if (of_track.field == none) return;
    // Tracks of one name may use different enums, in which the same number has different labels.
    const Field& name = stream.fields[of_track.field];
    const auto [type, is_new] =
        numbers_.try_emplace({stream.name, name.type, name.enumeration}, static_cast<std::uint32_t>(types_.size()));
    if (is_new) types_.push_back({track, of_track.field});
    of_track.type = type->second;
}

void NamedIntervalMeter::add(const Batch& batch) {
    if (tracks_.size() < schema_.tracks().size()) tracks_.resize(schema_.tracks().size());
    for (const Record& record : batch.records()) {
        if (record.kind != Kind::interval || record.count == 0) continue;
        OfTrack& track = tracks_[record.track];
        // A track may get its fields after its first intervals.
        if (track.field == none) {
            if (track.fields == schema_.tracks()[record.track].fields.size()) continue;
            learn(track, record.track);
            if (track.field == none) continue;
        }
        for (const Attribute& attribute : batch.attributes(record)) {
            if (attribute.field != track.field) continue;
            if (track.durations == nullptr || track.latest != attribute.value) {
                track.latest = attribute.value;
                track.durations = durations_of({track.type, attribute.value});
            }
            if (track.durations == nullptr)
                ++omitted_;
            else
                track.durations->add(record.value);
            break;
        }
    }
}

/// Returns the durations of a name, or null if there are too many names.
LengthMeter* NamedIntervalMeter::durations_of(const std::pair<std::uint32_t, std::uint64_t>& key) {
    const auto known = names_.find(key);
    if (known != names_.end()) return &known->second;
    if (names_.size() == most_names) return nullptr;
    return &names_.emplace(key, LengthMeter(&histograms_)).first->second;
}

std::optional<DurationsByName> NamedIntervalMeter::result() const {
    if (names_.empty()) return std::nullopt;
    std::map<std::string_view, TrackId> first;  // the first track of each name
    for (const OfType& type : types_)
        first.try_emplace(schema_.tracks()[type.track].name, type.track);
    // Equal labels of different enums are one name.
    std::map<std::pair<std::string_view, std::string>, std::pair<TrackId, LengthMeter>> joined;
    TextOutput text(-1);
    for (const auto& [key, durations] : names_) {
        const OfType& type = types_[key.first];
        const Track& track = schema_.tracks()[type.track];
        text.clear();
        append_value(schema_, track.fields[type.field], key.second, text);
        const auto [row, is_new] =
            joined.try_emplace({track.name, std::string(text.text())}, first[track.name], durations);
        if (!is_new) row->second.second.add(durations);
    }
    DurationsByName result;
    for (const auto& [names, row] : joined)
        result.names.push_back({row.first, std::string(names.first), names.second, row.second.summary()});
    sort(result.names);
    result.omitted = omitted_;
    return result;
}

bool DurationsByName::join(const DurationsByName& later) {
    for (OfName added : later.names) {
        const auto of_type = std::ranges::find(names, added.type, &OfName::type);
        if (of_type != names.end()) added.type_track = of_type->type_track;
        const auto known = std::ranges::find_if(
            names, [&](const OfName& name) { return name.type == added.type && name.name == added.name; });
        if (known == names.end()) {
            names.push_back(std::move(added));
            continue;
        }
        LengthMeter durations;
        durations.add(known->durations);
        durations.add(added.durations);
        known->durations = durations.summary();
    }
    sort(names);
    omitted += later.omitted;
    return omitted == 0 && names.size() <= most_names;
}

}  // namespace hwtrace
