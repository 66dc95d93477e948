#include "select/restated_storages.hpp"

#include "domain/protocols.hpp"

namespace hwtrace {

namespace {

/// Returns false for a string cell that was never set, in a trace without strings. Such a cell is invalid.
bool is_known(const Schema& schema, const Field& field, std::uint64_t value) {
    return !holds_text(field.type) || value < schema.string_count();
}

/// The frame being appended.
class RestatedFrame {
public:
    RestatedFrame(const Schema& schema, const StateTable& state, Tick time, const Limits& limits, Batch& out)
        : schema_(schema), state_(state), time_(time), limits_(limits), out_(out) {}

    void slot(TrackId id, std::uint32_t slot, bool whole) {
        const Track& track = schema_.tracks()[id];
        const std::uint16_t life_id = life_id_field(schema_, id);
        const auto append_field = [&](std::size_t field) {
            const std::uint64_t value = state_.value(id, slot, static_cast<std::uint32_t>(field));
            if ((value != 0 || whole) && is_known(schema_, track.fields[field], value))
                put(out_.set(id, time_, slot, static_cast<std::uint16_t>(field), value));
        };
        if (life_id != no_field) append_field(life_id);  // first, because later values belong to this entity
        for (std::size_t field = 0; field < track.fields.size(); ++field)
            if (field != life_id) append_field(field);
    }
    void property(TrackId id, std::size_t property) {
        const std::uint64_t value = state_.property(id, static_cast<std::uint32_t>(property));
        if (value != 0 && is_known(schema_, schema_.tracks()[id].properties[property], value))
            put(out_.set_property(id, time_, static_cast<std::uint16_t>(property), value));
    }

private:
    void put(Record& record) {
        record.flags = static_cast<std::uint8_t>(record.flags | record_restated | flags_);
        flags_ = 0;
        check_limit(++records_ * sizeof(Record), limits_.block, "the state of storages before the range",
                    "--max-block");
    }

    const Schema& schema_;
    const StateTable& state_;
    Tick time_;
    const Limits& limits_;
    Batch& out_;
    std::uint8_t flags_ = record_first_of_frame;
    std::uint64_t records_ = 0;
};

}  // namespace

void restate_storages(const Schema& schema, const StateTable& state, std::span<const Occupancy> occupied, Tick time,
                      const Limits& limits, Batch& out) {
    RestatedFrame frame(schema, state, time, limits, out);
    for (TrackId id = 0; id < schema.tracks().size(); ++id) {
        const Track& track = schema.tracks()[id];
        if (track.kind != Track::Kind::storage) continue;
        for (std::uint32_t slot = 0; slot < track.slots; ++slot) {
            const bool whole = track.sparse || (id < occupied.size() && occupied[id].is_occupied(slot));
            if (state.valid(id, slot)) frame.slot(id, slot, whole);
        }
        for (std::size_t property = 0; property < track.properties.size(); ++property)
            frame.property(id, property);
    }
}

}  // namespace hwtrace
