#include "wire_schema.hpp"

#include <algorithm>

#include "domain/conventions.hpp"
#include "domain/value_text.hpp"
#include "io/error.hpp"
#include "io/number_text.hpp"
#include "model/state.hpp"
#include "summary.hpp"

namespace hwtrace::uscope {

namespace {

constexpr std::size_t longest_pool_value = 1024;

[[noreturn]] void too_many(std::string_view what, std::size_t count, std::size_t most) {
    fail(Failure::input, "a µScope file holds at most " + std::to_string(most) + ' ' + std::string(what) +
                             "; this trace has " + std::to_string(count));
}

void check_count(std::string_view what, std::size_t count, std::size_t most) {
    if (count > most) too_many(what, count, most);
}

template <std::unsigned_integral T>
bool parse(std::string_view text, T& value) noexcept {
    const auto number = parse_decimal<T>(text);
    if (number) value = *number;
    return number.has_value();
}

/// The implementation of make_wire_schema().
class Translation {
public:
    Translation(const Schema& model, const Settings& settings, WireSchema& wire, Losses& losses)
        : model_(model),
          wire_(wire),
          losses_(losses),
          is_merge_(settings.source_format == conventions::merged_source) {}

    void run() {
        declare_clocks();
        declare_scopes();
        declare_enums();
        wire_.tracks.resize(model_.tracks().size());
        declare_tracks(Track::Kind::storage, "storages");
        wire_.preamble.storages = wire_.schema.tracks().size();
        declare_tracks(Track::Kind::event_type, "event types");
        wire_.preamble.events = wire_.schema.tracks().size() - wire_.preamble.storages;
        for (TrackId id = 0; id < model_.tracks().size(); ++id) {
            const Track& track = model_.tracks()[id];
            if (track.kind != Track::Kind::native) continue;
            if (track.name == item_track) wire_.tracks[id].role = TrackPlan::Role::item;
            if (track.name == frame_track) wire_.tracks[id].role = TrackPlan::Role::frame;
        }
        split_metadata();
    }

private:
    /// Returns `text` changed so that the pool can hold it. Counts a change as a loss.
    std::string name(const std::string& text) {
        if (is_pool_text(text)) return text;
        std::string clean = text;
        for (char& c : clean)
            if (c == '\0' || static_cast<unsigned char>(c) >= 0x80) c = '_';
        losses_.count(Loss::name_changed, clean,
                      [&] { return "a name with NUL or invalid UTF-8 is written as " + clean; });
        return clean;
    }

    void declare_clocks() {
        check_count("clocks", model_.clocks().size(), most_small);
        for (const Clock& clock : model_.clocks()) {
            Clock copy{name(clock.name), clock.period_ps};
            if (copy.period_ps > 0xFFFF'FFFF) {
                losses_.count(Loss::value_narrowed, clock.name, [&] {
                    return "a period of " + std::to_string(clock.period_ps) + " ps is written as unknown";
                });
                copy.period_ps = 0;
            }
            wire_.schema.declare(std::move(copy));
        }
        if (model_.clocks().empty()) {
            wire_.schema.declare(Clock{"clk", 1000});
            losses_.assume("clock: a µScope file needs one; added clk of 1000 ps");
        }
    }

    void declare_scopes() {
        const auto& scopes = model_.scopes();
        const auto is_root = [](const Scope& scope) { return scope.parent == none; };
        const bool rooted =
            !scopes.empty() && is_root(scopes.front()) && std::count_if(scopes.begin(), scopes.end(), is_root) == 1;
        scope_shift_ = rooted ? 0 : 1;
        check_count("scopes", scopes.size() + scope_shift_, most_objects);
        if (!rooted) {
            wire_.schema.declare(Scope{"/", none, "", 0});
            if (is_merge_)
                losses_.assume("scopes: a µScope file needs one root; added / above the merged traces");
            else
                losses_.count(Loss::scope_flattened, Subject::general("scopes"),
                              [&] { return "a root named / is added above " + counted(scopes.size(), "scope"); });
        }
        for (const Scope& scope : scopes) {
            Scope copy;
            copy.name = name(scope.name);
            copy.protocol = name(scope.protocol);
            copy.clock = scope.clock < model_.clocks().size() ? scope.clock : none;
            if (scope.parent < scopes.size())
                copy.parent = scope.parent + scope_shift_;
            else if (!rooted)
                copy.parent = 0;
            wire_.schema.declare(std::move(copy));
        }
    }

    ScopeId wire_scope(ScopeId scope) const noexcept {
        return scope < model_.scopes().size() ? scope + scope_shift_ : none;
    }

    void declare_enums() {
        const std::vector<bool> held = held_enums(model_);
        for (EnumId id = 0; id < held.size(); ++id) {
            const Enum& enumeration = model_.enums()[id];
            if (!held[id]) {
                wire_enums_.push_back(none);
                losses_.count(Loss::type_changed, enumeration.name,
                              [] { return std::string("an enum with more or larger values than µScope can hold"); });
                continue;
            }
            Enum copy{name(enumeration.name), {}};
            for (const EnumValue& value : enumeration.values)
                copy.values.push_back({value.value, name(value.name)});
            wire_enums_.push_back(wire_.schema.declare(std::move(copy)));
        }
    }

    Field wire_field(const Track& track, const Field& field) {
        if (field.repeated) fail(Failure::internal, "repeated field " + field.name + " in a µScope event");
        Field copy = field;
        copy.name = name(field.name);
        if (field.type == Type::enumeration) {
            copy.enumeration = field.enumeration < wire_enums_.size() ? wire_enums_[field.enumeration] : none;
            if (copy.enumeration == none) {
                copy.type = field.enumeration < wire_enums_.size() ? Type::u64 : Type::u8;
                changed(track, field);
            }
        } else if (holds_text(field.type)) {
            if (field.type != Type::text) changed(track, field);
            copy.type = Type::text;
        } else if (!field_type(field.type)) {
            copy.type = slot_width(field.type) == 4 ? Type::u32 : Type::u64;
            changed(track, field);
        }
        if (copy.type != Type::enumeration) copy.enumeration = none;
        return copy;
    }

    void changed(const Track& track, const Field& field) {
        losses_.count(Loss::type_changed, track.name + '.' + field.name, [&] {
            return std::string(name_of(field.type)) + " is written as an integer with its bits, or as a string";
        });
    }

    void add_fields(const Track& track, const std::vector<Field>& from, std::vector<Field>& to, TrackPlan& plan) {
        check_count("fields in " + track.name, from.size(), most_objects);
        for (const Field& field : from) {
            const Field& copy = to.emplace_back(wire_field(track, field));
            FieldPlan cell;
            cell.width = static_cast<std::uint8_t>(slot_width(copy.type));
            cell.is_text = copy.type == Type::text;
            plan.has_text = plan.has_text || cell.is_text;
            if (cell.width < 8 && !cell.is_text) {
                const unsigned bits = 8u * cell.width;
                const bool is_signed = copy.type == Type::i8 || copy.type == Type::i16 || copy.type == Type::i32;
                cell.overflow = ~std::uint64_t{0} << bits;
                cell.bias = is_signed ? std::uint64_t{1} << (bits - 1) : 0;
            }
            wire_.fields.push_back(cell);
        }
    }

    void declare_tracks(Track::Kind kind, std::string_view what) {
        std::size_t number = 0;
        for (TrackId id = 0; id < model_.tracks().size(); ++id) {
            const Track& track = model_.tracks()[id];
            if (track.kind != kind) continue;
            check_count(what, number + 1, most_objects);
            TrackPlan& plan = wire_.tracks[id];
            plan.role = kind == Track::Kind::storage ? TrackPlan::Role::storage : TrackPlan::Role::event;
            plan.id = static_cast<std::uint16_t>(number++);
            plan.first_field = static_cast<std::uint32_t>(wire_.fields.size());
            plan.fields = static_cast<std::uint32_t>(track.fields.size());
            plan.properties = static_cast<std::uint32_t>(track.properties.size());

            Track copy;
            copy.kind = kind;
            copy.scope = wire_scope(track.scope);
            copy.name = name(track.name);
            copy.time = picoseconds;
            add_fields(track, track.fields, copy.fields, plan);
            for (std::size_t i = plan.first_field; i < wire_.fields.size(); ++i)
                plan.payload += wire_.fields[i].width;
            add_fields(track, track.properties, copy.properties, plan);
            copy.sparse = track.sparse;
            copy.buffer = track.buffer;
            copy.slots = std::min<std::uint32_t>(track.slots, most_objects);
            if (copy.slots != track.slots)
                losses_.count(Loss::part_dropped, track.name,
                              [&] { return counted(track.slots, "slot") + "; µScope holds at most 65535"; });
            wire_.schema.declare(std::move(copy));
        }
    }

    void split_metadata() {
        std::vector<Property> properties;
        for (const Metadata& fact : model_.metadata()) {
            if (!fact.key.starts_with(own_prefix))
                properties.push_back({name(fact.key), fact.value});
            else if (!take_own(fact))
                dropped(fact.key, "an unknown key of the format itself");
        }
        StringPool names;
        add_names(wire_.schema, wire_.preamble, names);
        for (const std::size_t longest : {longest_pool_value, std::size_t{256}, std::size_t{32}})
            if (place_properties(properties, names, longest)) return;
        // Without the marks, all tracks would keep the forms of their lowering, so the marks get their places first.
        std::stable_partition(properties.begin(), properties.end(), is_mark);
        place_properties(properties, names, 0);
    }

    bool take_own(const Metadata& fact) {
        if (fact.key == interval_key && !wire_.has_interval) {
            wire_.has_interval = parse(fact.value, wire_.preamble.checkpoint_interval);
            return wire_.has_interval;
        }
        if (fact.key != summary_field_key) return false;
        const std::size_t first = fact.value.find(' ');
        const std::size_t second = first == std::string::npos ? first : fact.value.find(' ', first + 1);
        if (second == std::string::npos) return false;
        SummaryField field;
        const std::string_view text = fact.value;
        if (!parse(text.substr(0, first), field.scope) ||
            !parse(text.substr(first + 1, second - first - 1), field.type) || !is_pool_text(text))
            return false;
        field.name = text.substr(second + 1);
        wire_.preamble.summary_fields.push_back(std::move(field));
        return true;
    }

    void dropped(const std::string& key, const std::string& why) {
        losses_.count(Loss::metadata_dropped, key, [&] { return why; });
    }

    static bool is_mark(const Property& property) noexcept {
        return property.key.starts_with(conventions::mark_prefix);
    }

    /// Places properties in the pool, and values longer than `longest` in the string table. Returns false if the pool
    /// is too small. If `longest` is 0, drops properties for which there is no room, but no marks.
    bool place_properties(const std::vector<Property>& properties, StringPool pool, std::size_t longest) {
        wire_.preamble.properties.clear();
        wire_.long_texts.clear();
        for (const Property& property : properties) {
            Property placed = property;
            // A key that already has the prefix gets a second prefix, because the reader removes exactly one.
            if (property.value.size() > longest || !is_pool_text(property.value) ||
                property.key.starts_with(conventions::long_text_prefix)) {
                placed = {std::string(conventions::long_text_prefix) + property.key,
                          std::to_string(wire_.long_texts.size())};
            }
            const bool room = pool.fits(placed.key) && pool.fits(placed.value) &&
                              pool.bytes().size() + placed.key.size() + placed.value.size() + 2 <= largest_pool &&
                              wire_.preamble.properties.size() < most_objects;
            if (!room) {
                if (longest != 0) return false;
                if (is_mark(property)) fail_pool_full();
                dropped(property.key, "no room in the string pool of 65535 bytes");
                continue;
            }
            pool.offset(placed.key);
            pool.offset(placed.value);
            if (placed.key != property.key) wire_.long_texts.push_back(property.value);
            wire_.preamble.properties.push_back(std::move(placed));
        }
        return true;
    }

    const Schema& model_;
    WireSchema& wire_;
    Losses& losses_;
    bool is_merge_;
    ScopeId scope_shift_ = 0;
    std::vector<EnumId> wire_enums_;
};

}  // namespace

std::vector<bool> held_enums(const Schema& model) {
    std::vector<bool> held;
    std::size_t count = 0;
    for (const Enum& enumeration : model.enums()) {
        const bool fits = enumeration.values.size() <= most_small && count < most_small &&
                          std::all_of(enumeration.values.begin(), enumeration.values.end(),
                                      [](const EnumValue& value) { return value.value <= 0xFF; });
        held.push_back(fits);
        if (fits) ++count;
    }
    return held;
}

WireSchema make_wire_schema(const Schema& model, const Settings& settings, Losses& losses) {
    WireSchema wire;
    Translation(model, settings, wire, losses).run();
    const InstructionField instruction = find_instruction_field(wire.schema);
    for (TrackPlan& plan : wire.tracks)
        if (plan.role == TrackPlan::Role::storage && plan.id == instruction.storage)
            plan.instruction_field = instruction.field;
    return wire;
}

}  // namespace hwtrace::uscope
