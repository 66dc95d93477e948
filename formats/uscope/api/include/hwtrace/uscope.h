/* hwtrace/uscope.h - records and reads µScope traces (.uscope), in C99 and C++.
 *
 * Names and meanings follow the µScope Trace Format Specification, sections 9 and 10. Numbers in parentheses refer to
 * its sections. Ids are indices: the first storage of a schema is storage 0. Times are picoseconds. Strings are UTF-8
 * and end with NUL.
 *
 * Errors. A call with a NULL or closed handle, or at the wrong time, does nothing and reports an error; it does not
 * crash. Every writer function returns a status, which may be ignored: the writer keeps the first error, or the one
 * that stopped it, and uscope_writer_close() returns it. Reader functions return NULL, false or 0 on failure. These may
 * also be valid results; uscope_last_status() is USCOPE_OK then. uscope_last_error() returns the text of the error.
 *
 * Threads. Different threads may use different handles at the same time. Only one thread at a time may use one handle.
 * A reader and its states and iterators count as one handle.
 *
 * A closed handle gives USCOPE_ERROR_CLOSED until 1,024 more handles of its type have been closed. */
#ifndef HWTRACE_USCOPE_H
#define HWTRACE_USCOPE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

/* ---- errors ------------------------------------------------------------------------------------------------------ */

typedef enum {
    USCOPE_OK = 0,
    USCOPE_ERROR_NULL,     /* a handle, a string or a pointer is NULL */
    USCOPE_ERROR_CLOSED,   /* the handle is closed */
    USCOPE_ERROR_ORDER,    /* call at the wrong time: outside a cycle, inside one, or inside a checkpoint callback */
    USCOPE_ERROR_RANGE,    /* no such storage, slot, field, property, event type, string, level, ... */
    USCOPE_ERROR_TIME,     /* times decrease, or reach 2^63 ps */
    USCOPE_ERROR_SCHEMA,   /* a file cannot hold this schema */
    USCOPE_ERROR_ARGUMENT, /* another fault in an argument */
    USCOPE_ERROR_IO,       /* system error: open, read, write, disk full */
    USCOPE_ERROR_FORMAT,   /* not a µScope file, or too damaged to be read */
    USCOPE_ERROR_LIMIT,    /* the file needs too much memory */
    USCOPE_ERROR_MEMORY,   /* out of memory */
    USCOPE_ERROR_INTERNAL  /* a bug in this library, or an exception thrown by a callback */
} uscope_status_t;

/* Returns a description such as "out of range"; never NULL. */
const char* uscope_status_text(int status);
/* Return status and text of the last failed call of this thread. If no call has failed, they return USCOPE_OK and "".
 * Functions of readers, states and iterators first reset status and text, unless they return a status or an error text.
 * After such a call, the status distinguishes a failure from an end or a missing object. The text is valid until the
 * next call. */
uscope_status_t uscope_last_status(void);
const char* uscope_last_error(void);

/* ---- schema (4) and DUT descriptor (3) of writers and readers ---------------------------------------------------- */

typedef enum {
    USCOPE_U8 = 1,
    USCOPE_U16,
    USCOPE_U32,
    USCOPE_U64,
    USCOPE_I8,
    USCOPE_I16,
    USCOPE_I32,
    USCOPE_I64,
    USCOPE_BOOL,       /* 1 byte */
    USCOPE_STRING_REF, /* 4 bytes: a value returned by uscope_string() */
    USCOPE_ENUM        /* 1 byte */
} uscope_field_type_t;

enum {
    USCOPE_NO_SCOPE = 0xFFFF,    /* the scope of a storage or event without a scope; the parent of scope 0 */
    USCOPE_INHERIT_CLOCK = 0xFF, /* a scope has the clock of its parent */
    USCOPE_SPARSE = 1,           /* storage flag: slots are valid from a set or add until a clear operation */
    USCOPE_BUFFER = 2,           /* storage flag: tools draw a buffer; use it with USCOPE_SPARSE */
    USCOPE_HEAD_POINTER = 1,     /* role of a storage property: first used slot of a ring */
    USCOPE_TAIL_POINTER = 2      /* role of a storage property: slot after the last used one */
};

typedef struct {
    const char* name;
    uint32_t period_ps; /* 0: unknown */
} uscope_clock_t;

typedef struct {
    const char* name;
    uint16_t parent;      /* a scope with a smaller id; ignored for scope 0; readers return USCOPE_NO_SCOPE for it */
    const char* protocol; /* "cpu", "noc", ...; NULL: none */
    uint8_t clock;        /* index, or USCOPE_INHERIT_CLOCK */
} uscope_scope_t;

typedef struct {
    uint8_t value;
    const char* name;
} uscope_enum_value_t;

typedef struct {
    const char* name;
    const uscope_enum_value_t* values;
    size_t num_values; /* at most 255 */
} uscope_enum_t;

/* A field of a slot or of an event, or a property of a storage. */
typedef struct {
    const char* name;
    uint8_t type;    /* uscope_field_type_t */
    uint8_t enum_id; /* for USCOPE_ENUM only */
    uint8_t role;    /* for properties: 0, USCOPE_HEAD_POINTER or USCOPE_TAIL_POINTER */
    uint8_t pair;    /* for properties with a role: the same number for head and tail of one ring */
} uscope_field_t;

typedef struct {
    const char* name;
    uint32_t num_slots; /* at most 65,535 */
    uint16_t flags;
    uint16_t scope;
    const uscope_field_t* fields;
    size_t num_fields;
    const uscope_field_t* properties; /* values of the storage as a whole */
    size_t num_properties;
} uscope_storage_t;

typedef struct {
    const char* name;
    uint16_t scope;
    const uscope_field_t* fields;
    size_t num_fields;
} uscope_event_type_t;

typedef struct {
    const char* name;
    uint8_t type; /* uscope_field_type_t */
    uint16_t scope;
} uscope_summary_field_t;

typedef struct {
    const uscope_clock_t* clocks; /* 1 to 255 */
    size_t num_clocks;
    const uscope_scope_t* scopes; /* scope 0 is the root, all others have parents; if empty, a root "/" is added */
    size_t num_scopes;
    const uscope_enum_t* enums; /* at most 255 */
    size_t num_enums;
    const uscope_storage_t* storages;
    size_t num_storages;
    const uscope_event_type_t* events;
    size_t num_events;
    const uscope_summary_field_t* summary_fields;
    size_t num_summary_fields;
} uscope_schema_t; /* all names, including the keys of DUT properties, take less than 64 KB */

typedef struct {
    const char* key; /* must not begin with "uscope.", which is reserved */
    const char* value;
} uscope_dut_property_t;

typedef struct {
    const uscope_dut_property_t* properties;
    size_t num_properties;
} uscope_dut_desc_t;

/* Return the index of the first object with this name. Return -1 if there is none, or if an argument is NULL. */
int uscope_find_storage(const uscope_schema_t* schema, const char* name);
int uscope_find_event(const uscope_schema_t* schema, const char* name);
int uscope_find_field(const uscope_field_t* fields, size_t num_fields, const char* name);
/* Returns the size of an event's payload in bytes: its fields packed in order, little-endian (8.6.5).
 * Returns 0 for NULL. */
size_t uscope_payload_size(const uscope_event_type_t* type);
/* Returns the value of a field in such a payload. Values of signed types are sign-extended. Returns 0 if there is no
 * such field. */
uint64_t uscope_payload_field(const uscope_event_type_t* type, const void* payload, size_t field);

/* ---- writer (9) -------------------------------------------------------------------------------------------------- */

typedef struct uscope_writer uscope_writer_t;

typedef enum {
    USCOPE_LZ4 = 0, /* supported by every reader */
    USCOPE_ZSTD,    /* smaller and slower; few other readers support it */
    USCOPE_UNCOMPRESSED
} uscope_compression_t;

typedef struct {
    uint8_t compression;  /* uscope_compression_t */
    bool sync_segments;   /* true: make each segment durable before readers see it; false: only the whole file */
    bool refuse_existing; /* fail if the path exists; else a new file replaces it. If the old file is still being
                             written, its writer and readers keep it, although it no longer has a name */
    unsigned threads;     /* 0, 1: all work is done in the calls; 2 or more: others compress and write, and a call that
                             would have to wait for them helps */
} uscope_writer_options_t;

/* Creates the file. Readers can open it at once and read it segment by segment while it grows. All structures are
 * copied. `dut` may be NULL: no properties.
 *
 * A segment ends with the first cycle that is at least `checkpoint_interval_ps` after the last checkpoint (0: 20,000
 * cycles of the first clock). The next segment begins with a new checkpoint. A large segment ends earlier. A segment
 * whose frames take less than 1/16 of its checkpoint continues.
 *
 * Returns NULL on failure. If the schema is the reason, the path has not been touched. */
uscope_writer_t* uscope_writer_open(const char* path, const uscope_dut_desc_t* dut, const uscope_schema_t* schema,
                                    uint64_t checkpoint_interval_ps);
/* Does the same with options. NULL: all options are zero. */
uscope_writer_t* uscope_writer_open_with(const char* path, const uscope_dut_desc_t* dut, const uscope_schema_t* schema,
                                         uint64_t checkpoint_interval_ps, const uscope_writer_options_t* options);
/* Ends an open cycle, writes tables and summary, and closes the file. Returns the same error as uscope_writer_status(),
 * including errors of this call. uscope_last_error() returns the text of that error. After a system error the file
 * stays unfinished. It can be read up to its last committed segment, as after a crash of the program. */
uscope_status_t uscope_writer_close(uscope_writer_t* w);

/* Returns true if writing has failed (disk full, out of memory), so that nothing more is recorded. Also returns true
 * for a closed writer. */
bool uscope_writer_stopped(const uscope_writer_t* w);
/* Return the error that stopped the writer. If none did, they return the first error; the call that failed with it did
 * nothing. If there was no error, they return USCOPE_OK and "". The text includes the number of other errors. */
uscope_status_t uscope_writer_status(const uscope_writer_t* w);
const char* uscope_writer_error(const uscope_writer_t* w);

/* Begins a cycle frame. Times must not decrease; an equal time begins another frame with the same time. */
uscope_status_t uscope_begin_cycle(uscope_writer_t* w, uint64_t time_ps);
uscope_status_t uscope_end_cycle(uscope_writer_t* w);

/* Record the operations of a cycle, in the order of the calls. A field stores the low bytes of `value`. A set or add
 * operation makes a slot of a sparse storage valid. If the slot was invalid before, its other fields are 0. A clear
 * operation zeroes the slot and, in a sparse storage, makes it invalid. An add operation wraps at the field's width and
 * is an error for strings. */
uscope_status_t uscope_slot_set(uscope_writer_t* w, uint16_t storage_id, uint16_t slot, uint16_t field, uint64_t value);
uscope_status_t uscope_slot_clear(uscope_writer_t* w, uint16_t storage_id, uint16_t slot);
uscope_status_t uscope_slot_add(uscope_writer_t* w, uint16_t storage_id, uint16_t slot, uint16_t field, uint64_t value);
uscope_status_t uscope_prop_set(uscope_writer_t* w, uint16_t storage_id, uint16_t property, uint64_t value);
/* Records an event with uscope_payload_size() bytes of packed payload. `payload` may be NULL if the size is 0. */
uscope_status_t uscope_event(uscope_writer_t* w, uint16_t event_type_id, const void* payload);
/* Does the same, but fails if `size` differs from the size of the payload in the schema. */
uscope_status_t uscope_event_sized(uscope_writer_t* w, uint16_t event_type_id, const void* payload, size_t size);
/* Does the same with one value for each field. Stores the low bytes of each value. */
uscope_status_t uscope_event_values(uscope_writer_t* w, uint16_t event_type_id, const uint64_t* values, size_t count);

enum { USCOPE_NO_STRING = -1 };
/* Returns the value that represents this string in fields of type USCOPE_STRING_REF. Equal strings have equal values.
 * The function may be called at any time. Returns USCOPE_NO_STRING if the string is not UTF-8 (USCOPE_ERROR_ARGUMENT),
 * if it is longer than 16 MiB, or if all strings take more than 256 MiB (USCOPE_ERROR_LIMIT). Strings are committed
 * with the next segment. */
int64_t uscope_string(uscope_writer_t* w, const char* text);

/* Commits the segment now, even if it is not due, so that readers see everything up to the last cycle. */
uscope_status_t uscope_flush_segment(uscope_writer_t* w);

/* Sets a callback that may set the contents of storages in checkpoints. NULL: no callback.
 *
 * uscope_end_cycle() and uscope_flush_segment() call `fn` whenever a segment begins. Exceptions are the first segment,
 * whose state is empty, and a segment that begins inside a cycle of more than 8 MiB. `fn` may call
 * uscope_checkpoint_storage() and uscope_string() with this writer, and nothing else.
 *
 * Storages that `fn` does not set contain the result of the operations. If `fn` sets other contents, readers that begin
 * at this segment see a different state from readers that follow the operations. Validation reports this as an error
 * (USC029). */
typedef void (*uscope_checkpoint_fn)(uscope_writer_t* w, void* user_data);
uscope_status_t uscope_set_checkpoint_callback(uscope_writer_t* w, uscope_checkpoint_fn fn, void* user_data);
/* Replaces all slots of a storage; properties stay. A slot consists of its fields, packed in order, little-endian.
 *
 * Sparse: `valid_mask` has a bit for each slot (slot i is bit i % 8 of byte i / 8), and `slot_data` has the
 * `num_valid_slots` valid slots, ascending. Dense: `valid_mask` is NULL, and `slot_data` has all slots. */
uscope_status_t uscope_checkpoint_storage(uscope_writer_t* w, uint16_t storage_id, const uint8_t* valid_mask,
                                          const void* slot_data, uint32_t num_valid_slots);

/* ---- reader (10) ------------------------------------------------------------------------------------------------- */

typedef struct uscope_reader uscope_reader_t;

/* Opens a file of any known version: closed, still being written, or unfinished. Returns NULL on failure. A file that
 * a writer is creating cannot be opened until everything before the first segment was written (USCOPE_ERROR_IO,
 * USCOPE_ERROR_FORMAT). */
uscope_reader_t* uscope_reader_open(const char* path);

typedef struct {
    uint64_t max_block;  /* bytes of a segment's frames, the state of all storages, or a table; 0: 256 MiB */
    uint64_t max_string; /* bytes of a string; 0: 16 MiB */
} uscope_reader_options_t;

/* Does the same with options. NULL: all options are zero. Strings above the limits are read as empty strings. A string
 * table above the limits is omitted. uscope_finding() reports both. Anything else above the limits cannot be read
 * (USCOPE_ERROR_LIMIT). */
uscope_reader_t* uscope_reader_open_with(const char* path, const uscope_reader_options_t* options);
/* Closes the reader and its iterators; its states stay valid. */
uscope_status_t uscope_reader_close(uscope_reader_t* r);
/* Returns the error text of the last failed call with this reader or its iterators; "" if no such call failed. Calls
 * with states do not count. */
const char* uscope_reader_error(const uscope_reader_t* r);

/* The file header (2). */
typedef struct {
    uint8_t magic[4];
    uint16_t version_major;
    uint16_t version_minor;
    uint64_t flags;
    uint64_t total_time_ps; /* time of the last frame; 0 until the file is closed */
    uint32_t num_segments;
    uint32_t preamble_end;
    uint64_t section_table_offset;
    uint64_t tail_offset;
} uscope_header_t;

/* Header, DUT properties and schema belong to the reader. The pointers are valid until the reader is closed.
 * uscope_poll_new_segments() updates the header. It also fills in the values of DUT properties that are too long for
 * the preamble: they are committed with the first segment, or when the file is closed. */
const uscope_header_t* uscope_header(const uscope_reader_t* r);
const uscope_dut_desc_t* uscope_dut_desc(const uscope_reader_t* r);
const uscope_schema_t* uscope_schema(const uscope_reader_t* r);
/* Returns the protocol of a scope, or NULL if it has none. Protocols are not inherited (4.4). */
const char* uscope_scope_protocol(const uscope_reader_t* r, uint16_t scope_id);
/* Returns the first value with that key, or NULL. */
const char* uscope_dut_property(const uscope_reader_t* r, const char* key);
/* Returns the checkpoint interval in ps. */
uint64_t uscope_checkpoint_interval(const uscope_reader_t* r);
/* Returns true if the writer has closed the file. */
bool uscope_is_complete(const uscope_reader_t* r);

/* Return the runtime strings (7). A file that is not complete has only those that its writer committed with segments.
 * uscope_string_text() returns NULL if there is no such string, and stores the length in `*length`, which matters for
 * strings that contain NUL. `length` may be NULL. */
size_t uscope_string_count(const uscope_reader_t* r);
const char* uscope_string_text(const uscope_reader_t* r, uint64_t index, size_t* length);

/* Return the number and the texts of the faults found so far in the file. Each fault is listed once. The text belongs
 * to the reader. It is NULL if the index is too large. Findings about a file that is still open (USC013) are removed
 * when uscope_poll_new_segments() finds it closed. The indexes of later findings then change. */
size_t uscope_finding_count(const uscope_reader_t* r);
const char* uscope_finding(const uscope_reader_t* r, size_t index);

/* ---- summary (6), in complete files only */

typedef struct {
    uint32_t base_interval_cycles; /* cycles of the first clock in a bucket of level 0 */
    uint32_t fan_out;              /* buckets of one level in a bucket of the next level */
    uint64_t total_instructions;
    uint32_t num_counters;
} uscope_summary_t;

/* One bucket of a counter: minimum, maximum and sum of its increments per cycle. */
typedef struct {
    uint64_t min, max, sum;
} uscope_bucket_t;

/* Returns NULL if the file has no summary (uscope_last_status() is USCOPE_OK) or a broken one (USCOPE_ERROR_FORMAT). */
const uscope_summary_t* uscope_summary(const uscope_reader_t* r);
/* Returns the number of levels of the instruction density; 0 without a summary. The last level has one bucket for the
 * whole trace. */
uint32_t uscope_summary_levels(const uscope_reader_t* r);
/* Returns the instruction density at a level: an array of `*out_count` uint32_t, the number of instructions in each
 * bucket. If there is none, returns NULL and sets `*out_count` to 0. */
const void* uscope_summary_data(const uscope_reader_t* r, uint32_t level, uint32_t* out_count);
/* Gets name, storage and levels of a counter. Any pointer may be NULL. Returns false if there is no such counter. */
bool uscope_summary_counter(const uscope_reader_t* r, uint32_t counter, const char** name, uint16_t* storage_id,
                            uint32_t* out_levels);
/* Returns the `*out_count` buckets of a counter at a level. */
const uscope_bucket_t* uscope_summary_counter_data(const uscope_reader_t* r, uint32_t counter, uint32_t level,
                                                   uint32_t* out_count);

/* ---- state */

typedef struct uscope_state uscope_state_t;

/* Returns the state after everything at or before `time_ps`, or NULL on failure. */
uscope_state_t* uscope_state_at(uscope_reader_t* r, uint64_t time_ps);
uscope_status_t uscope_state_free(uscope_state_t* s);

/* Returns true for a valid slot of a sparse storage, and for every slot of a dense one. */
bool uscope_slot_valid(const uscope_state_t* s, uint16_t storage_id, uint16_t slot);
/* Returns the value of a field or property. Signed types are sign-extended; invalid slots contain 0. */
uint64_t uscope_slot_field(const uscope_state_t* s, uint16_t storage_id, uint16_t slot, uint16_t field);
uint64_t uscope_property(const uscope_state_t* s, uint16_t storage_id, uint16_t property);
/* Returns the number of valid slots. */
uint32_t uscope_storage_occupancy(const uscope_state_t* s, uint16_t storage_id);

/* ---- events and other items. A range includes both ends. Iterators and states may be used in any order. An iterator
 * at its end continues when uscope_poll_new_segments() has found more segments. */

typedef struct uscope_event_iter uscope_event_iter_t;

uscope_event_iter_t* uscope_events_in_range(uscope_reader_t* r, uint64_t time_start_ps, uint64_t time_end_ps);
/* Returns false at the end and on failure; uscope_last_status() distinguishes the two. The payload has
 * uscope_payload_size() bytes and is valid until the next call with the iterator. Each output pointer may be NULL.
 * Events that do not fit the schema are skipped. */
bool uscope_event_next(uscope_event_iter_t* it, uint64_t* time_ps, uint16_t* event_type_id, const void** payload);
uscope_status_t uscope_event_iter_free(uscope_event_iter_t* it);

typedef enum {
    USCOPE_ITEM_SET = 1,
    USCOPE_ITEM_CLEAR,
    USCOPE_ITEM_ADD,
    USCOPE_ITEM_PROP_SET,
    USCOPE_ITEM_EVENT,
    USCOPE_ITEM_FRAME, /* a frame without items */
    USCOPE_ITEM_RAW    /* an item that does not fit the schema: its bytes in the frame (8.6.6) */
} uscope_item_kind_t;

typedef struct {
    uscope_item_kind_t kind;
    bool first_of_frame;
    uint64_t time_ps;
    uint16_t id; /* storage id, or event type id */
    uint16_t slot;
    uint16_t field; /* index of the field or property */
    uint64_t value; /* the full value of the operation, not truncated to the field */
    const void* payload;
    size_t payload_size; /* bytes of an event's payload, or of a raw item */
} uscope_item_t;

typedef struct uscope_item_iter uscope_item_iter_t;

/* Iterates over all items of a range, in order. */
uscope_item_iter_t* uscope_items_in_range(uscope_reader_t* r, uint64_t time_start_ps, uint64_t time_end_ps);
bool uscope_item_next(uscope_item_iter_t* it, uscope_item_t* item);
uscope_status_t uscope_item_iter_free(uscope_item_iter_t* it);

/* ---- live tailing */

/* Checks whether the writer has committed more segments or has closed the file. Returns true if there are new segments
 * since the last call, or since the file was opened. No other function checks this: until this call, iterators and
 * states do not include new segments, and uscope_is_complete() does not change. */
bool uscope_poll_new_segments(uscope_reader_t* r);

#ifdef __cplusplus
}
#endif

#endif
