/* tests/uscope_api/dpi.c - calls the functions that SystemVerilog imports as a simulator does, and checks the files.
 * "dpi write FILE" makes the same trace as dpi_machine.sv; "dpi check FILE" checks a trace of either program. */
#define _POSIX_C_SOURCE 200809L
#include <hwtrace/uscope.h>
#include <hwtrace/uscope_dpi.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include "check.h"

enum { cycles = 100, slots = 8, period = 1000 };

/* A simulator's open array, with its elements and index range. */
typedef struct {
    int low, high;
    size_t size;
    unsigned char* elements;
} open_array;

int svLow(void* array, int dimension);
int svHigh(void* array, int dimension);
void* svGetArrElemPtr1(void* array, int index);

int svLow(void* array, int dimension) {
    return dimension == 1 ? ((open_array*)array)->low : 0;
}

int svHigh(void* array, int dimension) {
    return dimension == 1 ? ((open_array*)array)->high : -1;
}

void* svGetArrElemPtr1(void* array, int index) {
    open_array* a = array;
    return index < a->low || index > a->high ? NULL : a->elements + (size_t)(index - a->low) * a->size;
}

static void* open_trace(const char* path) {
    void* w = uscope_dpi_open(path);
    uscope_dpi_declare_dut_property(w, "dut_name", "bench");
    CHECK(uscope_dpi_declare_clock(w, "core_clk", period) == 0);
    CHECK(uscope_dpi_declare_scope(w, "/", -1, "", 0) == 0);
    CHECK(uscope_dpi_declare_scope(w, "core0", 0, "cpu", -1) == 1);
    CHECK(uscope_dpi_declare_enum(w, "state") == 0);
    CHECK(uscope_dpi_declare_enum_value(w, 0, 0, "idle") == 0);
    CHECK(uscope_dpi_declare_enum_value(w, 0, 2, "done") == 1);
    CHECK(uscope_dpi_declare_storage(w, "table", slots, USCOPE_SPARSE, 1) == 0);
    CHECK(uscope_dpi_declare_field(w, 0, "id", USCOPE_U32, 0) == 0);
    CHECK(uscope_dpi_declare_field(w, 0, "state", USCOPE_ENUM, 0) == 1);
    CHECK(uscope_dpi_declare_property(w, 0, "head", USCOPE_U16, 0, USCOPE_HEAD_POINTER, 3) == 0);
    CHECK(uscope_dpi_declare_storage(w, "count", 1, 0, 1) == 1);
    CHECK(uscope_dpi_declare_field(w, 1, "count", USCOPE_U64, 0) == 0);
    CHECK(uscope_dpi_declare_event(w, "raw", 1) == 0);
    CHECK(uscope_dpi_declare_event_field(w, 0, "number", USCOPE_U16, 0) == 0);
    CHECK(uscope_dpi_declare_event_field(w, 0, "text", USCOPE_STRING_REF, 0) == 1);
    CHECK(uscope_dpi_declare_event(w, "values", 1) == 1);
    CHECK(uscope_dpi_declare_event_field(w, 1, "time", USCOPE_U64, 0) == 0);
    CHECK(uscope_dpi_declare_event_field(w, 1, "delta", USCOPE_I8, 0) == 1);
    uscope_dpi_set_checkpoint_interval(w, 20 * period);
    uscope_dpi_set_options(w, USCOPE_LZ4, 0, 1);
    return w;
}

static void record(void* w) {
    for (unsigned n = 0; n < cycles; ++n) {
        uscope_dpi_begin_cycle(w, (uint64_t)n * period);
        uscope_dpi_slot_set(w, 0, (uint16_t)(n % slots), 0, n);
        uscope_dpi_slot_set(w, 0, (uint16_t)(n % slots), 1, n % 2 * 2);
        if (n % 4 == 3) uscope_dpi_slot_clear(w, 0, (uint16_t)((n + 5) % slots));
        uscope_dpi_prop_set(w, 0, 0, n);
        uscope_dpi_slot_add(w, 1, 0, 0, 2);
        const int text = uscope_dpi_string(w, n % 2 == 0 ? "even" : "odd");
        unsigned char payload[6] = {(unsigned char)n, 0, (unsigned char)text, 0, 0, 0};
        open_array raw = {2, 7, 1, payload};
        uscope_dpi_event_raw(w, 0, &raw);
        uint64_t values[2] = {(uint64_t)n * period, (uint64_t)0 - n};
        open_array array = {0, 1, sizeof values[0], (unsigned char*)values};
        uscope_dpi_event_values(w, 1, &array);
        uscope_dpi_end_cycle(w);
        if (n == 10) uscope_dpi_flush_segment(w);
    }
}

static void check_file(const char* path) {
    uscope_reader_t* r = uscope_reader_open(path);
    if (!CHECK(r != NULL)) {
        fprintf(stderr, "%s\n", uscope_last_error());
        return;
    }
    CHECK(uscope_is_complete(r) && uscope_finding_count(r) == 0);
    CHECK_TEXT(uscope_dut_property(r, "dut_name"), "bench");
    CHECK_TEXT(uscope_scope_protocol(r, 1), "cpu");
    const uscope_schema_t* schema = uscope_schema(r);
    CHECK(schema->num_scopes == 2 && schema->scopes[1].clock == USCOPE_INHERIT_CLOCK && schema->scopes[1].parent == 0);
    CHECK(schema->num_enums == 1 && strcmp(schema->enums[0].values[1].name, "done") == 0);
    CHECK(schema->storages[0].flags == USCOPE_SPARSE && schema->storages[0].properties[0].role == USCOPE_HEAD_POINTER &&
          schema->storages[0].properties[0].pair == 3);
    CHECK(uscope_header(r)->num_segments > 4 && uscope_checkpoint_interval(r) == 20 * period);

    bool valid[slots] = {false};
    uint64_t ids[slots] = {0};
    uscope_event_iter_t* it = uscope_events_in_range(r, 0, UINT64_MAX);
    bool same = true;
    for (unsigned n = 0; n < cycles; ++n) {
        valid[n % slots] = true;
        ids[n % slots] = n;
        if (n % 4 == 3) {
            valid[(n + 5) % slots] = false;
            ids[(n + 5) % slots] = 0;
        }
        uscope_state_t* s = uscope_state_at(r, (uint64_t)n * period);
        for (uint16_t slot = 0; slot < slots; ++slot)
            same =
                same && uscope_slot_valid(s, 0, slot) == valid[slot] && uscope_slot_field(s, 0, slot, 0) == ids[slot];
        same = same && uscope_property(s, 0, 0) == n && uscope_slot_field(s, 1, 0, 0) == 2 * (n + 1);
        uscope_state_free(s);
        uint64_t time = 0;
        uint16_t id = 0;
        const void* payload = NULL;
        same = same && uscope_event_next(it, &time, &id, &payload) && time == (uint64_t)n * period && id == 0 &&
               uscope_payload_field(&schema->events[0], payload, 0) == n &&
               strcmp(uscope_string_text(r, uscope_payload_field(&schema->events[0], payload, 1), NULL),
                      n % 2 == 0 ? "even" : "odd") == 0;
        same = same && uscope_event_next(it, &time, &id, &payload) && id == 1 &&
               uscope_payload_field(&schema->events[1], payload, 0) == (uint64_t)n * period &&
               uscope_payload_field(&schema->events[1], payload, 1) == (uint64_t)0 - n;
    }
    CHECK(same && !uscope_event_next(it, NULL, NULL, NULL));
    uscope_event_iter_free(it);
    uscope_reader_close(r);
}

/* Ends a simulation without closing its trace. */
static void left_open(const char* path) {
    remove(path);
    fflush(NULL);
    const pid_t simulation = fork();
    if (simulation == 0) {
        record(open_trace(path));
        exit(0);
    }
    int status = 0;
    CHECK(waitpid(simulation, &status, 0) == simulation && WIFEXITED(status));
    check_file(path);
}

/* Checks that the error that ends the recording is printed even after an earlier error. */
static void full_disk(const char* path) {
    fflush(NULL);
    const pid_t simulation = fork();
    if (simulation == 0) {
        const struct rlimit most = {20000, 20000};
        signal(SIGXFSZ, SIG_IGN);
        if (setrlimit(RLIMIT_FSIZE, &most) != 0) _exit(9);
        void* w = uscope_dpi_open(path);
        CHECK(uscope_dpi_declare_storage(w, "s", 4, 0, -1) == 0);
        CHECK(uscope_dpi_declare_field(w, 0, "f", USCOPE_U64, 0) == 0);
        uscope_dpi_set_options(w, USCOPE_UNCOMPRESSED, 0, 0);
        uscope_dpi_end_cycle(w);
        CHECK_TEXT(uscope_dpi_error(w), "outside a cycle");
        for (unsigned cycle = 0; cycle < 5000; ++cycle) {
            uscope_dpi_begin_cycle(w, cycle);
            uscope_dpi_slot_set(w, 0, 0, 0, cycle);
            uscope_dpi_end_cycle(w);
            if (cycle % 100 == 0) uscope_dpi_flush_segment(w);
        }
        CHECK_TEXT(uscope_dpi_error(w), "cannot write");
        uscope_dpi_close(w);
        _exit(check_result());
    }
    int status = 0;
    CHECK(waitpid(simulation, &status, 0) == simulation && WIFEXITED(status) && WEXITSTATUS(status) == 0);
}

static void misuse(const char* path) {
    uscope_dpi_begin_cycle(NULL, 0);
    uscope_dpi_end_cycle(NULL);
    uscope_dpi_slot_set(NULL, 0, 0, 0, 0);
    uscope_dpi_slot_clear(NULL, 0, 0);
    uscope_dpi_slot_add(NULL, 0, 0, 0, 0);
    uscope_dpi_prop_set(NULL, 0, 0, 0);
    uscope_dpi_event_raw(NULL, 0, NULL);
    uscope_dpi_event_values(NULL, 0, NULL);
    uscope_dpi_flush_segment(NULL);
    uscope_dpi_set_checkpoint_interval(NULL, 0);
    uscope_dpi_set_options(NULL, 0, 0, 0);
    uscope_dpi_close(NULL);
    CHECK(uscope_dpi_string(NULL, "text") == -1 && uscope_dpi_declare_clock(NULL, "clk", 1) == -1);
    CHECK(uscope_dpi_declare_scope(NULL, "/", -1, "", 0) == -1 && uscope_dpi_declare_enum(NULL, "e") == -1);
    CHECK(uscope_dpi_declare_enum_value(NULL, 0, 0, "v") == -1 && uscope_dpi_declare_event(NULL, "e", -1) == -1);
    CHECK(uscope_dpi_declare_storage(NULL, "s", 1, 0, -1) == -1);
    CHECK(uscope_dpi_declare_field(NULL, 0, "f", USCOPE_U8, 0) == -1);
    CHECK(uscope_dpi_declare_property(NULL, 0, "p", USCOPE_U8, 0, 0, 0) == -1);
    CHECK(uscope_dpi_declare_event_field(NULL, 0, "f", USCOPE_U8, 0) == -1);
    CHECK(uscope_dpi_declare_dut_property(NULL, "key", "value") == -1);
    CHECK_TEXT(uscope_dpi_error(NULL), "null");
    void* nowhere = uscope_dpi_open(NULL);
    uscope_dpi_begin_cycle(nowhere, 0);
    CHECK(strcmp(uscope_dpi_error(nowhere), "") != 0);
    uscope_dpi_end_cycle(nowhere);
    uscope_dpi_close(nowhere);
    CHECK_TEXT(uscope_dpi_error(nowhere), "closed");

    void* w = uscope_dpi_open(path);
    CHECK(strcmp(uscope_dpi_error(w), "") == 0);
    CHECK(uscope_dpi_declare_field(w, 0, "f", USCOPE_U8, 0) == -1);
    CHECK_TEXT(uscope_dpi_error(w), "the storage was not declared");
    CHECK(uscope_dpi_declare_event_field(w, -1, "f", USCOPE_U8, 0) == -1);
    CHECK(uscope_dpi_declare_enum_value(w, 0, 0, NULL) == -1);
    CHECK(uscope_dpi_declare_scope(w, "s", 65535, "", 0) == -1);
    CHECK(uscope_dpi_declare_clock(w, NULL, 1) == -1 && uscope_dpi_declare_clock(w, "", 1) == -1);
    CHECK(uscope_dpi_declare_enum(w, "") == -1 && uscope_dpi_declare_storage(w, NULL, 4, 0, -1) == -1);
    CHECK(uscope_dpi_declare_event(w, "", -1) == -1 && uscope_dpi_declare_dut_property(w, NULL, "value") == -1);
    CHECK(uscope_dpi_declare_scope(w, "root", 0, "", 0) == -1 && uscope_dpi_declare_scope(w, "", -1, "", 0) == -1);
    CHECK(uscope_dpi_declare_scope(w, "root", -1, "", 1) == -1 && uscope_dpi_declare_scope(w, "root", -1, "", 0) == 0);
    CHECK(uscope_dpi_declare_scope(w, "s", 1, "", 0) == -1 && uscope_dpi_declare_scope(w, "s", -1, "", 0) == -1);
    CHECK(uscope_dpi_declare_scope(w, "s", 65536, "", 0) == -1 && uscope_dpi_declare_scope(w, "s", 0, "", 256) == -1);
    CHECK(uscope_dpi_declare_storage(w, "s", 4, 65536, 0) == -1 &&
          uscope_dpi_declare_storage(w, "s", 4, 0, 65536) == -1);
    CHECK(uscope_dpi_declare_storage(w, "s", 4, 0, 1) == -1 && uscope_dpi_declare_event(w, "e", 1) == -1);
    CHECK(uscope_dpi_declare_storage(w, "s", 4, 0, 0) == 0 && uscope_dpi_declare_field(w, 0, "f", USCOPE_U8, 0) == 0);
    CHECK(uscope_dpi_declare_field(w, 0, NULL, USCOPE_U8, 0) == -1);
    CHECK(uscope_dpi_declare_field(w, 0, "f", USCOPE_ENUM, 0) == -1 &&
          uscope_dpi_declare_field(w, 0, "f", 12, 0) == -1);
    CHECK(uscope_dpi_declare_field(w, 0, "f", 256 + USCOPE_U8, 0) == -1);
    CHECK(uscope_dpi_declare_property(w, 0, "p", USCOPE_U8, 0, 256, 0) == -1);
    CHECK(uscope_dpi_declare_property(w, 0, "p", USCOPE_U8, 0, 0, -1) == -1);
    CHECK(uscope_dpi_declare_event(w, "e", -1) == 0);
    uscope_dpi_begin_cycle(w, 10);
    CHECK(uscope_dpi_declare_clock(w, "late", 1) == -1);
    uscope_dpi_slot_set(w, 9, 9, 9, 9);
    uscope_dpi_event_raw(w, 0, NULL);
    uscope_dpi_event_values(w, 7, NULL);
    CHECK(uscope_dpi_string(w, NULL) == -1);
    uscope_dpi_close(w);
    uscope_dpi_close(w);
    uscope_dpi_begin_cycle(w, 20);
    CHECK_TEXT(uscope_dpi_error(w), "closed");
    uscope_reader_t* r = uscope_reader_open(path);
    CHECK(r != NULL && uscope_is_complete(r) && uscope_header(r)->num_segments == 1 && uscope_finding_count(r) == 0);
    uscope_reader_close(r);

    /* An error of the writer is printed, and the simulation continues. */
    w = uscope_dpi_open("/no/such/folder/trace.uscope");
    uscope_dpi_begin_cycle(w, 0);
    CHECK_TEXT(uscope_dpi_error(w), "/no/such/folder");
    uscope_dpi_slot_set(w, 0, 0, 0, 0);
    uscope_dpi_close(w);
    w = uscope_dpi_open(path);
    uscope_dpi_declare_event(w, "e", -1);
    CHECK(uscope_dpi_declare_event_field(w, 0, "f", 1000, -5) == -1);
    uscope_dpi_begin_cycle(w, 0);
    CHECK_TEXT(uscope_dpi_error(w), "the type: 1000 is out of range");
    uscope_dpi_close(w);
    w = uscope_dpi_open(path);
    uscope_dpi_set_options(w, 256, 0, 0);
    CHECK_TEXT(uscope_dpi_error(w), "the compression: 256 is out of range");
    uscope_dpi_close(w);
    for (int i = 0; i < 2; ++i) {
        w = uscope_dpi_open(path);
        uscope_dpi_begin_cycle(w, 0);
        CHECK(strcmp(uscope_dpi_error(w), "") == 0);
        if (i == 0)
            uscope_dpi_set_options(w, 0, 0, 1);
        else
            uscope_dpi_set_checkpoint_interval(w, 5);
        CHECK_TEXT(uscope_dpi_error(w), "after the first cycle");
        uscope_dpi_close(w);
    }
}

int main(int argc, char** argv) {
    const bool writes = argc == 3 && strcmp(argv[1], "write") == 0;
    if (argc != 3 || (!writes && strcmp(argv[1], "check") != 0)) {
        fprintf(stderr, "usage: %s write|check FILE\n", argv[0]);
        return 2;
    }
    if (writes) {
        void* w = open_trace(argv[2]);
        record(w);
        CHECK(strcmp(uscope_dpi_error(w), "") == 0);
        uscope_dpi_close(w);
        check_file(argv[2]);
        left_open(argv[2]);
        misuse(argv[2]);
        full_disk(argv[2]);
        remove(argv[2]);
    } else {
        check_file(argv[2]);
    }
    return check_result();
}
