#include "domain/protocols.hpp"

#include <algorithm>
#include <array>

#include "domain/conventions.hpp"
#include "model/state.hpp"

namespace hwtrace {

namespace {

namespace names = conventions;

constexpr std::uint8_t head_role = 1;
constexpr std::uint8_t tail_role = 2;
constexpr std::string_view blanks = " \t";
constexpr std::uint64_t most_stages = 0xFFFF;
constexpr std::size_t most_path_parts = 64;

std::vector<std::string> split_at_commas(std::string_view text) {
    std::vector<std::string> parts;
    for (std::size_t at = 0; at <= text.size();) {
        const std::size_t end = std::min(text.find(',', at), text.size());
        std::string_view part = text.substr(at, end - at);
        part.remove_prefix(std::min(part.find_first_not_of(blanks), part.size()));
        part.remove_suffix(part.size() - (part.find_last_not_of(blanks) + 1));
        parts.emplace_back(part);
        at = end + 1;
    }
    return parts;
}

/// Returns the names of a protocol's stages from the metadata `key`. If the trace has no such metadata, returns the
/// enum labels of the second field of `stage_transition`.
std::vector<std::string> stage_names(const Schema& schema, std::string_view key, TrackId stage_transition) {
    if (const std::string* stated = schema.metadata(key); stated != nullptr && !stated->empty())
        return split_at_commas(*stated);
    std::vector<std::string> stages;
    if (stage_transition == none) return stages;
    const std::vector<Field>& fields = schema.tracks()[stage_transition].fields;
    if (fields.size() < 2 || fields[1].enumeration == none) return stages;
    for (const EnumValue& value : schema.enums()[fields[1].enumeration].values) {
        if (value.value > most_stages) continue;
        const auto number = static_cast<std::size_t>(value.value);
        while (stages.size() <= number)
            stages.push_back(std::to_string(stages.size()));
        stages[number] = value.name;
    }
    return stages;
}

std::string name_or_number(const std::vector<std::string>& stages, std::uint64_t stage) {
    return stage < stages.size() ? stages[static_cast<std::size_t>(stage)] : std::to_string(stage);
}

TrackId event_in(const Schema& schema, ScopeId scope, std::string_view name) noexcept {
    return find_track_in(schema, scope, Track::Kind::event_type, name);
}

CpuScope cpu_scope(const Schema& schema, ScopeId scope) {
    CpuScope cpu;
    cpu.scope = scope;
    cpu.period_ps = period_of(schema, scope);
    cpu.entities = find_track_in(schema, scope, Track::Kind::storage, names::entities);
    if (cpu.entities != none) {
        const Track& entities = schema.tracks()[cpu.entities];
        cpu.entity_id = find_field(entities, names::entity_id);
        cpu.pc = find_field(entities, names::pc);
        cpu.inst_bits = find_field(entities, names::inst_bits);
        cpu.size = find_field(entities, names::inst_size);
        cpu.simulator_id = find_field(entities, names::simulator_id);
        cpu.thread_id = find_field(entities, names::thread_id);
    }
    cpu.stage_transition = event_in(schema, scope, names::stage_transition);
    cpu.annotate = event_in(schema, scope, names::annotate);
    cpu.dependency = event_in(schema, scope, names::dependency);
    cpu.flush = event_in(schema, scope, names::flush);
    cpu.stall = event_in(schema, scope, names::stall);
    cpu.label_type = event_in(schema, scope, names::label_type);
    cpu.lane_stage = event_in(schema, scope, names::lane_stage);
    cpu.stage_end = event_in(schema, scope, names::stage_end);
    cpu.retire = event_in(schema, scope, names::retire);
    cpu.stages = stage_names(schema, names::cpu_pipeline_stages, cpu.stage_transition);
    return cpu;
}

NocScope noc_scope(const Schema& schema, ScopeId scope) {
    NocScope noc;
    noc.scope = scope;
    noc.period_ps = period_of(schema, scope);
    noc.transactions = find_track_in(schema, scope, Track::Kind::storage, names::transactions);
    if (noc.transactions != none) {
        const Track& transactions = schema.tracks()[noc.transactions];
        noc.txn_id = find_field(transactions, names::txn_id);
        noc.opcode = find_field(transactions, "opcode");
        noc.address = find_field(transactions, "addr");
        noc.length = find_field(transactions, "len");
        noc.size = find_field(transactions, "size");
        noc.source_port = find_field(transactions, "src_port");
        noc.destination_port = find_field(transactions, "dst_port");
    }
    noc.stage_transition = event_in(schema, scope, names::stage_transition);
    noc.beat = event_in(schema, scope, "beat");
    noc.retry = event_in(schema, scope, "retry");
    noc.timeout = event_in(schema, scope, "timeout");
    noc.annotate = event_in(schema, scope, names::annotate);
    noc.stages = stage_names(schema, names::noc_pipeline_stages, noc.stage_transition);
    return noc;
}

template <typename Protocol>
std::vector<Protocol> scopes_of(const Schema& schema, std::string_view protocol,
                                Protocol (*make)(const Schema&, ScopeId)) {
    std::vector<Protocol> found;
    for (ScopeId id = 0; id < schema.scopes().size(); ++id)
        if (schema.scopes()[id].protocol == protocol) found.push_back(make(schema, id));
    return found;
}

}  // namespace

std::uint16_t find_field(const Track& track, std::string_view name) noexcept {
    const auto found = std::ranges::find(track.fields, name, &Field::name);
    return found == track.fields.end() ? no_field : static_cast<std::uint16_t>(found - track.fields.begin());
}

std::uint64_t bits_kept(const Field& field) noexcept {
    const std::size_t width = slot_width(field.type);
    return width >= 8 ? ~std::uint64_t{0} : (std::uint64_t{1} << (8 * width)) - 1;
}

TrackId find_track_in(const Schema& schema, ScopeId scope, Track::Kind kind, std::string_view name) noexcept {
    const auto& tracks = schema.tracks();
    for (TrackId id = 0; id < tracks.size(); ++id)
        if (tracks[id].kind == kind && tracks[id].scope == scope && tracks[id].name == name) return id;
    return none;
}

ClockId clock_of(const Schema& schema, ScopeId scope) noexcept {
    ClockId clock = none;
    any_upwards(schema, scope, [&](ScopeId up) { return (clock = schema.scopes()[up].clock) != none; });
    return clock;
}

std::uint64_t period_of(const Schema& schema, ScopeId scope) noexcept {
    const ClockId clock = clock_of(schema, scope);
    return clock < schema.clocks().size() ? schema.clocks()[clock].period_ps : 0;
}

bool is_counter(const Track& track) noexcept {
    return track.kind == Track::Kind::storage && track.slots == 1 && !track.sparse && !track.buffer &&
           track.fields.size() == 1 && track.fields.front().type == Type::u64;
}

/// A root named "/" may lie below another scope, as in a merged trace. It adds no slash of its own: "rtl/bus".
std::string path_of(const Schema& schema, ScopeId scope) {
    const auto& scopes = schema.scopes();
    std::string path;
    for (std::size_t parts = 0; scope < scopes.size(); ++parts) {
        if (parts == most_path_parts) return ".../" + path;  // deeper than useful, or a cycle
        const std::string& name = scopes[scope].name;
        path = path.empty() ? name : name_in(name, std::string_view(path).substr(path.starts_with('/') ? 1 : 0));
        scope = scopes[scope].parent;
    }
    return path;
}

std::string name_in(std::string_view path, std::string_view name) {
    std::string whole(path);
    if (!path.empty() && !path.ends_with('/')) whole.push_back('/');
    whole.append(name);
    return whole;
}

bool is_catalogue(const Schema& schema, TrackId id) noexcept {
    const Track& track = schema.tracks()[id];
    if (track.kind != Track::Kind::storage || track.scope >= schema.scopes().size()) return false;
    const std::string& protocol = schema.scopes()[track.scope].protocol;
    return (protocol == names::cpu_protocol && track.name == names::entities) ||
           (protocol == names::noc_protocol && track.name == names::transactions);
}

std::uint16_t life_id_field(const Schema& schema, TrackId id) noexcept {
    if (!is_catalogue(schema, id)) return no_field;
    const Track& track = schema.tracks()[id];
    return find_field(track, track.name == names::entities ? names::entity_id : names::txn_id);
}

bool is_buffer(const Schema& schema, TrackId id) noexcept {
    const Track& track = schema.tracks()[id];
    if (track.kind != Track::Kind::storage) return false;
    if (track.buffer) return true;
    if (track.scope >= schema.scopes().size()) return false;
    const auto is_table_of = [&](std::string_view key) {
        const std::uint16_t field = find_field(track, key);
        return field != no_field && track.fields[field].type == Type::u32;
    };
    if (is_catalogue(schema, id)) return false;
    const std::string& protocol = schema.scopes()[track.scope].protocol;
    if (protocol == names::cpu_protocol) return is_table_of(names::entity_id);
    const bool of_network = protocol == names::noc_protocol || protocol.starts_with("noc.");
    return of_network && is_table_of(names::txn_id);
}

std::vector<RingPointers> ring_pointers(const Track& storage) {
    constexpr std::size_t pairs = 256;
    std::array<std::uint16_t, pairs> tails{};
    tails.fill(no_field);
    const auto count = static_cast<std::uint16_t>(std::min<std::size_t>(storage.properties.size(), no_field));
    for (std::uint16_t i = 0; i < count; ++i) {
        const Field& property = storage.properties[i];
        if (property.role == tail_role && tails[property.pair] == no_field) tails[property.pair] = i;
    }
    std::vector<RingPointers> rings;
    for (std::uint16_t i = 0; i < count; ++i) {
        const Field& property = storage.properties[i];
        if (property.role != head_role || tails[property.pair] == no_field) continue;
        rings.push_back({i, tails[property.pair], property.pair});
        tails[property.pair] = no_field;
    }
    return rings;
}

std::optional<std::uint32_t> ring_fill(std::uint32_t slots, std::uint64_t head, std::uint64_t tail,
                                       std::optional<std::uint32_t> occupied) noexcept {
    if (head >= slots || tail >= slots) return std::nullopt;
    if (head != tail) return static_cast<std::uint32_t>((tail + slots - head) % slots);
    if (!occupied) return std::nullopt;
    return *occupied == slots ? slots : 0;
}

std::string CpuScope::stage_name(std::uint64_t stage) const {
    return name_or_number(stages, stage);
}

std::vector<CpuScope> cpu_scopes(const Schema& schema) {
    return scopes_of(schema, names::cpu_protocol, cpu_scope);
}

std::string NocScope::stage_name(std::uint64_t stage) const {
    return name_or_number(stages, stage);
}

std::vector<NocScope> noc_scopes(const Schema& schema) {
    return scopes_of(schema, names::noc_protocol, noc_scope);
}

std::vector<std::string_view> track_roles(const Schema& schema) {
    std::vector<std::string_view> roles(schema.tracks().size());
    for (TrackId id = 0; id < roles.size(); ++id)
        roles[id] = is_buffer(schema, id) ? "buffer" : is_counter(schema.tracks()[id]) ? "counter" : "";
    const auto name = [&](TrackId id, std::string_view role) {
        if (id != none) roles[id] = role;
    };
    for (const CpuScope& cpu : cpu_scopes(schema)) {
        name(cpu.entities, "instructions in flight");
        name(cpu.stage_transition, "a stage begins");
        name(cpu.annotate, "text about an instruction");
        name(cpu.dependency, "an instruction waits for another");
        name(cpu.flush, "an instruction is thrown away");
        name(cpu.stall, "the core stalls");
        name(cpu.label_type, "the type of the next annotation");
        name(cpu.lane_stage, "a stage begins on a lane");
        name(cpu.stage_end, "a stage ends");
        name(cpu.retire, "an instruction leaves the pipeline");
    }
    for (const NocScope& noc : noc_scopes(schema)) {
        name(noc.transactions, "transactions in flight");
        name(noc.stage_transition, "a stage begins");
        name(noc.beat, "data is transferred");
        name(noc.retry, "a transaction is retried");
        name(noc.timeout, "a transaction takes too long");
        name(noc.annotate, "text about a transaction");
    }
    return roles;
}

bool has_catalogue(const Schema& schema, std::string_view protocol) {
    if (protocol == names::cpu_protocol) {
        const std::vector<CpuScope> scopes = cpu_scopes(schema);
        return std::any_of(scopes.begin(), scopes.end(), [](const CpuScope& cpu) { return cpu.entity_id != no_field; });
    }
    const std::vector<NocScope> scopes = noc_scopes(schema);
    return protocol == names::noc_protocol &&
           std::any_of(scopes.begin(), scopes.end(), [](const NocScope& noc) { return noc.transactions != none; });
}

}  // namespace hwtrace
