// formats/ftr/item_record.hpp - converts an item of the scan into a record of the schema from the directory.
#pragma once

#include <algorithm>
#include <limits>

#include "model/record.hpp"
#include "scan.hpp"

namespace hwtrace::ftr {

/// Returns the start of a transaction, clamped to the largest time of the model.
inline Tick time_of(const Item& transaction) noexcept {
    constexpr std::uint64_t latest = std::numeric_limits<Tick>::max();
    return static_cast<Tick>(std::min(transaction.start, latest));
}

/// Appends the item as a record. A transaction sets `now` to its start; a relation has no time and gets `now`.
inline void append_record(const Item& item, Tick& now, Batch& batch) {
    if (item.kind == Item::Kind::relation) {
        batch.relation(item.track, now, item.cells);
        return;
    }
    now = time_of(item);
    batch.interval(item.track, now, item.end < item.start ? 0 : item.end - item.start, item.attributes);
}

}  // namespace hwtrace::ftr
