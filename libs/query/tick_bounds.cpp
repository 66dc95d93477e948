#include "query/tick_bounds.hpp"

#include <algorithm>
#include <cmath>

#include "domain/durations.hpp"

namespace hwtrace {

namespace {

constexpr double two_to_62 = 4611686018427387904.0;

/// Returns the condition in ticks. `ns` is the length of a tick if the condition is about nanoseconds. Bounds are a
/// little wider than needed, because the nanoseconds of a row are rounded.
TickBounds in_ticks(const CellFilter& filter, double ns) {
    TickBounds bounds;
    if (filter.test == CellFilter::Test::signed_range) return {filter.signed_low(), filter.signed_high()};
    if (filter.test != CellFilter::Test::real_range || ns <= 0) return bounds;
    const auto slack = [](double ticks) { return 2 + std::abs(ticks) * 1e-12; };
    const double low = filter.real_low / ns, high = filter.real_high / ns;
    if (std::abs(low) < two_to_62) bounds.first = static_cast<Tick>(low - slack(low));
    if (std::abs(high) < two_to_62) bounds.last = static_cast<Tick>(high + slack(high));
    return bounds;
}

}  // namespace

TickBounds tick_bounds(const TraceTables& tables, const TraceTable& table, std::span<const CellFilter> filters) {
    TickBounds bounds;
    if (table.row == TraceTable::Row::occupancy) return bounds;
    const bool is_stateful = table.row == TraceTable::Row::slot_state || table.row == TraceTable::Row::properties;
    const TimeBase& base = tables.track(table).time;
    const double ns = has_duration(base) ? static_cast<double>(base.num) * 1e9 / static_cast<double>(base.den) : 0;
    for (const CellFilter& filter : filters) {
        const TableColumn::Content content = table.columns[filter.column].content;
        const bool is_time = content == TableColumn::Content::time || content == TableColumn::Content::begin ||
                             content == TableColumn::Content::time_ns || content == TableColumn::Content::begin_ns;
        const bool is_end = content == TableColumn::Content::end || content == TableColumn::Content::end_ns;
        if (!is_time && !is_end) continue;
        const TickBounds ticks = in_ticks(filter, ns);
        if (is_time && !is_stateful) bounds.first = std::max(bounds.first, ticks.first);
        bounds.last = std::min(bounds.last, ticks.last);
    }
    return bounds;
}

}  // namespace hwtrace
