// domain/conventions.hpp - the names of tracks, fields and metadata keys that the suite interprets.
#pragma once

#include <algorithm>
#include <array>
#include <cstdint>
#include <string_view>

namespace hwtrace::conventions {

// --- marks: metadata of a target that lets a later conversion undo this one ---
inline constexpr std::string_view mark_prefix = "hwtrace.";
/// Metadata: the lowering that made this trace, and the way in which the lowering derived times. See
/// convert/transforms/instruction_lowering.hpp.
inline constexpr std::string_view lowered = "hwtrace.lowered";
inline constexpr std::string_view lowered_instructions = "instructions-to-cpu-1";
inline constexpr std::string_view lowered_intervals = "intervals-1";
/// Metadata: the facts about the source's schema that are needed to raise intervals. See
/// convert/transforms/interval_mark.hpp.
inline constexpr std::string_view interval_source = "hwtrace.intervals";
/// Metadata: intervals are also entities of the protocol `cpu`. The value lists the metadata keys that were added for
/// it. See convert/transforms/entity_view.hpp.
inline constexpr std::string_view entity_view = "hwtrace.entities";
/// Metadata: tracks that were made from signals, and the names of these signals. See
/// convert/transforms/signal_mark.hpp.
inline constexpr std::string_view signal_source = "hwtrace.signals";
/// Metadata: the schema objects of a trace whose records became signals. See convert/transforms/signal_making.hpp.
inline constexpr std::string_view record_source = "hwtrace.records";
/// Metadata of a trace whose interval attributes were joined into one string: the source's format and schema objects,
/// and the attributes that the target does not show. See convert/transforms/named_intervals.hpp.
inline constexpr std::string_view named_source = "hwtrace.named";
/// Metadata: times were converted from cycles to picoseconds, although the source states no clock period. The user gave
/// the period, or the conversion assumed one. The value names the stage and its version.
inline constexpr std::string_view rescaled = "hwtrace.rescaled";
inline constexpr std::string_view rescaled_cycles = "cycles-1";
/// Prefix of a metadata key whose value is the index of a runtime string. µScope files use such keys for strings that
/// are too long for the string pool.
inline constexpr std::string_view long_text_prefix = "hwtrace.text.";

// --- µScope's `cpu` protocol (formats/uscope/README.md#mapping-to-the-model) ---
inline constexpr std::string_view cpu_protocol = "cpu";
inline constexpr std::string_view dut_name = "dut_name";
inline constexpr std::string_view cpu_protocol_version = "cpu.protocol_version";
inline constexpr std::string_view cpu_isa = "cpu.isa";
inline constexpr std::string_view cpu_pipeline_stages = "cpu.pipeline_stages";
inline constexpr std::string_view entities = "entities";
inline constexpr std::string_view entity_id = "entity_id";
inline constexpr std::string_view pc = "pc";
inline constexpr std::string_view inst_bits = "inst_bits";
inline constexpr std::string_view inst_size = "size";
inline constexpr std::string_view stage_transition = "stage_transition";
inline constexpr std::string_view annotate = "annotate";
inline constexpr std::string_view dependency = "dependency";
inline constexpr std::string_view flush = "flush";
inline constexpr std::string_view stall = "stall";
inline constexpr std::string_view pipeline_stage = "pipeline_stage";
inline constexpr std::string_view committed_insns = "committed_insns";
inline constexpr std::string_view loads = "loads";
inline constexpr std::string_view stores = "stores";
inline constexpr std::string_view taken_branches = "taken_branches";
inline constexpr std::string_view events = "events";
inline constexpr std::string_view counter_field = "count";

// --- names that pipeline logs add to the protocol: fields of `entities`, events of the scope ---
inline constexpr std::string_view simulator_id = "simulator_id";  ///< the simulator's own id of the entity
inline constexpr std::string_view thread_id = "thread_id";
/// Event {entity_id, type}: gives the type of the entity's next `annotate`. Without this event the type is 0.
inline constexpr std::string_view label_type = "label_type";
/// Event {entity_id, lane, stage}: a stage begins on a lane other than 0. Lane 0 uses `stage_transition`.
inline constexpr std::string_view lane_stage = "lane_stage";
/// Event {entity_id, lane, stage}: the stage ends on its lane before another stage begins there.
inline constexpr std::string_view stage_end = "stage_end";
/// Event {src_entity, dst_entity, type}: gives the type of the next `dependency` if the type does not fit into the
/// field of `dependency`.
inline constexpr std::string_view dependency_type = "dependency_type";
/// Event {entity_id, retire_id, type}: precedes the clear record (and the `flush` event, if any) of an entity that
/// leaves the pipeline.
inline constexpr std::string_view retire = "retire";

// --- µScope's `noc` protocol (formats/uscope/README.md#mapping-to-the-model) ---
inline constexpr std::string_view noc_protocol = "noc";
inline constexpr std::string_view noc_router_protocol = "noc.router";
inline constexpr std::string_view transactions = "transactions";
inline constexpr std::string_view txn_id = "txn_id";
inline constexpr std::string_view noc_pipeline_stages = "noc.pipeline_stages";

// --- names that the instruction lowering adds to the protocol's scope ---
inline constexpr std::string_view branch = "branch";
inline constexpr std::string_view memory_access = "memory_access";
inline constexpr std::string_view memory_data = "memory_data";
inline constexpr std::string_view instruction_order = "instruction_order";
/// One letter for each Part, in enum order. The letters are used in the strings of `instruction_order` and in dumps.
inline constexpr std::string_view part_letters = "rtoa";
inline constexpr std::string_view access_type = "access_type";
inline constexpr std::string_view register_role = "register_role";
inline constexpr std::string_view register_value = "value";
inline constexpr std::string_view role = "role";
/// Field of an event: the number of repeated rows. Each row follows as an event named "<event>.row".
inline constexpr std::string_view rows = "rows";
inline constexpr std::string_view row_suffix = ".row";
/// The only field of an event that represents a note (`note_text`) or native bytes as a hexadecimal string
/// (`native_hex`).
inline constexpr std::string_view note_text = "note";
inline constexpr std::string_view native_hex = "native";

// --- names that the interval lowering adds to a scope with streams ---
inline constexpr std::string_view active = "active";  ///< storage: the intervals in progress
inline constexpr std::string_view busy = "busy";      ///< counter: ticks in which at least one interval was in progress
inline constexpr std::string_view not_shown = "not_shown";  ///< counter: intervals that found no free slot in `active`
inline constexpr std::string_view interval_type = "interval_type";
inline constexpr std::string_view interval_id = "id";
/// The position of an interval among all intervals, in the events of streams whose intervals have an own `interval_id`.
inline constexpr std::string_view interval_number = "number";
inline constexpr std::string_view interval_track = "type";
inline constexpr std::string_view interval_begin = "begin";
inline constexpr std::string_view interval_duration = "duration";
/// A bit mask of the attributes that an interval has. The mask states which of the following fields are valid.
inline constexpr std::string_view interval_attributes = "attributes";
/// An interval of stream "<name>" ends with an event "<name>.end".
inline constexpr std::string_view end_suffix = ".end";
/// These events follow the interval's event "<name>" if the interval's attributes are not in field order, or if an
/// attribute occurs repeatedly. Event "<name>.order" {id, order} holds the attributes' indexes in source order. Each
/// event "<name>.again" {id, attribute, value, text} holds one repeated occurrence.
inline constexpr std::string_view order_suffix = ".order";
inline constexpr std::string_view again_suffix = ".again";
inline constexpr std::string_view attribute_order = "order";
inline constexpr std::string_view attribute_index = "attribute";
inline constexpr std::string_view attribute_value = "value";
inline constexpr std::string_view attribute_text = "text";
/// The last field of a relation whose source has no time order: the number of intervals that precede the relation.
inline constexpr std::string_view position = "position";

// --- tables made from a signal (convert/transforms/signal_tables.hpp, convert/transforms/held_values.hpp) ---
inline constexpr std::string_view signal_members = "members";    ///< bit mask: the members that a structure has
inline constexpr std::string_view signal_elements = "elements";  ///< the number of array elements that follow as events
inline constexpr std::string_view signal_mark = "mark";          ///< the mark of a change, if it has one
inline constexpr std::string_view change_flags = "flags";        ///< the flags of a change, if it has any
inline constexpr std::string_view signal_member = "member";      ///< index of a member whose value follows
inline constexpr std::string_view number_suffix = ".number";     ///< suffix: values that have no label in their enum
/// Suffix of a boolean field: the repeated field or the structure of this name is present, but has no elements. Without
/// it, a repeated field without values is absent.
inline constexpr std::string_view empty_suffix = ".empty";
inline constexpr std::string_view signal_no_value = "no_value";  ///< from here on the signal has no value

// --- instructions (domain/instruction_values.hpp) and native records as signals, in addition to the names above ---
inline constexpr std::string_view register_class = "register_class";
inline constexpr std::string_view register_number = "register";
inline constexpr std::string_view vector_words = "words";  ///< words per vector register
inline constexpr std::string_view vector_word = "word";
inline constexpr std::string_view access_address = "address";
inline constexpr std::string_view access_size = "access_size";
inline constexpr std::string_view access_attributes = "attributes";
inline constexpr std::string_view data_words = "data_words";  ///< data words per access
inline constexpr std::string_view access_data = "data";
inline constexpr std::string_view native_bytes = "bytes";

// --- relations ---
/// The first two fields of a relation: the ids (attribute `interval_id`) of its two intervals. The relation's name
/// states their meaning. In a dependency, `relation_to` waits for `relation_from`.
inline constexpr std::string_view relation_from = "from";
inline constexpr std::string_view relation_to = "to";
/// The native ids of the two intervals' scopes, if the source states them.
inline constexpr std::string_view relation_source_stream = "source_stream";
inline constexpr std::string_view relation_sink_stream = "sink_stream";

// --- transactions (formats/ftr/README.md#model-mapping): streams are scopes, generators are tracks of the scopes ---
/// Intervals of track "<name>.events" are events within the intervals of track "<name>" in the same scope. A relation
/// `parent_of` leads from an interval to each of its events. Attribute `event_name` names the event.
inline constexpr std::string_view events_suffix = ".events";
inline constexpr std::string_view parent_of = "parent_of";
inline constexpr std::string_view event_name = "name";
/// Attribute: the recording ended while the interval was in progress.
inline constexpr std::string_view unfinished = "unfinished";
/// A scope of this name holds an instruction pipeline. Intervals of track `instruction` are instructions; stages are
/// events of an instruction. A relation `wakeup` leads from a producer to its consumer. A tick is one cycle.
inline constexpr std::string_view pipeline = "pipeline";
inline constexpr std::string_view insn_id_in_sim = "insn_id_in_sim";
inline constexpr std::string_view label = "label";
inline constexpr std::string_view detail = "detail";
inline constexpr std::string_view retire_id = "retire_id";
inline constexpr std::string_view flushed = "flushed";
inline constexpr std::string_view lane = "lane";
inline constexpr std::string_view wakeup = "wakeup";

/// Metadata: the time of the recording in seconds since 1970; `ftr_no_epoch` if unknown.
inline constexpr std::string_view ftr_epoch = "ftr.epoch";
inline constexpr std::string_view ftr_no_epoch = "0";

// --- facts about the storage of a trace in its file ---
/// Returns true for metadata such as "pccx.payload.encoding", "uscope.checkpoint_interval_ps" and `ftr_epoch`. A
/// conversion to `format` recomputes these values.
inline bool is_storage_fact(std::string_view key, std::string_view format) noexcept {
    if (!key.starts_with(format)) return false;
    const std::string_view rest = key.substr(format.size());
    return rest.starts_with(".payload.") || rest == ".checkpoint_interval_ps" || rest == ".epoch";
}

/// Settings::source_format of a merged trace: records are sorted by time, and their order has no other meaning.
inline constexpr std::string_view merged_source = "merge";

/// Returns true for metadata that counts the contents of one trace and is therefore wrong after a merge.
inline bool counts_contents(std::string_view key) noexcept {
    return key == "pccx.trace.cores" || key == "pccx.trace.cycles" || key.starts_with("pccx.payload.");
}

// --- metadata from STF headers, needed to interpret instructions (formats/stf/README.md#header) ---
inline constexpr std::string_view isa = "stf.isa";                    ///< "1": RISC-V
inline constexpr std::string_view instruction_mode = "stf.inst_iem";  ///< "1": RV32, "2": RV64
inline constexpr std::string_view isa_string = "stf.isa_extended";
inline constexpr std::string_view vector_bits = "stf.vlen";
/// A bit mask of the trace's contents, such as "0x0000000000080021".
inline constexpr std::string_view features = "stf.features";
inline constexpr std::uint64_t feature_physical_addresses = 0x1, feature_data_attributes = 0x2,
                               feature_operand_values = 0x4, feature_events = 0x8, feature_rv64 = 0x20,
                               feature_page_table_walks = 0x100, feature_process_ids = 0x400,
                               feature_register_state = 0x2000, feature_microops = 0x4000, feature_vectors = 0x40000,
                               feature_wide_events = 0x80000;  // event ids have 64 bits
/// Event: a fault, interrupt, system call or mode change.
inline constexpr std::string_view trap = "stf.event";
/// Event {pc}: the address at which execution continues after the preceding `trap`.
inline constexpr std::string_view trap_target = "stf.event_target";

// --- state that holds for an instruction because of earlier records ---
/// Event {pc}: the address of the next instruction, regardless of the previous instruction.
inline constexpr std::string_view resumption = "stf.force_pc";
/// Event types whose latest event stays in force until the next event of the same track.
inline constexpr std::array<std::string_view, 2> in_force{"stf.inst_iem", "stf.process_id"};
/// Event {address, first_access, page_size, entries...}: the mapping of the page at `address`. It holds until the next
/// event for that page. Register `address_space` selects the address space.
inline constexpr std::string_view page_walk = "stf.page_table_walk";
inline constexpr std::uint16_t address_space = 0x180;  ///< the number of a CSR (satp)
/// Returns true if `id`, the 32-bit or 64-bit id of a `trap`, is a mode change. The event's field then holds the new
/// mode, which takes effect after the event's instruction.
constexpr bool is_mode_change(std::uint64_t id) noexcept {
    return id == std::uint64_t{1} << 62 || id == std::uint64_t{1} << 30;
}
/// The privilege modes by number. A hart starts in the last mode, machine.
inline constexpr std::array<std::string_view, 4> modes{"user", "supervisor", "hypervisor", "machine"};
// Other STF records that statistics count separately.
inline constexpr std::string_view microop = "stf.microop";
inline constexpr std::string_view page_table_walk = "stf.page_table_walk";
inline constexpr std::string_view bus_access = "stf.bus_access";
inline constexpr std::string_view process_id = "stf.process_id";

// --- intervals that were made from other records ---
inline constexpr std::string_view instruction = "instruction";
inline constexpr std::string_view slot = "slot";

// --- intervals in cycles ---
/// Attribute: the exact start of an interval that starts beyond the range of Tick. The interval's time is then the
/// greatest Tick.
inline constexpr std::string_view start_cycle = "start_cycle";
/// Intervals of a track with this name are work of the matrix unit of the scope.
inline constexpr std::string_view matrix_work = "MAC_COMPUTE";
/// Intervals of a track with this name are calls by the host. They are not work of the scope that holds them.
inline constexpr std::string_view host_call = "API_CALL";
/// Metadata: the length of the trace in cycles, as stated by its source.
inline constexpr std::string_view trace_cycles = "pccx.trace.cycles";

// --- recordings of signals (formats/flux/README.md#mapping-to-the-model) ---
/// Metadata "flux.<trace>.close.<item>": the tick at which the recording of an item ends. `item` is the native id of a
/// signal or of a scope, or 0 for the whole trace; `trace` is the native id of the outermost scope.
inline constexpr std::string_view recording_prefix = "flux.";
inline constexpr std::string_view recording_end = ".close.";

// --- display of numbers ---
/// Returns true for fields that hold addresses, encodings or bit patterns. Such fields are shown in hexadecimal, all
/// others in decimal.
inline bool is_hexadecimal(std::string_view field) noexcept {
    constexpr std::array<std::string_view, 16> names{
        pc,       inst_bits, "addr",        "address", "target", "data",     register_value, "encoding",
        "opcode", "pte",     "pte_address", "id",      "field",  "features", "attributes",   vector_word};
    const bool numbered_word = field.size() > 4 && field.starts_with("word") && field[4] >= '0' && field[4] <= '9';
    return numbered_word || std::find(names.begin(), names.end(), field) != names.end();
}

}  // namespace hwtrace::conventions
