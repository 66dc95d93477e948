#include "codec/state_at.hpp"

#include <limits>

namespace hwtrace {

StateTable state_at(Reader& reader, Tick time, const Limits& limits) {
    check_limit(StateTable::bytes_needed(reader.schema()), limits.block, "the state of all storages", "--max-block");
    StateTable state(reader.schema());
    // Seek to the next tick: records at `time` belong to the state, so the place may be after them.
    const Tick later = time == std::numeric_limits<Tick>::max() ? time : time + 1;
    const bool in_order = reader.seek(later, &state);
    Batch batch;
    while (reader.read(batch)) {
        for (const Record& record : batch.records()) {
            if (record.time <= time)
                state.apply(record);
            else if (in_order)
                return state;
        }
        batch.clear();
    }
    return state;
}

}  // namespace hwtrace
