// formats/ftr/item_record.hpp - a transaction or relation of the scan as a record of the schema that the directory
// states.
#pragma once

#include <algorithm>
#include <limits>

#include "model/record.hpp"
#include "scan.hpp"

namespace hwtrace::ftr {

/// When a transaction begins; times beyond those of the model are the last of them.
inline Tick time_of(const Item& transaction) noexcept {
    constexpr std::uint64_t latest = std::numeric_limits<Tick>::max();
    return static_cast<Tick>(std::min(transaction.start, latest));
}

/// Appends the item's record. A relation has no time of its own: it gets `now`, that of the record handed out last,
/// which a transaction sets.
inline void append_record(const Item& item, Tick& now, Batch& batch) {
    if (item.kind == Item::Kind::relation) {
        batch.relation(item.track, now, item.cells);
        return;
    }
    now = time_of(item);
    batch.interval(item.track, now, item.end < item.start ? 0 : item.end - item.start, item.attributes);
}

}  // namespace hwtrace::ftr
