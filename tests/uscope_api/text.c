/* tests/uscope_api/text.c - tests that every function of the µScope Trace Format Specification, sections 9 and 10,
 * exists with its name and parameters. Types have our names. Functions without a result return a status. The test is
 * compiled and run against an installed tree. */
#include <hwtrace/uscope.h>
#include <stdio.h>

typedef struct {
    uscope_writer_t* (*writer_open)(const char* path, const uscope_dut_desc_t* dut, const uscope_schema_t* schema,
                                    uint64_t checkpoint_interval);
    uscope_status_t (*writer_close)(uscope_writer_t* w);
    uscope_status_t (*begin_cycle)(uscope_writer_t* w, uint64_t time_ps);
    uscope_status_t (*slot_set)(uscope_writer_t* w, uint16_t storage_id, uint16_t slot, uint16_t field, uint64_t value);
    uscope_status_t (*slot_clear)(uscope_writer_t* w, uint16_t storage_id, uint16_t slot);
    uscope_status_t (*slot_add)(uscope_writer_t* w, uint16_t storage_id, uint16_t slot, uint16_t field, uint64_t value);
    uscope_status_t (*event)(uscope_writer_t* w, uint16_t event_type_id, const void* payload);
    uscope_status_t (*end_cycle)(uscope_writer_t* w);
    uscope_status_t (*set_checkpoint_callback)(uscope_writer_t* w, uscope_checkpoint_fn fn, void* ud);
    uscope_status_t (*checkpoint_storage)(uscope_writer_t* w, uint16_t storage_id, const uint8_t* valid_mask,
                                          const void* slot_data, uint32_t num_valid_slots);
} section_9;

typedef struct {
    uscope_reader_t* (*reader_open)(const char* path);
    uscope_status_t (*reader_close)(uscope_reader_t* r);
    const uscope_header_t* (*header)(const uscope_reader_t* r);
    const uscope_dut_desc_t* (*dut_desc)(const uscope_reader_t* r);
    const uscope_schema_t* (*schema)(const uscope_reader_t* r);
    const char* (*scope_protocol)(const uscope_reader_t* r, uint16_t scope_id);
    const char* (*dut_property)(const uscope_reader_t* r, const char* key);
    bool (*is_complete)(const uscope_reader_t* r);
    uint32_t (*summary_levels)(const uscope_reader_t* r);
    const void* (*summary_data)(const uscope_reader_t* r, uint32_t level, uint32_t* out_count);
    uscope_state_t* (*state_at)(uscope_reader_t* r, uint64_t time_ps);
    uscope_status_t (*state_free)(uscope_state_t* s);
    bool (*slot_valid)(const uscope_state_t* s, uint16_t storage_id, uint16_t slot);
    uint64_t (*slot_field)(const uscope_state_t* s, uint16_t storage_id, uint16_t slot, uint16_t field);
    uint32_t (*storage_occupancy)(const uscope_state_t* s, uint16_t storage_id);
    uscope_event_iter_t* (*events_in_range)(uscope_reader_t* r, uint64_t time_start_ps, uint64_t time_end_ps);
    bool (*event_next)(uscope_event_iter_t* it, uint64_t* time_ps, uint16_t* event_type_id, const void** payload);
    uscope_status_t (*event_iter_free)(uscope_event_iter_t* it);
    bool (*poll_new_segments)(uscope_reader_t* r);
} section_10;

static const section_9 writer = {uscope_writer_open,
                                 uscope_writer_close,
                                 uscope_begin_cycle,
                                 uscope_slot_set,
                                 uscope_slot_clear,
                                 uscope_slot_add,
                                 uscope_event,
                                 uscope_end_cycle,
                                 uscope_set_checkpoint_callback,
                                 uscope_checkpoint_storage};
static const section_10 reader = {uscope_reader_open,      uscope_reader_close, uscope_header,
                                  uscope_dut_desc,         uscope_schema,       uscope_scope_protocol,
                                  uscope_dut_property,     uscope_is_complete,  uscope_summary_levels,
                                  uscope_summary_data,     uscope_state_at,     uscope_state_free,
                                  uscope_slot_valid,       uscope_slot_field,   uscope_storage_occupancy,
                                  uscope_events_in_range,  uscope_event_next,   uscope_event_iter_free,
                                  uscope_poll_new_segments};

/* A program as in the specification, which ignores every status. */
static void on_checkpoint(uscope_writer_t* w, void* user_data) {
    const uint8_t mask = 1;
    const uint64_t slot = *(const uint64_t*)user_data;
    uint8_t bytes[8];
    for (int i = 0; i < 8; ++i)
        bytes[i] = (uint8_t)(slot >> (8 * i));
    writer.checkpoint_storage(w, 0, &mask, bytes, 1);
}

int main(int argc, char** argv) {
    const uscope_clock_t clock = {"clk", 1000};
    const uscope_scope_t scopes[] = {{"/", 0, NULL, 0}, {"core0", 0, "cpu", 0}};
    const uscope_field_t field = {"n", USCOPE_U64, 0, 0, 0};
    const uscope_storage_t table = {"table", 8, USCOPE_SPARSE, 1, &field, 1, NULL, 0};
    const uscope_event_type_t tick = {"tick", 1, NULL, 0};
    const uscope_schema_t schema = {&clock, 1, scopes, 2, NULL, 0, &table, 1, &tick, 1, NULL, 0};
    const uscope_dut_property_t property = {"dut_name", "text"};
    const uscope_dut_desc_t dut = {&property, 1};
    if (argc != 2) return 2;
    uint64_t total = 0;
    uscope_writer_t* w = writer.writer_open(argv[1], &dut, &schema, 10000);
    writer.set_checkpoint_callback(w, on_checkpoint, &total);
    for (uint64_t cycle = 0; cycle < 100; ++cycle) {
        writer.begin_cycle(w, cycle * 1000);
        writer.slot_add(w, 0, 0, 0, cycle);
        total += cycle;
        writer.slot_set(w, 0, 1, 0, cycle);
        writer.slot_clear(w, 0, 1);
        writer.event(w, 0, NULL);
        writer.end_cycle(w);
    }
    writer.writer_close(w);

    uscope_reader_t* r = reader.reader_open(argv[1]);
    uscope_state_t* s = reader.state_at(r, 99000);
    uscope_event_iter_t* it = reader.events_in_range(r, 0, 99000);
    uint64_t time = 0;
    uint16_t id = 1;
    const void* payload = NULL;
    unsigned events = 0;
    uint32_t count = 1;
    while (reader.event_next(it, &time, &id, &payload))
        events += id == 0 && time == events * UINT64_C(1000) ? 1 : 0;
    const bool good = reader.header(r)->num_segments > 5 && reader.dut_desc(r)->num_properties == 1 &&
                      reader.schema(r)->num_storages == 1 && reader.scope_protocol(r, 1)[0] == 'c' &&
                      reader.dut_property(r, "dut_name")[0] == 't' && reader.is_complete(r) &&
                      reader.summary_data(r, reader.summary_levels(r), &count) == NULL && count == 0 && events == 100 &&
                      reader.slot_valid(s, 0, 0) && !reader.slot_valid(s, 0, 1) &&
                      reader.slot_field(s, 0, 0, 0) == total && reader.storage_occupancy(s, 0) == 1 &&
                      !reader.poll_new_segments(r);
    reader.event_iter_free(it);
    reader.state_free(s);
    reader.reader_close(r);
    printf("%u functions of section 9, %u of section 10\n", (unsigned)(sizeof writer / sizeof writer.writer_close),
           (unsigned)(sizeof reader / sizeof reader.reader_close));
    return good ? 0 : 1;
}
