// formats/waveform/signal_variables.hpp - shows signals and events: a variable for each value.
#pragma once

#include <cstdint>
#include <vector>

#include "field_variables.hpp"

namespace hwtrace::waveform {

/// Fields of one name share a variable, because they hold the same value in different types. A track with one such
/// variable is shown as a variable; another one as a scope with its members.
class FieldSet {
public:
    /// Adds variables for the fields of a track, named after the fields, to `scope`.
    FieldSet(Canvas& to, const Track& track, ScopeNo scope);
    /// Adds one variable for all fields of a track, named after the track, to `scope`.
    static FieldSet single(Canvas& to, const Track& track, ScopeNo scope);

    /// Adds the fields that the track got since then. They share the variables of fields with their names.
    void update(Canvas& to, const Track& track) {
        if (by_field_.size() < track.fields.size()) [[unlikely]]
            extend(to, track);
    }

    VariableNo of(std::uint32_t field) const noexcept { return by_field_[field]; }
    const std::vector<VariableNo>& variables() const noexcept { return variables_; }

private:
    FieldSet() = default;
    void extend(Canvas& to, const Track& track);

    std::vector<VariableNo> variables_;
    std::vector<VariableNo> by_field_;
    ScopeNo scope_ = root_scope;
};

class SignalVariables {
public:
    explicit SignalVariables(Canvas& to) : to_(to), writer_(to), sets_(to.schema.tracks().size()) {}

    /// Declares the variables of a track of signals, so that they exist even if they never change.
    void declare(TrackId id) { set_of(id); }
    /// Shows a change at the time of the log.
    void show(const Batch& batch, const Record& change);

private:
    FieldSet& set_of(TrackId id);

    Canvas& to_;
    ValueWriter writer_;
    std::vector<std::vector<FieldSet>> sets_;  ///< by track: none or one
    std::vector<std::uint64_t> list_;
};

/// Shows each event as an event variable, and its fields beside it.
class EventVariables {
public:
    explicit EventVariables(Canvas& to) : to_(to), writer_(to), sets_(to.schema.tracks().size()) {}

    /// Declares the variables of a type of events, so that they exist even if none happens.
    void declare(TrackId id) { event_of(id); }
    void show(const Batch& batch, const Record& event);

private:
    struct Event {
        VariableNo happened;
        std::vector<FieldSet> fields;  ///< none or one
    };

    Event& event_of(TrackId id);
    void show_rows(const Track& track, const FieldSet& set, std::span<const std::uint64_t> cells);

    Canvas& to_;
    ValueWriter writer_;
    std::vector<std::vector<Event>> sets_;  ///< by track: none or one
    std::vector<std::uint64_t> list_;
};

}  // namespace hwtrace::waveform
