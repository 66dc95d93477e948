// model/conventions.hpp - the one home of names that carry meaning: what a track, field or metadata key of that name
// is.
#pragma once

#include <algorithm>
#include <array>
#include <cstdint>
#include <string_view>

namespace hwtrace::conventions {

// --- marks: how a target remembers what a conversion did, so that it can be undone (DESIGN 5) ---
inline constexpr std::string_view mark_prefix = "hwtrace.";
/// Metadata: which lowering made this trace, and how time was made. See pipeline/instruction_lowering.hpp.
inline constexpr std::string_view lowered = "hwtrace.lowered";
inline constexpr std::string_view lowered_instructions = "instructions-to-cpu-1";
inline constexpr std::string_view lowered_intervals = "intervals-1";
/// Metadata: what the raising of intervals needs to know of the source's schema. See pipeline/interval_mark.hpp.
inline constexpr std::string_view interval_source = "hwtrace.intervals";
/// Metadata: which tracks were made of signals, and what these were. See pipeline/signal_mark.hpp.
inline constexpr std::string_view signal_source = "hwtrace.signals";
/// Metadata: the objects of a trace whose records became signals. See pipeline/signal_making.hpp.
inline constexpr std::string_view record_source = "hwtrace.records";
/// The format and the objects of the source of intervals whose attributes are a text, and what the target does not show
/// of them.
inline constexpr std::string_view named_source = "hwtrace.named";
/// Metadata: times were cycles of a clock whose period the source did not state; it was given, or assumed, so that
/// they could become picoseconds. The value names the stage and its version.
inline constexpr std::string_view rescaled = "hwtrace.rescaled";
inline constexpr std::string_view rescaled_cycles = "cycles-1";
/// Prefix of a metadata key whose value is the index of a runtime string (µScope: longer than the pool can hold).
inline constexpr std::string_view long_text_prefix = "hwtrace.text.";

// --- µScope's `cpu` protocol (formats/uscope.md 4) ---
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

// --- what pipeline logs say beyond the protocol: further fields of `entities` and events of the scope ---
inline constexpr std::string_view simulator_id = "simulator_id";  ///< the number that the simulator knows it by
inline constexpr std::string_view thread_id = "thread_id";
/// Event {entity_id, type}: the next `annotate` of the entity is a label of that type; without it, of type 0.
inline constexpr std::string_view label_type = "label_type";
/// Event {entity_id, lane, stage}: a stage begins on a lane other than 0, which stage_transition speaks of.
inline constexpr std::string_view lane_stage = "lane_stage";
/// Event {entity_id, lane, stage}: the stage ends on its lane before another one begins there.
inline constexpr std::string_view stage_end = "stage_end";
/// Event {src_entity, dst_entity, type}: the next `dependency` is of that type, which is above what it can say itself.
inline constexpr std::string_view dependency_type = "dependency_type";
/// Event {entity_id, retire_id, type}: stands before the clear, and the flush, of an entity that leaves the pipeline.
inline constexpr std::string_view retire = "retire";

// --- µScope's `noc` protocol (formats/uscope.md 5) ---
inline constexpr std::string_view noc_protocol = "noc";
inline constexpr std::string_view noc_router_protocol = "noc.router";
inline constexpr std::string_view transactions = "transactions";
inline constexpr std::string_view txn_id = "txn_id";
inline constexpr std::string_view noc_pipeline_stages = "noc.pipeline_stages";

// --- what the instruction lowering adds to the protocol's scope ---
inline constexpr std::string_view branch = "branch";
inline constexpr std::string_view memory_access = "memory_access";
inline constexpr std::string_view memory_data = "memory_data";
inline constexpr std::string_view instruction_order = "instruction_order";
/// One letter a Part, in the order of Part's values, for the text of `instruction_order` and of dumps.
inline constexpr std::string_view part_letters = "rtoa";
inline constexpr std::string_view access_type = "access_type";
inline constexpr std::string_view register_role = "register_role";
inline constexpr std::string_view register_value = "value";
inline constexpr std::string_view role = "role";
/// The count field of an event whose repeated rows follow as events named "<event>.row".
inline constexpr std::string_view rows = "rows";
inline constexpr std::string_view row_suffix = ".row";
/// The only field of an event that stands for a note, and of one that stands for native bytes (as hexadecimal text).
inline constexpr std::string_view note_text = "note";
inline constexpr std::string_view native_hex = "native";

// --- what the interval lowering makes of a scope with streams ---
inline constexpr std::string_view active = "active";        ///< a table of the intervals that are under way
inline constexpr std::string_view busy = "busy";            ///< a counter of the ticks in which one was
inline constexpr std::string_view not_shown = "not_shown";  ///< a counter of those that found no slot in the table
inline constexpr std::string_view interval_type = "interval_type";
inline constexpr std::string_view interval_id = "id";
inline constexpr std::string_view interval_track = "type";
inline constexpr std::string_view interval_begin = "begin";
inline constexpr std::string_view interval_duration = "duration";
/// A mask of the attributes that an interval has: the fields behind this one.
inline constexpr std::string_view interval_attributes = "attributes";
/// An interval of stream "<name>" ends with an event "<name>.end".
inline constexpr std::string_view end_suffix = ".end";
/// Behind the event of an interval of stream "<name>" whose attributes are not in the order of their fields: an event
/// "<name>.order" {id, order}, their indexes in their order, and for each one that was there before an event
/// "<name>.again" {id, attribute, value, text}.
inline constexpr std::string_view order_suffix = ".order";
inline constexpr std::string_view again_suffix = ".again";
inline constexpr std::string_view attribute_order = "order";
inline constexpr std::string_view attribute_index = "attribute";
inline constexpr std::string_view attribute_value = "value";
inline constexpr std::string_view attribute_text = "text";
/// The last field of a relation whose source has no order of time: how many intervals came before it.
inline constexpr std::string_view position = "position";

// --- what becomes of a signal (pipeline/signal_tables.hpp, pipeline/held_values.hpp) ---
inline constexpr std::string_view signal_members = "members";    ///< a mask of the members that a structure has now
inline constexpr std::string_view signal_elements = "elements";  ///< how many values of an array follow as events
inline constexpr std::string_view signal_mark = "mark";          ///< of a change, where it has one
inline constexpr std::string_view number_suffix = ".number";     ///< of a value that its enumeration has no label for
inline constexpr std::string_view signal_no_value = "no_value";  ///< from here on the signal has none

// --- what an instruction is as a signal (pipeline/instruction_values.hpp), beside names above, and a native record ---
inline constexpr std::string_view register_class = "register_class";
inline constexpr std::string_view register_number = "register";
inline constexpr std::string_view vector_words = "words";  ///< how many each vector register has
inline constexpr std::string_view vector_word = "word";
inline constexpr std::string_view access_address = "address";
inline constexpr std::string_view access_size = "access_size";
inline constexpr std::string_view access_attributes = "attributes";
inline constexpr std::string_view data_words = "data_words";  ///< how many each access has
inline constexpr std::string_view access_data = "data";
inline constexpr std::string_view native_bytes = "bytes";

// --- relations ---
/// The first two fields of a relation: the identities (attribute `interval_id`) of the intervals at its ends. What they
/// mean is the relation's name: of a dependency, `relation_from` came first and `relation_to` had to wait for it.
inline constexpr std::string_view relation_from = "from";
inline constexpr std::string_view relation_to = "to";
/// Where the source states them: the native ids of the scopes in which the two intervals are.
inline constexpr std::string_view relation_source_stream = "source_stream";
inline constexpr std::string_view relation_sink_stream = "sink_stream";

// --- transactions (formats/ftr.md 8): a stream is a scope, a generator one of its tracks ---
/// Intervals of track "<name>.events" are moments of those of track "<name>" in the same scope. A relation named
/// `parent_of` leads from an interval to each of its moments; attribute `event_name` says what happened.
inline constexpr std::string_view events_suffix = ".events";
inline constexpr std::string_view parent_of = "parent_of";
inline constexpr std::string_view event_name = "name";
/// Attribute: the recording ended while the interval was under way.
inline constexpr std::string_view unfinished = "unfinished";
/// A pipeline: in a scope of this name, intervals of track `instruction`, whose stages are their moments; a relation
/// named `wakeup` leads from a producer to its consumer. One tick is a cycle.
inline constexpr std::string_view pipeline = "pipeline";
inline constexpr std::string_view insn_id_in_sim = "insn_id_in_sim";
inline constexpr std::string_view label = "label";
inline constexpr std::string_view detail = "detail";
inline constexpr std::string_view retire_id = "retire_id";
inline constexpr std::string_view flushed = "flushed";
inline constexpr std::string_view lane = "lane";
inline constexpr std::string_view wakeup = "wakeup";

/// Metadata: when the recording was made, in seconds since 1970; `ftr_no_epoch` where nobody said when.
inline constexpr std::string_view ftr_epoch = "ftr.epoch";
inline constexpr std::string_view ftr_no_epoch = "0";

// --- facts that say how a file stores its trace, not what the trace is ---
/// True for metadata such as "pccx.payload.encoding", "uscope.checkpoint_interval_ps" and `ftr_epoch`, which a
/// conversion to `format` chooses anew.
inline bool is_storage_fact(std::string_view key, std::string_view format) noexcept {
    if (!key.starts_with(format)) return false;
    const std::string_view rest = key.substr(format.size());
    return rest.starts_with(".payload.") || rest == ".checkpoint_interval_ps" || rest == ".epoch";
}

/// Settings::source_format of a trace that was merged of several: its order is that of time, and tells nothing else.
inline constexpr std::string_view merged_source = "merge";

/// Facts that count what a trace holds, and are not those of several together.
inline bool counts_contents(std::string_view key) noexcept {
    return key == "pccx.trace.cores" || key == "pccx.trace.cycles" || key.starts_with("pccx.payload.");
}

// --- facts of STF headers that give instructions their meaning (formats/stf.md 1.1) ---
inline constexpr std::string_view isa = "stf.isa";                    ///< "1": RISC-V
inline constexpr std::string_view instruction_mode = "stf.inst_iem";  ///< "1": RV32, "2": RV64
inline constexpr std::string_view isa_string = "stf.isa_extended";
inline constexpr std::string_view vector_bits = "stf.vlen";
/// A mask, "0x0000000000080021", that says what the trace holds.
inline constexpr std::string_view features = "stf.features";
inline constexpr std::uint64_t feature_physical_addresses = 0x1, feature_data_attributes = 0x2,
                               feature_operand_values = 0x4, feature_events = 0x8, feature_rv64 = 0x20,
                               feature_page_table_walks = 0x100, feature_process_ids = 0x400,
                               feature_register_state = 0x2000, feature_microops = 0x4000, feature_vectors = 0x40000,
                               feature_wide_events = 0x80000;  // ids of events have 64 bits
/// The event of a fault, interrupt, system call or mode change.
inline constexpr std::string_view trap = "stf.event";
/// Event {pc}: where the `trap` before it leads.
inline constexpr std::string_view trap_target = "stf.event_target";

// --- what is in force at an instruction because of earlier ones ---
/// Event {pc}: the next instruction is there, whatever stands before it.
inline constexpr std::string_view resumption = "stf.force_pc";
/// Events that are in force until the next of their track.
inline constexpr std::array<std::string_view, 2> in_force{"stf.inst_iem", "stf.process_id"};
/// Event {address, first_access, page_size, entries...}: what the page of the address maps to, in the address space
/// that the register `address_space` says, until the next one of that page.
inline constexpr std::string_view page_walk = "stf.page_table_walk";
inline constexpr std::uint16_t address_space = 0x180;  ///< a csr
/// Of the id of a `trap`, 64 or 32 bits wide: its field is the mode of the instructions behind the one it belongs to.
constexpr bool is_mode_change(std::uint64_t id) noexcept {
    return id == std::uint64_t{1} << 62 || id == std::uint64_t{1} << 30;
}
/// The modes by their numbers; before the first change it is the last one.
inline constexpr std::array<std::string_view, 4> modes{"user", "supervisor", "hypervisor", "machine"};
// Other records of STF that statistics tell apart.
inline constexpr std::string_view microop = "stf.microop";
inline constexpr std::string_view page_table_walk = "stf.page_table_walk";
inline constexpr std::string_view bus_access = "stf.bus_access";
inline constexpr std::string_view process_id = "stf.process_id";

// --- intervals that were made of something else ---
inline constexpr std::string_view instruction = "instruction";
inline constexpr std::string_view slot = "slot";

// --- intervals in cycles ---
/// Attribute: the exact begin of an interval that begins after the last Tick, which its time then is.
inline constexpr std::string_view start_cycle = "start_cycle";
/// Metadata: the length of the trace in cycles, as its source states it.
inline constexpr std::string_view trace_cycles = "pccx.trace.cycles";

// --- how people read a number ---
/// True for fields of addresses, encodings and bit patterns, which are shown in hexadecimal; others are in decimal.
inline bool is_hexadecimal(std::string_view field) noexcept {
    constexpr std::array<std::string_view, 16> names{
        pc,       inst_bits, "addr",        "address", "target", "data",     register_value, "encoding",
        "opcode", "pte",     "pte_address", "id",      "field",  "features", "attributes",   vector_word};
    const bool numbered_word = field.size() > 4 && field.starts_with("word") && field[4] >= '0' && field[4] <= '9';
    return numbered_word || std::find(names.begin(), names.end(), field) != names.end();
}

}  // namespace hwtrace::conventions
