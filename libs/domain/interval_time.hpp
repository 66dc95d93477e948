// domain/interval_time.hpp - the exact start time of an interval, even beyond the range of a Tick.
#pragma once

#include <cstdint>
#include <limits>

#include "domain/conventions.hpp"
#include "model/record.hpp"
#include "model/schema.hpp"

namespace hwtrace {

/// An integer that can hold any start time, any end time (a start time plus 2^64), and sums of many such times.
__extension__ using WideTick = __int128;

/// Returns the record's time. For an interval that begins after the last Tick, returns the value of its attribute
/// start_cycle.
inline WideTick exact_begin(const Schema& schema, const Batch& batch, const Record& record) {
    if (record.time != std::numeric_limits<Tick>::max() || record.kind != Kind::interval) [[likely]]
        return record.time;
    const Track& track = schema.tracks()[record.track];
    for (const Attribute& attribute : batch.attributes(record))
        if (attribute.field < track.fields.size() && track.fields[attribute.field].name == conventions::start_cycle)
            return attribute.value;
    return record.time;
}

/// Returns the end of a record, at most the last Tick.
inline Tick end_of(const Record& record) noexcept {
    if (record.kind != Kind::interval) return record.time;
    constexpr Tick last = std::numeric_limits<Tick>::max();
    const std::uint64_t left = static_cast<std::uint64_t>(last) - static_cast<std::uint64_t>(record.time);
    // Computed modulo 2^64, so that a negative time plus a duration is correct.
    return record.value > left ? last : static_cast<Tick>(static_cast<std::uint64_t>(record.time) + record.value);
}

}  // namespace hwtrace
