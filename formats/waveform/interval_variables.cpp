#include "interval_variables.hpp"

#include <algorithm>
#include <limits>
#include <string>

namespace hwtrace::waveform {

IntervalVariables::Lane& IntervalVariables::lane_of(TrackId id, std::size_t number) {
    const Track& track = to_.schema.tracks()[id];
    Lines& lines = tracks_[id];
    if (lines.scope == no_number) lines.scope = to_.add_scope(track);
    while (lines.lanes.size() <= number) {
        Lane& lane = lines.lanes.emplace_back();
        lane.scope = to_.log.add_scope(lines.scope, "lane" + std::to_string(lines.lanes.size() - 1));
        lane.busy = to_.log.add(lane.scope, {Variable::Kind::bits, 1, "busy"});
        lane.begin = to_.log.add(lane.scope, {Variable::Kind::event, 1, "begin"});
        to_.log.begins_as_zero(lane.busy);
        lane.by_field.assign(track.fields.size(), no_number);
    }
    return lines.lanes[number];
}

void IntervalVariables::set(Lane& lane, const Track& track, std::span<const Attribute> attributes) {
    while (!attributes.empty()) {
        const std::uint32_t index = attributes.front().field;
        const Field& field = track.fields[index];
        VariableNo& variable = lane.by_field[index];
        if (variable == no_number) variable = to_.log.add(lane.scope, variable_for(field, field.name));
        lane.in_use.push_back(variable);
        std::size_t count = 1;
        while (count < attributes.size() && attributes[count].field == index)
            ++count;
        if (field.repeated) {
            list_.clear();
            for (const Attribute& attribute : attributes.first(count))
                list_.push_back(attribute.value);
            writer_.set_list(variable, field, list_);
        } else {
            for (const Attribute& attribute : attributes.first(count))
                writer_.set(variable, field, attribute.value);
        }
        attributes = attributes.subspan(count);
    }
}

void IntervalVariables::begin(const Batch& batch, const Record& interval) {
    const Track& track = to_.schema.tracks()[interval.track];
    const Tick begin = to_.log.now();
    const Tick end = std::max(begin, to_.times.end(interval.track, interval.time, interval.value));
    const std::size_t number = tracks_[interval.track].places.place(begin, end);
    Lane& lane = lane_of(interval.track, number);
    to_.log.number(lane.busy, 1);
    to_.log.happened(lane.begin);
    set(lane, track, batch.attributes(interval));
    ends_.push({end, order_++, interval.track, static_cast<std::uint32_t>(number)});
}

void IntervalVariables::end_first() {
    const End end = ends_.top();
    ends_.pop();
    to_.log.move_to(end.time);
    Lane& lane = tracks_[end.track].lanes[end.lane];
    to_.log.number(lane.busy, 0);
    for (const VariableNo variable : lane.in_use)
        writer_.end(variable);
    lane.in_use.clear();
}

void IntervalVariables::finish() {
    end_until(std::numeric_limits<Tick>::max());
}

}  // namespace hwtrace::waveform
