// formats/uscope/item_writer.hpp - writes the items of frames, and keeps the state after them for checkpoints.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "checkpoint.hpp"
#include "frame_writer.hpp"
#include "io/appender.hpp"
#include "model/state.hpp"
#include "summary.hpp"
#include "wire_schema.hpp"

namespace hwtrace::uscope {

/// Appends items to the open frame. Operations also change the state, and count in the summary. Before each item, the
/// caller must make room if lacks_room() returns true.
class ItemWriter {
public:
    /// Appends to `frames`. The schema's first `storages` tracks are storages, and `plans` are those of its tracks. All
    /// arguments must outlive the writer.
    ItemWriter(const Schema& schema, std::size_t storages, std::span<const TrackPlan> plans, Appender& frames,
               SummaryBuilder& summary)
        : frame_(frames), state_(schema), checkpoints_(storages), summary_(summary), counted_(storages) {
        for (const TrackPlan& plan : plans)
            if (plan.role == TrackPlan::Role::storage) counted_[plan.id] = {plan.instruction_field, plan.counter};
    }

    FrameWriter& frame() noexcept { return frame_; }
    const FrameWriter& frame() const noexcept { return frame_; }
    StateTable& state() noexcept { return state_; }
    CheckpointWriter& checkpoints() noexcept { return checkpoints_; }
    bool lacks_room() const noexcept { return frame_.lacks_room(); }

    // The storage must exist. Slots, fields and properties may be missing in the schema.
    void set(std::uint16_t storage, std::uint32_t slot, std::uint32_t field, std::uint64_t value) {
        frame_.operation(Action::set, storage, slot, field, value);
        state_.set(storage, slot, field, value);
        count_set(storage, field);
    }
    void add(std::uint16_t storage, std::uint32_t slot, std::uint32_t field, std::uint64_t value) {
        frame_.operation(Action::add, storage, slot, field, value);
        state_.add(storage, slot, field, value);
        checkpoints_.change(storage);
        const std::uint32_t counter = counted_[storage].counter;
        if (counter != none && slot == 0 && field == 0) summary_.add(counter, value);
    }
    void clear(std::uint16_t storage, std::uint32_t slot) {
        frame_.operation(Action::clear, storage, slot, 0, 0);
        state_.clear(storage, slot);
        checkpoints_.change(storage);
    }
    void set_property(std::uint16_t storage, std::uint32_t property, std::uint64_t value) {
        frame_.operation(Action::set_property, storage, 0, property, value);
        state_.set_property(storage, property, value);
        checkpoints_.change(storage);
    }

    // The same, if the caller knows that the slot, the field and the property exist.
    void set_known(std::uint16_t storage, std::uint32_t slot, std::uint32_t field, std::uint64_t value) {
        frame_.operation(Action::set, storage, slot, field, value);
        state_.set_known(storage, slot, field, value);
        count_set(storage, field);
    }
    void clear_known(std::uint16_t storage, std::uint32_t slot) {
        frame_.operation(Action::clear, storage, slot, 0, 0);
        state_.clear_known(storage, slot);
        checkpoints_.change(storage);
    }
    void set_known_property(std::uint16_t storage, std::uint32_t property, std::uint64_t value) {
        frame_.operation(Action::set_property, storage, 0, property, value);
        state_.set_known_property(storage, property, value);
        checkpoints_.change(storage);
    }

    /// Appends an encoded item that the model cannot express. It must be valid (is_item()).
    void native(std::span<const std::byte> bytes);

private:
    /// The field and the counter of a storage that the summary counts.
    struct Counted {
        std::uint16_t instruction_field = 0xFFFF;
        std::uint32_t counter = none;
    };

    void count_set(std::uint16_t storage, std::uint32_t field) {
        checkpoints_.change(storage);
        if (field == counted_[storage].instruction_field) summary_.instruction();
    }

    FrameWriter frame_;
    StateTable state_;
    CheckpointWriter checkpoints_;  // of state_
    SummaryBuilder& summary_;
    std::vector<Counted> counted_;  // by storage
};

}  // namespace hwtrace::uscope
