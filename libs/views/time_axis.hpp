// views/time_axis.hpp - maps bins of time to the columns of a drawing, and draws the axis with round labels.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include "domain/interval_time.hpp"
#include "domain/time_bins.hpp"
#include "model/time.hpp"
#include "views/terminal_canvas.hpp"

namespace hwtrace {

/// The round labels of an axis.
struct AxisLabels {
    struct Label {
        std::size_t column = 0;
        std::string text;
    };
    std::vector<Label> labels;  ///< from left to right; they do not touch
    std::string unit;           ///< "ns", "cycles"
};

/// The columns of a drawing: either several bins a column, or several columns a bin if there are few bins.
class TimeAxis {
public:
    /// Divides the bins of `range` (at least one) into at most `columns` columns of equal width.
    TimeAxis(const BinRange& range, std::size_t columns, const TimeBase& base);

    std::size_t columns() const noexcept { return columns_; }
    /// Returns the half-open range of the bins of a column, as indexes.
    std::pair<std::size_t, std::size_t> bins_of(std::size_t column) const noexcept;
    /// Returns the duration of a column in ticks; a column that shares its bin has the duration of the bin.
    WideTick ticks() const noexcept { return WideTick{bins_each_} << range_.shift; }
    /// Returns the duration of a column with its unit: "16 cycles", "500 ns".
    std::string column_text() const;
    /// Returns labels at round times: 1, 2 or 5 times a power of ten.
    AxisLabels labels() const;
    /// Draws two lines: the labels, then the rule with a tick below the first character of each label. Both begin
    /// after `indent` blanks.
    void draw(TerminalCanvas& canvas, std::size_t indent) const;

private:
    BinRange range_;
    TimeBase base_;
    std::size_t bins_each_ = 1;     // bins of a column
    std::size_t columns_each_ = 1;  // columns of a bin, if it has more than one
    std::size_t columns_ = 1;
};

/// A unit that suits a number of ticks: the largest one of which `ticks` is a whole multiple.
struct TickUnit {
    Tick ticks = 1;  ///< length of the unit
    std::string name;
};
TickUnit unit_for(const TimeBase& base, WideTick ticks);

/// How a time is written: `per_tick` times its ticks, in `unit`.
struct ShownTicks {
    std::uint64_t per_tick = 1;
    std::string unit;
    TimeBase base{};  ///< of the unit
};
/// Returns the largest unit in which every time of the base is a whole number: {10, "ps"} for ticks of 10 ps. A base
/// without such a unit keeps its ticks and the name of unit_of().
ShownTicks shown_ticks(const TimeBase& base);

/// Rounds up to 1, 2 or 5 times a power of ten. `value` is at most 10^30.
WideTick rounded_up(WideTick value) noexcept;
/// Returns a number in decimal.
std::string text_of(WideTick number);

}  // namespace hwtrace
