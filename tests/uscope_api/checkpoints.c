/* tests/uscope_api/checkpoints.c - tests which state readers see at every segment boundary if a program states tables
 * in its checkpoint callback. Arguments: a file, and hwtrace-dump and hwtrace-validate if they were built. */
#define _POSIX_C_SOURCE 200809L
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>

#include "check.h"
#include "machine.h"

enum { segment_cycles = 40, segments = 8, cycles = segment_cycles * segments, longest_line = 512 };

/* Selects the registers that the callback states. The callback states no other storage. */
typedef enum {
    as_they_are,      /* the values that the operations made */
    loaded,           /* before every segment, one register changes without a record */
    loaded_once,      /* like `loaded`, but before one segment only */
    at_segment_end,   /* their values at the end of the segment, as in the "end" dialect */
    numbered_segments /* another value in each segment, which no operation changes */
} statement;

typedef struct {
    statement what;
    const machine* m;
    uint32_t calls;
} program;

/* Returns the registers that the program states at a boundary, after the operations in `now`. */
static void stated_registers(statement what, const machine* now, uint32_t call, int32_t* values) {
    memcpy(values, now->registers, sizeof now->registers);
    if (what == loaded || (what == loaded_once && call == 2)) values[3] = 123456789;
    if (what == numbered_segments) values[5] = (int32_t)(1000000 * call);
    if (what == at_segment_end) {
        const machine end = machine_behind(now->cycle + segment_cycles, now->notes);
        memcpy(values, end.registers, sizeof end.registers);
    }
}

static void state_registers(uscope_writer_t* w, void* user_data) {
    program* p = user_data;
    int32_t values[register_count];
    uint8_t bytes[4 * register_count];
    stated_registers(p->what, p->m, ++p->calls, values);
    for (int i = 0; i < register_count; ++i)
        for (int byte = 0; byte < 4; ++byte)
            bytes[4 * i + byte] = (uint8_t)((uint32_t)values[i] >> (8 * byte));
    CHECK(uscope_checkpoint_storage(w, registers, NULL, bytes, register_count) == USCOPE_OK);
}

/* Records the machine. Each segment has `segment_cycles` cycles. */
static void record(const char* path, statement what) {
    uscope_writer_t* w = uscope_writer_open(path, &machine_dut, &machine_schema, UINT32_MAX);
    machine m;
    memset(&m, 0, sizeof m);
    machine_notes(&m, w);
    program p = {what, &m, 0};
    CHECK(uscope_set_checkpoint_callback(w, state_registers, &p) == USCOPE_OK);
    while (m.cycle < cycles) {
        machine_step(&m, w);
        if (m.cycle % segment_cycles == 0 && m.cycle != cycles) CHECK(uscope_flush_segment(w) == USCOPE_OK);
    }
    CHECK(uscope_writer_close(w) == USCOPE_OK && p.calls == segments - 1);
}

/* Computes the registers after each cycle for a reader that begins with the checkpoint of the segment. */
static void expected_registers(statement what, int32_t expected[cycles][register_count]) {
    const int64_t notes[3] = {0, 1, 2};
    machine m = machine_behind(0, notes);
    int32_t now[register_count] = {0};
    for (uint32_t cycle = 0; cycle < cycles; ++cycle) {
        const machine before = m;
        machine_step(&m, NULL);
        for (int i = 0; i < register_count; ++i)
            now[i] = (int32_t)((uint32_t)now[i] + (uint32_t)m.registers[i] - (uint32_t)before.registers[i]);
        const uint32_t boundary = (cycle + 1) / segment_cycles;
        if ((cycle + 1) % segment_cycles == 0 && boundary < segments) stated_registers(what, &m, boundary, now);
        memcpy(expected[cycle], now, sizeof now);
    }
}

/* Reads the registers at a time from the output of hwtrace-dump. */
static bool dumped_registers(const char* dump, const char* path, uint64_t time_ps, int expected_code, int32_t* values) {
    char command[4096], line[longest_line];
    snprintf(command, sizeof command, "'%s' '%s' -q --at %lups --format csv 2>&1", dump, path, (unsigned long)time_ps);
    FILE* from = popen(command, "r");
    if (from == NULL) return false;
    memset(values, 0, register_count * sizeof *values);
    while (fgets(line, sizeof line, from) != NULL) {
        int slot = 0, value = 0;
        const char* name = strstr(line, ",registers,2,");
        if (name != NULL && sscanf(name, ",registers,2,%d,value,%d", &slot, &value) == 2 && slot < register_count)
            values[slot] = value;
    }
    const int status = pclose(from);
    return WIFEXITED(status) && WEXITSTATUS(status) == expected_code;
}

/* Returns the exit code of hwtrace-validate. Sets `found` to true if the output has the rule. */
static int validate(const char* tool, const char* path, const char* rule, bool* found) {
    char command[4096], line[longest_line];
    snprintf(command, sizeof command, "'%s' '%s' 2>&1", tool, path);
    FILE* from = popen(command, "r");
    if (from == NULL) return -1;
    *found = false;
    while (fgets(line, sizeof line, from) != NULL)
        *found = *found || strstr(line, rule) != NULL;
    const int status = pclose(from);
    return WIFEXITED(status) ? WEXITSTATUS(status) : -1;
}

static bool found_by_reader(const uscope_reader_t* r, const char* rule) {
    for (size_t i = 0; i < uscope_finding_count(r); ++i)
        if (strstr(uscope_finding(r, i), rule) != NULL) return true;
    return false;
}

/* Reads the state before, at and after each boundary, forwards, backwards, and with hwtrace-dump. */
static void check_file(const char* path, statement what, const char* dump, const char* tool) {
    static int32_t expected[cycles][register_count];
    expected_registers(what, expected);
    record(path, what);
    const int64_t notes[3] = {0, 1, 2};
    uscope_reader_t* r = uscope_reader_open(path);
    if (!CHECK(r != NULL && uscope_header(r)->num_segments == segments)) return;
    /* The validator reports checkpoints that differ from the operations. A reader reports them if they differ at every
     * boundary. */
    const bool reader_tells = what == loaded || what == at_segment_end || what == numbered_segments;
    unsigned wrong = 0;
    for (int boundary = 1; boundary < 2 * segments - 1; ++boundary) {
        const int number = boundary < segments ? boundary : 2 * segments - 1 - boundary;
        const uint64_t edge = machine_time((uint64_t)number * segment_cycles - 1);
        const uint64_t times[] = {edge - machine_period, edge - 1, edge, edge + 1, edge + machine_period};
        for (size_t i = 0; i < sizeof times / sizeof *times; ++i) {
            const uint64_t cycle = times[i] / machine_period;
            machine m = machine_behind(cycle + 1, notes);
            memcpy(m.registers, expected[cycle], sizeof m.registers);
            uscope_state_t* s = uscope_state_at(r, times[i]);
            if (!machine_is(&m, s) && wrong++ == 0)
                fprintf(stderr, "statement %d: another state at %lu ps\n", (int)what, (unsigned long)times[i]);
            uscope_state_free(s);
            if (boundary % 3 != 1 || boundary >= segments) continue;
            int32_t shown[register_count];
            CHECK(dumped_registers(dump, path, times[i], reader_tells ? 3 : 0, shown));
            CHECK(memcmp(shown, expected[cycle], sizeof shown) == 0);
        }
    }
    CHECK(wrong == 0);
    bool told = false;
    const int code = validate(tool, path, "USC029", &told);
    CHECK(code == (what == as_they_are ? 0 : 1) && told == (what != as_they_are));
    CHECK(found_by_reader(r, "USC029") == reader_tells && (reader_tells || uscope_finding_count(r) == 0));
    uscope_reader_close(r);
}

/* A trace with one table. Its callback states the table at the end of each segment, so that the file looks like one of
 * the "end" dialect, except for the first checkpoint, which no callback states. */
enum { slots = 4 };

/* Returns the value of a slot after a cycle. Cycle i sets slot i % slots to i + 1. */
static uint32_t value_behind(uint32_t cycle, uint32_t slot) {
    const uint32_t last = cycle + slots - 1 - slot;
    return last < slots ? 0 : last / slots * slots - slots + slot + 1;
}

static void state_ends(uscope_writer_t* w, void* user_data) {
    const uint32_t* cycle = user_data;
    uint8_t bytes[4 * slots] = {0};
    for (uint32_t slot = 0; slot < slots; ++slot)
        for (int byte = 0; byte < 4; ++byte)
            bytes[4 * slot + (uint32_t)byte] = (uint8_t)(value_behind(*cycle + segment_cycles, slot) >> (8 * byte));
    CHECK(uscope_checkpoint_storage(w, 0, NULL, bytes, slots) == USCOPE_OK);
}

static void ends_of_segments(const char* path, uint32_t number) {
    const uscope_clock_t clock = {"clk", 1000};
    const uscope_field_t field = {"n", USCOPE_U32, 0, 0, 0};
    const uscope_storage_t storage = {"table", slots, 0, USCOPE_NO_SCOPE, &field, 1, NULL, 0};
    const uscope_schema_t schema = {&clock, 1, NULL, 0, NULL, 0, &storage, 1, NULL, 0, NULL, 0};
    uscope_writer_t* w = uscope_writer_open(path, NULL, &schema, UINT32_MAX);
    uint32_t cycle = 0;
    CHECK(uscope_set_checkpoint_callback(w, state_ends, &cycle) == USCOPE_OK);
    while (cycle < number * segment_cycles) {
        uscope_begin_cycle(w, cycle * UINT64_C(1000));
        uscope_slot_set(w, 0, (uint16_t)(cycle % slots), 0, cycle + 1);
        uscope_end_cycle(w);
        if (++cycle % segment_cycles == 0) uscope_flush_segment(w);
    }
    CHECK(uscope_writer_close(w) == USCOPE_OK);
    uscope_reader_t* r = uscope_reader_open(path);
    CHECK(uscope_header(r)->num_segments == number);
    unsigned wrong = 0;
    for (uint32_t behind = number * segment_cycles; behind > 0; --behind) {
        uscope_state_t* s = uscope_state_at(r, (behind - 1) * UINT64_C(1000));
        bool same = true;
        for (uint16_t slot = 0; slot < slots; ++slot)
            same = same && uscope_slot_field(s, 0, slot, 0) == value_behind(behind, slot);
        if (!same && ++wrong == 1) fprintf(stderr, "%u segments: wrong behind cycle %u\n", number, behind - 1);
        uscope_state_free(s);
    }
    CHECK(wrong == 0);
    uscope_reader_close(r);
}

int main(int argc, char** argv) {
    if (argc < 4) {
        fprintf(stderr, "usage: %s FILE HWTRACE-DUMP HWTRACE-VALIDATE\n", argv[0]);
        return 2;
    }
    const statement statements[] = {as_they_are, loaded, loaded_once, at_segment_end, numbered_segments};
    for (size_t i = 0; i < sizeof statements / sizeof *statements; ++i)
        check_file(argv[1], statements[i], argv[2], argv[3]);
    for (uint32_t number = 1; number <= segments; ++number)
        ends_of_segments(argv[1], number);
    remove(argv[1]);
    return check_result();
}
