#include "chart.hpp"

#include <algorithm>
#include <bit>
#include <numeric>

#include "details.hpp"
#include "domain/utf8.hpp"

namespace hwtrace::report {
namespace {

constexpr std::size_t detail_bytes = 4'000'000;  ///< of all slices, about
constexpr std::size_t most_text = 100;           ///< bytes of the name of a slice
constexpr std::size_t least_detail = 80, most_detail = 2000;
constexpr std::size_t load_values = 200'000;  ///< numbers in the load of all rows, about
constexpr std::size_t curve_values = 80'000;  ///< bins of all curves, about
constexpr std::size_t least_bins = 64, least_curve_bins = 32;

/// Returns the lines of a detail that fit into `most` bytes.
std::string_view first_lines(std::string_view detail, std::size_t most, bool& is_cut) {
    is_cut = detail.size() > most;
    if (!is_cut) return detail;
    const std::size_t end = detail.rfind('\n', most);
    return end == std::string_view::npos ? std::string_view() : detail.substr(0, end);
}

/// Returns the first time of a bin of 2^shift ticks.
Tick begin_of_bin(std::int64_t number, unsigned shift) noexcept {
    return static_cast<Tick>(static_cast<std::uint64_t>(number) << shift);
}

}  // namespace

void write_number(JsonStream& json, NumberKind kind, std::uint64_t bits) {
    if (kind == NumberKind::real) return json.real(std::bit_cast<double>(bits));
    if (kind == NumberKind::integer) return json.number(static_cast<std::int64_t>(bits));
    json.number(bits);
}

void LoadBins::add_union(Tick begin, Tick end) {
    ++begins_;
    bins_.add_points(begin);
    const Tick from = has_end_ ? std::max(begin, end_) : begin;
    end_ = has_end_ ? std::max(end, end_) : end;
    has_end_ = true;
    if (end <= from) return;
    busy_ += ticks_between(from, end);
    bins_.add_busy(from, ticks_between(from, end));
}

void LoadBins::add_sum(Tick begin, Tick end) {
    ++begins_;
    busy_ += ticks_between(begin, end);
    bins_.add(begin, ticks_between(begin, end));
}

void LoadBins::write(JsonStream& json, unsigned shift, Tick origin) const {
    const BinRange range = coarsened(bins_.range(), shift);
    const std::vector<BusyTotal> totals = bins_.totals(range);
    json.begin_object();
    json.member("total", busy_);
    json.member("first", range.first - (origin >> shift));
    json.array("busy");
    for (const BusyTotal& total : totals)
        json.number(total.busy);
    json.end_array();
    json.array("count");
    for (const BusyTotal& total : totals)
        json.number(total.begins);
    json.end_array();
    json.end_object();
}

RowId Chart::add_row(TrackId track, std::string_view label, Row::Counting counting, std::uint64_t capacity) {
    if (rows_.size() >= most_rows) {
        ++rows_omitted_;
        return none;
    }
    Row& row = rows_.emplace_back();
    row.track = track;
    row.label = as_utf8(label);
    row.counting = counting;
    row.capacity = capacity;
    return static_cast<RowId>(rows_.size() - 1);
}

CurveId Chart::add_curve(TrackId track, std::string_view label, NumberKind kind) {
    if (curves_.size() >= most_curves) {
        ++curves_omitted_;
        return none;
    }
    curves_.push_back({track, as_utf8(label), Series(kind)});
    return static_cast<CurveId>(curves_.size() - 1);
}

std::uint32_t Chart::text(std::string_view text) {
    return text.size() <= most_text && is_utf8(text) ? texts_.add(text) : texts_.add(short_text(text, most_text));
}

void Chart::thin() {
    // Every row may keep the same number of slices; rows with fewer leave room for the others.
    std::size_t share = slice_budget, cost = cost_;
    while (cost > slice_budget / 4 * 3) {
        share = share / 8 * 7;
        cost = 0;
        for (const Row& row : rows_)
            cost += std::min(row.sample.cost(), share);
        if (share < 16) break;
    }
    cost_ = 0;
    for (Row& row : rows_) {
        row.sample.thin(share);
        cost_ += row.sample.cost();
    }
    limit_ = std::max(slice_budget, cost_ + slice_budget / 8);
}

unsigned Chart::bin_shift(std::size_t most) const noexcept {
    unsigned shift = 0;
    while (shift < 63 && ticks_between(first() >> shift, last() >> shift) >= most)
        ++shift;
    return shift;
}

template <typename Items>
std::vector<std::size_t> Chart::in_order(const Items& items) const {
    std::vector<std::size_t> order(items.size());
    std::iota(order.begin(), order.end(), std::size_t{0});
    std::ranges::stable_sort(order, {}, [&](std::size_t item) {
        const ScopeId scope = schema_.tracks()[items[item].track].scope;
        return std::pair(scope == none ? std::uint64_t{0} : std::uint64_t{scope} + 1, items[item].track);
    });
    return order;
}

void Chart::write_texts(JsonStream& json) {
    text_numbers_.assign(texts_.names().size(), none);
    for (const Row& row : rows_)
        for (const Slice& slice : row.sample.kept()) {
            text_numbers_[slice.name] = 0;
            for (const Slice::Part& part : slice.parts)
                text_numbers_[part.name] = 0;
        }
    json.array("texts");
    std::uint32_t used = 0;
    for (std::size_t i = 0; i < text_numbers_.size(); ++i) {
        if (text_numbers_[i] == none) continue;
        text_numbers_[i] = used++;
        json.text(texts_.names()[i]);
    }
    json.end_array();
}

void Chart::write_place(JsonStream& json, TrackId track, const std::string& label) const {
    if (const ScopeId scope = schema_.tracks()[track].scope; scope != none) json.member("scope", std::uint64_t{scope});
    json.member("label", std::string_view(label));
}

void Chart::write(JsonStream& json, const std::deque<ScopeLoad>& scopes) {
    std::size_t kept = 0;
    for (Row& row : rows_) {
        row.sample.sort();
        if (row.counting == Row::Counting::each) row.sample.pack();
        kept += row.sample.kept().size();
    }
    detail_limit_ = std::clamp(detail_bytes / std::max<std::size_t>(kept, 1), least_detail, most_detail);
    const std::size_t loads = std::max<std::size_t>(rows_.size() + scopes.size(), 1);
    const unsigned shift = bin_shift(std::clamp(load_values / 2 / loads, least_bins, LoadBins::most_bins));
    write_texts(json);
    json.object("bins");
    json.member("shift", shift);
    json.member("first", begin_of_bin(first() >> shift, shift));
    json.member("count", ticks_between(first() >> shift, last() >> shift) + 1);
    json.end_object();
    json.array("rows");
    for (const std::size_t row : in_order(rows_))
        write_row(json, rows_[row], shift);
    json.end_array();
    json.array("scope_loads");
    for (const ScopeLoad& scope : scopes) {
        json.begin_object();
        if (scope.scope != none) json.member("scope", std::uint64_t{scope.scope});
        json.key("load");
        scope.load.write(json, shift, first());
        json.end_object();
    }
    json.end_array();
    const std::size_t most_points =
        std::clamp(curve_values / std::max<std::size_t>(curves_.size(), 1), least_curve_bins, Series::most_points);
    json.array("curves");
    for (const std::size_t curve : in_order(curves_))
        write_curve(json, curves_[curve], most_points);
    json.end_array();
    write_omitted(json);
}

void Chart::write_row(JsonStream& json, const Row& row, unsigned shift) {
    const std::size_t kept = row.sample.kept().size();
    json.begin_object();
    write_place(json, row.track, row.label);
    json.member("total", row.sample.total());
    json.member("instants", row.counting == Row::Counting::never);
    if (row.counting != Row::Counting::never) json.member("capacity", row.capacity);
    if (row.counting != Row::Counting::never || kept != row.sample.total()) {
        json.key("load");
        row.load.write(json, shift, first());
    }
    write_slices(json, row.sample);
    json.end_object();
}

void Chart::write_slices(JsonStream& json, const SliceSample& sample) {
    const std::vector<Slice>& slices = sample.kept();
    const auto column = [&](std::string_view name, auto&& is_used, auto&& put) {
        if (!std::ranges::any_of(slices, is_used)) return;
        json.array(name);
        for (const Slice& slice : slices)
            put(slice);
        json.end_array();
    };
    const auto always = [](const Slice&) { return true; };
    column("begin", always, [&](const Slice& slice) { json.number(ticks_between(first(), slice.begin)); });
    column(
        "length", [](const Slice& slice) { return slice.end > slice.begin; },
        [&](const Slice& slice) { json.number(ticks_between(slice.begin, slice.end)); });
    column(
        "lane", [](const Slice& slice) { return slice.lane != 0; },
        [&](const Slice& slice) { json.number(slice.lane); });
    const bool has_names =
        std::ranges::any_of(slices, [&](const Slice& slice) { return slice.name != slices.front().name; });
    if (has_names)
        column("name", always, [&](const Slice& slice) { json.number(text_numbers_[slice.name]); });
    else if (!slices.empty())
        json.member("name", text_numbers_[slices.front().name]);
    write_details(json, slices);
    column(
        "parts", [](const Slice& slice) { return !slice.parts.empty(); },
        [&](const Slice& slice) {
            json.begin_array();
            for (const Slice::Part& part : slice.parts) {
                json.number(text_numbers_[part.name]);
                json.number(part.lane);
                json.number(ticks_between(slice.begin, part.begin));
                json.number(ticks_between(part.begin, part.end));
            }
            json.end_array();
        });
}

void Chart::write_details(JsonStream& json, const std::vector<Slice>& slices) {
    if (std::ranges::all_of(slices, [](const Slice& slice) { return slice.detail.empty(); })) return;
    NameTable details;  // many slices may have the same values
    json.array("detail");
    for (const Slice& slice : slices) {
        bool is_cut = false;
        const std::string_view lines = first_lines(slice.detail, detail_limit_, is_cut);
        json.number(is_cut ? details.add(std::string(lines).append(lines.empty() ? "" : "\n").append("\xE2\x80\xA6"))
                           : details.add(lines));
    }
    json.end_array();
    json.array("details");
    for (const std::string& lines : details.names())
        json.text(lines);
    json.end_array();
}

void Chart::write_curve(JsonStream& json, const Curve& curve, std::size_t most) {
    const Series& series = curve.series;
    json.begin_object();
    write_place(json, curve.track, curve.label);
    json.member("values", series.values());
    if (series.values() != 0) {
        const auto value = [&](std::string_view name, std::uint64_t bits) {
            json.key(name);
            write_number(json, series.kind(), bits);
        };
        value("first", series.first_value());
        value("least", series.least());
        value("greatest", series.greatest());
        value("last", series.last_value());
        json.member("begin", ticks_between(first(), series.first_time()));
        json.member("end", ticks_between(first(), series.last_time()));
    }
    const auto numbers = [&](std::string_view name, auto&& list, auto&& put) {
        json.array(name);
        for (const auto& item : list)
            put(item);
        json.end_array();
    };
    if (!series.points().empty()) {
        numbers("time", series.points(),
                [&](const Series::Point& point) { json.number(ticks_between(first(), point.time)); });
        numbers("value", series.points(), [&](const Series::Point& point) {
            if (!point.has_value) return json.null();
            write_number(json, series.kind(), point.bits);
        });
    } else if (!series.bins().empty()) {
        BinRange range = series.bins().range();
        while (range.count > most)
            range = coarsened(range, range.shift + 1);
        const std::vector<Series::Extent> bins = series.bins().coarsened(range);
        json.member("bin_first", static_cast<Tick>(static_cast<std::uint64_t>(begin_of_bin(range.first, range.shift)) -
                                                   static_cast<std::uint64_t>(first())));
        json.member("bin_shift", range.shift);
        const auto extent = [&](std::string_view name, std::uint64_t Series::Extent::*key) {
            numbers(name, bins, [&](const Series::Extent& bin) {
                if (bin.changes == 0) return json.null();
                write_number(json, series.kind(), series.bits_of(bin.*key));
            });
        };
        extent("low", &Series::Extent::least);
        extent("high", &Series::Extent::greatest);
        extent("value", &Series::Extent::last);
        if (std::ranges::any_of(bins, &Series::Extent::ended)) {
            json.array("ended");  // the bins after which there is no value
            for (std::size_t i = 0; i < bins.size(); ++i)
                if (bins[i].ended) json.number(i);
            json.end_array();
        }
    }
    json.end_object();
}

void Chart::write_omitted(JsonStream& json) {
    std::uint64_t kept = 0, sampled_rows = 0;
    for (const Row& row : rows_) {
        kept += row.sample.kept().size();
        sampled_rows += row.sample.kept().size() < row.sample.total() ? 1u : 0u;
    }
    json.object("omitted");
    json.member("slices", slices_);
    json.member("slices_kept", kept);
    json.member("rows_sampled", sampled_rows);
    json.member("rows", rows_omitted_);
    json.member("curves", curves_omitted_);
    json.member("values", values_omitted_);
    json.end_object();
}

}  // namespace hwtrace::report
