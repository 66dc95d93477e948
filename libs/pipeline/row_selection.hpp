// pipeline/row_selection.hpp - what of the tables of a trace is in a part that is chosen by what their slots hold.
#pragma once

#include <cstdint>
#include <vector>

#include "io/limits.hpp"
#include "model/record.hpp"
#include "model/schema.hpp"
#include "model/state.hpp"
#include "pipeline/field_match.hpp"

namespace hwtrace {

/// A slot is in the part for as long as it holds what is wanted, whole: as it begins to, all that it holds is stated;
/// as it ends to, it is cleared. What it already held before that frame is marked record_restated.
class RowSelection {
public:
    /// `schema`, whose tracks are complete, outlives this object. Limits::block bounds the state of the tables.
    RowSelection(const Schema& schema, const Limits& limits) : schema_(schema), limits_(limits) {}

    /// To be told of every record of the trace.
    void follow_frames(const Record& record) noexcept {
        if ((record.flags & record_first_of_frame) != 0 || record.time != time_) ++frame_;
        time_ = record.time;
    }
    /// A set, an add or a clear of a slot: calls `put(batch, record)` for each record that comes of it, in order; the
    /// tracks are the source's.
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
    /// Of a storage, by slot.
    struct Rows {
        bool met = false;
        std::vector<bool> inside;
        std::vector<std::uint64_t> born;  ///< the frame in which it got what it holds
        std::uint16_t life_id = 0;
    };

    Rows& rows_of(TrackId storage, FieldMatch& match);
    Fate follow(const Record& record, FieldMatch& match);
    void state_row(const Record& record);

    const Schema& schema_;
    Limits limits_;
    StateTable state_;
    std::vector<Rows> rows_;   // by track; empty before the first record of a table
    std::uint64_t frame_ = 1;  // of the record that was told last
    Tick time_ = 0;
    Batch made_;  // reused
};

}  // namespace hwtrace
