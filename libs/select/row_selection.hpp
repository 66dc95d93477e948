// select/row_selection.hpp - selects the slots of storages whose contents match.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <optional>
#include <vector>

#include "io/limits.hpp"
#include "model/record.hpp"
#include "model/schema.hpp"
#include "model/state.hpp"
#include "select/field_match.hpp"

namespace hwtrace {

/// Keeps a slot in the slice while its contents match. Contents are compared at the end of each frame, because a frame
/// sets the fields of a slot one by one, and at the end of each life inside a frame. When a slot starts to match, its
/// earlier values are set, too, marked record_restated. When a slot stops to match, it is cleared.
class RowSelection {
public:
    /// `schema` must outlive this object, and its tracks must be complete. Limits::block bounds the state of the
    /// storages, in bytes.
    RowSelection(const Schema& schema, const Limits& limits) : schema_(schema), limits_(limits) {}

    /// Compares the contents of all slots that `frame` changes. Ignores tracks for which `is_wanted` returns false.
    void follow(const Batch& frame, const std::function<bool(TrackId)>& is_wanted, FieldMatch& match);
    /// Handles a set, add or clear record of a slot of a wanted track. It must be in the batch of the last call of
    /// follow(). Calls `put(batch, record)` for each resulting record in order. The resulting records are on tracks of
    /// the source.
    template <typename Put>
    void apply(const Batch& frame, const Record& record, Put&& put) {
        const Step& step = steps_[static_cast<std::size_t>(&record - frame.records().data())];
        if (!step.group) {
            if (step.is_kept) put(frame, record);
            return;
        }
        const Group& group = groups_[*step.group];
        if (group.was_inside && group.is_inside) return put(frame, record);
        const bool is_first = &record == frame.records().data() + group.first;
        if (group.is_inside) {
            // What is set before the id of an entity belongs to the entity before it.
            if (is_first && !group.begins_life) put_earlier(group, record, put);
            put(frame, record);
            if (is_first && group.begins_life) put_earlier(group, record, put);
        } else if (group.was_inside && is_first) {
            made_.clear();
            put(made_, made_.clear_slot(record.track, record.time, record.ref));
        }
    }

private:
    /// The slots of one storage.
    struct Rows {
        bool met = false;
        std::vector<bool> inside;
        std::vector<std::uint32_t> group;  ///< the open group, counted from 1; 0: none
        std::uint16_t life_id = 0;
    };
    /// Records of one life of a slot in the frame.
    struct Group {
        TrackId track = 0;
        std::uint32_t slot = 0;
        std::size_t first = 0;  ///< index in the frame
        bool begins_life = false, was_inside = false, is_inside = false;
        std::size_t earlier = 0, earlier_end = 0;  ///< the values that the slot had before, in earlier_
    };
    struct Step {
        std::optional<std::size_t> group;
        bool is_kept = false;  ///< of a record without a group
    };
    struct Value {
        std::uint16_t field = 0;
        bool is_replaced = false;  ///< by a record of the group
        std::uint64_t value = 0;
    };

    Rows& rows_of(TrackId storage, FieldMatch& match);
    void follow(const Record& record, std::size_t index, FieldMatch& match);
    void open_group(const Record& record, std::size_t index, Rows& rows);
    void close_group(std::size_t number, FieldMatch& match);

    template <typename Put>
    void put_earlier(const Group& group, const Record& record, Put&& put) {
        made_.clear();
        for (std::size_t i = group.earlier; i < group.earlier_end; ++i) {
            const Value& value = earlier_[i];
            if (value.is_replaced) continue;
            Record& made = made_.set(record.track, record.time, record.ref, value.field, value.value);
            const std::uint8_t since_before = group.begins_life ? 0 : record_restated;
            made.flags = static_cast<std::uint8_t>((record.flags & record_restated) | since_before);
        }
        for (const Record& made : made_.records())
            put(made_, made);
    }

    const Schema& schema_;
    Limits limits_;
    StateTable state_;
    std::vector<Rows> rows_;  // by track; empty before the first record of a storage
    // Of the last frame:
    std::vector<Step> steps_;  // by record
    std::vector<Group> groups_;
    std::vector<Value> earlier_;
    Batch made_;  // reused
};

}  // namespace hwtrace
