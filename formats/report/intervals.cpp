#include "intervals.hpp"

#include <algorithm>
#include <array>
#include <string>
#include <string_view>
#include <tuple>

#include "details.hpp"
#include "domain/conventions.hpp"
#include "domain/interval_names.hpp"

namespace hwtrace::report {
namespace {

constexpr std::size_t most_names = 50'000, most_names_shown = 200;

}  // namespace

Intervals::Intervals(const Schema& schema, TimeScale& times, Chart& chart, HistogramBudget& histograms)
    : schema_(schema),
      times_(times),
      chart_(chart),
      histograms_(histograms),
      types_(schema.tracks().size()),
      by_scope_(schema.scopes().size() + 1) {}

Intervals::Type& Intervals::type_of(TrackId id) {
    if (types_[id] != nullptr) [[likely]]
        return *types_[id];
    const Track& track = schema_.tracks()[id];
    types_[id] = std::make_unique<Type>(histograms_);
    Type& type = *types_[id];
    type.row = chart_.add_row(id, track.name, Row::Counting::once);
    type.name_field = name_field_of(track);
    if (track.name == conventions::host_call) return type;
    ScopeLoad*& scope = by_scope_[std::min<std::size_t>(track.scope, by_scope_.size() - 1)];
    if (scope == nullptr && scopes_.size() < Chart::most_rows) {
        scope = &scopes_.emplace_back();
        scope->scope = track.scope;
    }
    type.scope = scope;
    return type;
}

void Intervals::count_name(Type& type, std::uint64_t cell, std::uint64_t duration) {
    auto found = type.names.find(cell);
    if (found == type.names.end()) {
        if (names_ == most_names) {
            ++names_omitted_;
            return;
        }
        ++names_;
        found = type.names.emplace(cell, Name{}).first;
    }
    ++found->second.count;
    found->second.duration += duration;
}

void Intervals::add(const Batch& batch, const Record& interval) {
    Type& type = type_of(interval.track);
    const Tick begin = times_.at(interval.track, interval.time);
    const Tick end = std::max(begin, times_.end(interval.track, interval.time, interval.value));
    const std::size_t lane = type.lanes.place(begin, end);
    type.durations.add(interval.value);
    if (type.scope != nullptr) type.scope->load.add_union(begin, end);
    const Attribute* name = nullptr;
    if (type.name_field != none)
        for (const Attribute& attribute : batch.attributes(interval))
            if (attribute.field == type.name_field) {
                name = &attribute;
                count_name(type, attribute.value, interval.value);
                break;
            }
    chart_.add(type.row, begin, end, [&](Slice& slice) {
        const Track& track = schema_.tracks()[interval.track];
        std::string text;
        if (name != nullptr)
            append_cell(schema_, track.fields[name->field], name->value, text);
        else
            text = short_text(track.name, 200);
        slice.lane = lane;
        slice.name = chart_.text(text);
        append_attributes(schema_, track, batch.attributes(interval), slice.detail);
    });
}

void Intervals::write_types(JsonStream& json) const {
    for (TrackId id = 0; id < types_.size(); ++id) {
        if (types_[id] == nullptr) continue;
        const Track& track = schema_.tracks()[id];
        json.begin_object();
        json.member("track", std::uint64_t{id});
        if (track.scope != none) json.member("scope", std::uint64_t{track.scope});
        json.member("label", std::string_view(short_text(track.name, 200)));
        json.key("base");
        write_base(json, track.time);
        types_[id]->durations.write(json);
        json.end_object();
    }
}

void Intervals::write_names(JsonStream& json) const {
    using Entry = std::tuple<std::uint64_t, TrackId, std::uint64_t, std::string>;  // count, track, duration, text
    std::vector<Entry> all;
    for (TrackId id = 0; id < types_.size(); ++id) {
        if (types_[id] == nullptr) continue;
        for (const auto& [cell, name] : types_[id]->names) {
            std::string text;
            append_cell(schema_, schema_.tracks()[id].fields[types_[id]->name_field], cell, text);
            all.emplace_back(name.count, id, name.duration, std::move(text));
        }
    }
    const std::size_t shown = std::min(all.size(), most_names_shown);
    std::partial_sort(all.begin(), all.begin() + static_cast<std::ptrdiff_t>(shown), all.end(),
                      [](const Entry& left, const Entry& right) {
                          if (std::get<0>(left) != std::get<0>(right)) return std::get<0>(left) > std::get<0>(right);
                          if (std::get<1>(left) != std::get<1>(right)) return std::get<1>(left) < std::get<1>(right);
                          return std::get<3>(left) < std::get<3>(right);
                      });
    json.array("names");
    for (const auto& [count, track, duration, text] : std::span(all).first(shown)) {
        json.begin_array();
        json.number(track);
        json.text(text);
        json.number(count);
        json.number(duration);
        json.end_array();
    }
    json.end_array();
    json.member("names_counted", all.size());
    json.member("names_omitted", names_omitted_);
}

}  // namespace hwtrace::report
