// formats/perfetto/signal_drawer.hpp - draws signals: a row for each value.
#pragma once

#include <deque>
#include <vector>

#include "model/record.hpp"
#include "value_row.hpp"

namespace hwtrace::perfetto {

class SignalDrawer {
public:
    explicit SignalDrawer(Timelines& to) : to_(to), rows_(to.schema.tracks().size()) {}

    void draw(const Batch& batch, const Record& change);
    /// Ends all values at the end of the trace.
    void finish();

private:
    std::deque<ValueRow>& rows_of(TrackId id);

    Timelines& to_;
    std::vector<std::deque<ValueRow>> rows_;  ///< by track: a row for each field
};

}  // namespace hwtrace::perfetto
