#include "views/state_dump.hpp"

#include <algorithm>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "codec/json_object.hpp"
#include "domain/conventions.hpp"
#include "domain/protocols.hpp"
#include "domain/value_text.hpp"

namespace hwtrace {

namespace {

constexpr std::string_view state_schema = "hwtrace-state/1";
constexpr std::size_t most_holders = 8;  // maximum number of holders shown per entity

std::string_view role_name(std::uint8_t role) noexcept {
    return role == 1 ? "head" : role == 2 ? "tail" : "";
}

/// The instructions of a `cpu` scope that are in flight, sorted by entity id.
class Entities {
public:
    Entities(const CpuScope& cpu, const Schema& schema, const StateTable& state) : cpu_(cpu) {
        if (cpu.entities == none || cpu.entity_id == no_field) return;
        for (std::uint32_t slot = 0; slot < schema.tracks()[cpu.entities].slots; ++slot)
            if (state.valid(cpu.entities, slot))
                holders_.push_back({state.value(cpu.entities, slot, cpu.entity_id), slot});
        std::ranges::stable_sort(holders_, {}, &Holder::entity);
    }

    const CpuScope& cpu() const noexcept { return cpu_; }
    /// A slot of the catalogue and its entity.
    struct Holder {
        std::uint64_t entity = 0;
        std::uint32_t slot = 0;
    };
    /// Returns the slots of an entity, in order. An entity id has several slots if a flushed entity was never cleared.
    /// The state does not identify the current slot.
    std::span<const Holder> holders_of(std::uint64_t entity) const {
        const auto first = std::ranges::lower_bound(holders_, entity, {}, &Holder::entity);
        const auto last = std::ranges::upper_bound(holders_, entity, {}, &Holder::entity);
        return std::span(holders_).subspan(static_cast<std::size_t>(first - holders_.begin()),
                                           static_cast<std::size_t>(last - first));
    }

private:
    CpuScope cpu_;
    std::vector<Holder> holders_;  // sorted by entity id
};

/// The catalogue slots of the entity that a buffer slot names.
struct Link {
    const Entities* entities = nullptr;
    std::span<const Entities::Holder> holders = {};

    bool is_sure() const noexcept { return holders.size() == 1; }
    std::span<const Entities::Holder> shown() const { return holders.first(std::min(holders.size(), most_holders)); }
};
/// The number of slots that a ring encloses.
struct RingFill {
    std::uint8_t pair = 0;
    std::uint32_t slots = 0;
};

class StateDump {
public:
    StateDump(const Schema& schema, const StateTable& state, const Settings& settings, TextOutput& out)
        : schema_(schema), state_(state), settings_(settings), out_(out) {
        for (const CpuScope& cpu : cpu_scopes(schema))
            entities_.emplace_back(cpu, schema, state);
    }

    void text(Tick time) {
        out_.put("state at ");
        out_.decimal_signed(time);
        append_unit_of_time(time);
        out_.put('\n');
        for_each_storage([this](TrackId id, const Track& track) { text_storage(id, track); });
    }

    void json(Tick time) {
        out_.put('{');
        append_json_head(state_schema, settings_, out_);
        append_time(time);
        out_.put(",\"storages\":[");
        bool first = true;
        for_each_storage([&](TrackId id, const Track& track) {
            out_.put(first ? "\n" : ",\n");
            first = false;
            JsonObject object(settings_.json_integers, out_);
            storage_members(id, track, object);
            object.known_member("values").put('[');
            bool first_slot = true;
            for_each_shown_slot(id, track, [&](std::uint32_t slot) {
                out_.put(first_slot ? "" : ",");
                first_slot = false;
                JsonObject values(settings_.json_integers, out_);
                slot_members(id, track, slot, values);
                values.close();
            });
            out_.put(']');
            object.close();
        });
        out_.put("\n]}\n");
    }

    void lines(Tick time) {
        out_.put('{');
        append_json_head(state_schema, settings_, out_);
        append_time(time);
        out_.put("}\n");
        for_each_storage([this](TrackId id, const Track& track) {
            JsonObject object(settings_.json_integers, out_);
            object.text("type", "storage");
            storage_members(id, track, object);
            object.close();
            out_.put('\n');
            for_each_shown_slot(id, track, [&](std::uint32_t slot) {
                JsonObject values(settings_.json_integers, out_);
                values.text("type", "slot");
                values.number("track_id", std::uint64_t{id});
                slot_members(id, track, slot, values);
                values.close();
                out_.put('\n');
            });
        });
    }

    void csv() {
        out_.put("scope,storage,track_id,slot,field,value\n");
        for_each_storage([this](TrackId id, const Track& track) {
            for (std::uint32_t i = 0; i < track.properties.size(); ++i)
                row(id, track, std::nullopt, track.properties[i], state_.property(id, i));
            for_each_shown_slot(id, track, [&](std::uint32_t slot) {
                for (std::uint32_t i = 0; i < track.fields.size(); ++i)
                    row(id, track, slot, track.fields[i], state_.value(id, slot, i));
            });
        });
    }

private:
    template <typename Use>
    void for_each_storage(Use use) {
        for (TrackId id = 0; id < schema_.tracks().size(); ++id)
            if (schema_.tracks()[id].kind == Track::Kind::storage) use(id, schema_.tracks()[id]);
    }

    bool is_zero(TrackId id, const Track& track, std::uint32_t slot) const {
        const std::size_t size = state_.slot_size(id);
        const auto bytes = state_.slots(id).subspan(slot * size, size);
        return !track.sparse && std::ranges::all_of(bytes, [](std::byte byte) { return byte == std::byte{0}; });
    }
    /// Calls `use` with each valid slot. In dense storages, skips slots that hold only zeros.
    template <typename Use>
    void for_each_shown_slot(TrackId id, const Track& track, Use use) {
        for (std::uint32_t slot = 0; slot < track.slots; ++slot)
            if (state_.valid(id, slot) && !is_zero(id, track, slot)) use(slot);
    }
    std::uint32_t shown_slots(TrackId id, const Track& track) {
        std::uint32_t count = 0;
        for_each_shown_slot(id, track, [&](std::uint32_t) { ++count; });
        return count;
    }

    /// Returns the fill of each ring whose pointers are unambiguous. `shown` is the result of shown_slots(). For a
    /// sparse storage, this is the number of valid slots.
    std::vector<RingFill> fills_of(TrackId id, const Track& track, std::uint32_t shown) const {
        std::vector<RingFill> fills;
        for (const RingPointers& ring : ring_pointers(track))
            if (const auto fill = ring_fill(track.slots, state_.property(id, ring.head), state_.property(id, ring.tail),
                                            track.sparse ? std::optional(shown) : std::nullopt))
                fills.push_back({ring.pair, *fill});
        return fills;
    }

    /// Returns a link to the entity that a slot names. Returns nullopt if the entity is not in flight, or if the
    /// storage is the catalogue itself.
    std::optional<Link> link_of(TrackId id, const Track& track, std::uint32_t slot) const {
        const std::uint16_t field = find_field(track, conventions::entity_id);
        if (field == no_field) return std::nullopt;
        for (const Entities& entities : entities_) {
            if (entities.cpu().entities == id || !is_below(track.scope, entities.cpu().scope)) continue;
            const auto holders = entities.holders_of(state_.value(id, slot, field));
            if (!holders.empty()) return Link{&entities, holders};
        }
        return std::nullopt;
    }
    bool is_below(ScopeId scope, ScopeId above) const {
        return any_upwards(schema_, scope, [above](ScopeId up) { return up == above; });
    }
    /// Calls `use` with each field of the entity in `slot` except the id.
    template <typename Use>
    void for_each_entity_field(const Link& link, std::uint32_t slot, Use use) {
        const CpuScope& cpu = link.entities->cpu();
        const std::vector<Field>& fields = schema_.tracks()[cpu.entities].fields;
        for (std::uint32_t i = 0; i < fields.size(); ++i)
            if (i != cpu.entity_id) use(fields[i], state_.value(cpu.entities, slot, i));
    }

    /// Returns false for a string field that was never set in a trace without strings.
    bool has_text(const Field& field, std::uint64_t value) const {
        return !holds_text(field.type) || value < schema_.string_count();
    }
    void append_cell(const Field& field, std::uint64_t value) {
        if (has_text(field, value))
            append_value(schema_, field, value, out_);
        else
            out_.put("\"\"");
    }
    void append_json_cell(const Field& field, std::uint64_t value, TextOutput& out) const {
        if (has_text(field, value))
            append_json_value(schema_, field, value, settings_.json_integers, out);
        else
            out.put("\"\"");
    }

    TimeBase base() const {
        for (const Track& track : schema_.tracks())
            if (track.kind == Track::Kind::storage) return track.time;
        return picoseconds;
    }
    std::string_view unit() const {
        const TimeBase time = base();
        if (time == picoseconds) return "ps";
        return time.kind == TimeBase::Kind::cycles ? "cycles" : "ticks";
    }
    void append_unit_of_time(Tick time) {
        out_.put(' ');
        out_.put(unit());
        for (const Clock& clock : schema_.clocks()) {
            if (base() != picoseconds || clock.period_ps == 0) continue;
            out_.put(", ");
            append_name(clock.name, out_);
            out_.put(" cycle ");
            out_.decimal(static_cast<std::uint64_t>(time) / clock.period_ps);
        }
    }
    void append_time(Tick time) {
        out_.put(",\"time\":");
        append_json_integer(time, settings_.json_integers, out_);
        out_.put(",\"unit\":");
        append_json_string(unit(), out_);
    }

    void text_storage(TrackId id, const Track& track) {
        append_name(name_in(path_of(schema_, track.scope), track.name), out_);
        const std::uint32_t shown = shown_slots(id, track);
        out_.put(": ");
        if (track.sparse) {
            out_.decimal(shown);
            out_.put(" of ");
        }
        out_.put(counted(track.slots, "slot"));
        const bool has_several = ring_pointers(track).size() > 1;
        for (const RingFill& fill : fills_of(id, track, shown)) {
            out_.put(", ");
            out_.decimal(fill.slots);
            out_.put(" from head to tail");
            if (!has_several) continue;
            out_.put(" of pair ");
            out_.decimal(fill.pair);
        }
        out_.put('\n');
        for (std::uint32_t i = 0; i < track.properties.size(); ++i) {
            const Field& field = track.properties[i];
            out_.put("  ");
            append_name(field.name, out_);
            out_.put('=');
            append_cell(field, state_.property(id, i));
            if (const std::string_view role = role_name(field.role); !role.empty()) {
                out_.put(" (");
                out_.put(role);
                if (has_several) {
                    out_.put(" of pair ");
                    out_.decimal(field.pair);
                }
                out_.put(')');
            }
            out_.put('\n');
        }
        for_each_shown_slot(id, track, [&](std::uint32_t slot) { text_slot(id, track, slot); });
        if (!track.sparse && shown < track.slots) {
            out_.put("  ");
            out_.put(counted(track.slots - shown, "slot"));
            out_.put(" of zeros\n");
        }
    }

    void text_slot(TrackId id, const Track& track, std::uint32_t slot) {
        out_.put("  [");
        out_.decimal(slot);
        out_.put(']');
        const auto put = [this](const Field& field, std::uint64_t value) {
            out_.put(' ');
            append_name(field.name, out_);
            out_.put('=');
            append_cell(field, value);
        };
        for (std::uint32_t i = 0; i < track.fields.size(); ++i)
            put(track.fields[i], state_.value(id, slot, i));
        if (const auto link = link_of(id, track, slot)) {
            for (const Entities::Holder& holder : link->shown()) {
                out_.put(" ->");
                if (!link->is_sure()) {
                    out_.put(" [");
                    out_.decimal(holder.slot);
                    out_.put(']');
                }
                for_each_entity_field(*link, holder.slot, put);
            }
            if (const std::size_t more = link->holders.size() - link->shown().size(); more != 0) {
                out_.put(" -> ");
                out_.put(counted(more, "more slot"));
            }
        }
        out_.put('\n');
    }

    void storage_members(TrackId id, const Track& track, JsonObject& object) {
        if (track.scope != none) object.text("scope", path_of(schema_, track.scope));
        object.text("storage", track.name);
        object.number("track_id", std::uint64_t{id});
        object.number("slots", std::uint64_t{track.slots});
        if (track.sparse) object.flag("sparse");
        if (track.buffer) object.flag("buffer");
        const std::uint32_t shown = shown_slots(id, track);
        object.number(track.sparse ? "valid" : "not_zero", std::uint64_t{shown});
        append_rings(ring_pointers(track).size(), fills_of(id, track, shown), object);
        if (track.properties.empty()) return;
        TextOutput& out = object.known_member("properties");
        out.put('[');
        for (std::uint32_t i = 0; i < track.properties.size(); ++i) {
            const Field& field = track.properties[i];
            if (i != 0) out.put(',');
            JsonObject property(settings_.json_integers, out);
            property.text("name", field.name);
            if (const std::string_view role = role_name(field.role); !role.empty()) {
                property.text("role", role);
                property.number("pair", std::uint64_t{field.pair});
            }
            append_json_cell(field, state_.property(id, i), property.known_member("value"));
            property.close();
        }
        out.put(']');
    }

    void append_rings(std::size_t rings, const std::vector<RingFill>& fills, JsonObject& object) {
        if (fills.empty()) return;
        if (rings == 1) return object.number("ring", std::uint64_t{fills.front().slots});
        TextOutput& out = object.known_member("rings");
        out.put('[');
        for (const RingFill& fill : fills) {
            if (&fill != &fills.front()) out.put(',');
            JsonObject ring(settings_.json_integers, out);
            ring.number("pair", std::uint64_t{fill.pair});
            ring.number("slots", std::uint64_t{fill.slots});
            ring.close();
        }
        out.put(']');
    }

    void slot_members(TrackId id, const Track& track, std::uint32_t slot, JsonObject& object) {
        object.number("slot", std::uint64_t{slot});
        JsonObject fields(settings_.json_integers, object.known_member("fields"));
        for (std::uint32_t i = 0; i < track.fields.size(); ++i)
            append_json_cell(track.fields[i], state_.value(id, slot, i), fields.member(track.fields[i].name));
        fields.close();
        const auto link = link_of(id, track, slot);
        if (!link) return;
        if (link->is_sure()) return append_entity(*link, link->holders.front(), object.known_member("entity"));
        object.number("held_by", std::uint64_t{link->holders.size()});
        TextOutput& out = object.known_member("entities");
        out.put('[');
        for (const Entities::Holder& holder : link->shown()) {
            if (&holder != link->holders.data()) out.put(',');
            JsonObject held(settings_.json_integers, out);
            held.number("slot", std::uint64_t{holder.slot});
            append_entity(*link, holder, held.known_member("fields"));
            held.close();
        }
        out.put(']');
    }

    void append_entity(const Link& link, const Entities::Holder& holder, TextOutput& out) {
        JsonObject entity(settings_.json_integers, out);
        for_each_entity_field(link, holder.slot, [&](const Field& field, std::uint64_t value) {
            append_json_cell(field, value, entity.member(field.name));
        });
        entity.close();
    }

    void row(TrackId id, const Track& track, std::optional<std::uint32_t> slot, const Field& field,
             std::uint64_t value) {
        append_csv(path_of(schema_, track.scope), out_);
        out_.put(',');
        append_csv(track.name, out_);
        out_.put(',');
        out_.decimal(id);
        out_.put(',');
        if (slot) out_.decimal(*slot);
        out_.put(',');
        append_csv(field.name, out_);
        out_.put(',');
        append_csv_cell(field, value);
        out_.put('\n');
    }
    void append_csv_cell(const Field& field, std::uint64_t value) {
        const bool is_label = field.type == Type::enumeration;
        if (const std::string* label = is_label ? schema_.label(field.enumeration, value) : nullptr)
            append_csv(*label, out_);
        else if (holds_text(field.type))
            append_csv(has_text(field, value) ? schema_.text(static_cast<StringId>(value)) : std::string_view(), out_);
        else
            append_json_value(schema_, field, value, JsonIntegers::numbers, out_);
    }

    const Schema& schema_;
    const StateTable& state_;
    const Settings& settings_;
    TextOutput& out_;
    std::vector<Entities> entities_;
};

}  // namespace

void dump_state(const Schema& schema, const StateTable& state, Tick time, TextForm form, const Settings& settings,
                TextOutput& out) {
    StateDump dump(schema, state, settings, out);
    switch (form) {
        case TextForm::text:
            dump.text(time);
            return;
        case TextForm::json:
            dump.json(time);
            return;
        case TextForm::jsonl:
            dump.lines(time);
            return;
        case TextForm::csv:
            dump.csv();
            return;
    }
}

}  // namespace hwtrace
