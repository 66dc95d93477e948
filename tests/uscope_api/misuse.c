/* tests/uscope_api/misuse.c - tests that every wrong call returns a status and an error text, and changes nothing. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "check.h"
#include "machine.h"

/* Checks that a call failed with this status and that the error has this text. */
#define FAILS(call, expected, text)                \
    do {                                           \
        CHECK((call) == (expected));               \
        CHECK(uscope_last_status() == (expected)); \
        CHECK_TEXT(uscope_last_error(), text);     \
    } while (0)
#define GIVES_NULL(call, expected, text)           \
    do {                                           \
        CHECK((call) == NULL);                     \
        CHECK(uscope_last_status() == (expected)); \
        CHECK_TEXT(uscope_last_error(), text);     \
    } while (0)

static void no_writer(uscope_writer_t* w, uscope_status_t status, const char* text) {
    FAILS(uscope_begin_cycle(w, 0), status, text);
    FAILS(uscope_end_cycle(w), status, text);
    FAILS(uscope_slot_set(w, 0, 0, 0, 0), status, text);
    FAILS(uscope_slot_clear(w, 0, 0), status, text);
    FAILS(uscope_slot_add(w, 0, 0, 0, 0), status, text);
    FAILS(uscope_prop_set(w, 0, 0, 0), status, text);
    FAILS(uscope_event(w, 0, NULL), status, text);
    FAILS(uscope_event_sized(w, 0, NULL, 0), status, text);
    FAILS(uscope_event_values(w, 0, NULL, 0), status, text);
    FAILS(uscope_flush_segment(w), status, text);
    FAILS(uscope_set_checkpoint_callback(w, NULL, NULL), status, text);
    FAILS(uscope_checkpoint_storage(w, 0, NULL, NULL, 0), status, text);
    FAILS(uscope_writer_status(w), status, text);
    FAILS(uscope_writer_close(w), status, text);
    CHECK(uscope_string(w, "text") == USCOPE_NO_STRING);
    CHECK_TEXT(uscope_writer_error(w), text);
    CHECK(uscope_writer_stopped(w));
}

static void no_reader(uscope_reader_t* r, uscope_status_t status, const char* text) {
    uint32_t count = 7;
    GIVES_NULL(uscope_header(r), status, text);
    GIVES_NULL(uscope_dut_desc(r), status, text);
    GIVES_NULL(uscope_schema(r), status, text);
    GIVES_NULL(uscope_scope_protocol(r, 0), status, text);
    GIVES_NULL(uscope_dut_property(r, "key"), status, text);
    GIVES_NULL(uscope_string_text(r, 0, NULL), status, text);
    GIVES_NULL(uscope_finding(r, 0), status, text);
    GIVES_NULL(uscope_summary(r), status, text);
    GIVES_NULL(uscope_summary_data(r, 0, &count), status, text);
    CHECK(count == 0);
    GIVES_NULL(uscope_summary_counter_data(r, 0, 0, NULL), status, text);
    GIVES_NULL(uscope_state_at(r, 0), status, text);
    GIVES_NULL(uscope_events_in_range(r, 0, 1), status, text);
    GIVES_NULL(uscope_items_in_range(r, 0, 1), status, text);
    CHECK(!uscope_is_complete(r) && uscope_checkpoint_interval(r) == 0 && uscope_string_count(r) == 0);
    CHECK(uscope_finding_count(r) == 0 && uscope_summary_levels(r) == 0 && !uscope_poll_new_segments(r));
    CHECK(!uscope_summary_counter(r, 0, NULL, NULL, NULL));
    CHECK_TEXT(uscope_reader_error(r), text);
    FAILS(uscope_reader_close(r), status, text);
}

static void no_state(uscope_state_t* s, uscope_status_t status, const char* text) {
    CHECK(!uscope_slot_valid(s, 0, 0) && uscope_last_status() == status);
    CHECK(uscope_slot_field(s, 0, 0, 0) == 0 && uscope_property(s, 0, 0) == 0 && uscope_storage_occupancy(s, 0) == 0);
    FAILS(uscope_state_free(s), status, text);
}

static void no_iterators(uscope_event_iter_t* events, uscope_item_iter_t* items, uscope_status_t status,
                         const char* text) {
    uscope_item_t item;
    CHECK(!uscope_event_next(events, NULL, NULL, NULL) && uscope_last_status() == status);
    CHECK_TEXT(uscope_last_error(), text);
    CHECK(!uscope_item_next(items, &item) && uscope_last_status() == status);
    FAILS(uscope_event_iter_free(events), status, text);
    FAILS(uscope_item_iter_free(items), status, text);
}

static void wrong_calls_of_a_writer(const char* path) {
    uscope_writer_t* w = uscope_writer_open(path, NULL, &machine_schema, 0);
    if (!CHECK(w != NULL)) return;
    FAILS(uscope_slot_set(w, 0, 0, 0, 0), USCOPE_ERROR_ORDER, "uscope_slot_set: outside a cycle");
    CHECK(uscope_writer_status(w) == USCOPE_ERROR_ORDER);
    CHECK_TEXT(uscope_writer_error(w), "uscope_slot_set");
    FAILS(uscope_event(w, stall, NULL), USCOPE_ERROR_ORDER, "outside a cycle");
    FAILS(uscope_end_cycle(w), USCOPE_ERROR_ORDER, "outside a cycle");
    CHECK_TEXT(uscope_writer_error(w), "uscope_slot_set: outside a cycle (and 2 more)");
    FAILS(uscope_checkpoint_storage(w, 0, NULL, NULL, 0), USCOPE_ERROR_ORDER, "callback");

    CHECK(uscope_begin_cycle(w, 1000) == USCOPE_OK);
    FAILS(uscope_begin_cycle(w, 2000), USCOPE_ERROR_ORDER, "inside a cycle");
    FAILS(uscope_flush_segment(w), USCOPE_ERROR_ORDER, "inside a cycle");
    FAILS(uscope_slot_set(w, 3, 0, 0, 0), USCOPE_ERROR_RANGE, "storage 3 does not exist (count: 3)");
    FAILS(uscope_slot_set(w, rob, rob_slots, 0, 0), USCOPE_ERROR_RANGE,
          "slot 16 of storage 0 (rob) does not exist (count: 16)");
    FAILS(uscope_slot_set(w, rob, 0, 6, 0), USCOPE_ERROR_RANGE, "field 6 of storage 0 (rob) does not exist (count: 6)");
    FAILS(uscope_slot_set(w, rob, 0, rob_note, 0), USCOPE_ERROR_RANGE, "string 0");
    FAILS(uscope_slot_add(w, rob, 0, rob_note, 0), USCOPE_ERROR_ARGUMENT, "string");
    FAILS(uscope_slot_add(w, 65535, 65535, 65535, 0), USCOPE_ERROR_RANGE, "storage 65535");
    FAILS(uscope_slot_clear(w, registers, register_count), USCOPE_ERROR_RANGE, "slot 8");
    FAILS(uscope_slot_clear(w, 9, 0), USCOPE_ERROR_RANGE, "storage 9");
    FAILS(uscope_prop_set(w, rob, 3, 0), USCOPE_ERROR_RANGE, "property 3");
    FAILS(uscope_prop_set(w, registers, 0, 0), USCOPE_ERROR_RANGE, "property 0");
    FAILS(uscope_prop_set(w, 4, 0, 0), USCOPE_ERROR_RANGE, "storage 4");
    FAILS(uscope_prop_set(w, rob, rob_label, 0), USCOPE_ERROR_RANGE, "string 0");
    FAILS(uscope_event(w, 3, ""), USCOPE_ERROR_RANGE, "event type 3 does not exist (count: 3)");
    FAILS(uscope_event(w, fetch, NULL), USCOPE_ERROR_NULL, "payload");
    FAILS(uscope_event_sized(w, fetch, "12345678", 8), USCOPE_ERROR_ARGUMENT, "9 bytes, not 8");
    const unsigned char no_text[9] = {0, 0, 0, 0, 0, 255, 255, 255, 255};
    FAILS(uscope_event(w, fetch, no_text), USCOPE_ERROR_RANGE, "string 4294967295");
    CHECK(uscope_writer_stopped(NULL));
    const uint64_t values[3] = {1, 2, 0};
    FAILS(uscope_event_values(w, fetch, values, 2), USCOPE_ERROR_ARGUMENT, "3 fields, not 2");
    FAILS(uscope_event_values(w, fetch, NULL, 3), USCOPE_ERROR_NULL, "values");
    FAILS(uscope_event_values(w, fetch, values, 3), USCOPE_ERROR_RANGE, "string 0");
    CHECK(uscope_string(w, NULL) == USCOPE_NO_STRING);
    CHECK_TEXT(uscope_last_error(), "uscope_string");
    CHECK(uscope_string(w, "no \xC3 text") == USCOPE_NO_STRING && uscope_last_status() == USCOPE_ERROR_ARGUMENT);
    CHECK_TEXT(uscope_last_error(), "not UTF-8 from byte 3 on");
    const size_t longest = (size_t)16 << 20;
    char* text = malloc(longest + 2);
    memset(text, 't', longest + 1);
    text[longest + 1] = '\0';
    CHECK(uscope_string(w, text) == USCOPE_NO_STRING && uscope_last_status() == USCOPE_ERROR_LIMIT);
    free(text);
    CHECK(!uscope_writer_stopped(w));
    CHECK(uscope_slot_add(w, committed, 0, 0, 5) == USCOPE_OK);
    CHECK(uscope_end_cycle(w) == USCOPE_OK);

    FAILS(uscope_begin_cycle(w, 999), USCOPE_ERROR_TIME, "999 ps follows 1000 ps");
    FAILS(uscope_slot_add(w, committed, 0, 0, 1), USCOPE_ERROR_ORDER, "outside a cycle");
    FAILS(uscope_begin_cycle(w, UINT64_MAX), USCOPE_ERROR_TIME, "2^63");
    CHECK(uscope_begin_cycle(w, 1000) == USCOPE_OK);
    CHECK(uscope_slot_add(w, committed, 0, 0, 2) == USCOPE_OK);
    /* Closing ends the cycle and returns the status of the very first error. */
    FAILS(uscope_writer_close(w), USCOPE_ERROR_ORDER, "uscope_slot_set: outside a cycle (and ");
    no_writer(w, USCOPE_ERROR_CLOSED, "was closed");

    uscope_reader_t* r = uscope_reader_open(path);
    uscope_state_t* s = uscope_state_at(r, 1000);
    CHECK(uscope_slot_field(s, committed, 0, 0) == 7 && uscope_finding_count(r) == 0);
    CHECK(uscope_is_complete(r) && uscope_header(r)->total_time_ps == 1000);
    uscope_state_free(s);
    uscope_reader_close(r);
}

static int callbacks;

/* Makes forbidden calls in the callback. Only calls that state storages are allowed there. */
static void misbehave(uscope_writer_t* w, void* user_data) {
    (void)user_data;
    ++callbacks;
    const char* inside = "inside the checkpoint callback";
    FAILS(uscope_begin_cycle(w, 1u << 30), USCOPE_ERROR_ORDER, inside);
    FAILS(uscope_end_cycle(w), USCOPE_ERROR_ORDER, inside);
    FAILS(uscope_slot_set(w, registers, 0, 0, 1), USCOPE_ERROR_ORDER, inside);
    FAILS(uscope_event(w, stall, NULL), USCOPE_ERROR_ORDER, inside);
    FAILS(uscope_flush_segment(w), USCOPE_ERROR_ORDER, inside);
    FAILS(uscope_set_checkpoint_callback(w, NULL, NULL), USCOPE_ERROR_ORDER, inside);
    FAILS(uscope_writer_close(w), USCOPE_ERROR_ORDER, inside);
    const uint8_t mask[2] = {1, 0}, bits_behind[1] = {0};
    uint8_t slots[rob_slots * 20] = {0};
    FAILS(uscope_checkpoint_storage(w, 3, NULL, slots, 0), USCOPE_ERROR_RANGE, "storage 3");
    FAILS(uscope_checkpoint_storage(w, rob, NULL, slots, 1), USCOPE_ERROR_NULL, "mask");
    FAILS(uscope_checkpoint_storage(w, rob, mask, slots, 2), USCOPE_ERROR_ARGUMENT, "expected 1 valid slots, not 2");
    FAILS(uscope_checkpoint_storage(w, rob, mask, NULL, 1), USCOPE_ERROR_NULL, "slots");
    memset(slots + 16, 255, 4);
    FAILS(uscope_checkpoint_storage(w, rob, mask, slots, 1), USCOPE_ERROR_RANGE, "string 4294967295");
    FAILS(uscope_checkpoint_storage(w, registers, bits_behind, slots, 0), USCOPE_ERROR_ARGUMENT, "dense");
    FAILS(uscope_checkpoint_storage(w, registers, NULL, slots, 7), USCOPE_ERROR_ARGUMENT, "not 7");
}

static void wrong_calls_of_a_callback(const char* path) {
    uscope_writer_t* w = uscope_writer_open(path, NULL, &machine_schema, 1000);
    CHECK(uscope_set_checkpoint_callback(w, misbehave, NULL) == USCOPE_OK);
    machine m;
    memset(&m, 0, sizeof m);
    machine_notes(&m, w);
    while (m.cycle < 20)
        machine_step(&m, w);
    CHECK(callbacks != 0);
    CHECK(uscope_writer_close(w) == USCOPE_ERROR_ORDER);
    uscope_reader_t* r = uscope_reader_open(path);
    uscope_state_t* s = uscope_state_at(r, UINT64_MAX);
    CHECK(machine_is(&m, s));
    uscope_state_free(s);
    uscope_reader_close(r);
}

static void wrong_calls_of_a_reader(const char* path) {
    uscope_reader_t* r = uscope_reader_open(path);
    if (!CHECK(r != NULL)) return;
    uscope_item_t item;
    uscope_state_t* s = uscope_state_at(r, 5000);
    CHECK(!uscope_slot_valid(s, 3, 0) && uscope_last_status() == USCOPE_ERROR_RANGE);
    CHECK(!uscope_slot_valid(s, rob, rob_slots) && uscope_last_status() == USCOPE_ERROR_RANGE);
    CHECK(uscope_slot_field(s, rob, 0, 6) == 0);
    CHECK_TEXT(uscope_last_error(), "field 6 does not exist (count: 6)");
    CHECK(uscope_property(s, rob, 3) == 0);
    CHECK_TEXT(uscope_last_error(), "property 3 does not exist (count: 3)");
    CHECK(uscope_storage_occupancy(s, 3) == 0 && uscope_last_status() == USCOPE_ERROR_RANGE);
    /* A successful call after a failure resets the last error. */
    CHECK(!uscope_slot_valid(s, committed, 0) || uscope_last_status() == USCOPE_OK);
    CHECK(uscope_last_status() == USCOPE_OK && strcmp(uscope_last_error(), "") == 0);
    GIVES_NULL(uscope_scope_protocol(r, 4), USCOPE_ERROR_RANGE, "scope 4 does not exist (count: 4)");
    GIVES_NULL(uscope_dut_property(r, NULL), USCOPE_ERROR_NULL, "key");
    GIVES_NULL(uscope_string_text(r, UINT64_MAX, NULL), USCOPE_ERROR_RANGE, "string 18446744073709551615");
    CHECK_TEXT(uscope_reader_error(r), "uscope_string_text");
    GIVES_NULL(uscope_finding(r, 0), USCOPE_ERROR_RANGE, "finding 0 does not exist (count: 0)");
    CHECK_TEXT(uscope_reader_error(r), "uscope_finding");
    GIVES_NULL(uscope_summary_data(r, 99, NULL), USCOPE_ERROR_RANGE, "level 99");
    CHECK_TEXT(uscope_reader_error(r), "uscope_summary_data");
    CHECK(!uscope_poll_new_segments(r) && uscope_last_status() == USCOPE_OK);
    CHECK(uscope_scope_protocol(r, 4) == NULL && uscope_last_status() == USCOPE_ERROR_RANGE);
    CHECK(uscope_scope_protocol(r, 0) == NULL && uscope_last_status() == USCOPE_OK);

    uscope_event_iter_t* backwards = uscope_events_in_range(r, 5000, 4999);
    CHECK(uscope_finding(r, 0) == NULL && uscope_last_status() == USCOPE_ERROR_RANGE);
    CHECK(backwards != NULL && !uscope_event_next(backwards, NULL, NULL, NULL));
    CHECK(uscope_last_status() == USCOPE_OK);
    uscope_event_iter_free(backwards);
    uscope_item_iter_t* items = uscope_items_in_range(r, 0, 5000);
    CHECK(!uscope_item_next(items, NULL) && uscope_last_status() == USCOPE_ERROR_NULL);
    CHECK(uscope_item_next(items, &item));
    uscope_event_iter_t* events = uscope_events_in_range(r, 0, 5000);
    CHECK(uscope_event_next(events, NULL, NULL, NULL));

    CHECK(uscope_reader_close(r) == USCOPE_OK);
    no_reader(r, USCOPE_ERROR_CLOSED, "was closed");
    CHECK(!uscope_item_next(items, &item) && uscope_last_status() == USCOPE_ERROR_CLOSED);
    CHECK(!uscope_event_next(events, NULL, NULL, NULL) && uscope_last_status() == USCOPE_ERROR_CLOSED);
    CHECK(uscope_storage_occupancy(s, registers) == register_count); /* the state outlives the reader */
    CHECK(uscope_event_iter_free(events) == USCOPE_OK && uscope_item_iter_free(items) == USCOPE_OK);
    CHECK(uscope_state_free(s) == USCOPE_OK);
    no_iterators(events, items, USCOPE_ERROR_CLOSED, "was closed");
    no_state(s, USCOPE_ERROR_CLOSED, "was closed");
}

/* Checks that a closed handle stays closed while a thousand others are opened and closed. */
static void stale_handles(const char* path) {
    uscope_reader_t* r = uscope_reader_open(path);
    uscope_state_t* stale = uscope_state_at(r, 0);
    uscope_state_free(stale);
    for (int i = 0; i < 1000; ++i) {
        uscope_state_t* s = uscope_state_at(r, (uint64_t)i);
        CHECK(s != stale && uscope_state_free(s) == USCOPE_OK);
        if (uscope_state_free(stale) != USCOPE_ERROR_CLOSED) CHECK(false);
    }
    uscope_reader_close(r);
}

static void wrong_schemas(const char* path) {
    remove(path);
    const uscope_clock_t clock = {"clk", 1000};
    const uscope_scope_t scopes[] = {{"/", 0, NULL, 0}, {"a", 0, NULL, 0}};
    uscope_field_t field = {"f", USCOPE_U32, 0, 0, 0};
    uscope_storage_t storage = {"s", 4, 0, 0, &field, 1, NULL, 0};
    uscope_event_type_t event = {"e", 0, &field, 1};
    const uscope_schema_t good = {&clock, 1, scopes, 2, NULL, 0, &storage, 1, &event, 1, NULL, 0};
    uscope_schema_t schema = good;

    GIVES_NULL(uscope_writer_open(NULL, NULL, &good, 0), USCOPE_ERROR_NULL, "path");
    GIVES_NULL(uscope_writer_open(path, NULL, NULL, 0), USCOPE_ERROR_NULL, "schema");
    schema.num_clocks = 0;
    GIVES_NULL(uscope_writer_open(path, NULL, &schema, 0), USCOPE_ERROR_SCHEMA, "no clock");
    schema = good;
    schema.clocks = NULL;
    GIVES_NULL(uscope_writer_open(path, NULL, &schema, 0), USCOPE_ERROR_SCHEMA, "NULL");
    schema = good;
    schema.num_clocks = 256;
    GIVES_NULL(uscope_writer_open(path, NULL, &schema, 0), USCOPE_ERROR_SCHEMA, "256 clocks; a file holds at most 255");
    schema = good;
    schema.num_enums = 256;
    GIVES_NULL(uscope_writer_open(path, NULL, &schema, 0), USCOPE_ERROR_SCHEMA, "256 enums");
    schema = good;
    schema.num_storages = 70000;
    GIVES_NULL(uscope_writer_open(path, NULL, &schema, 0), USCOPE_ERROR_SCHEMA, "70000 storages");
    uscope_scope_t bad_scopes[] = {{"/", 0, NULL, 0}, {"a", 1, NULL, 0}};
    schema = good;
    schema.scopes = bad_scopes;
    GIVES_NULL(uscope_writer_open(path, NULL, &schema, 0), USCOPE_ERROR_SCHEMA, "scope 1 (a) has parent 1");
    bad_scopes[1].parent = 0;
    bad_scopes[1].clock = 1;
    GIVES_NULL(uscope_writer_open(path, NULL, &schema, 0), USCOPE_ERROR_SCHEMA,
               "clock 1, which does not exist (count: 1)");
    bad_scopes[1].clock = 0;
    bad_scopes[1].name = "\xC3";
    GIVES_NULL(uscope_writer_open(path, NULL, &schema, 0), USCOPE_ERROR_SCHEMA, "UTF-8");
    bad_scopes[1].name = NULL;
    GIVES_NULL(uscope_writer_open(path, NULL, &schema, 0), USCOPE_ERROR_SCHEMA, "scope 1 has no name");

    storage.num_slots = 65536;
    GIVES_NULL(uscope_writer_open(path, NULL, &good, 0), USCOPE_ERROR_SCHEMA, "storage 0 (s) has 65536 slots");
    storage.num_slots = 4;
    storage.scope = 2;
    GIVES_NULL(uscope_writer_open(path, NULL, &good, 0), USCOPE_ERROR_SCHEMA,
               "storage 0 (s) belongs to scope 2, which does not exist (count: 2)");
    storage.scope = USCOPE_NO_SCOPE;
    storage.flags = 4;
    GIVES_NULL(uscope_writer_open(path, NULL, &good, 0), USCOPE_ERROR_SCHEMA, "flags 4");
    storage.flags = 0;
    field.type = 12;
    GIVES_NULL(uscope_writer_open(path, NULL, &good, 0), USCOPE_ERROR_SCHEMA, "s.f has type 12");
    field.type = 0;
    GIVES_NULL(uscope_writer_open(path, NULL, &good, 0), USCOPE_ERROR_SCHEMA, "s.f has type 0");
    field.type = USCOPE_ENUM;
    GIVES_NULL(uscope_writer_open(path, NULL, &good, 0), USCOPE_ERROR_SCHEMA,
               "s.f has enum 0, which does not exist (count: 0)");
    field.type = USCOPE_U8;
    field.role = 3;
    GIVES_NULL(uscope_writer_open(path, NULL, &good, 0), USCOPE_ERROR_SCHEMA, "role 3");
    field.role = 0;
    field.name = NULL;
    GIVES_NULL(uscope_writer_open(path, NULL, &good, 0), USCOPE_ERROR_SCHEMA, "no UTF-8 name");
    field.name = "f";
    event.scope = 7;
    GIVES_NULL(uscope_writer_open(path, NULL, &good, 0), USCOPE_ERROR_SCHEMA, "event type 0 (e)");
    event.scope = 1;

    uscope_dut_property_t property = {"uscope.key", "value"};
    const uscope_dut_desc_t dut = {&property, 1}, no_array = {NULL, 1};
    GIVES_NULL(uscope_writer_open(path, &dut, &good, 0), USCOPE_ERROR_SCHEMA, "uscope.");
    GIVES_NULL(uscope_writer_open(path, &no_array, &good, 0), USCOPE_ERROR_SCHEMA, "NULL");
    property.key = NULL;
    GIVES_NULL(uscope_writer_open(path, &dut, &good, 0), USCOPE_ERROR_SCHEMA, "name");
    property.key = "key";
    property.value = "\xFF";
    GIVES_NULL(uscope_writer_open(path, &dut, &good, 0), USCOPE_ERROR_SCHEMA, "the value of DUT property key");
    property.value = NULL;
    GIVES_NULL(uscope_writer_open(path, &dut, &good, 0), USCOPE_ERROR_SCHEMA, "no value");

    /* Names longer than 64 KB are refused. */
    char* long_name = malloc(70000);
    memset(long_name, 'n', 69999);
    long_name[69999] = '\0';
    field.name = long_name;
    GIVES_NULL(uscope_writer_open(path, NULL, &good, 0), USCOPE_ERROR_SCHEMA, "uscope_writer_open");
    field.name = "f";
    property.key = long_name;
    property.value = "v";
    GIVES_NULL(uscope_writer_open(path, &dut, &good, 0), USCOPE_ERROR_SCHEMA, "pool");
    /* A long value is stored in the string table. */
    property.key = "key";
    property.value = long_name;
    uscope_writer_t* w = uscope_writer_open(path, &dut, &good, 0);
    if (CHECK(w != NULL)) {
        const int64_t text = uscope_string(w, "text");
        CHECK(text == 1);
        CHECK(uscope_writer_close(w) == USCOPE_OK);
        uscope_reader_t* r = uscope_reader_open(path);
        CHECK_TEXT(uscope_string_text(r, (uint64_t)text, NULL), "text");
        CHECK(uscope_dut_property(r, "key") != NULL && strcmp(uscope_dut_property(r, "key"), long_name) == 0);
        uscope_reader_close(r);
    }
    free(long_name);

    const uscope_writer_options_t refuse = {0, false, true, 0}, no_compression = {7, false, false, 0};
    GIVES_NULL(uscope_writer_open_with(path, NULL, &good, 0, &refuse), USCOPE_ERROR_ARGUMENT, "exists");
    CHECK(strstr(uscope_last_error(), "--") == NULL); /* the text names no options of the tools */
    GIVES_NULL(uscope_writer_open_with(path, NULL, &good, 0, &no_compression), USCOPE_ERROR_ARGUMENT, "compression 7");
    GIVES_NULL(uscope_writer_open("/no/such/folder/file", NULL, &good, 0), USCOPE_ERROR_IO, "/no/such/folder/file");
    remove(path);
    GIVES_NULL(uscope_reader_open(path), USCOPE_ERROR_IO, "uscope_reader_open");
    GIVES_NULL(uscope_reader_open(NULL), USCOPE_ERROR_NULL, "path");
    GIVES_NULL(uscope_reader_open("."), USCOPE_ERROR_IO, "is a folder");
    FILE* file = fopen(path, "wb");
    fputs("this is not a trace, but is longer than 48 bytes, so that a header is read", file);
    fclose(file);
    GIVES_NULL(uscope_reader_open(path), USCOPE_ERROR_FORMAT, "uscope_reader_open");
}

static const uscope_schema_t* bare_schema(void) {
    static const uscope_clock_t clock = {"clk", 1000};
    static const uscope_schema_t schema = {&clock, 1, NULL, 0, NULL, 0, NULL, 0, NULL, 0, NULL, 0};
    return &schema;
}

/* Checks that strings above a reader's limits are findings, and that the rest is read, whether or not the file was
 * closed. */
static void large_strings(const char* path, bool live, bool table) {
    enum { count = 900, size = 1000 };
    uscope_writer_t* w = uscope_writer_open(path, NULL, bare_schema(), 0);
    const uscope_reader_options_t options = {table ? 1 << 19 : 0, table ? 0 : size - 1};
    uscope_reader_t* r = live ? uscope_reader_open_with(path, &options) : NULL;
    char text[size + 1];
    memset(text, 't', size);
    text[size] = '\0';
    for (int i = 0; i < count; ++i) {
        snprintf(text, 10, "%09d", i);
        text[9] = 't';
        CHECK(uscope_string(w, text) == i);
    }
    CHECK(uscope_string(w, "short") == count);
    uscope_begin_cycle(w, 5);
    CHECK(uscope_writer_close(w) == USCOPE_OK);
    if (!live) r = uscope_reader_open_with(path, &options);
    if (!CHECK(r != NULL)) return;
    uscope_poll_new_segments(r);
    CHECK(uscope_last_status() == USCOPE_OK && uscope_is_complete(r) && uscope_header(r)->total_time_ps == 5);
    CHECK(uscope_finding_count(r) == (table ? 1 : count));
    CHECK_TEXT(uscope_finding(r, 0), table ? "the string table of at most" : "a string of at most 999 bytes");
    size_t length = 1;
    if (table) {
        CHECK(uscope_string_count(r) == 0);
    } else {
        CHECK(uscope_string_text(r, 7, &length) != NULL && length == 0);
        CHECK_TEXT(uscope_string_text(r, count, NULL), "short");
    }
    uscope_reader_close(r);
    r = uscope_reader_open(path);
    CHECK(uscope_finding_count(r) == 0 && uscope_string_count(r) == count + 1);
    uscope_reader_close(r);
}

/* Checks that a property that is too long for the preamble is available after the file is closed. */
static void long_property(const char* path) {
    char* text = malloc(70000);
    memset(text, 'p', 69999);
    text[69999] = '\0';
    const uscope_dut_property_t properties[] = {{"first", "1"}, {"long", text}, {"last", "2"}};
    const uscope_dut_desc_t dut = {properties, 3};
    uscope_writer_t* w = uscope_writer_open(path, &dut, bare_schema(), 0);
    uscope_reader_t* r = uscope_reader_open(path);
    CHECK(uscope_dut_property(r, "long") == NULL && uscope_last_status() == USCOPE_OK);
    const char* first = uscope_dut_property(r, "first");
    CHECK(uscope_writer_close(w) == USCOPE_OK);
    uscope_poll_new_segments(r);
    CHECK(uscope_dut_property(r, "long") != NULL && strcmp(uscope_dut_property(r, "long"), text) == 0);
    CHECK(uscope_dut_property(r, "first") == first && uscope_dut_desc(r)->num_properties == 3);
    CHECK_TEXT(uscope_dut_property(r, "last"), "2");
    uscope_reader_close(r);
    free(text);
}

int main(int argc, char** argv) {
    if (argc < 2) {
        fprintf(stderr, "usage: %s FILE\n", argv[0]);
        return 2;
    }
    CHECK(uscope_last_status() == USCOPE_OK && strcmp(uscope_last_error(), "") == 0);
    for (int status = -1; status < 20; ++status)
        CHECK(uscope_status_text(status) != NULL);
    CHECK(uscope_payload_size(NULL) == 0 && uscope_payload_field(NULL, "", 0) == 0);
    CHECK(uscope_payload_field(&machine_schema.events[fetch], NULL, 0) == 0);
    CHECK(uscope_payload_field(&machine_schema.events[fetch], "", 3) == 0);
    CHECK(uscope_find_storage(&machine_schema, NULL) == -1 && uscope_find_storage(NULL, "rob") == -1);
    CHECK(uscope_find_event(&machine_schema, NULL) == -1 && uscope_find_event(NULL, "fetch") == -1);
    CHECK(uscope_find_field(NULL, 5, "f") == -1 &&
          uscope_find_field(machine_schema.events[fetch].fields, 3, NULL) == -1);
    const uscope_schema_t no_arrays = {NULL, 1, NULL, 1, NULL, 1, NULL, 1, NULL, 1, NULL, 1};
    CHECK(uscope_find_storage(&no_arrays, "rob") == -1 && uscope_find_event(&no_arrays, "fetch") == -1);
    GIVES_NULL(uscope_writer_open(argv[1], NULL, &no_arrays, 0), USCOPE_ERROR_SCHEMA, "NULL");
    GIVES_NULL(uscope_writer_open_with(NULL, NULL, NULL, 0, NULL), USCOPE_ERROR_NULL, "path");
    GIVES_NULL(uscope_reader_open_with(NULL, NULL), USCOPE_ERROR_NULL, "path");
    const uscope_event_type_t no_fields = {NULL, 0, NULL, 2};
    CHECK(uscope_payload_size(&no_fields) == 0 && uscope_payload_field(&no_fields, "", 0) == 0);
    no_writer(NULL, USCOPE_ERROR_NULL, "is NULL");
    no_reader(NULL, USCOPE_ERROR_NULL, "is NULL");
    no_state(NULL, USCOPE_ERROR_NULL, "is NULL");
    no_iterators(NULL, NULL, USCOPE_ERROR_NULL, "is NULL");
    wrong_calls_of_a_writer(argv[1]);
    wrong_calls_of_a_callback(argv[1]);
    wrong_calls_of_a_reader(argv[1]);
    stale_handles(argv[1]);
    wrong_schemas(argv[1]);
    for (int i = 0; i < 4; ++i)
        large_strings(argv[1], i % 2 != 0, i / 2 != 0);
    long_property(argv[1]);
    remove(argv[1]);
    return check_result();
}
