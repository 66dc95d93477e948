/* tests/flux_emitter_api/static_memory.c - uses the emitter in C99 with static memory only: a trace with a table of
 * items, FastLZ blocks from 2 KiB of entries, and invalid calls that only C allows. */
#include <hwtrace/flux_control.h>
#include <stdio.h>
#include <string.h>

enum { BUS = 1, CLOCK, DATA, LOAD, LAST = LOAD };

static uint8_t memory[2048];
static uint8_t packed[2048 + 16];
static uint8_t sent[65536];
static uint32_t sent_size;
static uint32_t table[256];
static flux_item items[LAST + 1];
static flux_fastlz fastlz = {table, 8, 0};

static int failures;

static void expect(flux_result result, flux_result expected, int line) {
    if (result == expected) return;
    printf("line %d: %s\n", line, flux_result_text(result));
    failures++;
}

#define EXPECT(expected, call) expect(call, expected, __LINE__)
#define OK(call) EXPECT(FLUX_OK, call)

static flux_result send(void* user, const flux_chunk* chunk, uint32_t* taken) {
    (void)user;
    *taken = chunk->size < sizeof sent - sent_size ? chunk->size : (uint32_t)sizeof sent - sent_size;
    memcpy(sent + sent_size, chunk->bytes, *taken);
    sent_size += *taken;
    return FLUX_OK;
}

/* Makes calls with values that C enumerations do not name. */
static void write_wrongly(flux_trace* trace) {
    const int32_t number = 1;
    flux_array array = {&number, 1, FLUX_INT32, false};
    int unnamed = 8;
    memcpy(&array.element, &unnamed, sizeof array.element);
    EXPECT(FLUX_ERROR_VALUE, flux_write_array(trace, LOAD, flux_after(0), &array));
    EXPECT(FLUX_ERROR_VALUE, flux_write_relation(trace, LOAD, (flux_relation)4, 0, 0, 0, 0));
    EXPECT(FLUX_ERROR_VALUE, flux_add_signal(trace, LAST, 0, "x", NULL, (flux_type)12, NULL));
    EXPECT(FLUX_ERROR_COMMAND, trace->buffer->access(trace->buffer, (flux_command)3, 0));
}

int main(void) {
    const flux_handler port = {send, NULL, NULL};
    flux_buffer behind;
    flux_packer packer;
    flux_handler packing;
    flux_buffer buffer;
    flux_trace trace;
    flux_request request;
    uint32_t used;
    int64_t time;
    OK(flux_buffer_init(&behind, packed, sizeof packed, &port));
    packer.next = &behind;
    packer.packing = FLUX_FASTLZ;
    packer.compress = flux_fastlz_compress;
    packer.work = &fastlz;
    packing = flux_pack_into(&packer);
    OK(flux_buffer_init(&buffer, memory, sizeof memory, &packing));
    OK(flux_trace_init(&trace, 1, FLUX_VERSION_6, LAST, sizeof memory, items));
    OK(flux_trace_attach(&trace, &behind));
    OK(flux_write_head(&trace, "static", NULL));
    OK(flux_trace_attach(&trace, &buffer));
    OK(flux_add_scope(&trace, BUS, 0, "bus", NULL));
    OK(flux_add_signal(&trace, CLOCK, BUS, "clock", NULL, FLUX_LOGIC, NULL));
    OK(flux_add_signal(&trace, DATA, BUS, "data", NULL, FLUX_LOGIC, "default<bits=8>"));
    OK(flux_add_signal(&trace, LOAD, 0, "load", NULL, FLUX_STRUCT, NULL));
    OK(flux_open(&trace, BUS, "ns", 0, 0));
    OK(flux_open(&trace, LOAD, "ms", 0, 0));
    write_wrongly(&trace);
    for (time = 0; time < 5000; time++) {
        const uint8_t states[2] = {(uint8_t)(time % 4), FLUX_STATE_1};
        flux_member members[2];
        OK(flux_write_logic(&trace, CLOCK, flux_at(time), '0', 1, time % 2 ? "1" : "0"));
        if (time % 2) OK(flux_write_states(&trace, DATA, flux_after(0), FLUX_STATE_X, 8, states, 2));
        if (time % 100) continue;
        members[0] = flux_member_float(0, 0.5f);
        members[1] = flux_member_text(1, "busy");
        OK(flux_write_struct(&trace, LOAD, flux_at(time / 100), members, 2));
    }
    OK(flux_close(&trace, BUS, 5000));
    OK(flux_close(&trace, LOAD, 50));
    OK(flux_deep_flush(&buffer));
    EXPECT(FLUX_ERROR_PARSE, flux_parse_request(sent, sent_size, &request, &used));
    if (sent_size < 1000 || sent_size > 20000 || memcmp(sent, "\0\1flux\6\1", 8) != 0) {
        printf("%u bytes, which is not what is expected\n", (unsigned)sent_size);
        failures++;
    }
    return failures == 0 ? 0 : 1;
}
