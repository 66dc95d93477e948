#include "convert/transforms/entity_view.hpp"

#include <algorithm>
#include <string>
#include <utility>

#include "convert/transforms/interval_binding.hpp"
#include "convert/transforms/interval_lowering.hpp"
#include "convert/transforms/interval_mark.hpp"
#include "convert/transforms/signal_mark.hpp"
#include "domain/conventions.hpp"
#include "domain/value_text.hpp"

namespace hwtrace {

namespace {

namespace names = conventions;

constexpr std::string_view transactions_scope = "transactions";
constexpr std::string_view protocol_version = "0.1";
constexpr unsigned shortest_address = 8;

/// Returns true if an attribute of this name and type is shown as the address of an interval.
bool is_address(const Field& field) noexcept {
    const bool is_number =
        field.type == Type::u32 || field.type == Type::u64 || field.type == Type::i64 || field.type == Type::pointer;
    return is_number && (field.name == names::pc || field.name == "addr" || field.name == "address");
}

bool has_protocol(const Schema& schema) {
    return std::ranges::any_of(schema.scopes(),
                               [](const Scope& scope) { return scope.protocol == names::cpu_protocol; });
}

/// Returns the scope that EntityView added; none if it did not make the trace.
ScopeId added_scope(const Schema& schema) {
    if (schema.metadata(names::entity_view) == nullptr || schema.scopes().empty()) return none;
    const Scope& last = schema.scopes().back();
    const bool is_ours = last.name == transactions_scope && last.protocol == names::cpu_protocol;
    return is_ours ? static_cast<ScopeId>(schema.scopes().size() - 1) : none;
}

}  // namespace

bool EntityView::suits(const Schema& lowered) {
    const bool has_streams = std::ranges::any_of(begin_events(lowered), [](TrackId event) { return event != none; });
    return has_streams && !has_protocol(lowered) && !lowered.clocks().empty() &&
           std::ranges::none_of(lowered.enums(), [](const Enum& e) { return e.name == names::pipeline_stage; }) &&
           lowered.metadata(names::cpu_pipeline_stages) == nullptr;
}

EntityView::EntityView(const Schema& lowered) : lowered_(lowered), track_maps_(lowered, schema_) {
    declare_objects(lowered, schema_);
    for (const Metadata& entry : lowered.metadata())
        schema_.describe(entry.key, entry.value);
    std::string added;
    for (const auto& [key, value] :
         {std::pair(names::dut_name, transactions_scope), std::pair(names::cpu_protocol_version, protocol_version)}) {
        if (lowered.metadata(key) != nullptr) continue;
        schema_.describe(std::string(key), std::string(value));
        added.append(added.empty() ? "" : ",").append(key);
    }
    schema_.describe(std::string(names::entity_view), std::move(added));
    for (const Track& track : lowered.tracks()) {
        Track shown = track;
        shown.buffer = shown.buffer || (track.kind == Track::Kind::storage && track.name == names::active &&
                                        track.sparse && track.slots == IntervalLowering::slots);
        track_maps_.declare(shown, track.scope);
    }
    declare_entities();
}

void EntityView::declare_entities() {
    Enum stages{std::string(names::pipeline_stage), {}};
    roles_.resize(lowered_.tracks().size());
    const std::vector<TrackId> begins = begin_events(lowered_);
    const auto mark = IntervalMark::parse(*lowered_.metadata(names::interval_source), begins.size());
    for (std::size_t i = 0; i < begins.size(); ++i) {
        if (begins[i] == none) continue;
        const Track& track = lowered_.tracks()[begins[i]];
        Role& role = roles_[begins[i]];
        roles_[begins[i] + 1].content = Role::Content::end;
        role.content = Role::Content::begin;
        role.masks = masks_in(track);
        role.attributes.assign(
            track.fields.begin() + static_cast<std::ptrdiff_t>(IntervalLowering::own_fields + role.masks),
            track.fields.end());
        const std::vector<IntervalMark::Attribute>& facts = mark->tracks[i].attributes;
        for (std::size_t k = 0; k < std::min(role.attributes.size(), facts.size()); ++k)
            restore_attribute(facts[k], role.attributes[k]);
        const auto address = std::ranges::find_if(role.attributes, is_address);
        if (address != role.attributes.end())
            role.address = static_cast<std::size_t>(address - role.attributes.begin());
        const auto known = std::ranges::find(stages.values, track.name, &EnumValue::name);
        role.stage = static_cast<std::uint64_t>(known - stages.values.begin());
        if (known != stages.values.end()) continue;
        if (stages.values.size() < most_stages)
            stages.values.push_back({role.stage, track.name});
        else
            role.stage = most_stages - 1;
    }
    const EnumId stage = schema_.declare(std::move(stages));
    Scope scope{std::string(transactions_scope), 0, std::string(names::cpu_protocol), 0};
    const ScopeId added = schema_.declare(std::move(scope));
    const auto field = [](std::string_view name, Type type, EnumId enumeration = none) {
        return Field{std::string(name), type, enumeration};
    };
    const Field entity = field(names::entity_id, Type::u32);
    Track table =
        make_track(Track::Kind::storage, added, names::entities, picoseconds, {entity, field(names::pc, Type::u64)});
    table.slots = slots;
    table.sparse = true;
    entities_ = schema_.declare(std::move(table));
    const auto event = [&](std::string_view name, std::vector<Field> fields) {
        fields.insert(fields.begin(), entity);
        return schema_.declare(make_track(Track::Kind::event_type, added, name, picoseconds, std::move(fields)));
    };
    // Viewers refuse a scope that lacks one of these events.
    stage_transition_ = event(names::stage_transition, {field("stage", Type::enumeration, stage)});
    annotate_ = event(names::annotate, {field("text", Type::text)});
    event(names::dependency, {field("consumer", Type::u32), field("type", Type::u8)});
    event(names::flush, {field("reason", Type::u8)});
}

void EntityView::apply(const Batch& in, Batch& out) {
    for (const Record& record : in.records()) {
        track_maps_.pass_with_frame(in, record, record.time, out);
        const Role& role = roles_[record.track];
        if (role.content == Role::Content::begin)
            begin(in, record, role, out);
        else if (role.content == Role::Content::end)
            end(in.cells(record).front(), record.time, out);
    }
}

void EntityView::begin(const Batch& in, const Record& record, const Role& role, Batch& out) {
    const Track& track = lowered_.tracks()[record.track];
    const std::span<const std::uint64_t> cells = in.cells(record);
    const std::uint64_t id = cells[0];
    const auto slot = static_cast<std::uint32_t>(id % slots);
    if (taken_[slot] != 0 || id > 0xFFFF'FFFE) return;
    taken_[slot] = id + 1;
    const std::size_t first = IntervalLowering::own_fields + role.masks;
    const auto has = [&](std::size_t attribute) {
        constexpr std::size_t bits = IntervalLowering::mask_bits;
        return (cells[IntervalLowering::own_fields + attribute / bits] >> (attribute % bits) & 1u) != 0;
    };
    std::uint64_t address = role.address && has(*role.address) ? cells[first + *role.address] : 0;
    if (address == 0) address = id + 1;  // viewers show the text beside an address, which must not be 0
    text_.clear();
    text_.put("0x");
    text_.hex(address, address >> 32 == 0 ? shortest_address : 2 * shortest_address);
    text_.put(": ");
    text_.put(track.name);
    for (std::size_t i = 0; i < role.attributes.size(); ++i) {
        if (!has(i)) continue;
        const Field& field = role.attributes[i];
        text_.put(' ');
        text_.put(field.name);
        text_.put('=');
        if (field.type == Type::boolean)
            text_.put(cells[first + i] != 0 ? "true" : "false");
        else
            append_value(lowered_, field, cells[first + i], text_);
    }
    out.set(entities_, record.time, slot, 0, id);
    out.set(entities_, record.time, slot, 1, address);
    // The label directly follows the address, so that a conversion to a pipeline log does not write the address twice.
    const std::uint64_t label[] = {id, schema_.intern(text_.text())};
    out.event(annotate_, record.time, label);
    const std::uint64_t stage[] = {id, role.stage};
    out.event(stage_transition_, record.time, stage);
}

void EntityView::end(std::uint64_t id, Tick time, Batch& out) {
    const auto slot = static_cast<std::uint32_t>(id % slots);
    if (taken_[slot] != id + 1) return;
    taken_[slot] = 0;
    out.clear_slot(entities_, time, slot);
}

bool EntityRemoval::is_shown(const Schema& source) {
    return added_scope(source) != none;
}

EntityRemoval::EntityRemoval(const Schema& source, Losses& losses)
    : source_(source), losses_(losses), track_maps_(source, schema_) {
    const ScopeId added = added_scope(source);
    for (const Clock& clock : source.clocks())
        schema_.declare(clock);
    for (const Enum& enumeration : source.enums())
        schema_.declare(enumeration);
    for (ScopeId scope = 0; scope < added; ++scope)
        schema_.declare(source.scopes()[scope]);
    const std::string keys = "," + *source.metadata(names::entity_view) + ",";
    for (const Metadata& entry : source.metadata())
        if (entry.key != names::entity_view && keys.find("," + entry.key + ",") == std::string::npos)
            schema_.describe(entry.key, entry.value);
    for (const Track& track : source.tracks()) {
        const bool stays = track.kind == Track::Kind::storage || track.kind == Track::Kind::event_type;
        if (stays && track.scope != added)
            track_maps_.declare(track, track.scope);
        else
            track_maps_.skip();
    }
}

void EntityRemoval::apply(const Batch& in, Batch& out) {
    for (const Record& record : in.records()) {
        track_maps_.pass_with_frame(in, record, record.time, out);
        const Track& track = source_.tracks()[record.track];
        if (track.kind == Track::Kind::native)
            losses_.count(Loss::native_dropped, track.name, [&] { return "at " + std::to_string(record.time); });
    }
}

}  // namespace hwtrace
