#include "views/time_axis.hpp"

#include <algorithm>
#include <array>
#include <limits>
#include <optional>
#include <string_view>

#include "views/signal_statistics.hpp"

namespace hwtrace {

namespace {

constexpr std::array<std::string_view, 6> second_units{"fs", "ps", "ns", "us", "ms", "s"};

/// A unit in which a tick is a whole number.
struct WholeUnit {
    WideTick per_tick;
    std::string_view name;
    std::uint64_t per_second;
};
/// Returns the largest one, or nullopt.
std::optional<WholeUnit> whole_unit(const TimeBase& base) {
    if (base.den == 0) return std::nullopt;
    std::uint64_t per_second = 1;
    for (auto name = second_units.rbegin(); name != second_units.rend(); ++name, per_second *= 1000) {
        const WideTick length = WideTick{base.num} * WideTick{per_second};
        if (length % WideTick{base.den} == 0) return WholeUnit{length / WideTick{base.den}, *name, per_second};
    }
    return std::nullopt;
}

/// Returns the length of a tick: "10 ps", "3 s", "1/3 s".
std::string length_of_tick(const TimeBase& base) {
    if (const auto unit = whole_unit(base)) return text_of(unit->per_tick).append(" ").append(unit->name);
    return std::to_string(base.num).append("/").append(std::to_string(base.den)) + " s";
}

/// Returns the largest unit with a name that is a whole number of ticks and divides `ticks`, or nullopt.
std::optional<TickUnit> named_unit(const TimeBase& base, WideTick ticks) {
    constexpr WideTick longest = std::numeric_limits<Tick>::max();
    std::optional<TickUnit> found;
    WideTick per_second = 1'000'000'000'000'000;
    for (const std::string_view name : second_units) {
        const WideTick length = WideTick{base.num} * per_second;  // of a tick in this unit, times den
        per_second /= 1000;
        if (length == 0 || WideTick{base.den} % length != 0) continue;
        const WideTick each = WideTick{base.den} / length;
        if (each == 0 || each > longest) continue;
        if (each == 1 || (ticks != 0 && ticks % each == 0))
            found = TickUnit{static_cast<Tick>(each), std::string(name)};
    }
    return found;
}

/// Returns value / step, rounded up.
WideTick quotient_up(WideTick value, WideTick step) noexcept {
    return value > 0 ? (value + step - 1) / step : -(-value / step);
}

}  // namespace

WideTick rounded_up(WideTick value) noexcept {
    WideTick power = 1;
    while (true) {
        for (const int digit : {1, 2, 5})
            if (power * digit >= value) return power * digit;
        power *= 10;
    }
}

std::string text_of(WideTick number) {
    const bool is_negative = number < 0;
    std::string digits;
    do {
        const auto digit = static_cast<int>(number % 10);
        digits += static_cast<char>('0' + (digit < 0 ? -digit : digit));
        number /= 10;
    } while (number != 0);
    if (is_negative) digits += '-';
    return {digits.rbegin(), digits.rend()};
}

ShownTicks shown_ticks(const TimeBase& base) {
    constexpr WideTick most = 1'000'000;  // more digits are hard to read
    const auto unit = base.kind == TimeBase::Kind::seconds ? whole_unit(base) : std::nullopt;
    if (!unit || unit->per_tick == 0 || unit->per_tick >= most) return {1, unit_of(base), base};
    return {static_cast<std::uint64_t>(unit->per_tick),
            std::string(unit->name),
            {TimeBase::Kind::seconds, 1, unit->per_second}};
}

TickUnit unit_for(const TimeBase& base, WideTick ticks) {
    if (base.kind == TimeBase::Kind::ordinal) return {1, "(position)"};
    if (base.kind != TimeBase::Kind::seconds) return {1, unit_of(base)};
    if (const auto named = named_unit(base, ticks)) return *named;
    return {1, "ticks of " + length_of_tick(base)};
}

TimeAxis::TimeAxis(const BinRange& range, std::size_t columns, const TimeBase& base) : range_(range), base_(base) {
    columns = std::max<std::size_t>(columns, 1);
    const std::size_t bins = std::max<std::size_t>(range.count, 1);
    bins_each_ = (bins + columns - 1) / columns;
    if (bins_each_ == 1) columns_each_ = columns / bins;
    columns_ = bins_each_ == 1 ? bins * columns_each_ : (bins + bins_each_ - 1) / bins_each_;
}

std::pair<std::size_t, std::size_t> TimeAxis::bins_of(std::size_t column) const noexcept {
    const std::size_t first = column / columns_each_ * bins_each_;
    return {first, std::min(first + bins_each_, range_.count)};
}

std::string TimeAxis::column_text() const {
    if (base_.kind == TimeBase::Kind::ordinal) return text_of(ticks()) + (ticks() == 1 ? " position" : " positions");
    if (base_.kind == TimeBase::Kind::cycles) return text_of(ticks()) + (ticks() == 1 ? " cycle" : " cycles");
    // The largest unit that is not longer than the column; at most three decimals.
    const ShownTicks shown = shown_ticks(base_);
    const WideTick length = ticks() * WideTick{shown.per_tick};
    WideTick power = 1;
    while (power * 1000 <= length)
        power *= 1000;
    const TickUnit unit = unit_for(shown.base, power);
    const WideTick fraction = length % unit.ticks;
    std::string text = text_of(length / unit.ticks);
    if (fraction != 0) {
        const WideTick thousandths = fraction * 1000 / unit.ticks;
        std::string decimals = text_of(thousandths + 1000).substr(1);
        while (decimals.ends_with('0'))
            decimals.pop_back();
        if (!decimals.empty()) text.append(".").append(decimals);
        if (fraction * 1000 % unit.ticks != 0) text = "about " + text;
    }
    constexpr std::string_view ticks_of = "ticks of ";
    if (length == 1 && unit.name.starts_with(ticks_of)) return "1 tick of " + unit.name.substr(ticks_of.size());
    return text + " " + unit.name;
}

AxisLabels TimeAxis::labels() const {
    const WideTick begin = WideTick{range_.first} << range_.shift;
    const WideTick column = ticks();
    const auto place = [&](WideTick time) {
        const WideTick offset = (time - begin) / column;
        const WideTick within = columns_each_ > 1 ? WideTick{columns_each_} : 1;
        return static_cast<std::size_t>(offset * within);
    };
    const WideTick last = begin + (WideTick{columns_} * column / WideTick{columns_each_}) - 1;
    AxisLabels result;
    for (std::size_t apart = 8;; ++apart) {
        const WideTick step = rounded_up(std::max<WideTick>(1, column * WideTick{apart} / WideTick{columns_each_}));
        const TickUnit unit = unit_for(base_, step);
        result.labels.clear();
        result.unit = unit.name;
        std::size_t free = 0;
        bool fits = true;
        for (WideTick time = quotient_up(begin, step) * step; time <= last; time += step) {
            AxisLabels::Label label{place(time), text_of(time / unit.ticks)};
            fits = fits && label.column >= free;
            free = label.column + label.text.size() + 1;
            result.labels.push_back(std::move(label));
        }
        // A label may continue beyond the last column: the axis ends there, but the line does not.
        if (fits || apart > columns_) return result;
    }
}

void TimeAxis::draw(TerminalCanvas& canvas, std::size_t indent) const {
    const AxisLabels axis = labels();
    std::string line;
    const std::size_t room = canvas.drawing().width > indent ? canvas.drawing().width - indent : 1;
    std::vector<bool> has_tick(columns_);
    for (const AxisLabels::Label& label : axis.labels) {
        if (label.column >= columns_) continue;
        has_tick[label.column] = true;
        if (label.column + label.text.size() > room) continue;
        line.resize(std::max(line.size(), label.column), ' ');
        line.resize(label.column);
        line += label.text;
    }
    // The line below the drawing states the unit as well.
    if (line.size() + 1 + axis.unit.size() <= room) line += " " + axis.unit;
    canvas.spaces(indent);
    canvas.text(line);
    canvas.end_line();
    canvas.spaces(indent);
    for (std::size_t column = 0; column < columns_; ++column)
        canvas.text(has_tick[column] ? canvas.tick() : canvas.rule());
    canvas.end_line();
}

}  // namespace hwtrace
