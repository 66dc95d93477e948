// select/row_selection.hpp - selects the slots of storages whose contents match.
#pragma once

#include <cstdint>
#include <vector>

#include "io/limits.hpp"
#include "model/record.hpp"
#include "model/schema.hpp"
#include "model/state.hpp"
#include "select/field_match.hpp"

namespace hwtrace {

/// Keeps a slot in the slice while its contents match. When a slot starts to match, all its fields are set. When a slot
/// stops to match, it is cleared. Values that were set in an earlier frame are marked record_restated.
class RowSelection {
public:
    /// `schema` must outlive this object, and its tracks must be complete. Limits::block bounds the state of the
    /// storages, in bytes.
    RowSelection(const Schema& schema, const Limits& limits) : schema_(schema), limits_(limits) {}

    /// Counts the frames. Call it for every record of the trace.
    void follow_frames(const Record& record) noexcept {
        if ((record.flags & record_first_of_frame) != 0 || record.time != time_) ++frame_;
        time_ = record.time;
    }
    /// Handles a set, add or clear record of a slot. Calls `put(batch, record)` for each resulting record in order. The
    /// resulting records are on tracks of the source.
    template <typename Put>
    void apply(const Batch& in, const Record& record, FieldMatch& match, Put&& put) {
        made_.clear();
        switch (follow(record, match)) {
            case Fate::left_out:
                return;
            case Fate::stays:
                return put(in, record);
            case Fate::begins:
                state_row(record);
                break;
            case Fate::ends:
                made_.clear_slot(record.track, record.time, record.ref);
                break;
        }
        for (const Record& made : made_.records())
            put(made_, made);
    }

private:
    enum class Fate : std::uint8_t { left_out, begins, stays, ends };
    /// The slots of one storage.
    struct Rows {
        bool met = false;
        std::vector<bool> inside;
        std::vector<std::uint64_t> born;  ///< the frame that made the slot's contents
        std::uint16_t life_id = 0;
    };

    Rows& rows_of(TrackId storage, FieldMatch& match);
    Fate follow(const Record& record, FieldMatch& match);
    void state_row(const Record& record);

    const Schema& schema_;
    Limits limits_;
    StateTable state_;
    std::vector<Rows> rows_;   // by track; empty before the first record of a storage
    std::uint64_t frame_ = 1;  // frame of the last record
    Tick time_ = 0;
    Batch made_;  // reused
};

}  // namespace hwtrace
