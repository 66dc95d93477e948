#include "convert/transforms/interval_lowering.hpp"

#include <algorithm>
#include <bit>
#include <limits>
#include <map>
#include <utility>

#include "codec/shapes.hpp"
#include "convert/transforms/event_fields.hpp"
#include "domain/conventions.hpp"
#include "domain/interval_identity.hpp"
#include "domain/value_text.hpp"
#include "io/error.hpp"

namespace hwtrace {

namespace {

namespace names = conventions;

constexpr Tick last_tick = std::numeric_limits<Tick>::max();

// Fields of `active`, in order of declaration.
enum ActiveField : std::uint16_t { field_id, field_type };

constexpr std::size_t own_cells = 3;       // id, begin, duration
constexpr std::size_t largest_enum = 255;  // µScope's limit
// Maximum number of active intervals that one call may have to end. If there are more, finish() lowers the rest in
// several steps.
constexpr std::size_t most_under_way = 1u << 16;

}  // namespace

bool IntervalLowering::is_needed(const Schema& source, std::string_view target) noexcept {
    const auto stays = [&](const Track& track) {
        if (track.kind == Track::Kind::native) return belongs_to(track, target);
        return (track.kind == Track::Kind::event_type || track.kind == Track::Kind::storage) &&
               track.time == picoseconds && !track.native_id &&
               std::ranges::all_of(track.fields, [](const Field& field) {
                   return event_type(field.type) == field.type && !field.repeated;
               });
    };
    const auto has_period = [](const Clock& clock) { return clock.period_ps != 0; };
    const bool one_root =
        std::ranges::count(source.scopes(), none, &Scope::parent) == 1 && source.scopes().front().parent == none;
    return !source.tracks().empty() && !(one_root && std::ranges::all_of(source.tracks(), stays) &&
                                         std::ranges::all_of(source.clocks(), has_period));
}

bool IntervalLowering::takes(const Track& track) noexcept {
    switch (track.kind) {
        case Track::Kind::stream:
        case Track::Kind::notes:
        case Track::Kind::native:
        case Track::Kind::storage:
        case Track::Kind::event_type:
            return true;
        case Track::Kind::relation_type:
            return track.fixed_fields() == track.fields.size();
        case Track::Kind::signal:
        case Track::Kind::hart:
            return false;
    }
    return false;
}

bool IntervalLowering::drops_metadata(std::string_view key) noexcept {
    const bool is_earlier = key == names::signal_source || key == names::record_source;
    return (key.starts_with(names::mark_prefix) && !is_earlier) || key.starts_with("uscope.");
}

// --- the schema ----------------------------------------------------------------------------------------------------

IntervalLowering::IntervalLowering(const Schema& source, std::uint64_t unknown_period_ps, Order order,
                                   std::string folder, Losses& losses, std::size_t run_bytes)
    : source_(source),
      losses_(losses),
      track_maps_(source, schema_),
      order_(order),
      sorter_(std::move(folder), run_bytes) {
    if (unknown_period_ps == 0 || unknown_period_ps > max_period_ps)
        fail(Failure::usage, "--clock: a period is 1 to " + std::to_string(max_period_ps) + " ps, not " +
                                 std::to_string(unknown_period_ps));
    mark_.period_ps = unknown_period_ps;
    for (const Track& track : source.tracks()) {
        const bool is_stream = track.kind == Track::Kind::stream;
        IntervalMark::SourceTrack& fact = mark_.tracks.emplace_back();
        fact.kind = track.kind;
        fact.kept = takes(track);
        const bool has_lists = is_stream || track.kind == Track::Kind::event_type;
        fact.lists = has_lists ? track.fields.size() - track.fixed_fields() : 0;
        fact.time = track.time;
        fact.native_id = track.native_id;
        fact.positioned = order == Order::any && track.kind == Track::Kind::relation_type;
        if (is_stream)
            fact.attributes = event_fields(track).facts;
        else if (takes(track))
            with_event_types(track, fact.attributes);
        scales_.emplace_back(track.time, unknown_period_ps);
        one_base_ = one_base_ && track.time == source.tracks().front().time;
    }
    declare_scopes();
    declare_metadata();
    declare_units();
    for (TrackId id = 0; id < source.tracks().size(); ++id) {
        const Track& track = source.tracks()[id];
        if (track.kind == Track::Kind::stream) {
            declare_stream(id);
        } else if (takes(track)) {
            std::vector<IntervalMark::Attribute> facts;
            Track shown = with_event_types(track, facts);
            if (mark_.tracks[id].positioned) shown.fields.push_back(event_field(names::position, Type::u64));
            track_maps_.declare(shown, own_scope(track.scope));
        }
        if (track.kind == Track::Kind::stream || !takes(track)) track_maps_.skip();
    }
    holding_ = order == Order::any || !one_base_;
}

TrackId IntervalLowering::declare(Track::Kind kind, ScopeId scope, std::string_view name, std::vector<Field> fields) {
    Track track = make_track(kind, scope, name, picoseconds, std::move(fields));
    if (kind == Track::Kind::storage) track.slots = 1;
    return schema_.declare(std::move(track));
}

void IntervalLowering::declare_scopes() {
    const auto is_root = [](const Scope& scope) { return scope.parent == none; };
    const auto& scopes = source_.scopes();
    mark_.root_added =
        scopes.empty() || !is_root(scopes.front()) || std::count_if(scopes.begin(), scopes.end(), is_root) != 1;
    scope_shift_ = mark_.root_added ? 1 : 0;
    mark_.clocks = source_.clocks().size();
    mark_.enums = source_.enums().size();
    if (std::any_of(scopes.begin(), scopes.end(), [](const Scope& scope) { return scope.native_id.has_value(); }))
        for (const Scope& scope : scopes)
            mark_.scope_ids.push_back(scope.native_id);
    for (Clock clock : source_.clocks()) {
        if (clock.period_ps == 0) {
            mark_.timeless_clocks.push_back(schema_.clocks().size());
            clock.period_ps = mark_.period_ps;
        }
        schema_.declare(std::move(clock));
    }
    for (const Enum& enumeration : source_.enums())
        schema_.declare(enumeration);

    // Declare a clock for each period of a stream. A scope without a clock gets the clock of its first stream.
    std::map<std::uint64_t, ClockId> clocks;
    std::vector<ClockId> clock_of(scopes.size() + scope_shift_, none);
    for (TrackId id = 0; id < source_.tracks().size(); ++id) {
        const Track& track = source_.tracks()[id];
        if (track.kind != Track::Kind::stream) continue;
        const std::uint64_t period = scales_[id].period_ps();
        const auto [found, added] = clocks.try_emplace(period, none);
        if (added)
            found->second =
                schema_.declare(Clock{clocks.size() == 1 ? "clk" : "clk" + std::to_string(clocks.size()), period});
        const ScopeId scope = own_scope(track.scope);
        if (scope != none && clock_of[scope] == none) clock_of[scope] = found->second;
    }
    if (mark_.root_added) schema_.declare(Scope{"/", none, {}, clock_of[0]});
    for (std::size_t id = 0; id < scopes.size(); ++id) {
        Scope scope = scopes[id];
        scope.parent = is_root(scope) ? (mark_.root_added ? 0 : none) : own_scope(scope.parent);
        if (scope.clock == none) scope.clock = clock_of[id + scope_shift_];
        schema_.declare(std::move(scope));
    }
}

void IntervalLowering::declare_metadata() {
    schema_.describe(std::string(names::lowered), std::string(names::lowered_intervals));
    schema_.describe(std::string(names::interval_source), mark_.text());
    for (const Metadata& entry : source_.metadata()) {
        if (drops_metadata(entry.key))
            losses_.count(Loss::metadata_dropped, entry.key, [&] { return entry.value; });
        else
            schema_.describe(entry.key, entry.value);
    }
}

/// Declares the storages of every scope with streams, in scope order. Numbers the names of the streams.
void IntervalLowering::declare_units() {
    streams_.resize(source_.tracks().size());
    std::map<ScopeId, std::uint32_t> unit_of;
    std::map<std::string_view, std::uint64_t> type_of;
    Enum types{std::string(names::interval_type), {}};
    for (TrackId id = 0; id < source_.tracks().size(); ++id) {
        const Track& track = source_.tracks()[id];
        if (track.kind != Track::Kind::stream) continue;
        unit_of.try_emplace(own_scope(track.scope), 0);
        const auto [type, added] = type_of.try_emplace(track.name, type_of.size());
        if (added) types.values.push_back({type->second, track.name});
        streams_[id].type = type->second;
    }
    if (unit_of.empty()) return;
    Field type = event_field(names::interval_track, types.values.size() <= 0x1'0000 ? Type::u16 : Type::u32);
    if (types.values.size() <= largest_enum)
        type = event_field(names::interval_track, Type::enumeration, schema_.declare(std::move(types)));

    for (auto& [scope, number] : unit_of) {
        number = static_cast<std::uint32_t>(units_.size());
        Unit& unit = units_.emplace_back();
        Track active;
        active.kind = Track::Kind::storage;
        active.scope = scope;
        active.name = names::active;
        active.time = picoseconds;
        active.fields = {event_field(names::interval_id, Type::u64), type};
        active.slots = slots;
        active.sparse = true;
        unit.active = schema_.declare(std::move(active));
        const std::vector<Field> count{event_field(names::counter_field, Type::u64)};
        unit.busy = declare(Track::Kind::storage, scope, names::busy, count);
        unit.not_shown = declare(Track::Kind::storage, scope, names::not_shown, count);
    }
    std::vector<bool> begun(units_.size());
    for (TrackId id = 0; id < source_.tracks().size(); ++id) {
        const Track& track = source_.tracks()[id];
        if (track.kind != Track::Kind::stream) continue;
        const std::uint32_t number = unit_of.at(own_scope(track.scope));
        streams_[id].unit = number;
        Unit& unit = units_[number];
        unit.in_ps = unit.in_ps || (begun[number] && unit.base != track.time);
        if (!begun[number]) unit.base = track.time;
        begun[number] = true;
    }
}

void IntervalLowering::declare_stream(TrackId id) {
    const Track& track = source_.tracks()[id];
    Stream& stream = streams_[id];
    const std::size_t fixed = track.fixed_fields();
    const std::size_t kept = kept_attributes(track);
    std::vector<Field> shown = event_fields(track).fields;
    const auto first_list = shown.begin() + static_cast<std::ptrdiff_t>(kept);
    stream.first_list = static_cast<std::uint32_t>(fixed);
    stream.attributes = static_cast<std::uint32_t>(kept);
    stream.masks = static_cast<std::uint32_t>(masks_for(kept));
    stream.text = text_fields(std::span(shown).first(kept));
    if (!stream.text.empty()) no_text_ = schema_.intern({});
    if (kept != fixed)
        losses_.count(Loss::part_dropped, track.name, [&] {
            return counted(fixed, "attribute") + ", the first " + std::to_string(kept) + " are kept";
        });
    const ScopeId scope = own_scope(track.scope);
    const auto declare_event = [&](std::string_view suffix, std::vector<Field> fields) {
        fields.insert(fields.begin(), event_field(number_name(track), Type::u64));
        return declare(Track::Kind::event_type, scope, track.name + std::string(suffix), std::move(fields));
    };
    std::vector<Field> fields{event_field(names::interval_begin, Type::u64),
                              event_field(names::interval_duration, Type::u64)};
    for (std::size_t i = 0; i < stream.masks; ++i)
        fields.push_back(event_field(mask_name(i), Type::u64));
    fields.insert(fields.end(), shown.begin(), first_list);
    stream.begin_event = declare_event({}, std::move(fields));
    stream.has_ids = states_numbers(track);
    stream.end_event = stream.has_ids ? declare_event(names::end_suffix, {event_field(names::interval_id, Type::u64)})
                                      : declare_event(names::end_suffix, {});
    if (mark_.tracks[id].has_phases()) {
        no_text_ = schema_.intern({});
        stream.order_event = declare_event(names::order_suffix, {event_field(names::attribute_order, Type::text)});
        stream.again_event = declare_event(names::again_suffix, {event_field(names::attribute_index, Type::u32),
                                                                 event_field(names::attribute_value, Type::u64),
                                                                 event_field(names::attribute_text, Type::text)});
    }
    for (auto list = first_list; list != shown.end(); ++list) {
        list->repeated = false;
        stream.list_text.push_back(list->type == Type::text);
        const std::string suffix = "." + list->name;
        stream.list_events.push_back(declare_event(suffix, {std::move(*list)}));
    }
}

// --- the records ---------------------------------------------------------------------------------------------------

std::uint64_t IntervalLowering::key_of(const Record& record) const noexcept {
    if (one_base_) return ascending(record.time);
    if (record.time < 0) return ascending(-1);
    return ascending(scales_[record.track].ps(record.time).value_or(last_tick));
}

void IntervalLowering::hold(const Record& record, const Batch& in) {
    const bool is_interval = streams_[record.track].unit != none && record.kind == Kind::interval;
    const std::uint64_t key = key_of(record);
    sorter_.add(key, next_id_, in, record);
    if (is_interval) ++next_id_;
    bool keeps_place = is_interval;
    if (mark_.tracks[record.track].positioned) {  // relations with equal positions are restored in time order
        keeps_place = next_id_ != last_position_ || key >= last_key_;
        last_position_ = next_id_;
        last_key_ = key;
    }
    // Records that arrive in time order keep their order, even if they have several time bases. Intervals always keep
    // their order. In other cases, raising may move other records before intervals that preceded them.
    if (order_ == Order::by_time) {
        const bool is_late = key < greatest_key_;
        keeps_place = one_base_ || (is_interval ? !is_late || !holds_others_ : !is_late && !holds_late_);
        holds_late_ = holds_late_ || (is_interval && is_late);
    }
    holds_others_ = holds_others_ || !is_interval;
    greatest_key_ = std::max(greatest_key_, key);
    if (!keeps_place && !units_.empty())
        losses_.count(Loss::order_changed, source_.tracks()[record.track].name,
                      [&] { return "its place among unsorted intervals, at " + std::to_string(record.time); });
}

Tick IntervalLowering::shown_at(const Record& record) {
    if (record.time >= 0) [[likely]]
        if (const std::optional<Tick> time = scales_[record.track].ps(record.time)) return *time;
    losses_.count(Loss::time_rounded, source_.tracks()[record.track].name,
                  [&] { return "tick " + std::to_string(record.time) + " is clamped"; });
    return record.time < 0 ? 0 : last_tick;
}

void IntervalLowering::apply(const Batch& in, Batch& out) {
    for (const Record& record : in.records()) {
        if (!holding_ && endings_.size() > most_under_way) holding_ = true;
        if (holding_) {
            hold(record, in);
            continue;
        }
        const bool is_interval = streams_[record.track].unit != none && record.kind == Kind::interval;
        lower_in_order(in, record, next_id_, out);
        if (is_interval) ++next_id_;
    }
    if (lateness_) lower_early(2 * in.records().size(), out);
}

/// Lowers a record. No later record may precede it.
void IntervalLowering::lower_in_order(const Batch& in, const Record& record, std::uint64_t id, Batch& out) {
    const Tick time = shown_at(record);
    while (due(time))
        end_first(out);
    lower(in, record, id, time, out);
}

/// Lowers at most `count` of the held records that no later record can precede.
void IntervalLowering::lower_early(std::size_t count, Batch& out) {
    sorter_.promise(greatest_key_ - std::min(greatest_key_, *lateness_));
    if (endings_.size() > most_under_way) return;
    held_.clear();
    held_places_.clear();
    sorter_.give_early(held_, held_places_, count);
    for (std::size_t i = 0; i < held_.records().size(); ++i)
        lower_in_order(held_, held_.records()[i], held_places_[i].tag, out);
    held_.clear();
}

bool IntervalLowering::finish(Batch& out) {
    while (!out.full()) {
        if (next_held_ < held_.records().size()) {
            const Record& record = held_.records()[next_held_];
            if (!next_time_) next_time_ = shown_at(record);
            while (due(*next_time_) && !out.full())
                end_first(out);
            if (due(*next_time_)) return true;
            lower(held_, record, held_places_[next_held_].tag, *next_time_, out);
            ++next_held_;
            next_time_.reset();
        } else if (!sorter_ended_) {
            held_.clear();
            held_places_.clear();
            next_held_ = 0;
            sorter_ended_ = !sorter_.give(held_, held_places_);
        } else if (!endings_.empty()) {
            end_first(out);
        } else {
            return false;
        }
    }
    return true;
}

void IntervalLowering::lower(const Batch& in, const Record& record, std::uint64_t id, Tick time, Batch& out) {
    if (streams_[record.track].unit != none && record.kind == Kind::interval)
        begin(in, record, id, time, out);
    else
        pass(in, record, id, time, out);
}

/// Returns the end in ps, or nullopt if the end exceeds the last Tick.
std::optional<Tick> IntervalLowering::end_of(const Record& record) const noexcept {
    const std::uint64_t most = static_cast<std::uint64_t>(last_tick) - static_cast<std::uint64_t>(record.time);
    if (record.value > most) return std::nullopt;
    const auto tick = static_cast<Tick>(static_cast<std::uint64_t>(record.time) + record.value);
    return tick < 0 ? 0 : scales_[record.track].ps(tick);
}

/// Returns the interval's own id, to which relations refer.
std::optional<std::uint64_t> IntervalLowering::own_id_of(const Batch& in, const Record& record, const Stream& stream) {
    if (!stream.has_ids) return std::nullopt;
    const std::span<const Attribute> attributes = in.attributes(record);
    const auto found = std::ranges::find(attributes, 0u, &Attribute::field);
    return found == attributes.end() ? std::nullopt : std::optional(found->value);
}

void IntervalLowering::begin(const Batch& in, const Record& record, std::uint64_t id, Tick time, Batch& out) {
    const Stream& stream = streams_[record.track];
    Unit& unit = units_[stream.unit];
    const std::uint64_t own_id = own_id_of(in, record, stream).value_or(id);
    std::uint32_t slot = slots;
    if (unit.free_slots != 0) {
        slot = static_cast<std::uint32_t>(std::countr_zero(unit.free_slots));
        unit.free_slots &= unit.free_slots - 1;
        in_frame(out.set(unit.active, time, slot, field_id, own_id));
        out.set(unit.active, time, slot, field_type, stream.type);
    } else {
        in_frame(out.add(unit.not_shown, time, 0, 0, 1));
    }
    const auto begin_tick = static_cast<std::uint64_t>(record.time);
    if (stream.attributes == 0) [[likely]] {
        const std::uint64_t cells[own_cells] = {id, begin_tick, record.value};
        out.event(stream.begin_event, time, cells);
        if (record.count != 0) append_attributes(in, record, stream, id, {});
    } else {
        const Record& event = out.event(stream.begin_event, time,
                                        static_cast<std::uint32_t>(own_cells + stream.masks + stream.attributes));
        const std::span<std::uint64_t> cells = out.mutable_cells(event);
        cells[0] = id;
        cells[1] = begin_tick;
        cells[2] = record.value;
        append_attributes(in, record, stream, id, cells.subspan(own_cells));
    }
    if (stream.order_event != none) append_order(in, record, stream, id, time, out);
    if (!stream.list_events.empty()) append_lists(in, record, stream, id, time, out);

    const std::optional<Tick> end_time = end_of(record);
    const Tick from = unit.in_ps ? time : record.time;
    if (unit.under_way++ == 0) unit.busy_begin = unit.busy_end = std::max(from, unit.busy_end);
    if (!end_time) return;  // the interval stays active
    const Tick to = unit.in_ps ? *end_time : static_cast<Tick>(begin_tick + record.value);
    unit.busy_end = std::max(unit.busy_end, to);
    const Ending ending{*end_time, id, own_id, record.track, slot};
    if (*end_time <= time) {
        end(ending, out);
        return;
    }
    endings_.push_back(ending);
    std::push_heap(endings_.begin(), endings_.end());
}

/// Fills `cells` with the masks and the attribute values. `cells` is empty if the stream has no attributes.
void IntervalLowering::append_attributes(const Batch& in, const Record& record, const Stream& stream, std::uint64_t id,
                                         std::span<std::uint64_t> cells) {
    const auto lost = [&](Loss loss, std::string_view what) {
        losses_.count(loss, source_.tracks()[record.track].name,
                      [&] { return "interval " + std::to_string(id) + ": " + std::string(what); });
    };
    const bool order_is_told = stream.order_event != none;
    for (std::size_t i = 0; i < stream.text.size(); ++i)
        if (stream.text[i]) cells[stream.masks + i] = no_text_;
    std::uint32_t next = 0;
    for (const Attribute& attribute : in.attributes(record)) {
        if (attribute.field >= stream.first_list && attribute.field - stream.first_list < stream.list_events.size()) {
            next = stream.first_list;
            continue;
        }
        if (attribute.field >= stream.attributes) {
            lost(Loss::part_dropped, "an attribute beyond the limit");
            continue;
        }
        std::uint64_t& mask = cells[attribute.field / mask_bits];
        const std::uint64_t bit = std::uint64_t{1} << attribute.field % mask_bits;
        if ((mask & bit) != 0) {
            if (!order_is_told) lost(Loss::part_dropped, "an attribute that occurs twice");
            continue;
        }
        if (attribute.field < next && !order_is_told)
            lost(Loss::order_changed, "its attributes are in another order than declared");
        next = attribute.field;
        mask |= bit;
        cells[stream.masks + attribute.field] = shown_value(stream, attribute);
    }
}

/// Writes the order of attributes that are not in field order, and attributes that recur.
void IntervalLowering::append_order(const Batch& in, const Record& record, const Stream& stream, std::uint64_t id,
                                    Tick time, Batch& out) {
    const std::span<const Attribute> attributes = in.attributes(record);
    const auto out_of_order = [](const Attribute& a, const Attribute& b) { return a.field >= b.field; };
    if (std::adjacent_find(attributes.begin(), attributes.end(), out_of_order) == attributes.end()) return;
    order_text_.clear();
    for (const Attribute& attribute : attributes) {
        if (attribute.field >= stream.attributes) continue;
        if (!order_text_.empty()) order_text_ += ' ';
        order_text_ += std::to_string(attribute.field);
    }
    const std::uint64_t order[] = {id, schema_.intern(order_text_)};
    out.event(stream.order_event, time, order);
    stated_.assign(stream.attributes, false);
    for (const Attribute& attribute : attributes) {
        if (attribute.field >= stream.attributes) continue;
        if (!stated_[attribute.field]) {
            stated_[attribute.field] = true;
            continue;
        }
        const std::uint64_t value = shown_value(stream, attribute);
        const bool text = !stream.text.empty() && stream.text[attribute.field];
        const std::uint64_t cells[] = {id, attribute.field, text ? 0 : value, text ? value : no_text_};
        out.event(stream.again_event, time, cells);
    }
}

/// Writes the attributes that may occur repeatedly, in order.
void IntervalLowering::append_lists(const Batch& in, const Record& record, const Stream& stream, std::uint64_t id,
                                    Tick time, Batch& out) {
    for (const Attribute& attribute : in.attributes(record)) {
        if (attribute.field < stream.first_list) continue;
        const std::size_t number = attribute.field - stream.first_list;
        if (number >= stream.list_events.size()) continue;
        const std::uint64_t value =
            stream.list_text[number] ? track_maps_.translated(static_cast<StringId>(attribute.value)) : attribute.value;
        const std::uint64_t cells[] = {id, value};
        out.event(stream.list_events[number], time, cells);
    }
}

void IntervalLowering::end(const Ending& ending, Batch& out) {
    const Stream& stream = streams_[ending.stream];
    Unit& unit = units_[stream.unit];
    if (ending.slot != slots) {
        unit.free_slots |= std::uint64_t{1} << ending.slot;
        in_frame(out.clear_slot(unit.active, ending.time, ending.slot));
    }
    const std::uint64_t ids[] = {ending.id, ending.own_id};
    in_frame(out.event(stream.end_event, ending.time, std::span(ids).first(stream.has_ids ? 2 : 1)));
    if (--unit.under_way == 0 && unit.busy_end != unit.busy_begin)
        out.add(unit.busy, ending.time, 0, 0,
                static_cast<std::uint64_t>(unit.busy_end) - static_cast<std::uint64_t>(unit.busy_begin));
}

void IntervalLowering::end_first(Batch& out) {
    std::pop_heap(endings_.begin(), endings_.end());
    const Ending ending = endings_.back();
    endings_.pop_back();
    end(ending, out);
}

void IntervalLowering::pass(const Batch& in, const Record& record, std::uint64_t position, Tick time, Batch& out) {
    const std::size_t first = out.records().size();
    if (mark_.tracks[record.track].positioned && takes(source_.tracks()[record.track])) {
        cells_.assign(in.cells(record).begin(), in.cells(record).end());
        cells_.push_back(position);
        positioned_.clear();
        track_maps_.pass(positioned_, positioned_.relation(record.track, record.time, cells_), time, out);
    } else if (!track_maps_.pass(in, record, time, out)) {
        losses_.count(record.kind == Kind::relation ? Loss::relation_dropped : Loss::kind_dropped,
                      source_.tracks()[record.track].name,
                      [&] { return std::string(name_of(record.kind)) + " at " + std::to_string(record.time); });
        return;
    }
    in_frame(out.mutable_records()[first]);
    if (scales_[record.track].tick(time) != record.time && record.time >= 0)
        losses_.count(Loss::time_rounded, source_.tracks()[record.track].name, [&] {
            return "tick " + std::to_string(record.time) + " cannot be restored from its picoseconds";
        });
}

}  // namespace hwtrace
