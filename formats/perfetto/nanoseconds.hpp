// formats/perfetto/nanoseconds.hpp - the unit of time of a timeline, and the conversion of ticks to it.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "codec/losses.hpp"
#include "codec/shown_times.hpp"
#include "model/schema.hpp"

namespace hwtrace::perfetto {

/// The real time that one nanosecond of the timeline stands for.
struct Unit {
    std::uint64_t units_per_second = 1'000'000'000;
    bool counts_ticks = false;  ///< no track has ticks of known length: a nanosecond stands for a tick

    /// Returns a note such as "1 ns stands for 1 ps", or an empty string if time is shown as it is.
    std::string note() const;
};

/// Returns the coarsest of ns, ps and fs in which all ticks of known length are whole numbers, or fs. `choice` is
/// "auto", "ns", "ps" or "fs".
Unit choose_unit(const Schema& schema, std::string_view choice);

/// Returns the conversion of ticks to units. `schema` and `losses` must outlive the result.
ShownTimes shown_times(const Schema& schema, const Unit& unit, const ShownRange& range, Losses& losses);

}  // namespace hwtrace::perfetto
