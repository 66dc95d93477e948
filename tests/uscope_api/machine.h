/* tests/uscope_api/machine.h - a small machine that records every cycle and keeps its state for comparison. */
#ifndef MACHINE_H
#define MACHINE_H

#include <stdbool.h>
#include <stdint.h>

#include <hwtrace/uscope.h>

enum { machine_period = 500, rob_slots = 16, register_count = 8 };
enum { rob = 0, committed = 1, registers = 2 };                          /* storages */
enum { rob_entity, rob_pc, rob_ready, rob_stage, rob_offset, rob_note }; /* fields of rob */
enum { rob_head, rob_tail, rob_label };                                  /* properties of rob */
enum { fetch = 0, stall = 1, wide = 2 };                                 /* event types */

extern const uscope_schema_t machine_schema;
extern const uscope_dut_desc_t machine_dut;

typedef struct {
    bool valid;
    uint32_t entity;
    uint64_t pc;
    bool ready;
    uint8_t stage;
    int16_t offset;
    uint32_t note;
} machine_entry;

typedef struct {
    uint64_t cycle; /* the next cycle to run */
    machine_entry rob[rob_slots];
    uint16_t head, tail;
    uint32_t label;
    uint64_t committed;
    int32_t registers[register_count];
    int64_t notes[3];
} machine;

/* The events of a cycle. */
typedef struct {
    uint32_t fetched;
    int8_t delta;
    bool stalls, is_wide;
} machine_events;

/* Runs one cycle at its machine_time(). `w` may be NULL. */
machine_events machine_step(machine* m, uscope_writer_t* w);
uint64_t machine_time(uint64_t cycle);
/* Returns the machine after its first `cycles` cycles, with the `notes` of the recording. */
machine machine_behind(uint64_t cycles, const int64_t notes[3]);
/* Interns the notes of a recording. */
void machine_notes(machine* m, uscope_writer_t* w);
/* Returns true if the state equals the machine's state. */
bool machine_is(const machine* m, const uscope_state_t* s);

#endif
