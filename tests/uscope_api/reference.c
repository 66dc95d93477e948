/* tests/uscope_api/reference.c - a program written for the reference's uscope_dpi.h: builds a schema, records a small
 * pipeline and reads it back. It compiles only if names and signatures are those of the reference. Argument: a file. */
#include "uscope_dpi.h"

#include <stdio.h>
#include <string.h>

#include "check.h"

enum { instructions = 300, stages = 3, rob_size = 8, period = 500 };

/* The signatures. */
typedef struct {
    uscope_schema_def_t* (*schema_new)(void);
    void (*schema_free)(uscope_schema_def_t*);
    uint8_t (*add_clock)(uscope_schema_def_t*, const char*, uint32_t);
    uint16_t (*add_scope)(uscope_schema_def_t*, const char*, uint16_t, const char*, uint8_t);
    uint8_t (*add_enum)(uscope_schema_def_t*, const char*, const char**, uint8_t);
    uint16_t (*add_storage)(uscope_schema_def_t*, const char*, uint16_t, uint16_t, uint16_t, uint16_t, const char**,
                            const uint8_t*, const uint8_t*);
    uint16_t (*add_storage_with_properties)(uscope_schema_def_t*, const char*, uint16_t, uint16_t, uint16_t, uint16_t,
                                            const char**, const uint8_t*, const uint8_t*, uint16_t, const char**,
                                            const uint8_t*, const uint8_t*, const uint8_t*, const uint8_t*);
    uint16_t (*add_event)(uscope_schema_def_t*, const char*, uint16_t, uint16_t, const char**, const uint8_t*,
                          const uint8_t*);
    uscope_writer_t* (*open)(const char*, const uscope_dut_property_t*, uint16_t, uscope_schema_def_t*, uint64_t);
    void (*close)(uscope_writer_t*);
    void (*begin)(uscope_writer_t*, uint64_t);
    void (*set)(uscope_writer_t*, uint16_t, uint16_t, uint16_t, uint64_t);
    void (*clear)(uscope_writer_t*, uint16_t, uint16_t);
    void (*add)(uscope_writer_t*, uint16_t, uint16_t, uint16_t, uint64_t);
    void (*event)(uscope_writer_t*, uint16_t, const void*, uint32_t);
    void (*end)(uscope_writer_t*);
    void (*prop_set)(uscope_writer_t*, uint16_t, uint16_t, uint64_t);
    uint32_t (*string_insert)(uscope_writer_t*, const char*);
} signatures;
static const signatures all = {uscope_schema_new,
                               uscope_schema_free,
                               uscope_schema_add_clock,
                               uscope_schema_add_scope,
                               uscope_schema_add_enum,
                               uscope_schema_add_storage,
                               uscope_schema_add_storage_with_properties,
                               uscope_schema_add_event,
                               uscope_writer_open,
                               uscope_writer_close,
                               uscope_begin_cycle,
                               uscope_slot_set,
                               uscope_slot_clear,
                               uscope_slot_add,
                               uscope_event,
                               uscope_end_cycle,
                               uscope_prop_set,
                               uscope_string_insert};

typedef struct {
    uint16_t entities, rob, retired, enter, note;
} ids;

static uscope_schema_def_t* make_schema(ids* id) {
    uscope_schema_def_t* s = uscope_schema_new();
    const uint8_t clock = uscope_schema_add_clock(s, "clk", period);
    CHECK(uscope_schema_add_scope(s, "root", 0xFFFF, NULL, 0xFF) == 0);
    const uint16_t core = uscope_schema_add_scope(s, "core", 0, "cpu", clock);
    const char* names[] = {"F", "X", "W"};
    const uint8_t stage = uscope_schema_add_enum(s, "pipeline_stage", names, stages);
    CHECK(clock == 0 && core == 1 && stage == 0);

    const char* entity[] = {"entity_id", "pc"};
    const uint8_t entity_types[] = {USCOPE_FT_U32, USCOPE_FT_U64}, no_enums[] = {0, 0};
    id->entities =
        uscope_schema_add_storage(s, "entities", core, rob_size, USCOPE_SF_SPARSE, 2, entity, entity_types, no_enums);
    const char* pointers[] = {"head", "tail"};
    const uint8_t pointer_types[] = {USCOPE_FT_U16, USCOPE_FT_U16};
    const uint8_t roles[] = {USCOPE_PROP_ROLE_HEAD_PTR, USCOPE_PROP_ROLE_TAIL_PTR}, pairs[] = {4, 4};
    id->rob = uscope_schema_add_storage_with_properties(s, "rob", core, rob_size, USCOPE_SF_SPARSE | USCOPE_SF_BUFFER,
                                                        1, entity, entity_types, NULL, 2, pointers, pointer_types, NULL,
                                                        roles, pairs);
    const char* count[] = {"count"};
    const uint8_t count_type[] = {USCOPE_FT_U64};
    id->retired = uscope_schema_add_storage(s, "retired", core, 1, 0, 1, count, count_type, NULL);

    const char* enter[] = {"entity_id", "stage"};
    const uint8_t enter_types[] = {USCOPE_FT_U32, USCOPE_FT_ENUM}, enter_enums[] = {0, stage};
    id->enter = uscope_schema_add_event(s, "stage_transition", core, 2, enter, enter_types, enter_enums);
    const char* note[] = {"entity_id", "text"};
    const uint8_t note_types[] = {USCOPE_FT_U32, USCOPE_FT_STRING_REF};
    id->note = uscope_schema_add_event(s, "annotate", core, 2, note, note_types, NULL);
    CHECK(id->entities == 0 && id->rob == 1 && id->retired == 2 && id->enter == 0 && id->note == 1);
    return s;
}

/* Each instruction enters a stage in each cycle: three are in flight. */
static void record(uscope_writer_t* w, const ids* id) {
    for (uint32_t cycle = 0; cycle < instructions + stages; ++cycle) {
        uscope_begin_cycle(w, (uint64_t)cycle * period);
        for (uint32_t stage = 0; stage <= stages; ++stage) {
            if (cycle < stage || cycle - stage >= instructions) continue;
            const uint32_t entity = cycle - stage;
            const uint16_t slot = (uint16_t)(entity % rob_size);
            if (stage == stages) {
                uscope_slot_clear(w, id->rob, slot);
                uscope_slot_clear(w, id->entities, slot);
                uscope_slot_add(w, id->retired, 0, 0, 1);
                uscope_prop_set(w, id->rob, 0, (uint64_t)((entity + 1) % rob_size));
                continue;
            }
            if (stage == 0) {
                uscope_slot_set(w, id->entities, slot, 0, entity);
                uscope_slot_set(w, id->entities, slot, 1, 0x80000000u + 4 * entity);
                uscope_slot_set(w, id->rob, slot, 0, entity);
                uscope_prop_set(w, id->rob, 1, (uint64_t)((entity + 1) % rob_size));
                const uint32_t text = uscope_string_insert(w, entity % 2 == 0 ? "add" : "mul");
                uint8_t note[8];
                memcpy(note, &entity, 4);
                memcpy(note + 4, &text, 4);
                uscope_event(w, id->note, note, sizeof note);
            }
            uint8_t payload[5];
            memcpy(payload, &entity, 4);
            payload[4] = (uint8_t)stage;
            uscope_event(w, id->enter, payload, sizeof payload);
        }
        uscope_end_cycle(w);
    }
}

static void read_back(const char* path) {
    uscope_reader_t* r = uscope_reader_open(path);
    const uscope_schema_t* schema = uscope_schema(r);
    if (!CHECK(r != NULL && schema != NULL)) return;
    CHECK(schema->num_scopes == 2 && schema->num_storages == 3 && schema->num_events == 2);
    CHECK_TEXT(uscope_scope_protocol(r, 1), "cpu");
    CHECK_TEXT(schema->enums[0].values[2].name, "W");
    CHECK(schema->storages[1].properties[1].role == USCOPE_TAIL_POINTER && schema->storages[1].properties[1].pair == 4);
    CHECK_TEXT(uscope_dut_property(r, "dut_name"), "unit");
    CHECK(uscope_is_complete(r) && uscope_finding_count(r) == 0 && uscope_string_count(r) == 2);
    CHECK(uscope_header(r)->num_segments > 3);

    uscope_event_iter_t* it = uscope_events_in_range(r, 0, UINT64_MAX);
    uint64_t time = 0, entered = 0, notes = 0;
    uint16_t type = 0;
    const void* payload = NULL;
    bool same = true;
    while (uscope_event_next(it, &time, &type, &payload)) {
        const uint64_t entity = uscope_payload_field(&schema->events[type], payload, 0);
        const uint64_t value = uscope_payload_field(&schema->events[type], payload, 1);
        if (type == 0) {
            same = same && time == (entity + value) * period;
            ++entered;
        } else {
            const char* text = uscope_string_text(r, value, NULL);
            same = same && text != NULL && strcmp(text, entity % 2 == 0 ? "add" : "mul") == 0;
            ++notes;
        }
    }
    CHECK(same && entered == stages * instructions && notes == instructions);
    uscope_state_t* s = uscope_state_at(r, 100 * period);
    CHECK(uscope_storage_occupancy(s, 0) == stages && uscope_slot_field(s, 0, 100 % rob_size, 0) == 100);
    CHECK(uscope_slot_field(s, 2, 0, 0) == 98 && uscope_property(s, 1, 1) == 101 % rob_size);
    uscope_state_free(s);
    uscope_event_iter_free(it);
    uscope_reader_close(r);
}

/* Wrong calls do nothing. */
static void misuse(const char* path) {
    const char* name[] = {"f"};
    const uint8_t type[] = {USCOPE_FT_U8}, bad_type[] = {99};
    uscope_schema_free(NULL);
    CHECK(uscope_schema_add_clock(NULL, "clk", 1) == 0xFF && uscope_last_status() == USCOPE_ERROR_NULL);
    CHECK(uscope_schema_add_scope(NULL, "/", 0xFFFF, NULL, 0) == 0xFFFF);
    CHECK(uscope_schema_add_enum(NULL, "e", name, 1) == 0xFF);
    CHECK(uscope_schema_add_storage(NULL, "s", 0, 1, 0, 1, name, type, NULL) == 0xFFFF);
    CHECK(uscope_schema_add_event(NULL, "e", 0, 1, name, type, NULL) == 0xFFFF);
    CHECK(uscope_writer_open(path, NULL, 0, NULL, 0) == NULL && uscope_last_status() == USCOPE_ERROR_NULL);

    uscope_schema_def_t* s = uscope_schema_new();
    CHECK(uscope_schema_add_clock(s, NULL, 1) == 0xFF);
    CHECK(uscope_schema_add_event(s, "e", 0, 1, name, bad_type, NULL) == 0);
    CHECK(uscope_writer_open(path, NULL, 0, s, 0) == NULL && uscope_last_status() == USCOPE_ERROR_SCHEMA);
    CHECK(uscope_schema_add_clock(s, "clk", 1) == 0xFF); /* the schema was freed */
    uscope_schema_free(s);

    s = uscope_schema_new(); /* without a clock and a scope */
    CHECK(uscope_schema_add_event(s, "e", 0, 1, name, type, NULL) == 0);
    CHECK(uscope_schema_add_storage_with_properties(s, "s", 0, 1, 0, 1, name, type, NULL, 0, NULL, NULL, NULL, NULL,
                                                    NULL) == 0);
    uscope_writer_t* w = uscope_writer_open(path, NULL, 0, s, 0);
    CHECK(w != NULL);
    uscope_slot_set(w, 0, 0, 0, 1);
    CHECK(uscope_writer_status(w) == USCOPE_ERROR_ORDER);
    uscope_begin_cycle(w, 0);
    uscope_event(w, 0, "ab", 2);
    CHECK(uscope_last_status() == USCOPE_ERROR_ARGUMENT);
    uscope_event(w, 0, "a", 1);
    uscope_end_cycle(w);
    CHECK(uscope_string_insert(w, NULL) == 0xFFFFFFFF);
    uscope_writer_close(w);
    uscope_slot_clear(w, 0, 0);
    uscope_slot_add(w, 0, 0, 0, 1);
    uscope_prop_set(w, 0, 0, 1);
    uscope_writer_close(w);
    CHECK(uscope_last_status() == USCOPE_ERROR_CLOSED);
}

int main(int argc, char** argv) {
    const char* const path = argc > 1 ? argv[1] : "reference.uscope";
    const uscope_dut_property_t properties[] = {{"dut_name", "unit"}, {"cpu.pipeline_stages", "F,X,W"}};
    ids id;
    CHECK(all.schema_new != NULL && all.string_insert != NULL);
    misuse(path);
    uscope_writer_t* w = uscope_writer_open(path, properties, 2, make_schema(&id), 50 * period);
    if (!CHECK(w != NULL)) {
        fprintf(stderr, "%s\n", uscope_last_error());
        return 1;
    }
    record(w, &id);
    CHECK(uscope_writer_status(w) == USCOPE_OK);
    uscope_writer_close(w);
    read_back(path);
    return check_result();
}
