// formats/report/entities.hpp - the entities of `cpu` and `noc` scopes: rows with stages, durations, hot code.
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "chart.hpp"
#include "domain/timeline.hpp"
#include "durations.hpp"
#include "hot_code.hpp"
#include "time_scale.hpp"

namespace hwtrace::report {

class Entities {
public:
    Entities(const Schema& schema, TimeScale& times, Chart& chart, HistogramBudget& histograms);

    /// Returns true if the records of this track are shown with the entities.
    bool shows(TrackId track) const noexcept { return shows_[track]; }
    void add(const Batch& batch);
    /// Adds the entities that are in flight at the end.
    void finish();
    /// Writes the elements of the array "types": lifetimes and stages.
    void write_types(JsonStream& json) const;
    /// Writes the elements of the array "code": executed instructions of each `cpu` scope.
    /// `symbols` may be null.
    void write_code(JsonStream& json, const Symbols* symbols) const;

private:
    /// The storage of entities of a scope.
    struct Group {
        RowId row = none;
        std::unique_ptr<Durations> lifetimes;
        std::vector<std::unique_ptr<Durations>> stages;  ///< by number
        HotCode code;
    };

    void add(const Lifetime& life);
    void add_slice(const Lifetime& life, const Catalogue& catalogue, Group& group);
    void describe(const Lifetime& life, const Catalogue& catalogue, Slice& slice);
    void add_parts(const Lifetime& life, const Catalogue& catalogue, Slice& slice);

    const Schema& schema_;
    TimeScale& times_;
    Chart& chart_;
    HistogramBudget& histograms_;
    std::vector<bool> shows_;  ///< by track
    Timeline entities_;
    std::vector<Group> groups_;  ///< by catalogue
};

}  // namespace hwtrace::report
