/* Records a queue into a uScope file, then reads its state at one time: record_uscope FILE */
#include <hwtrace/uscope.h>
#include <inttypes.h>
#include <stdio.h>

static const uscope_clock_t clocks[] = {{"core_clk", 500}};
static const uscope_scope_t scopes[] = {{"/", 0, NULL, 0}, {"core0", 0, NULL, 0}};
static const uscope_field_t slot[] = {{"id", USCOPE_U32, 0, 0, 0}};
static const uscope_storage_t storages[] = {{"queue", 8, USCOPE_SPARSE | USCOPE_BUFFER, 1, slot, 1, NULL, 0}};
static const uscope_event_type_t events[] = {{"full", 1, slot, 1}};
static const uscope_schema_t schema = {clocks, 1, scopes, 2, NULL, 0, storages, 1, events, 1, NULL, 0};

int main(int argc, char** argv) {
    uscope_writer_t* w;
    uscope_reader_t* r;
    uscope_state_t* s;
    uint64_t cycle;
    uint16_t at;
    if (argc != 2) return fprintf(stderr, "record_uscope FILE\n"), 2;
    w = uscope_writer_open(argv[1], NULL, &schema, 0);
    for (cycle = 0; cycle < 1000; ++cycle) {
        const uint16_t tail = (uint16_t)(cycle % 8);
        uscope_begin_cycle(w, cycle * 500);
        uscope_slot_set(w, 0, tail, 0, cycle);
        if (cycle % 3 == 0) uscope_slot_clear(w, 0, (uint16_t)((tail + 5) % 8));
        if (tail == 7) uscope_event_values(w, 0, &cycle, 1);
        uscope_end_cycle(w);
    }
    if (uscope_writer_close(w) != USCOPE_OK) /* the first error of all calls above */
        return fprintf(stderr, "%s\n", uscope_last_error()), 1;

    r = uscope_reader_open(argv[1]);
    s = uscope_state_at(r, 250000);
    for (at = 0; at < 8; ++at)
        if (uscope_slot_valid(s, 0, at)) printf("slot %d: %" PRIu64 "\n", at, uscope_slot_field(s, 0, at, 0));
    uscope_state_free(s);
    return uscope_reader_close(r) == USCOPE_OK ? 0 : 1;
}
