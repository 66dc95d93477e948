/* tests/uscope_api/round_trip.c - tests that readers return what was recorded: schema, states, events, items, strings
 * and summary. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "check.h"
#include "machine.h"

enum { cycles = 3000, segment_cycles = 250 };

typedef struct {
    int calls;
    const machine* m;
    bool misuses;
} checkpoints;

/* States the current contents of registers (dense) and rob (sparse). */
static void state_all(uscope_writer_t* w, void* user_data) {
    checkpoints* seen = user_data;
    ++seen->calls;
    uint8_t values[4 * register_count];
    for (int i = 0; i < register_count; ++i)
        for (int byte = 0; byte < 4; ++byte)
            values[4 * i + byte] = (uint8_t)((uint32_t)seen->m->registers[i] >> (8 * byte));
    CHECK(uscope_checkpoint_storage(w, registers, NULL, values, register_count) == USCOPE_OK);

    uint8_t mask[2] = {0, 0}, slots[rob_slots * 20];
    uint32_t valid = 0;
    uint8_t* at = slots;
    for (int i = 0; i < rob_slots; ++i) {
        const machine_entry* entry = &seen->m->rob[i];
        if (!entry->valid) continue;
        mask[i / 8] = (uint8_t)(mask[i / 8] | 1u << (i % 8));
        ++valid;
        for (int byte = 0; byte < 4; ++byte)
            *at++ = (uint8_t)(entry->entity >> (8 * byte));
        for (int byte = 0; byte < 8; ++byte)
            *at++ = (uint8_t)(entry->pc >> (8 * byte));
        *at++ = entry->ready ? 1 : 0;
        *at++ = entry->stage;
        *at++ = (uint8_t)((uint16_t)entry->offset & 0xFF);
        *at++ = (uint8_t)((uint16_t)entry->offset >> 8);
        for (int byte = 0; byte < 4; ++byte)
            *at++ = (uint8_t)(entry->note >> (8 * byte));
    }
    CHECK(uscope_checkpoint_storage(w, rob, mask, slots, valid) == USCOPE_OK);
}

static void check_schema(const uscope_reader_t* r) {
    const uscope_schema_t* schema = uscope_schema(r);
    if (!CHECK(schema != NULL)) return;
    CHECK(schema->num_clocks == 2 && schema->num_scopes == 4 && schema->num_enums == 1 && schema->num_storages == 3 &&
          schema->num_events == 3 && schema->num_summary_fields == 0);
    CHECK(strcmp(schema->clocks[1].name, "bus_clk") == 0 && schema->clocks[1].period_ps == 1250);
    CHECK(strcmp(schema->scopes[0].name, "/") == 0 && schema->scopes[0].parent == USCOPE_NO_SCOPE);
    CHECK(schema->scopes[3].parent == 2 && schema->scopes[3].clock == USCOPE_INHERIT_CLOCK);
    CHECK(strcmp(schema->enums[0].values[2].name, "done") == 0 && schema->enums[0].values[2].value == 2);
    const uscope_storage_t* storage = &schema->storages[rob];
    CHECK(strcmp(storage->name, "rob") == 0 && storage->num_slots == rob_slots && storage->scope == 1 &&
          storage->flags == (USCOPE_SPARSE | USCOPE_BUFFER) && storage->num_fields == 6 &&
          storage->num_properties == 3);
    CHECK(storage->fields[rob_stage].type == USCOPE_ENUM && storage->fields[rob_note].type == USCOPE_STRING_REF);
    CHECK(storage->properties[rob_tail].role == USCOPE_TAIL_POINTER);
    CHECK(uscope_find_storage(schema, "registers") == registers && uscope_find_storage(schema, "none") == -1);
    CHECK(uscope_find_event(schema, "wide") == wide && uscope_find_event(NULL, "wide") == -1);
    CHECK(uscope_find_field(storage->fields, storage->num_fields, "offset") == rob_offset);
    CHECK(uscope_payload_size(&schema->events[fetch]) == 9 && uscope_payload_size(&schema->events[stall]) == 0);

    CHECK(uscope_scope_protocol(r, 0) == NULL);
    CHECK_TEXT(uscope_scope_protocol(r, 1), "example.core");
    CHECK_TEXT(uscope_scope_protocol(r, 3), "example.port");
    CHECK_TEXT(uscope_dut_property(r, "cpu.isa"), "RV64");
    CHECK(uscope_dut_property(r, "none") == NULL && uscope_dut_desc(r)->num_properties == 3);
    CHECK(strcmp(uscope_dut_property(r, "empty"), "") == 0);
    CHECK(uscope_checkpoint_interval(r) == segment_cycles * machine_period);
}

static void check_header(const uscope_reader_t* r) {
    const uscope_header_t* header = uscope_header(r);
    if (!CHECK(header != NULL)) return;
    CHECK(memcmp(header->magic, "uSCP", 4) == 0 && header->version_major == 0 && header->version_minor == 3);
    CHECK((header->flags & 1) != 0 && header->total_time_ps == machine_time(cycles - 1));
    CHECK(header->num_segments >= cycles / segment_cycles && header->tail_offset > header->preamble_end);
    CHECK(uscope_is_complete(r));
}

/* Runs the machine again and compares states at each segment boundary and at many other times. */
static void check_states(uscope_reader_t* r, const int64_t notes[3]) {
    machine m = machine_behind(0, notes);
    bool same = true;
    while (m.cycle < cycles) {
        machine_step(&m, NULL);
        const uint64_t last = m.cycle - 1;
        if (last % segment_cycles > 1 && last % segment_cycles != segment_cycles - 1 && last % 37 != 0) continue;
        uscope_state_t* s = uscope_state_at(r, machine_time(last));
        uscope_state_t* later = uscope_state_at(r, machine_time(last) + machine_period - 1);
        if (!machine_is(&m, s) || !machine_is(&m, later)) {
            fprintf(stderr, "the state behind cycle %lu differs\n", (unsigned long)last);
            same = false;
        }
        uscope_state_free(s);
        uscope_state_free(later);
    }
    CHECK(same);
    /* Reads states backwards, and after the end. */
    uscope_state_t* end = uscope_state_at(r, UINT64_MAX);
    CHECK(machine_is(&m, end));
    const machine early = machine_behind(300, notes);
    uscope_state_t* back = uscope_state_at(r, machine_time(299));
    CHECK(machine_is(&early, back));
    CHECK(machine_is(&m, end));
    uscope_state_free(back);
    uscope_state_free(end);
}

/* Compares the events of cycles `begin` to `end`, inclusive, with other uses of the reader in between. */
static void check_events(uscope_reader_t* r, const int64_t notes[3], uint64_t begin, uint64_t end, bool disturb) {
    const uscope_schema_t* schema = uscope_schema(r);
    machine m = machine_behind(begin, notes);
    uscope_event_iter_t* it = uscope_events_in_range(r, machine_time(begin), machine_time(end));
    uint64_t time = 0;
    uint16_t id = 0;
    const void* payload = NULL;
    bool same = true;
    unsigned count = 0;
    while (m.cycle <= end) {
        const uint64_t now = machine_time(m.cycle);
        const machine_events happened = machine_step(&m, NULL);
        if (happened.fetched != 0) {
            same = same && uscope_event_next(it, &time, &id, &payload) && time == now && id == fetch &&
                   uscope_payload_field(&schema->events[fetch], payload, 0) == happened.fetched &&
                   uscope_payload_field(&schema->events[fetch], payload, 1) == (uint64_t)(int64_t)happened.delta &&
                   uscope_payload_field(&schema->events[fetch], payload, 2) == (uint64_t)notes[0];
            ++count;
        }
        if (happened.stalls) {
            same = same && uscope_event_next(it, &time, &id, &payload) && time == now && id == stall;
            ++count;
        }
        if (happened.is_wide) {
            same = same && uscope_event_next(it, &time, &id, &payload) && time == now && id == wide &&
                   uscope_payload_field(&schema->events[wide], payload, 0) == 0x0123456789ABCDEFu;
            ++count;
        }
        if (disturb && m.cycle % 97 == 0) {
            uscope_state_t* s = uscope_state_at(r, machine_time(m.cycle * 31 % cycles));
            uscope_state_free(s);
        }
    }
    CHECK(same && count != 0);
    CHECK(!uscope_event_next(it, &time, &id, &payload));
    CHECK(!uscope_event_next(it, NULL, NULL, NULL));
    CHECK(uscope_event_iter_free(it) == USCOPE_OK);
}

static void check_items(uscope_reader_t* r) {
    uscope_item_iter_t* it = uscope_items_in_range(r, 0, UINT64_MAX);
    uscope_item_t item;
    uint64_t frames = 0, adds = 0, fetched_again = 0, previous = 0;
    bool ordered = true;
    while (uscope_item_next(it, &item)) {
        ordered = ordered && item.time_ps >= previous;
        previous = item.time_ps;
        frames += item.first_of_frame ? 1 : 0;
        if (item.kind == USCOPE_ITEM_ADD && item.id == committed) adds += item.value;
        if (item.kind == USCOPE_ITEM_EVENT && item.id == fetch) {
            ++fetched_again;
            ordered = ordered && item.payload_size == 9;
        }
        CHECK(item.kind != USCOPE_ITEM_RAW && item.kind != USCOPE_ITEM_FRAME);
    }
    const int64_t notes[3] = {0, 1, 2};
    const machine m = machine_behind(cycles, notes);
    CHECK(ordered && frames == cycles && adds == m.committed && fetched_again != 0);
    CHECK(uscope_item_iter_free(it) == USCOPE_OK);
}

static void check_summary(uscope_reader_t* r) {
    const uscope_summary_t* summary = uscope_summary(r);
    if (!CHECK(summary != NULL)) return;
    CHECK(summary->base_interval_cycles == 1024 && summary->fan_out == 4 && summary->num_counters == 1);
    const uint32_t levels = uscope_summary_levels(r);
    CHECK(levels == 2);
    uint32_t count = 0;
    const uint32_t* density = uscope_summary_data(r, 0, &count);
    CHECK(density != NULL && count == 3);
    CHECK(uscope_summary_data(r, 1, &count) != NULL && count == 1);
    CHECK(uscope_summary_data(r, levels, &count) == NULL && count == 0);
    const char* name = NULL;
    uint16_t storage = 99;
    uint32_t counter_levels = 0;
    CHECK(uscope_summary_counter(r, 0, &name, &storage, &counter_levels) && storage == committed &&
          counter_levels == 2);
    CHECK_TEXT(name, "committed");
    CHECK(!uscope_summary_counter(r, 1, &name, NULL, NULL));
    const int64_t notes[3] = {0, 1, 2};
    const uscope_bucket_t* whole = uscope_summary_counter_data(r, 0, 1, &count);
    CHECK(whole != NULL && count == 1 && whole->sum == machine_behind(cycles, notes).committed && whole->max == 1);
    CHECK(uscope_summary_counter_data(r, 0, 2, &count) == NULL);
}

static void round_trip(const char* path, const uscope_writer_options_t* options, bool with_callback) {
    uscope_writer_t* w = uscope_writer_open_with(path, &machine_dut, &machine_schema,
                                                 (uint64_t)segment_cycles * machine_period, options);
    if (!CHECK(w != NULL)) {
        fprintf(stderr, "%s\n", uscope_last_error());
        return;
    }
    machine m;
    memset(&m, 0, sizeof m);
    machine_notes(&m, w);
    checkpoints seen = {0, &m, false};
    if (with_callback) CHECK(uscope_set_checkpoint_callback(w, state_all, &seen) == USCOPE_OK);
    while (m.cycle < cycles) {
        machine_step(&m, w);
        if (m.cycle == 77) CHECK(uscope_flush_segment(w) == USCOPE_OK);
    }
    CHECK(uscope_writer_status(w) == USCOPE_OK && strcmp(uscope_writer_error(w), "") == 0);
    CHECK(uscope_writer_close(w) == USCOPE_OK);
    CHECK(!with_callback || seen.calls >= cycles / segment_cycles - 1);

    uscope_reader_t* r = uscope_reader_open(path);
    if (!CHECK(r != NULL)) {
        fprintf(stderr, "%s\n", uscope_last_error());
        return;
    }
    check_schema(r);
    check_header(r);
    CHECK(uscope_string_count(r) == 3);
    size_t length = 0;
    CHECK_TEXT(uscope_string_text(r, (uint64_t)m.notes[2], &length), "Grüße");
    CHECK(length == strlen("Grüße"));
    CHECK(uscope_string_text(r, 3, &length) == NULL && length == 0);
    check_states(r, m.notes);
    check_events(r, m.notes, 0, cycles - 1, false);
    check_events(r, m.notes, 0, cycles - 1, true);
    for (uint64_t cycle = segment_cycles - 2; cycle <= segment_cycles + 2; ++cycle) {
        check_events(r, m.notes, cycle, cycle + 20, false);
        check_events(r, m.notes, cycle - 20, cycle, true);
    }
    check_items(r);
    check_summary(r);
    CHECK(!uscope_poll_new_segments(r));
    CHECK(uscope_finding_count(r) == 0);
    for (size_t i = 0; i < uscope_finding_count(r); ++i)
        fprintf(stderr, "finding: %s\n", uscope_finding(r, i));
    CHECK(strcmp(uscope_reader_error(r), "") != 0); /* the missing string */

    /* A writer accepts the schema of a reader. */
    char copy[4096];
    snprintf(copy, sizeof copy, "%s.copy", path);
    w = uscope_writer_open(copy, uscope_dut_desc(r), uscope_schema(r), 0);
    CHECK(w != NULL);
    CHECK(uscope_writer_close(w) == USCOPE_OK);
    CHECK(uscope_reader_close(r) == USCOPE_OK);
    r = uscope_reader_open(copy);
    CHECK(r != NULL && uscope_schema(r)->num_storages == 3 && uscope_header(r)->num_segments == 0);
    CHECK(uscope_finding(r, 99) == NULL && uscope_last_status() == USCOPE_ERROR_RANGE);
    CHECK(uscope_summary(r) == NULL && uscope_last_status() == USCOPE_OK && uscope_summary_levels(r) == 0);
    uscope_state_t* empty = uscope_state_at(r, 0);
    CHECK(empty != NULL && uscope_storage_occupancy(empty, rob) == 0);
    CHECK(uscope_reader_close(r) == USCOPE_OK);
    CHECK(!uscope_slot_valid(empty, rob, 0)); /* the state outlives the reader */
    CHECK(uscope_state_free(empty) == USCOPE_OK);
    remove(copy);
}

/* Records `items` items of a kind in one cycle. */
static void record_many(uscope_writer_t* w, uscope_item_kind_t kind, unsigned items) {
    for (unsigned i = 0; i < items; ++i) {
        if (kind == USCOPE_ITEM_SET)
            uscope_slot_set(w, rob, (uint16_t)(i % rob_slots), rob_pc, i);
        else if (kind == USCOPE_ITEM_ADD)
            uscope_slot_add(w, committed, 0, 0, i);
        else if (kind == USCOPE_ITEM_CLEAR)
            uscope_slot_clear(w, rob, (uint16_t)(i % rob_slots));
        else if (kind == USCOPE_ITEM_PROP_SET)
            uscope_prop_set(w, rob, rob_head, i % rob_slots);
        else
            uscope_event(w, stall, NULL);
    }
}

/* Checks that a cycle with more items than a frame holds becomes several frames of the same time. */
static void large_cycle(const char* path, uscope_item_kind_t kind) {
    enum { items = 70000 };
    uscope_writer_t* w = uscope_writer_open(path, NULL, &machine_schema, 1000);
    uscope_begin_cycle(w, 10);
    record_many(w, kind, items);
    uscope_end_cycle(w);
    uscope_begin_cycle(w, 10);
    uscope_end_cycle(w);
    CHECK(uscope_writer_close(w) == USCOPE_OK);
    uscope_reader_t* r = uscope_reader_open(path);
    uscope_item_iter_t* it = uscope_items_in_range(r, 10, 10);
    uscope_item_t item;
    unsigned frames = 0, of_kind = 0, empty = 0;
    while (uscope_item_next(it, &item)) {
        frames += item.first_of_frame ? 1 : 0;
        of_kind += item.kind == kind ? 1 : 0;
        empty += item.kind == USCOPE_ITEM_FRAME ? 1 : 0;
    }
    CHECK(frames == 3 && of_kind == items && empty == 1);
    uscope_state_t* s = uscope_state_at(r, 10);
    if (kind == USCOPE_ITEM_ADD) CHECK(uscope_slot_field(s, committed, 0, 0) == (uint64_t)items * (items - 1) / 2);
    if (kind == USCOPE_ITEM_SET) CHECK(uscope_slot_field(s, rob, (items - 1) % rob_slots, rob_pc) == items - 1);
    uscope_state_free(s);
    uscope_item_iter_free(it);
    uscope_reader_close(r);
}

/* States registers that change without a record. */
static void state_unseen(uscope_writer_t* w, void* user_data) {
    const uint32_t* loaded = user_data;
    uint8_t values[4 * register_count] = {0};
    for (int byte = 0; byte < 4; ++byte)
        values[4 * 3 + byte] = (uint8_t)(*loaded >> (8 * byte));
    CHECK(uscope_checkpoint_storage(w, registers, NULL, values, register_count) == USCOPE_OK);
}

static void unseen_state(const char* path) {
    uscope_writer_t* w = uscope_writer_open(path, NULL, &machine_schema, 1000000);
    uint32_t loaded = 0x12345678;
    CHECK(uscope_set_checkpoint_callback(w, state_unseen, &loaded) == USCOPE_OK);
    for (unsigned cycle = 0; cycle < 8; ++cycle) {
        uscope_begin_cycle(w, cycle * 100);
        uscope_slot_set(w, registers, 1, 0, cycle);
        uscope_slot_add(w, committed, 0, 0, 1);
        uscope_end_cycle(w);
        if (cycle == 3) CHECK(uscope_flush_segment(w) == USCOPE_OK);
    }
    CHECK(uscope_writer_close(w) == USCOPE_OK);
    uscope_reader_t* r = uscope_reader_open(path);
    CHECK(uscope_header(r)->num_segments == 2);
    uscope_state_t* before = uscope_state_at(r, 250);
    CHECK(uscope_slot_field(before, registers, 3, 0) == 0 && uscope_slot_field(before, registers, 1, 0) == 2);
    uscope_state_t* after = uscope_state_at(r, 450);
    CHECK(uscope_slot_field(after, registers, 3, 0) == loaded && uscope_slot_field(after, registers, 1, 0) == 4);
    CHECK(uscope_slot_field(after, committed, 0, 0) == 5); /* not stated: the value of the operations */
    uscope_state_free(before);
    uscope_state_free(after);
    uscope_reader_close(r);
}

/* Checks that hwtrace-validate finds nothing in a file that this library has written. */
static void validate(const char* tool, const char* path) {
    char command[4096];
    snprintf(command, sizeof command, "'%s' --strict '%s'", tool, path);
    CHECK(system(command) == 0);
}

int main(int argc, char** argv) {
    if (argc < 2) {
        fprintf(stderr, "usage: %s FILE [hwtrace-validate]\n", argv[0]);
        return 2;
    }
    const uscope_writer_options_t zstd = {USCOPE_ZSTD, false, false, 2};
    const uscope_writer_options_t plain = {USCOPE_UNCOMPRESSED, true, false, 0};
    const char* tool = argc > 2 ? argv[2] : NULL;
    round_trip(argv[1], NULL, false);
    if (tool != NULL) validate(tool, argv[1]);
    round_trip(argv[1], &zstd, true);
    if (tool != NULL) validate(tool, argv[1]);
    round_trip(argv[1], &plain, true);
    if (tool != NULL) validate(tool, argv[1]);
    unseen_state(argv[1]);
    for (int kind = USCOPE_ITEM_SET; kind <= USCOPE_ITEM_EVENT; ++kind)
        large_cycle(argv[1], (uscope_item_kind_t)kind);
    if (tool != NULL) validate(tool, argv[1]);
    remove(argv[1]);
    return check_result();
}
