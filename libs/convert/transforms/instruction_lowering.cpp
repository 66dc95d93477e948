#include "convert/transforms/instruction_lowering.hpp"

#include <algorithm>
#include <bit>
#include <charconv>
#include <limits>

#include "domain/conventions.hpp"
#include "domain/pipeline_tracks.hpp"
#include "io/error.hpp"

namespace hwtrace {

namespace {

namespace names = conventions;

// Field indexes of the `entities` storage, in order of declaration.
enum EntityField : std::uint16_t { field_entity_id, field_pc, field_inst_bits, field_size };

constexpr std::uint64_t commit_stage = 0;

/// The names of the events in the hart's scope that represent parts of instructions or belong to the protocol.
constexpr std::string_view own_events[] = {
    names::stage_transition, names::annotate,      names::dependency,  names::flush,
    names::branch,           names::memory_access, names::memory_data, names::instruction_order};

bool stands_beside(const Track& track) noexcept {
    return track.kind == Track::Kind::event_type || track.kind == Track::Kind::notes ||
           track.kind == Track::Kind::native;
}

Field field(std::string_view name, Type type, EnumId enumeration = none) {
    return Field{std::string(name), type, enumeration};
}

std::uint64_t number_in(const std::string* text) noexcept {
    std::uint64_t value = 0;
    if (text != nullptr) std::from_chars(text->data(), text->data() + text->size(), value);
    return value;
}

}  // namespace

bool InstructionLowering::takes(const Schema& source, const Track& track) noexcept {
    const auto hart = std::ranges::find(source.tracks(), Track::Kind::hart, &Track::kind);
    return stands_beside(track) || (hart != source.tracks().end() && &*hart == &track);
}

bool InstructionLowering::returns(const Schema& source) noexcept {
    const auto is_plain_scope = [](const Scope& scope) {
        return scope.protocol.empty() && scope.clock == none && !scope.native_id;
    };
    const auto roots = std::ranges::count(source.scopes(), none, &Scope::parent);
    if (!source.clocks().empty() || !source.enums().empty() || roots != 1 ||
        !std::ranges::all_of(source.scopes(), is_plain_scope) || source.metadata(names::dut_name) != nullptr)
        return false;
    const auto hart = std::ranges::find(source.tracks(), Track::Kind::hart, &Track::kind);
    if (hart == source.tracks().end() || hart->scope == none) return false;
    return std::ranges::all_of(source.tracks(), [&](const Track& track) {
        const bool is_own =
            track.scope == hart->scope && std::ranges::find(own_events, track.name) != std::end(own_events);
        const bool is_like_another = track.kind == Track::Kind::event_type && (has_only_text(track, names::note_text) ||
                                                                               has_only_text(track, names::native_hex));
        return takes(source, track) && track.time == ordinals && !track.native_id && !is_own && !is_like_another;
    });
}

InstructionLowering::InstructionLowering(const Schema& source, TrackId hart, std::uint64_t period_ps, Ratio per_cycle,
                                         Losses& losses, Positions positions)
    : source_(source),
      losses_(losses),
      track_maps_(source, schema_),
      period_ps_(period_ps),
      cycles_per_instruction_(Ratio{per_cycle.den, per_cycle.num}.reduced()),
      positions_(positions),
      hart_(hart) {
    if (period_ps == 0 || per_cycle.num == 0 || per_cycle.den == 0)
        fail(Failure::usage, "a clock period and the instructions per cycle must be above zero");
    if (period_ps > max_period_ps)
        fail(Failure::usage,
             "--clock: a period is at most " + std::to_string(max_period_ps) + " ps, not " + std::to_string(period_ps));
    if (per_cycle.num / per_cycle.den > max_per_cycle)
        fail(Failure::usage, "--ipc is at most " + std::to_string(max_per_cycle));
    declare_metadata();
    declare_scopes(period_ps);
    declare_storages(per_cycle);
    declare_events();
}

void InstructionLowering::declare_metadata() {
    const Track& hart = source_.tracks()[hart_];
    schema_.describe(std::string(names::dut_name), hart.name);
    schema_.describe(std::string(names::cpu_protocol_version), "0.1");
    if (const std::string* isa = source_.metadata(names::isa_string); isa != nullptr) {
        schema_.describe(std::string(names::cpu_isa), *isa);
    } else if (number_in(source_.metadata(names::isa)) == 1) {
        schema_.describe(std::string(names::cpu_isa),
                         number_in(source_.metadata(names::instruction_mode)) == 1 ? "RV32" : "RV64");
    }
    schema_.describe(std::string(names::cpu_pipeline_stages), "commit");
    schema_.describe(std::string(names::lowered), std::string(names::lowered_instructions));
    for (const Metadata& entry : source_.metadata())
        schema_.describe(entry.key, entry.value);
}

void InstructionLowering::declare_scopes(std::uint64_t period_ps) {
    const ClockId clock = schema_.declare(Clock{std::string(PipelineObjects::clock_name), period_ps});
    const Track& hart = source_.tracks()[hart_];
    scope_ = hart.scope;
    for (std::size_t id = 0; id < source_.scopes().size(); ++id) {
        Scope scope = source_.scopes()[id];
        if (id == scope_) {
            scope.protocol = names::cpu_protocol;
            scope.clock = clock;
        }
        schema_.declare(std::move(scope));
    }
    if (scope_ == none)
        scope_ =
            schema_.declare(Scope{.name = hart.name, .protocol = std::string(names::cpu_protocol), .clock = clock});
}

void InstructionLowering::declare_storages(Ratio per_cycle) {
    const EnumId roles =
        schema_.declare(Enum{std::string(names::register_role), {{0, "state"}, {1, "source"}, {2, "destination"}}});
    const auto storage = [&](std::string_view name, std::uint32_t slots, bool sparse, std::vector<Field> fields) {
        Track track = make_track(Track::Kind::storage, scope_, name, picoseconds, std::move(fields));
        track.slots = slots;
        track.sparse = sparse;
        return schema_.declare(std::move(track));
    };

    // The table has slots for two cycles, so that the slot of an instruction is cleared before another instruction uses
    // it.
    const std::uint64_t live = per_cycle.num / per_cycle.den + 1;
    const auto slots = static_cast<std::uint32_t>(std::bit_ceil(std::max<std::uint64_t>(16, 2 * live)));
    slot_mask_ = slots - 1;
    entities_ = storage(names::entities, slots, true,
                        {field(names::entity_id, Type::u32), field(names::pc, Type::u64),
                         field(names::inst_bits, Type::u32), field(names::inst_size, Type::u8)});

    const auto counter = [&](std::string_view name) {
        return storage(name, 1, false, {field(names::counter_field, Type::u64)});
    };
    committed_ = counter(names::committed_insns);
    loads_ = counter(names::loads);
    stores_ = counter(names::stores);
    branches_ = counter(names::taken_branches);
    events_ = counter(names::events);

    const auto table = [&](RegisterClass register_class, std::uint32_t registers, std::vector<Field> values) {
        Table& t = tables_[static_cast<std::size_t>(register_class)];
        t.role_field = static_cast<std::uint16_t>(values.size());
        values.push_back(field(names::role, Type::enumeration, roles));
        t.track = storage(name_of(register_class), registers, true, std::move(values));
        t.roles.assign(registers, OperandRole::state);
    };
    const std::vector<Field> scalar{field(names::register_value, Type::u64)};
    table(RegisterClass::integer, 33, scalar);  // register 32 is the pc
    table(RegisterClass::floating, 32, scalar);
    table(RegisterClass::csr, 4096, scalar);
    const std::uint64_t words = (number_in(source_.metadata(names::vector_bits)) + 63) / 64;
    if (words != 0 && words <= max_vector_words) {
        std::vector<Field> fields;
        for (std::uint64_t word = 0; word < words; ++word)
            fields.push_back(field("word" + std::to_string(word), Type::u64));
        table(RegisterClass::vector, 32, std::move(fields));
    }
}

void InstructionLowering::declare_events() {
    const auto event = [&](ScopeId scope, std::string_view name, std::vector<Field> fields) {
        return schema_.declare(make_track(Track::Kind::event_type, scope, name, picoseconds, std::move(fields)));
    };
    const Field entity = field(names::entity_id, Type::u32);

    // Declare the four events that tools for the protocol require, in the usual order.
    const EnumId stages = schema_.declare(Enum{std::string(names::pipeline_stage), {{commit_stage, "commit"}}});
    const EnumId dependencies =
        schema_.declare(Enum{"dep_type", {{0, "raw"}, {1, "war"}, {2, "waw"}, {3, "structural"}}});
    const EnumId reasons = schema_.declare(
        Enum{"flush_reason", {{0, "mispredict"}, {1, "exception"}, {2, "interrupt"}, {3, "pipeline_clear"}}});
    stage_transition_ = event(scope_, names::stage_transition, {entity, field("stage", Type::enumeration, stages)});
    event(scope_, names::annotate, {entity, field("text", Type::text)});
    event(scope_, names::dependency,
          {field("src_entity", Type::u32), field("dst_entity", Type::u32),
           field("type", Type::enumeration, dependencies)});
    event(scope_, names::flush, {entity, field("reason", Type::enumeration, reasons)});

    const EnumId access_types =
        schema_.declare(Enum{std::string(names::access_type), {{0, "invalid"}, {1, "read"}, {2, "write"}}});
    branch_ = event(scope_, names::branch, {entity, field("target", Type::u64)});
    memory_access_ = event(
        scope_, names::memory_access,
        {entity, field("type", Type::enumeration, access_types), field("address", Type::u64), field("size", Type::u16),
         field("attributes", Type::u16), field("words", Type::u16), field("data", Type::u64)});
    memory_data_ = event(scope_, names::memory_data, {entity, field("data", Type::u64)});
    order_ = event(scope_, names::instruction_order, {entity, field("order", Type::text)});

    for (const Track& track : source_.tracks()) {
        if (stands_beside(track))
            track_maps_.declare(track, track.scope);
        else
            track_maps_.skip();  // the hart, and tracks that other stages lower
        counts_as_event_.push_back(track.kind == Track::Kind::event_type && track.name == names::trap);
    }
}

Tick InstructionLowering::time_of(Tick index) const {
    Tick time = 0;
    Scaled cycle{index, true, false};
    if (cycles_per_instruction_ != Ratio{1, 1}) cycle = scale(index, cycles_per_instruction_);
    // This limit leaves one cycle in which the instruction retires.
    constexpr Tick latest = std::numeric_limits<Tick>::max() - static_cast<Tick>(max_period_ps);
    if (cycle.saturated || __builtin_mul_overflow(cycle.value, static_cast<Tick>(period_ps_), &time) || time > latest)
        fail(Failure::input, "instruction " + std::to_string(index) +
                                 " is later than 2^63 ps; choose a shorter period with --clock or a higher --ipc");
    return time;
}

void InstructionLowering::retire(Tick time, Batch& out) {
    bool first = true;
    for (const std::uint32_t slot : live_) {
        Record& record = out.clear_slot(entities_, time, slot);
        if (first) record.flags = record_first_of_frame;
        first = false;
    }
    live_.clear();
}

void InstructionLowering::begin_cycle_of(Tick index, Batch& out) {
    const Tick time = time_of(index);
    if (frame_open_ && time == time_) return;
    if (!live_.empty()) {
        const Tick retired = time_ + static_cast<Tick>(period_ps_);
        retire(retired, out);
        frame_open_ = retired == time;
    } else {
        frame_open_ = false;
    }
    time_ = time;
}

void InstructionLowering::apply(const Batch& in, Batch& out) {
    for (const Record& record : in.records()) {
        if (record.track == hart_) {
            lower(in, record, out);
        } else {
            begin_cycle_of(record.time, out);
            pass(in, record, out);
        }
    }
}

bool InstructionLowering::finish(Batch& out) {
    // Add a frame in which the last instruction retires.
    if (!live_.empty()) retire(time_ + static_cast<Tick>(period_ps_), out);
    return false;
}

/// Counts a loss if raising cannot restore the time of the record. Raising numbers the instructions. The number of an
/// instruction becomes its time, and the time of the records before it.
void InstructionLowering::check_position(const Record& record) {
    if (positions_ == Positions::any && record.time != static_cast<Tick>(next_entity_)) [[unlikely]]
        losses_.count(Loss::time_rounded, source_.tracks()[record.track].name,
                      [&] { return std::to_string(record.time) + " is restored as " + std::to_string(next_entity_); });
}

void InstructionLowering::pass(const Batch& in, const Record& record, Batch& out) {
    const std::size_t first = out.records().size();
    if (!track_maps_.pass(in, record, time_, out)) {
        losses_.count(record.kind == Kind::relation ? Loss::relation_dropped : Loss::kind_dropped,
                      source_.tracks()[record.track].name,
                      [&] { return "a record at " + std::to_string(record.time); });
        return;
    }
    check_position(record);
    if (!frame_open_) out.mutable_records()[first].flags = record_first_of_frame;
    frame_open_ = true;
    if (counts_as_event_[record.track]) ++pending_events_;
}

void InstructionLowering::lower_operand(const Batch& in, const Operand& operand, Batch& out) {
    Table& table = tables_[static_cast<std::size_t>(operand.register_class)];
    if (table.track == none || operand.number >= table.roles.size()) [[unlikely]] {
        losses_.count(Loss::part_dropped, Subject::general(name_of(operand.register_class)), [&] {
            return "register " + std::to_string(operand.number) + " at instruction entity " +
                   std::to_string(next_entity_);
        });
        return;
    }
    OperandRole& role = table.roles[operand.number];
    if (role != operand.role) {
        role = operand.role;
        out.set(table.track, time_, operand.number, table.role_field, static_cast<std::uint64_t>(role));
    }
    if (operand.register_class != RegisterClass::vector) {
        out.set(table.track, time_, operand.number, 0, operand.value);
        return;
    }
    std::uint16_t word = 0;
    for (const std::uint64_t value : in.cells(operand.words))
        out.set(table.track, time_, operand.number, word++, value);
}

void InstructionLowering::lower(const Batch& in, const Record& record, Batch& out) {
    begin_cycle_of(record.time, out);
    check_position(record);
    const Instruction& instruction = in.instruction(record);
    const std::uint32_t entity = next_entity_++;
    const std::uint32_t slot = entity & slot_mask_;

    Record& first = out.set(entities_, time_, slot, field_entity_id, entity);
    if (!frame_open_) first.flags = record_first_of_frame;
    frame_open_ = true;
    out.set(entities_, time_, slot, field_pc, record.value);
    out.set(entities_, time_, slot, field_inst_bits, instruction.encoding);
    if (instruction.size != size_told_by(instruction.encoding))
        out.set(entities_, time_, slot, field_size, instruction.size);
    const std::uint64_t stage[] = {entity, commit_stage};
    out.event(stage_transition_, time_, stage);
    live_.push_back(slot);

    if (instruction.has_target) {
        const std::uint64_t cells[] = {entity, instruction.target};
        out.event(branch_, time_, cells);
    }
    for (const Operand& operand : in.operands(instruction))
        lower_operand(in, operand, out);
    std::uint64_t loads = 0;
    std::uint64_t stores = 0;
    for (const Access& access : in.accesses(instruction)) {
        const std::span<const std::uint64_t> data = in.cells(access.data);
        const std::uint64_t cells[] = {entity,
                                       static_cast<std::uint64_t>(access.type),
                                       access.address,
                                       access.size,
                                       access.attributes,
                                       std::min<std::uint64_t>(data.size(), 0xFFFF),
                                       data.empty() ? 0 : data[0]};
        out.event(memory_access_, time_, cells);
        for (std::size_t word = 1; word < data.size(); ++word) {
            const std::uint64_t more[] = {entity, data[word]};
            out.event(memory_data_, time_, more);
        }
        loads += access.type == AccessType::read ? 1u : 0u;
        stores += access.type == AccessType::write ? 1u : 0u;
    }
    if (instruction.order.count != 0) {
        order_text_.clear();
        for (const Part part : in.order(instruction))
            order_text_ += names::part_letters[static_cast<std::size_t>(part)];
        const std::uint64_t cells[] = {entity, schema_.intern(order_text_)};
        out.event(order_, time_, cells);
    }
    add_to_counter(loads_, loads, out);
    add_to_counter(stores_, stores, out);
    add_to_counter(branches_, instruction.has_target ? 1 : 0, out);
    add_to_counter(events_, pending_events_, out);
    pending_events_ = 0;
    out.add(committed_, time_, 0, 0, 1);
}

}  // namespace hwtrace
