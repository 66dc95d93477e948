// pipeline/interval_time.hpp - where an interval begins, exactly, also where a Tick cannot say it.
#pragma once

#include <limits>

#include "model/conventions.hpp"
#include "model/record.hpp"

namespace hwtrace {

/// Wide enough for any begin, any end (a begin plus 2^64), and sums of as many as there can be.
__extension__ using WideTick = __int128;

/// The time of a record: of an interval that begins after the last Tick, what its attribute start_cycle says.
inline WideTick exact_begin(const Schema& schema, const Batch& batch, const Record& record) {
    if (record.time != std::numeric_limits<Tick>::max() || record.kind != Kind::interval) [[likely]]
        return record.time;
    const Track& track = schema.tracks()[record.track];
    for (const Attribute& attribute : batch.attributes(record))
        if (attribute.field < track.fields.size() && track.fields[attribute.field].name == conventions::start_cycle)
            return attribute.value;
    return record.time;
}

}  // namespace hwtrace
