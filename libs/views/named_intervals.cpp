#include "views/named_intervals.hpp"

#include <algorithm>
#include <tuple>

#include "domain/interval_names.hpp"
#include "domain/value_text.hpp"
#include "io/text_output.hpp"

namespace hwtrace {

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
    std::vector<std::tuple<TrackId, DurationsByName::OfName>> rows;
    for (const auto& [names, row] : joined)
        rows.emplace_back(row.first,
                          DurationsByName::OfName{std::string(names.first), names.second, row.second.summary()});
    std::ranges::sort(rows, [](const auto& left, const auto& right) {
        const auto& [left_type, left_name] = left;
        const auto& [right_type, right_name] = right;
        if (left_type != right_type) return left_type < right_type;
        if (left_name.durations.total != right_name.durations.total)
            return left_name.durations.total > right_name.durations.total;
        return left_name.name < right_name.name;
    });
    for (auto& [type, name] : rows)
        result.names.push_back(std::move(name));
    result.omitted = omitted_;
    return result;
}

}  // namespace hwtrace
