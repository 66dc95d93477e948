#include "machine.h"

#include <string.h>

static const uscope_clock_t clocks[] = {{"core_clk", machine_period}, {"bus_clk", 1250}};
static const uscope_scope_t scopes[] = {{"/", USCOPE_NO_SCOPE, NULL, 0},
                                        {"core0", 0, "example.core", 0},
                                        {"bus", 0, NULL, 1},
                                        {"port", 2, "example.port", USCOPE_INHERIT_CLOCK}};
static const uscope_enum_value_t stages[] = {{0, "idle"}, {1, "busy"}, {2, "done"}};
static const uscope_enum_t enums[] = {{"stage", stages, 3}};
static const uscope_field_t rob_fields[] = {{"entity_id", USCOPE_U32, 0, 0, 0}, {"pc", USCOPE_U64, 0, 0, 0},
                                            {"ready", USCOPE_BOOL, 0, 0, 0},    {"stage", USCOPE_ENUM, 0, 0, 0},
                                            {"offset", USCOPE_I16, 0, 0, 0},    {"note", USCOPE_STRING_REF, 0, 0, 0}};
static const uscope_field_t rob_properties[] = {{"head", USCOPE_U16, 0, USCOPE_HEAD_POINTER, 0},
                                                {"tail", USCOPE_U16, 0, USCOPE_TAIL_POINTER, 0},
                                                {"label", USCOPE_STRING_REF, 0, 0, 0}};
static const uscope_field_t count_field[] = {{"count", USCOPE_U64, 0, 0, 0}};
static const uscope_field_t register_field[] = {{"value", USCOPE_I32, 0, 0, 0}};
static const uscope_storage_t storages[] = {
    {"rob", rob_slots, USCOPE_SPARSE | USCOPE_BUFFER, 1, rob_fields, 6, rob_properties, 3},
    {"committed", 1, 0, 1, count_field, 1, NULL, 0},
    {"registers", register_count, 0, 1, register_field, 1, NULL, 0}};
static const uscope_field_t fetch_fields[] = {
    {"entity", USCOPE_U32, 0, 0, 0}, {"delta", USCOPE_I8, 0, 0, 0}, {"text", USCOPE_STRING_REF, 0, 0, 0}};
static const uscope_field_t wide_fields[] = {{"value", USCOPE_U64, 0, 0, 0}};
static const uscope_event_type_t events[] = {
    {"fetch", 1, fetch_fields, 3}, {"stall", 1, NULL, 0}, {"wide", 2, wide_fields, 1}};

const uscope_schema_t machine_schema = {clocks, 2, scopes, 4, enums, 1, storages, 3, events, 3, NULL, 0};

static const uscope_dut_property_t properties[] = {{"dut_name", "machine"}, {"cpu.isa", "RV64"}, {"empty", ""}};
const uscope_dut_desc_t machine_dut = {properties, 3};

uint64_t machine_time(uint64_t cycle) {
    return cycle * machine_period;
}

void machine_notes(machine* m, uscope_writer_t* w) {
    m->notes[0] = uscope_string(w, "addi x1, x0, 1");
    m->notes[1] = uscope_string(w, "ld x2, 8(x1)");
    m->notes[2] = uscope_string(w, "Grüße");
}

static void insert(machine* m, uscope_writer_t* w, machine_events* happened) {
    const uint16_t slot = m->tail;
    machine_entry entry;
    memset(&entry, 0, sizeof entry);
    entry.valid = true;
    entry.entity = (uint32_t)m->cycle + 1;
    entry.pc = 0x80000000u + 4 * m->cycle;
    entry.offset = (int16_t)(-(int)(m->cycle % 300));
    entry.note = (uint32_t)m->notes[m->cycle % 3];
    m->rob[slot] = entry;
    m->tail = (uint16_t)((m->tail + 1) % rob_slots);
    happened->fetched = entry.entity;
    happened->delta = (int8_t)(entry.entity % 256 - 128);
    if (w == NULL) return;
    uscope_slot_set(w, rob, slot, rob_entity, entry.entity);
    uscope_slot_set(w, rob, slot, rob_pc, entry.pc);
    uscope_slot_set(w, rob, slot, rob_offset, (uint64_t)(int64_t)entry.offset);
    uscope_slot_set(w, rob, slot, rob_note, entry.note);
    uscope_prop_set(w, rob, rob_tail, m->tail);
    const uint64_t values[] = {entry.entity, (uint64_t)(int64_t)happened->delta, (uint64_t)m->notes[0]};
    uscope_event_values(w, fetch, values, 3);
}

static void retire(machine* m, uscope_writer_t* w) {
    const uint16_t slot = m->head;
    memset(&m->rob[slot], 0, sizeof m->rob[slot]);
    m->head = (uint16_t)((m->head + 1) % rob_slots);
    ++m->committed;
    if (w == NULL) return;
    uscope_slot_clear(w, rob, slot);
    uscope_prop_set(w, rob, rob_head, m->head);
    uscope_slot_add(w, committed, 0, 0, 1);
}

machine_events machine_step(machine* m, uscope_writer_t* w) {
    machine_events happened;
    memset(&happened, 0, sizeof happened);
    if (w != NULL) uscope_begin_cycle(w, machine_time(m->cycle));
    const unsigned fill = (unsigned)(m->tail - m->head + rob_slots) % rob_slots;
    if (fill < rob_slots - 1 && m->cycle % 7 != 3) insert(m, w, &happened);
    if (fill > 8) retire(m, w);
    if (m->cycle % 7 == 3) { /* nothing is fetched */
        happened.stalls = true;
        if (w != NULL) uscope_event(w, stall, NULL);
    }
    if (m->cycle % 5 == 0 && m->rob[m->head].valid) {
        m->rob[m->head].stage = 2;
        m->rob[m->head].ready = true;
        if (w != NULL) {
            uscope_slot_set(w, rob, m->head, rob_stage, 2);
            uscope_slot_set(w, rob, m->head, rob_ready, 1);
        }
    }
    const uint16_t number = (uint16_t)(m->cycle % register_count);
    m->registers[number] = (int32_t)(m->registers[number] - (int32_t)m->cycle);
    if (w != NULL) uscope_slot_add(w, registers, number, 0, 0 - m->cycle);
    if (m->cycle % 11 == 0) {
        m->label = (uint32_t)m->notes[m->cycle % 2];
        happened.is_wide = true;
        const unsigned char payload[8] = {0xEF, 0xCD, 0xAB, 0x89, 0x67, 0x45, 0x23, 0x01};
        if (w != NULL) {
            uscope_prop_set(w, rob, rob_label, m->label);
            uscope_event_sized(w, wide, payload, sizeof payload);
        }
    }
    if (w != NULL) uscope_end_cycle(w);
    ++m->cycle;
    return happened;
}

machine machine_behind(uint64_t cycles, const int64_t notes[3]) {
    machine m;
    memset(&m, 0, sizeof m);
    memcpy(m.notes, notes, sizeof m.notes);
    while (m.cycle < cycles)
        machine_step(&m, NULL);
    return m;
}

bool machine_is(const machine* m, const uscope_state_t* s) {
    uint32_t valid = 0;
    for (uint16_t slot = 0; slot < rob_slots; ++slot) {
        const machine_entry* entry = &m->rob[slot];
        if (uscope_slot_valid(s, rob, slot) != entry->valid ||
            uscope_slot_field(s, rob, slot, rob_entity) != entry->entity ||
            uscope_slot_field(s, rob, slot, rob_pc) != entry->pc ||
            uscope_slot_field(s, rob, slot, rob_ready) != (entry->ready ? 1u : 0u) ||
            uscope_slot_field(s, rob, slot, rob_stage) != entry->stage ||
            uscope_slot_field(s, rob, slot, rob_offset) != (uint64_t)(int64_t)entry->offset ||
            uscope_slot_field(s, rob, slot, rob_note) != entry->note)
            return false;
        valid += entry->valid ? 1 : 0;
    }
    for (uint16_t number = 0; number < register_count; ++number)
        if (uscope_slot_field(s, registers, number, 0) != (uint64_t)(int64_t)m->registers[number]) return false;
    return uscope_storage_occupancy(s, rob) == valid && uscope_property(s, rob, rob_head) == m->head &&
           uscope_property(s, rob, rob_tail) == m->tail && uscope_property(s, rob, rob_label) == m->label &&
           uscope_slot_field(s, committed, 0, 0) == m->committed &&
           uscope_storage_occupancy(s, registers) == register_count;
}
