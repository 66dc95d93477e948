// formats/waveform/field_variables.hpp - shows the values of a field as a variable.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "change_log.hpp"
#include "codec/losses.hpp"
#include "model/record.hpp"
#include "model/schema.hpp"
#include "timescale.hpp"

namespace hwtrace::waveform {

/// The waveform that all parts of a picture draw on.
struct Canvas {
    Canvas(const Schema& shown, ChangeLog& changes, const Timescale& timescale, Losses& lost)
        : schema(shown),
          log(changes),
          losses(lost),
          times(shown_times(shown, timescale, lost)),
          scopes_(shown.scopes().size(), 0) {}

    const Schema& schema;
    ChangeLog& log;
    Losses& losses;
    ShownTimes times;

    /// Returns the scope of the waveform for a scope of the schema. Adds it, and its ancestors, at the first call.
    ScopeNo scope(ScopeId id);
    /// Adds a scope for a track, in the scope of the track.
    ScopeNo add_scope(const Track& track) { return log.add_scope(scope(track.scope), track.name); }

private:
    std::vector<ScopeNo> scopes_;  ///< by scope; root_scope: not added yet
};

/// Returns the variable that shows values of all `fields`. They have one name, and may have several types.
Variable variable_for(std::span<const Field> fields, std::string_view name);
inline Variable variable_for(const Field& field, std::string_view name) {
    return variable_for(std::span(&field, 1), name);
}

/// Sets a variable to a value of a field, at the time of the log.
class ValueWriter {
public:
    explicit ValueWriter(Canvas& to) : to_(to) {}

    void set(VariableNo variable, const Field& field, std::uint64_t cell);
    /// Sets a text to a list of values.
    void set_list(VariableNo variable, const Field& field, std::span<const std::uint64_t> cells);
    /// Ends the value of a variable. Texts become empty, and reals NaN.
    void end(VariableNo variable) { to_.log.none(variable); }

private:
    void set_text(VariableNo variable, const Field& field, std::uint64_t cell);
    void append(const Field& field, std::uint64_t cell);

    Canvas& to_;
    std::string text_;
};

}  // namespace hwtrace::waveform
