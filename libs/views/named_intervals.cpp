#include "views/named_intervals.hpp"

#include <algorithm>
#include <tuple>

#include "domain/interval_names.hpp"
#include "domain/value_text.hpp"
#include "io/text_output.hpp"

namespace hwtrace {

void NamedIntervalMeter::learn() {
    while (tracks_.size() < schema_.tracks().size()) {
        const auto id = static_cast<TrackId>(tracks_.size());
        const Track& track = schema_.tracks()[id];
        OfTrack& of_track = tracks_.emplace_back();
        if (track.kind != Track::Kind::stream) continue;
        of_track.field = name_field_of(track);
        if (of_track.field != none) of_track.type = types_.try_emplace(track.name, id).first->second;
    }
}

void NamedIntervalMeter::add(const Batch& batch) {
    learn();
    for (const Record& record : batch.records()) {
        if (record.kind != Kind::interval || record.count == 0) continue;
        OfTrack& track = tracks_[record.track];
        // A track may get its fields after its first intervals.
        if (track.field == none) {
            track.field = name_field_of(schema_.tracks()[record.track]);
            if (track.field == none) continue;
            track.type = types_.try_emplace(schema_.tracks()[record.track].name, record.track).first->second;
        }
        for (const Attribute& attribute : batch.attributes(record)) {
            if (attribute.field != track.field) continue;
            const std::pair key{track.type, attribute.value};
            auto known = names_.find(key);
            if (known == names_.end() && names_.size() < most_names)
                known = names_.emplace(key, LengthMeter(&histograms_)).first;
            if (known == names_.end())
                ++omitted_;
            else
                known->second.add(record.value);
            break;
        }
    }
}

std::optional<NamedIntervals> NamedIntervalMeter::result() const {
    if (names_.empty()) return std::nullopt;
    NamedIntervals result;
    std::vector<std::tuple<TrackId, NamedIntervals::OfName>> rows;
    TextOutput text(-1);
    for (const auto& [key, durations] : names_) {
        const Track& type = schema_.tracks()[key.first];
        text.clear();
        append_value(schema_, type.fields[name_field_of(type)], key.second, text);
        rows.emplace_back(key.first, NamedIntervals::OfName{type.name, std::string(text.text()), durations.summary()});
    }
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
