#include "views/drawn_rows.hpp"

#include <algorithm>
#include <charconv>
#include <cmath>

#include "io/counted.hpp"
#include "views/time_axis.hpp"

namespace hwtrace {

namespace {

using RowList = std::vector<const DrawnRow*>;

constexpr std::size_t widest_row_name = 28, fewest_columns = 16;

/// Keeps the lowest lanes of every track, so that at most `most` rows are left. If even one lane each is too much,
/// keeps the tracks with most intervals.
void limit_lanes(RowList& rows, std::size_t most) {
    for (std::size_t lanes = 64; rows.size() > most && lanes != 0; lanes = lanes > 8 ? lanes / 2 : lanes - 1) {
        const auto kept = [&](const DrawnRow* row) { return row->lane < lanes; };
        if (lanes == 1 || std::ranges::count_if(rows, kept) <= static_cast<std::ptrdiff_t>(most))
            std::erase_if(rows, [&](const DrawnRow* row) { return !kept(row); });
    }
    if (rows.size() <= most) return;
    RowList busiest = rows;
    std::ranges::stable_sort(busiest, std::greater<>(), &DrawnRow::count);
    busiest.resize(most);
    std::ranges::sort(busiest);
    std::erase_if(rows, [&](const DrawnRow* row) { return !std::ranges::binary_search(busiest, row); });
}

/// Draws rows that share a time base.
class RowDrawing {
public:
    RowDrawing(RowList rows, RowStyle style, TerminalCanvas& canvas)
        : rows_(std::move(rows)),
          style_(style),
          canvas_(canvas),
          range_(range_of(rows_)),
          names_(names()),
          results_(results()),
          name_width_(width_of(names_, std::min(widest_row_name, canvas.drawing().width / 3))),
          result_width_(width_of(results_, canvas.drawing().width * 3 / 10)),
          axis_(range_, columns(), rows_.front()->base) {}

    void draw() {
        axis_.draw(canvas_, name_width_ + 1);
        for (std::size_t i = 0; i < rows_.size(); ++i) {
            canvas_.label(names_[i], name_width_);
            canvas_.text(" ");
            const std::vector<std::uint8_t> levels = levels_of(*rows_[i]);
            if (style_ == RowStyle::bars || rows_[i]->sort == RowSort::value)
                canvas_.bars(levels);
            else
                canvas_.shades(levels);
            canvas_.text(" ");
            if (display_width(results_[i]) <= result_width_)
                canvas_.right_label(results_[i], result_width_);
            else
                canvas_.left_label(results_[i], result_width_);
            canvas_.end_line();
        }
        explain();
    }

private:
    static BinRange range_of(const RowList& rows) {
        BinRange range;
        for (const DrawnRow* const row : rows)
            range = joined(range, row->range(), DrawnRow::most_bins);
        return range;
    }
    std::size_t columns() const noexcept {
        const std::size_t used = name_width_ + result_width_ + 2;
        return std::max(canvas_.drawing().width - std::min(canvas_.drawing().width, used), fewest_columns);
    }
    static std::size_t width_of(const std::vector<std::string>& texts, std::size_t most) {
        std::size_t width = 0;
        for (const std::string& text : texts)
            width = std::max(width, display_width(text));
        return std::min(width, most);
    }
    std::vector<std::string> names() const {
        std::vector<std::string> names;
        for (const DrawnRow* const row : rows_) {
            std::string name = canvas_.printable_name(row->name);
            if (!row->part.empty()) name.append(" ").append(row->part);
            if (row->lane != 0) name.append(" ").append(std::to_string(row->lane + 1));
            names.push_back(std::move(name));
        }
        return names;
    }
    /// Returns the text at the right of each row: the share of the whole time, the count or the range of values.
    std::vector<std::string> results() const {
        std::vector<std::string> results;
        for (const DrawnRow* const row : rows_) {
            if (row->sort == RowSort::value) {
                std::string text = short_number_text(row->least);
                if (row->least != row->greatest)
                    text.append(canvas_.range_sign()).append(short_number_text(row->greatest));
                results.push_back(std::move(text));
            } else if (row->sort == RowSort::busy) {
                results.push_back(percent(*row));
            } else {
                results.push_back(std::to_string(row->count));
            }
        }
        return results;
    }
    /// Returns the busy share of the span, in whole percent. A share that is not quite 0 or 100 percent is not rounded
    /// to it. It exceeds 100 percent if the trace states a span that is too short.
    std::string percent(const DrawnRow& row) const {
        long double busy = 0;
        for (const BusyTotal& total : row.bins.totals())
            busy += static_cast<long double>(total.busy);
        const long double share = row.span > 0 ? busy * 100 / static_cast<long double>(row.span) : 0;
        if (share > 0 && share < 1) return "<1%";
        return number_text(share < 100 ? std::min(std::round(share), 99.0L) : std::round(share)) + "%";
    }

    std::vector<std::uint8_t> levels_of(const DrawnRow& row) const {
        return row.sort == RowSort::value ? value_levels(row) : sum_levels(row);
    }
    std::vector<std::uint8_t> sum_levels(const DrawnRow& row) const {
        const std::vector<BusyTotal> totals = row.bins.totals(range_);
        std::vector<long double> sums;
        std::vector<bool> has_begins;
        for (std::size_t column = 0; column < axis_.columns(); ++column) {
            const auto [first, end] = axis_.bins_of(column);
            long double sum = 0;
            has_begins.push_back(false);
            for (std::size_t bin = first; bin < end; ++bin) {
                sum += static_cast<long double>(row.sort == RowSort::density ? totals[bin].begins : totals[bin].busy);
                if (totals[bin].begins != 0) has_begins.back() = true;
            }
            sums.push_back(sum);
        }
        const long double whole =
            row.sort == RowSort::busy ? static_cast<long double>(axis_.ticks()) : *std::ranges::max_element(sums);
        const unsigned full = style_ == RowStyle::bars ? TerminalCanvas::full_bar : TerminalCanvas::full_shade;
        std::vector<std::uint8_t> levels;
        for (std::size_t column = 0; column < sums.size(); ++column) {
            const std::uint8_t level = level_of(sums[column], whole, full);
            levels.push_back(level == TerminalCanvas::blank && has_begins[column] ? std::uint8_t{1} : level);
        }
        return levels;
    }
    /// Returns the highest value of each column, including the value that it begins with.
    std::vector<std::uint8_t> value_levels(const DrawnRow& row) const {
        const std::vector<ValueBin<long double>> bins = row.values.coarsened(range_);
        std::vector<std::uint8_t> levels;
        const ValueBin<long double>* before = nullptr;
        for (std::size_t column = 0; column < axis_.columns(); ++column) {
            const auto [first, end] = axis_.bins_of(column);
            // A value that ends at the first tick of the column is not part of it.
            const bool ends_at_once = range_.shift == 0 && bins[first].changes == 0 && bins[first].ended;
            bool has_value = before != nullptr && !ends_at_once;
            long double highest = has_value ? before->last : 0;
            for (std::size_t bin = first; bin < end; ++bin) {
                if (bins[bin].changes != 0) {
                    highest = has_value ? std::max(highest, bins[bin].greatest) : bins[bin].greatest;
                    has_value = true;
                    before = &bins[bin];
                }
                if (bins[bin].ended) before = nullptr;
            }
            const long double span = row.greatest - row.least;
            const unsigned above = level_of(highest - row.least, span, TerminalCanvas::full_bar - 1);
            levels.push_back(has_value ? static_cast<std::uint8_t>(above + 1) : TerminalCanvas::blank);
        }
        return levels;
    }

    bool has(RowSort sort) const {
        return std::ranges::any_of(rows_, [&](const DrawnRow* row) { return row->sort == sort; });
    }

    void explain() {
        canvas_.text("# one column is " + axis_.column_text());
        const AxisLabels axis = axis_.labels();
        if (!axis.unit.empty() && rows_.front()->base.kind == TimeBase::Kind::seconds)
            canvas_.text("; the axis is in " + axis.unit);
        canvas_.end_line();
        if (style_ == RowStyle::shades && (has(RowSort::busy) || has(RowSort::load) || has(RowSort::density))) {
            canvas_.text("# ");
            constexpr std::string_view shares[] = {"25%", "50%", "75%", "100%"};
            for (unsigned level = 1; level <= TerminalCanvas::full_shade; ++level) {
                canvas_.text(canvas_.shade(level));
                canvas_.text(" ");
                canvas_.text(shares[level - 1]);
                canvas_.text(level == TerminalCanvas::full_shade ? "" : "  ");
            }
            canvas_.end_line();
        }
        if (has(RowSort::busy))
            canvas_.text("# busy: share of the column with an interval in progress; right: of all time\n");
        if (has(RowSort::load))
            canvas_.text("# load: number in progress, relative to the highest; right: total number\n");
        if (has(RowSort::density))
            canvas_.text("# density: number of records, relative to the highest; right: total number\n");
        if (has(RowSort::value)) canvas_.text("# value: the highest of each column; right: the range\n");
    }

    RowList rows_;
    RowStyle style_;
    TerminalCanvas& canvas_;
    BinRange range_;
    std::vector<std::string> names_, results_;
    std::size_t name_width_, result_width_;
    TimeAxis axis_;
};

}  // namespace

void DrawnRow::take(Tick time, long double value) {
    if (!std::isfinite(value)) {
        ++not_finite;
        return end(time);
    }
    least = count == 0 ? value : std::min(least, value);
    greatest = count == 0 ? value : std::max(greatest, value);
    ++count;
    values.at(time).take(value);
}

void DrawnRow::end(Tick time) {
    if (count != 0) values.at(time).end();
}

std::string not_finite_text(std::uint64_t count) {
    return counted(count, "value") +
           (count == 1 ? " is not finite and is not drawn" : " are not finite and are not drawn");
}

std::string_view name_of(RowSort sort) noexcept {
    switch (sort) {
        case RowSort::busy:
            return "busy";
        case RowSort::load:
            return "load";
        case RowSort::density:
            return "density";
        case RowSort::value:
            break;
    }
    return "value";
}

std::string number_text(long double number) {
    constexpr long double beyond = 18446744073709551616.0L;  // 2^64
    if (number == std::floor(number) && std::abs(number) < beyond) return text_of(static_cast<WideTick>(number));
    char text[32];
    const auto [end, error] = std::to_chars(text, text + sizeof text, static_cast<double>(number));
    return {text, end};
}

std::string short_number_text(long double number) {
    if (number == std::floor(number)) return number_text(number);
    char text[32];
    const auto [end, error] =
        std::to_chars(text, text + sizeof text, static_cast<double>(number), std::chars_format::general, 6);
    return {text, end};
}

std::size_t draw_rows(const std::vector<DrawnRow>& rows, RowStyle style, const RowLimits& limits,
                      TerminalCanvas& canvas) {
    std::vector<TimeBase> bases;
    for (const DrawnRow& row : rows)
        if (row.count != 0 && std::ranges::find(bases, row.base) == bases.end()) bases.push_back(row.base);
    std::size_t left_out = 0;
    for (const TimeBase& base : bases) {
        RowList chosen;
        for (const RowSort sort : {RowSort::busy, RowSort::load, RowSort::density, RowSort::value}) {
            RowList of_sort;
            for (const DrawnRow& row : rows)
                if (row.count != 0 && row.base == base && row.sort == sort) of_sort.push_back(&row);
            const std::size_t all = of_sort.size();
            limit_lanes(of_sort, sort == RowSort::busy ? limits.lanes : limits.others);
            left_out += all - of_sort.size();
            chosen.insert(chosen.end(), of_sort.begin(), of_sort.end());
        }
        if (&base != &bases.front()) canvas.end_line();
        RowDrawing(std::move(chosen), style, canvas).draw();
    }
    if (left_out != 0)
        canvas.text("# " + counted(left_out, "row") + " not drawn; --select or --format csv shows them\n");
    std::uint64_t not_finite = 0;
    for (const DrawnRow& row : rows)
        not_finite += row.not_finite;
    if (not_finite != 0) canvas.text("# " + not_finite_text(not_finite) + "\n");
    return left_out;
}

}  // namespace hwtrace
