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
    if (of_track.field != none) of_track.type = type_of(track, of_track.field);
}

std::uint32_t NamedIntervalMeter::type_of(TrackId track, std::uint32_t field) {
    // Tracks of one name may use different enums, in which the same number has different labels.
    const Track& stream = schema_.tracks()[track];
    const Field& name = stream.fields[field];
    const auto [type, is_new] =
        numbers_.try_emplace({stream.name, name.type, name.enumeration}, static_cast<std::uint32_t>(types_.size()));
    if (is_new) types_.push_back({track, field});
    return type->second;
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

void NamedIntervalMeter::save(StateOut& out) const {
    out(omitted_, types_.size());
    for (const OfType& type : types_)
        out(type.track, type.field);
    out(names_.size());
    for (const auto& [key, durations] : names_) {
        const OfType& type = types_[key.first];
        out(key.first);
        if (holds_text(schema_.tracks()[type.track].fields[type.field].type))
            out.text(schema_.text(static_cast<StringId>(key.second)));
        else
            out(key.second);
        durations.save(out);
    }
}

void NamedIntervalMeter::add(StateIn& in, Schema& schema) {
    omitted_ += in.get<std::uint64_t>();
    std::vector<std::uint32_t> types;
    for (std::size_t left = in.count(); left > 0; --left) {
        const auto track = static_cast<TrackId>(in.below(schema_.tracks().size()));
        types.push_back(type_of(track, static_cast<std::uint32_t>(in.below(schema_.tracks()[track].fields.size()))));
    }
    for (std::size_t left = in.count(); left > 0; --left) {
        const std::uint32_t type = types[in.below(types.size())];
        const OfType& of_type = types_[type];
        const bool is_text = holds_text(schema_.tracks()[of_type.track].fields[of_type.field].type);
        const std::uint64_t name = is_text ? schema.intern(in.get<std::string>()) : in.get<std::uint64_t>();
        LengthMeter* const durations = durations_of({type, name});
        LengthMeter others;
        (durations != nullptr ? *durations : others).add(in);
        omitted_ += others.count();
    }
}

}  // namespace hwtrace
