#include "signal_variables.hpp"

#include <algorithm>
#include <map>
#include <string>

namespace hwtrace::waveform {

FieldSet::FieldSet(Canvas& to, const Track& track, ScopeNo scope) : scope_(scope) {
    std::map<std::string_view, std::vector<Field>> types;
    for (const Field& field : track.fields)
        types[field.name].push_back(field);
    std::map<std::string_view, VariableNo> known;
    for (const Field& field : track.fields) {
        const auto [at, is_new] = known.emplace(field.name, VariableNo{0});
        if (is_new) {
            at->second = to.log.add(scope, variable_for(types[field.name], field.name));
            variables_.push_back(at->second);
        }
        by_field_.push_back(at->second);
    }
}

FieldSet FieldSet::single(Canvas& to, const Track& track, ScopeNo scope) {
    FieldSet set;
    set.scope_ = scope;
    const VariableNo variable = to.log.add(scope, variable_for(track.fields, track.name));
    set.variables_.push_back(variable);
    set.by_field_.assign(track.fields.size(), variable);
    return set;
}

void FieldSet::extend(Canvas& to, const Track& track) {
    while (by_field_.size() < track.fields.size()) {
        const Field& field = track.fields[by_field_.size()];
        const auto known = std::ranges::find(track.fields, field.name, &Field::name) - track.fields.begin();
        if (static_cast<std::size_t>(known) == by_field_.size()) {
            variables_.push_back(to.log.add(scope_, variable_for(field, field.name)));
            by_field_.push_back(variables_.back());
        } else {
            by_field_.push_back(by_field_[static_cast<std::size_t>(known)]);
        }
    }
}

FieldSet& SignalVariables::set_of(TrackId id) {
    std::vector<FieldSet>& sets = sets_[id];
    const Track& track = to_.schema.tracks()[id];
    if (sets.empty()) {
        const bool is_single = std::ranges::all_of(
            track.fields, [&](const Field& field) { return field.name == track.fields.front().name; });
        sets.push_back(is_single && !track.fields.empty() ? FieldSet::single(to_, track, to_.scope(track.scope))
                                                          : FieldSet(to_, track, to_.add_scope(track)));
    }
    sets.front().update(to_, track);
    return sets.front();
}

void SignalVariables::show(const Batch& batch, const Record& change) {
    const Track& track = to_.schema.tracks()[change.track];
    if (track.fields.empty()) return;
    const FieldSet& set = set_of(change.track);
    if (change.value != change_unmarked)
        to_.losses.count(Loss::field_dropped, track.name, [] { return std::string("the mark of a change"); });
    if ((change.flags & record_no_value) != 0) {
        for (const VariableNo variable : set.variables())
            writer_.end(variable);
        return;
    }
    std::span<const Attribute> values = batch.attributes(change);
    while (!values.empty()) {
        const std::uint32_t index = values.front().field;
        const Field& field = track.fields[index];
        std::size_t count = 1;
        if (field.repeated) {
            list_.assign(1, values.front().value);
            for (; count < values.size() && values[count].field == index; ++count)
                list_.push_back(values[count].value);
            writer_.set_list(set.of(index), field, list_);
        } else {
            writer_.set(set.of(index), field, values.front().value);
        }
        values = values.subspan(count);
    }
}

EventVariables::Event& EventVariables::event_of(TrackId id) {
    const Track& track = to_.schema.tracks()[id];
    std::vector<Event>& known = sets_[id];
    if (known.empty()) {
        const ScopeNo scope = to_.scope(track.scope);
        known.push_back({to_.log.add(scope, {Variable::Kind::event, 1, track.name}), {}});
        if (!track.fields.empty()) known.front().fields.emplace_back(to_, track, to_.log.add_scope(scope, track.name));
    }
    return known.front();
}

void EventVariables::show(const Batch& batch, const Record& event) {
    const Track& track = to_.schema.tracks()[event.track];
    const Event& known = event_of(event.track);
    const std::span<const std::uint64_t> cells = batch.cells(event);
    if (!known.fields.empty()) {
        const FieldSet& set = known.fields.front();
        const std::size_t fixed = track.fixed_fields();
        for (std::size_t i = 0; i < cells.size() && i < fixed; ++i)
            writer_.set(set.of(static_cast<std::uint32_t>(i)), track.fields[i], cells[i]);
        if (cells.size() > fixed) show_rows(track, set, cells.subspan(fixed));
    }
    to_.log.happened(known.happened);
}

void EventVariables::show_rows(const Track& track, const FieldSet& set, std::span<const std::uint64_t> cells) {
    const std::size_t fixed = track.fixed_fields(), repeated = track.fields.size() - fixed;
    for (std::size_t column = 0; column < repeated; ++column) {
        list_.clear();
        for (std::size_t i = column; i < cells.size(); i += repeated)
            list_.push_back(cells[i]);
        writer_.set_list(set.of(static_cast<std::uint32_t>(fixed + column)), track.fields[fixed + column], list_);
    }
}

}  // namespace hwtrace::waveform
