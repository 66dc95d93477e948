// formats/report/intervals.hpp - the intervals of a report: rows, durations by type, utilisation, frequent names.
#pragma once

#include <cstdint>
#include <deque>
#include <memory>
#include <vector>

#include "chart.hpp"
#include "domain/lanes.hpp"
#include "durations.hpp"
#include "model/hash.hpp"
#include "model/record.hpp"
#include "time_scale.hpp"

namespace hwtrace::report {

class Intervals {
public:
    Intervals(const Schema& schema, TimeScale& times, Chart& chart, HistogramBudget& histograms);

    /// Adds an interval. Intervals come sorted by begin.
    void add(const Batch& batch, const Record& interval);
    /// Writes the elements of the array "types": a type of interval for each track.
    void write_types(JsonStream& json) const;
    /// Writes the member "names": the most frequent names of intervals.
    void write_names(JsonStream& json) const;
    const std::deque<ScopeLoad>& scope_loads() const noexcept { return scopes_; }

private:
    struct Name {
        std::uint64_t count = 0, duration = 0;
    };
    /// A track of intervals.
    struct Type {
        explicit Type(HistogramBudget& histograms) : durations(histograms) {}

        RowId row = none;
        ScopeLoad* scope = nullptr;  ///< null: calls by the host, which are no work of the scope
        std::uint32_t name_field = none;
        Lanes lanes;
        Durations durations;
        std::uint64_t busy = 0;
        HashMap<std::uint64_t, Name> names;  ///< by cell
    };

    Type& type_of(TrackId track);
    void count_name(Type& type, std::uint64_t cell, std::uint64_t duration);

    const Schema& schema_;
    TimeScale& times_;
    Chart& chart_;
    HistogramBudget& histograms_;
    std::vector<std::unique_ptr<Type>> types_;  ///< by track
    std::vector<ScopeLoad*> by_scope_;
    std::deque<ScopeLoad> scopes_;
    std::size_t names_ = 0;
    std::uint64_t names_omitted_ = 0;  ///< intervals whose name is not counted
};

}  // namespace hwtrace::report
