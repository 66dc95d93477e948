// formats/perfetto/timelines.hpp - what the drawers of a trace share: the schema, the rows of scopes, and times.
#pragma once

#include <algorithm>
#include <optional>
#include <string>
#include <vector>

#include "arguments.hpp"
#include "codec/losses.hpp"
#include "domain/utf8.hpp"
#include "drawing.hpp"
#include "model/schema.hpp"
#include "nanoseconds.hpp"

namespace hwtrace::perfetto {

/// The timeline of a trace, as far as it is drawn.
class Timelines {
public:
    Timelines(const Schema& schema_of_trace, Drawing& target, const Unit& unit, Losses& all_losses)
        : schema(schema_of_trace),
          drawing(target),
          losses(all_losses),
          times(shown_times(schema, unit, drawing.times(), losses)),
          arguments(schema, drawing),
          scopes_(schema.scopes().size(), root_row),
          names_(schema.tracks().size(), none) {}

    const Schema& schema;
    Drawing& drawing;
    Losses& losses;
    ShownTimes times;
    Arguments arguments;  ///< reused by every item

    /// Returns the row of a scope. Adds it, and the rows of its ancestors, at the first call.
    RowId scope(ScopeId id) {
        std::vector<ScopeId> path;  // the scopes of a broken trace may form a cycle
        for (; id < scopes_.size() && scopes_[id] == root_row && path.size() <= scopes_.size();
             id = schema.scopes()[id].parent)
            path.push_back(id);
        RowId row = id < scopes_.size() ? scopes_[id] : root_row;
        for (std::size_t i = path.size(); i-- != 0;) {
            row = drawing.add({Row::Kind::group, row, as_utf8(schema.scopes()[path[i]].name)});
            scopes_[path[i]] = row;
        }
        return row;
    }
    /// Adds a row for a track, in the row of its scope.
    RowId add_row(Row::Kind kind, const Track& track) {
        const RowId parent = scope(track.scope);
        return drawing.add({kind, parent, as_utf8(track.name)});
    }
    /// Returns the number of a track's name.
    NameId name(TrackId track) {
        NameId& name = names_[track];
        if (name == none) name = drawing.name(schema.tracks()[track].name);
        return name;
    }
    /// Notes that the trace has something at `time`, and returns the time.
    Tick reach(Tick time) noexcept {
        first = std::min(first.value_or(time), time);
        last = std::max(last, time);
        return time;
    }

    std::optional<Tick> first;  ///< the earliest time so far
    Tick last = 0;              ///< the latest time so far

private:
    std::vector<RowId> scopes_;  ///< by scope; root_row: not added yet
    std::vector<NameId> names_;  ///< by track; none: not named yet
};

}  // namespace hwtrace::perfetto
