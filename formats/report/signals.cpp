#include "signals.hpp"

#include <algorithm>
#include <utility>

#include "details.hpp"
#include "domain/protocols.hpp"
#include "model/hash.hpp"

namespace hwtrace::report {
namespace {

constexpr std::size_t most_elements = 8;

}  // namespace

HeldValue::HeldValue(Chart& chart, TrackId track, std::string_view label, const Field& field, std::string_view name)
    : is_curve_(is_number(field, name)) {
    place_ = is_curve_ ? chart.add_curve(track, label, number_kind(field.type))
                       : chart.add_row(track, label, Row::Counting::never);
}

void HeldValue::set(Chart& chart, const Schema& schema, Tick time, const Field& field, std::uint64_t cell) {
    if (is_curve_) {
        is_open_ = true;
        return chart.add_value(place_, time, number_bits(field.type, cell));
    }
    end(chart, schema, time, field);
    since_ = time;
    is_open_ = true;
    cell_ = cell;
}

void HeldValue::set(Chart& chart, const Schema& schema, Tick time, const Field& field,
                    std::span<const Attribute> values) {
    end(chart, schema, time, field);
    since_ = time;
    is_open_ = is_list_ = true;
    list_.clear();
    for (std::size_t i = 0; i < std::min(values.size(), most_elements); ++i) {
        if (i != 0) list_ += ", ";
        append_cell(schema, field, values[i].value, list_);
    }
    if (values.size() > most_elements) list_.append(", \xE2\x80\xA6 (").append(std::to_string(values.size())) += ')';
}

void HeldValue::end(Chart& chart, const Schema& schema, Tick time, const Field& field) {
    if (!std::exchange(is_open_, false)) return;
    if (is_curve_) return chart.end_value(place_, time);
    chart.add(place_, since_, std::max(since_, time), [&](Slice& slice) {
        if (!is_list_) {
            list_.clear();
            append_cell(schema, field, cell_, list_);
        }
        slice.name = chart.text(list_);
    });
}

std::deque<HeldValue>& Signals::values_of(TrackId id) {
    std::deque<HeldValue>& values = values_[id];
    const Track& track = schema_.tracks()[id];
    if (values.size() == track.fields.size()) [[likely]]
        return values;
    const bool is_structure = track.fields.size() > 1;
    for (const Field& field : std::span(track.fields).subspan(values.size()))
        values.emplace_back(chart_, id, is_structure ? track.name + "." + field.name : track.name, field,
                            is_structure ? field.name : track.name);
    HashMap<std::string_view, std::uint32_t> first_of_name;
    for (std::uint32_t i = 0; i < values.size(); ++i) {
        const auto [first, is_new] = first_of_name.try_emplace(track.fields[i].name, i);
        values[i].twin = is_new ? i : std::exchange(values[first->second].twin, i);
    }
    return values;
}

void Signals::end_twins(std::deque<HeldValue>& values, std::uint32_t index, Tick time,
                        const std::vector<Field>& fields) {
    for (std::uint32_t twin = values[index].twin; twin != index; twin = values[twin].twin)
        values[twin].end(chart_, schema_, time, fields[twin]);
}

void Signals::add(const Batch& batch, const Record& change) {
    std::deque<HeldValue>& values = values_of(change.track);
    const std::vector<Field>& fields = schema_.tracks()[change.track].fields;
    const Tick time = times_.at(change.track, change.time);
    chart_.reach(time, time);
    if ((change.flags & record_no_value) != 0) {
        for (std::size_t i = 0; i < values.size(); ++i)
            values[i].end(chart_, schema_, time, fields[i]);
        return;
    }
    for (std::span<const Attribute> rest = batch.attributes(change); !rest.empty();) {
        const std::uint32_t index = rest.front().field;
        const Field& field = fields[index];
        end_twins(values, index, time, fields);
        std::size_t count = 1;
        while (field.repeated && count < rest.size() && rest[count].field == index)
            ++count;
        if (field.repeated)
            values[index].set(chart_, schema_, time, field, rest.first(count));
        else
            values[index].set(chart_, schema_, time, field, rest.front().value);
        rest = rest.subspan(count);
    }
}

void Signals::finish() {
    for (TrackId id = 0; id < values_.size(); ++id)
        for (std::size_t i = 0; i < values_[id].size(); ++i)
            if (!values_[id][i].is_curve())
                values_[id][i].end(chart_, schema_, chart_.last(), schema_.tracks()[id].fields[i]);
}

}  // namespace hwtrace::report
