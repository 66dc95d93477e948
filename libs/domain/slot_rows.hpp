// domain/slot_rows.hpp - the values in the slots of a storage that have any, and since when.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <deque>
#include <vector>

#include "model/hash.hpp"
#include "model/record.hpp"
#include "model/schema.hpp"
#include "model/state.hpp"

namespace hwtrace {

/// Follows the slots of a storage. Memory depends on the number of slots that have values, not on the storage's size.
class SlotRows {
public:
    /// The values of a slot.
    struct Values {
        std::uint32_t slot = 0;
        Tick begin = 0;                    ///< the time of the first value
        std::vector<std::uint64_t> cells;  ///< by field; 0 if it has no value
        std::vector<std::uint8_t> known;   ///< by field; 1 if it has a value
    };

    /// `fields` are the fields, or the properties, of the storage. They must outlive this object.
    explicit SlotRows(const std::vector<Field>& fields) : fields_(fields) {}

    /// Returns the values of the slot, or nullptr if it has none.
    Values* find(std::uint32_t slot) noexcept {
        if (last_ != nullptr && last_->slot == slot) return last_;
        const auto found = places_.find(slot);
        return last_ = found == places_.end() ? nullptr : found->second;
    }
    /// Applies a set or add record (model/record.hpp). Its field must exist.
    Values& apply(const Record& operation) {
        Values& values = at(operation.ref, operation.time);
        std::uint64_t& cell = values.cells[operation.field];
        const std::uint64_t before = operation.kind == Kind::add ? cell : 0;
        cell = stored(fields_[operation.field].type, before + operation.value);
        values.known[operation.field] = 1;
        return values;
    }
    /// Returns the values of the slot, which begin at `time` if it has none yet.
    Values& at(std::uint32_t slot, Tick time) {
        if (Values* values = find(slot)) return *values;
        if (free_.empty()) {
            free_.push_back(&all_.emplace_back());
        }
        Values& values = *free_.back();
        free_.pop_back();
        values.slot = slot;
        values.begin = time;
        values.cells.assign(fields_.size(), 0);
        values.known.assign(fields_.size(), 0);
        places_.emplace(slot, &values);
        return *(last_ = &values);
    }
    /// Forgets the values of the slot. `values` is what find() or at() has returned.
    void free(Values& values) {
        places_.erase(values.slot);
        free_.push_back(&values);
        last_ = nullptr;
    }
    /// Returns all values, in the order of their begin and slot.
    std::vector<Values*> all() const {
        std::vector<Values*> sorted;
        for (const auto& [slot, values] : places_)
            sorted.push_back(values);
        std::ranges::sort(sorted, [](const Values* a, const Values* b) {
            return a->begin != b->begin ? a->begin < b->begin : a->slot < b->slot;
        });
        return sorted;
    }

private:
    const std::vector<Field>& fields_;
    std::deque<Values> all_;
    std::vector<Values*> free_;
    HashMap<std::uint32_t, Values*> places_;
    Values* last_ = nullptr;  // the slot of the last operation, because operations come slot by slot
};

}  // namespace hwtrace
