// formats/report/chart.hpp - what the timeline of a report shows: rows of slices, and curves, within a budget.
#pragma once

#include <cstdint>
#include <deque>
#include <limits>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "domain/time_bins.hpp"
#include "json_stream.hpp"
#include "model/name_table.hpp"
#include "model/schema.hpp"
#include "series.hpp"
#include "slice_sample.hpp"

namespace hwtrace::report {

using RowId = std::uint32_t;    ///< `none`: there are too many rows, so the row is not drawn
using CurveId = std::uint32_t;  ///< `none`: likewise

/// The load of a row over time.
class LoadBins {
public:
    static constexpr std::size_t most_bins = 512;

    /// Adds something that lasts from `begin` to `end`. A time in which several slices are in progress counts once.
    /// Exact if the slices come sorted by begin.
    void add_union(Tick begin, Tick end);
    /// Does the same, but counts a time once for each slice in progress.
    void add_sum(Tick begin, Tick end);
    std::uint64_t busy() const noexcept { return busy_; }
    std::uint64_t begins() const noexcept { return begins_; }
    /// Writes {"total", "first", "busy", "count"}. Bins have the width 2^shift, and are numbered from the bin of
    /// `origin`.
    void write(JsonStream& json, unsigned shift, Tick origin) const;

private:
    BusyBins bins_{most_bins};
    std::uint64_t busy_ = 0, begins_ = 0;
    bool has_end_ = false;
    Tick end_ = 0;  ///< of everything so far
};

/// A row of slices or instants.
struct Row {
    /// How load is counted: intervals of one track (once), entities in slots (each one), or not at all.
    enum class Counting : std::uint8_t { once, each, never };
    TrackId track = 0;
    std::string label;
    Counting counting = Counting::never;
    std::uint64_t capacity = 1;  ///< the busy ticks of a tick, if everything is in use
    SliceSample sample;
    LoadBins load;
};

/// A number over time.
struct Curve {
    TrackId track;
    std::string label;
    Series series;
};

/// The load of a scope with several rows.
struct ScopeLoad {
    ScopeId scope = none;
    LoadBins load;
};

/// The timeline of a trace.
class Chart {
public:
    static constexpr std::size_t most_rows = 2000;
    static constexpr std::size_t most_curves = 1000;
    static constexpr std::size_t slice_budget = 40'000;  ///< slices and a quarter of their parts

    /// `schema` must outlive the chart.
    explicit Chart(const Schema& schema) : schema_(schema) {}

    /// Adds a row. Rows appear in the order of their scopes and tracks.
    RowId add_row(TrackId track, std::string_view label, Row::Counting counting, std::uint64_t capacity = 1);
    CurveId add_curve(TrackId track, std::string_view label, NumberKind kind);
    /// Adds a slice. Calls fill(slice) only if the slice is kept.
    template <typename Fill>
    void add(RowId id, Tick begin, Tick end, Fill&& fill) {
        reach(begin, end);
        ++slices_;
        if (id == none) return;
        Row& row = rows_[id];
        if (row.counting == Row::Counting::once)
            row.load.add_union(begin, end);
        else
            row.load.add_sum(begin, end);
        if (!row.sample.wants(begin, end)) return;
        Slice slice;
        slice.begin = begin;
        slice.end = end;
        fill(slice);
        cost_ += slice.cost();
        row.sample.keep(std::move(slice));
        if (cost_ > limit_) thin();
    }
    /// Adds a value. Without a curve, only counts it.
    void add_value(CurveId curve, Tick time, std::uint64_t bits) {
        reach(time, time);
        if (curve == none)
            ++values_omitted_;
        else
            curves_[curve].series.add(time, bits);
    }
    /// Ends the value of a curve, so that the curve has a gap.
    void end_value(CurveId curve, Tick time) {
        reach(time, time);
        if (curve != none) curves_[curve].series.end(time);
    }
    /// Returns the number of a text that many slices share.
    std::uint32_t text(std::string_view text);
    /// Extends the span of the trace.
    void reach(Tick begin, Tick end) noexcept {
        if (begin < first_) first_ = begin;
        if (end > last_) last_ = end;
    }

    bool is_empty() const noexcept { return last_ < first_; }
    Tick first() const noexcept { return is_empty() ? 0 : first_; }
    Tick last() const noexcept { return is_empty() ? 0 : last_; }
    /// Returns the width of bins of load, as a power of two, so that the whole trace has at most `most` bins.
    unsigned bin_shift(std::size_t most) const noexcept;

    /// Writes the members "texts", "rows", "scope_loads", "curves" and "omitted" of an object.
    void write(JsonStream& json, const std::deque<ScopeLoad>& scopes);

private:
    void thin();
    /// Numbers the texts that are still in use, and writes them.
    void write_texts(JsonStream& json);
    void write_row(JsonStream& json, const Row& row, unsigned shift);
    void write_slices(JsonStream& json, const SliceSample& sample);
    void write_curve(JsonStream& json, const Curve& curve, std::size_t most);
    void write_details(JsonStream& json, const std::vector<Slice>& slices);
    void write_omitted(JsonStream& json);
    /// Returns the indexes of rows or curves in the order of their scopes and tracks.
    template <typename Items>
    std::vector<std::size_t> in_order(const Items& items) const;
    void write_place(JsonStream& json, TrackId track, const std::string& label) const;

    const Schema& schema_;
    Tick first_ = std::numeric_limits<Tick>::max(), last_ = std::numeric_limits<Tick>::min();
    std::deque<Row> rows_;
    std::deque<Curve> curves_;
    NameTable texts_;
    std::vector<std::uint32_t> text_numbers_;  ///< in the page, by number in texts_
    std::size_t cost_ = 0;
    std::size_t limit_ = slice_budget;  ///< more than the budget if many rows keep their least number of slices
    std::uint64_t slices_ = 0, rows_omitted_ = 0, curves_omitted_ = 0, values_omitted_ = 0;
    std::size_t detail_limit_ = 0;
};

/// Writes a number of a series, or NaN and infinities as text.
void write_number(JsonStream& json, NumberKind kind, std::uint64_t bits);

}  // namespace hwtrace::report
