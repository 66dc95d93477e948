// views/drawn_rows.hpp - rows over time: their sums in bins, their drawing, and the same numbers as data.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "codec/format.hpp"
#include "codec/settings.hpp"
#include "domain/interval_time.hpp"
#include "domain/time_bins.hpp"
#include "model/schema.hpp"
#include "views/terminal_canvas.hpp"

namespace hwtrace {

/// The numbers that a row shows.
enum class RowSort : std::uint8_t {
    busy,     ///< share of the time in which an interval is in progress
    load,     ///< number of intervals in progress, relative to the highest
    density,  ///< number of records, relative to the highest
    value,    ///< a value, from the least to the greatest
};

/// A row of a drawing.
struct DrawnRow {
    static constexpr std::size_t most_bins = 2048;  ///< more than a drawing has columns

    RowSort sort = RowSort::busy;
    std::string name;       ///< path; not escaped
    std::string_view part;  ///< what is shown of it, a literal: "loads"; may be empty
    TimeBase base;
    TrackId track = none;                      ///< lanes of one track have the same; none: not a lane
    std::size_t lane = 0;                      ///< counts from 0
    std::uint64_t not_finite = 0;              ///< for `value`: number of NaNs and infinities; not part of `count`
    std::uint64_t count = 0;                   ///< number of intervals, records or changes
    BusyBins bins{most_bins};                  ///< for all sorts but `value`
    ValueBins<long double> values{most_bins};  ///< for `value`; holds 64-bit integers exactly where the type does
    WideTick span = 0;                         ///< for `busy`: the time to which the share refers, in ticks
    long double least = 0, greatest = 0;       ///< for `value`; valid if count is not 0

    /// Adds a change of a value. A value that is not finite is only counted, and ends the one before it.
    void take(Tick time, long double value);
    /// Ends a value: from here on there is none.
    void end(Tick time);
    const BinRange& range() const noexcept { return sort == RowSort::value ? values.range() : bins.range(); }
};
/// Returns a sentence about values that are not finite: "3 values are not finite and are not drawn".
std::string not_finite_text(std::uint64_t count);
/// Returns "busy", "load", "density" or "value".
std::string_view name_of(RowSort sort) noexcept;

/// How rows are drawn.
enum class RowStyle : std::uint8_t {
    bars,    ///< blocks of different heights
    shades,  ///< blocks of different shades
};

/// The number of rows that a drawing has at most.
struct RowLimits {
    std::size_t lanes = 40;   ///< rows that are lanes of tracks; every track keeps its first lanes
    std::size_t others = 24;  ///< rows of each other sort
};

/// Draws the rows, one drawing for each time base: the axis, the rows in their order, and below them lines that begin
/// with # and explain the drawing. Rows without records are left out. Returns the number of rows left out because of
/// `limits`, which the drawing states, as well as the number of values that are not finite.
std::size_t draw_rows(const std::vector<DrawnRow>& rows, RowStyle style, const RowLimits& limits,
                      TerminalCanvas& canvas);

/// Writes the sums of the rows, in at most 256 bins of equal width; rows of one time base have the same bins, and bins
/// without records are left out.
/// - json: {"schema": `schema`, ..., "rows": [{"row", "kind", "unit", "count", "bin_width", "bins": [...]}]}; jsonl:
/// the
///   same objects, one per line; csv: row,kind,unit,begin,end,busy,count,least,greatest,last.
/// `busy` is the sum of the durations in the bin, and `count` is the number of records that begin in it.
void append_rows(const std::vector<DrawnRow>& rows, std::string_view schema, TextForm form, const Settings& settings,
                 TextOutput& out);

/// Returns a number as text: an integer as it is, another number in the shortest form that reads back equal.
std::string number_text(long double number);
/// Returns a number as text for people: an integer as it is, another number with at most 6 digits.
std::string short_number_text(long double number);
/// Writes a number as JSON; an integer like append_json_integer().
void append_json_number(long double number, JsonIntegers integers, TextOutput& out);

}  // namespace hwtrace
