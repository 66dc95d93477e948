/* hwtrace/uscope.h - records and reads µScope traces (.uscope), in C99 and C++.
 *
 * Names and meanings are those of the format text (sections 9 and 10); what it leaves open is decided here. Ids are
 * indexes: the first storage of a schema is storage 0. Times are picoseconds. A text is UTF-8 and ends with NUL.
 *
 * Errors. No call crashes on a NULL handle, on a handle that was closed, or on a call that comes at the wrong time: it
 * does nothing and says so. Every function of a writer returns a status, which may be ignored: the writer keeps the
 * first error, or the one that stopped it, and uscope_writer_close() returns it. Functions of a reader return NULL,
 * false or 0, which may also be an answer: uscope_last_status() is USCOPE_OK then. uscope_last_error() is the text.
 *
 * Threads. Different handles may be used by different threads at the same time, one handle only by one of them at a
 * time. The states and iterators of a reader count as the reader, for as long as calls take the reader too.
 *
 * Closed handles answer USCOPE_ERROR_CLOSED until 1,024 others of their type have been closed. */
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
    USCOPE_ERROR_NULL,     /* a handle, a text or a pointer is NULL */
    USCOPE_ERROR_CLOSED,   /* the handle was closed */
    USCOPE_ERROR_ORDER,    /* not now: outside a cycle, inside one, or inside a checkpoint callback */
    USCOPE_ERROR_RANGE,    /* no such storage, slot, field, property, event type, string, level, ... */
    USCOPE_ERROR_TIME,     /* times decrease, or reach 2^63 ps */
    USCOPE_ERROR_SCHEMA,   /* the schema is not one that a file can have */
    USCOPE_ERROR_ARGUMENT, /* something else about an argument */
    USCOPE_ERROR_IO,       /* the system: open, read, write, disk full */
    USCOPE_ERROR_FORMAT,   /* the file is no µScope file, or is damaged beyond use */
    USCOPE_ERROR_LIMIT,    /* the file would take too much memory */
    USCOPE_ERROR_MEMORY,   /* the system has no more memory */
    USCOPE_ERROR_INTERNAL  /* a bug in this library, or an exception thrown by a callback */
} uscope_status_t;

/* "out of range", ...; never NULL. */
const char* uscope_status_text(int status);
/* About the last call of this thread that failed; USCOPE_OK and "" before one. A function of a reader, a state or an
 * iterator that does not return a status or an error's text begins with USCOPE_OK and "", so that afterwards they tell
 * an end, or nothing there, from a failure. The text is valid until the next call. */
uscope_status_t uscope_last_status(void);
const char* uscope_last_error(void);

/* ---- schema (4) and DUT descriptor (3): given to a writer, shown by a reader ---------------------------------------
 */

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
    USCOPE_STRING_REF, /* 4 bytes: what uscope_string() returned */
    USCOPE_ENUM        /* 1 byte */
} uscope_field_type_t;

enum {
    USCOPE_NO_SCOPE = 0xFFFF,    /* of a storage or event that belongs to no scope; the parent of scope 0 */
    USCOPE_INHERIT_CLOCK = 0xFF, /* of a scope: the clock of the scope above */
    USCOPE_SPARSE = 1,           /* storage flag: slots are valid only after a set, until a clear */
    USCOPE_BUFFER = 2,           /* storage flag: shown as a buffer; belongs with USCOPE_SPARSE */
    USCOPE_HEAD_POINTER = 1,     /* role of a storage property: first slot in use of a ring */
    USCOPE_TAIL_POINTER = 2      /* role of a storage property: slot behind the last one in use */
};

typedef struct {
    const char* name;
    uint32_t period_ps; /* 0: unknown */
} uscope_clock_t;

typedef struct {
    const char* name;
    uint16_t parent;      /* of scope 0: not looked at; USCOPE_NO_SCOPE when shown */
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
    uint8_t enum_id; /* of USCOPE_ENUM */
    uint8_t role;    /* of a property: 0, USCOPE_HEAD_POINTER or USCOPE_TAIL_POINTER */
    uint8_t pair;    /* of a property with a role: head and tail of one ring share this number */
} uscope_field_t;

typedef struct {
    const char* name;
    uint32_t num_slots; /* at most 65,535 */
    uint16_t flags;
    uint16_t scope;
    const uscope_field_t* fields;
    size_t num_fields;
    const uscope_field_t* properties; /* values beside the slots */
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
    const uscope_scope_t* scopes; /* none: one named "/" is made; scope 0 is the root, others have parents */
    size_t num_scopes;
    const uscope_enum_t* enums; /* at most 255 */
    size_t num_enums;
    const uscope_storage_t* storages;
    size_t num_storages;
    const uscope_event_type_t* events;
    size_t num_events;
    const uscope_summary_field_t* summary_fields;
    size_t num_summary_fields;
} uscope_schema_t; /* all names together, with those of the DUT properties: less than 64 KB */

typedef struct {
    const char* key; /* "uscope." belongs to the format: no key begins with it */
    const char* value;
} uscope_dut_property_t;

typedef struct {
    const uscope_dut_property_t* properties;
    size_t num_properties;
} uscope_dut_desc_t;

/* The index of the first one of that name, or -1; also for a NULL schema or name. */
int uscope_find_storage(const uscope_schema_t* schema, const char* name);
int uscope_find_event(const uscope_schema_t* schema, const char* name);
int uscope_find_field(const uscope_field_t* fields, size_t num_fields, const char* name);
/* Bytes of the type's payload (8.6.5): its fields packed in order, little-endian; 0 for NULL. */
size_t uscope_payload_size(const uscope_event_type_t* type);
/* A field of such a payload, signed types sign-extended; 0 where there is none. */
uint64_t uscope_payload_field(const uscope_event_type_t* type, const void* payload, size_t field);

/* ---- writer (9) -------------------------------------------------------------------------------------------------- */

typedef struct uscope_writer uscope_writer_t;

typedef enum {
    USCOPE_LZ4 = 0, /* every reader knows it */
    USCOPE_ZSTD,    /* smaller and slower; few readers but this one know it */
    USCOPE_UNCOMPRESSED
} uscope_compression_t;

typedef struct {
    uint8_t compression;  /* uscope_compression_t */
    bool sync_segments;   /* each segment survives a power cut before readers see it; else the whole file at the end */
    bool refuse_existing; /* fail where a file stands at the path; else a new file takes its place, also of one that is
                             being written: its writer and its readers keep it, without a name */
    unsigned threads; /* 0, 1: all work is done in the calls; 2 or more: segments are compressed and written beside */
} uscope_writer_options_t;

/* Creates the file, which can be read from then on, segment by segment, while it grows. The structures are copied. A
 * checkpoint is taken, and a segment ends, at the end of the first cycle that is at or after the last one plus
 * `checkpoint_interval_ps` (0: 20,000 cycles of the first clock), and when a segment has become large; not yet, while
 * what has happened is less than 1/16 of the checkpoint. `dut` may be NULL: no properties. NULL on failure: where the
 * schema is the reason, nothing has happened to the path. */
uscope_writer_t* uscope_writer_open(const char* path, const uscope_dut_desc_t* dut, const uscope_schema_t* schema,
                                    uint64_t checkpoint_interval_ps);
/* The same; NULL options are all zero. */
uscope_writer_t* uscope_writer_open_with(const char* path, const uscope_dut_desc_t* dut, const uscope_schema_t* schema,
                                         uint64_t checkpoint_interval_ps, const uscope_writer_options_t* options);
/* Ends an open cycle, writes tables and summary, and closes. The status is uscope_writer_status(), this call included,
 * and uscope_last_error() its text. After an error of the system the file stays unfinished: it can be read up to its
 * last committed segment, as after a crash of the program. */
uscope_status_t uscope_writer_close(uscope_writer_t* w);

/* True when writing has failed (disk full, no memory): nothing is recorded from then on; also for a closed writer. */
bool uscope_writer_stopped(const uscope_writer_t* w);
/* The error that has stopped the writer; else the first one, whose call did nothing; USCOPE_OK and "" when there is
 * none. The text tells how many others there have been. */
uscope_status_t uscope_writer_status(const uscope_writer_t* w);
const char* uscope_writer_error(const uscope_writer_t* w);

/* Begins a cycle frame. Times do not decrease; one that is equal makes another frame of the same moment. */
uscope_status_t uscope_begin_cycle(uscope_writer_t* w, uint64_t time_ps);
uscope_status_t uscope_end_cycle(uscope_writer_t* w);

/* What happens in the cycle, kept in the order of the calls. The low bytes of `value` are stored, as many as the field
 * has. A set or an add makes a slot of a sparse storage valid, its other fields being 0; a clear zeroes the slot, and
 * makes it invalid in a sparse storage. An add counts modulo the field's width, not for strings. */
uscope_status_t uscope_slot_set(uscope_writer_t* w, uint16_t storage_id, uint16_t slot, uint16_t field, uint64_t value);
uscope_status_t uscope_slot_clear(uscope_writer_t* w, uint16_t storage_id, uint16_t slot);
uscope_status_t uscope_slot_add(uscope_writer_t* w, uint16_t storage_id, uint16_t slot, uint16_t field, uint64_t value);
uscope_status_t uscope_prop_set(uscope_writer_t* w, uint16_t storage_id, uint16_t property, uint64_t value);
/* An event with uscope_payload_size() bytes of packed payload; NULL where there are none. */
uscope_status_t uscope_event(uscope_writer_t* w, uint16_t event_type_id, const void* payload);
/* The same for a payload whose size is known: another size than the schema's is an error. */
uscope_status_t uscope_event_sized(uscope_writer_t* w, uint16_t event_type_id, const void* payload, size_t size);
/* The same with one value for each field, whose low bytes are stored. */
uscope_status_t uscope_event_values(uscope_writer_t* w, uint16_t event_type_id, const uint64_t* values, size_t count);

enum { USCOPE_NO_STRING = -1 };
/* The value that fields of type USCOPE_STRING_REF take for this text, the same for equal ones; may be called at any
 * time. USCOPE_NO_STRING on failure: the text is not UTF-8 (_ARGUMENT), it is longer than 16 MiB, or all of them take
 * more than 256 MiB (_LIMIT). The texts stand in the file only when it has been closed. */
int64_t uscope_string(uscope_writer_t* w, const char* text);

/* Commits the segment now, whether it is due or not, so that readers see everything up to the last cycle. */
uscope_status_t uscope_flush_segment(uscope_writer_t* w);

/* `fn` is called inside uscope_end_cycle() or uscope_flush_segment(), whenever a segment begins, besides the first one
 * (whose state is empty), and besides one that begins in the middle of a cycle, because more than 8 MiB have come: that
 * one is as the operations have made it. `fn` may state what storages hold at that moment with
 * uscope_checkpoint_storage(), and call nothing else of this writer but uscope_string(). What it does not state is as
 * the operations have made it; stating something else than they have made lets readers who follow the operations see
 * something else than those who begin here, which validation calls an error (USC029). NULL: no callback. */
typedef void (*uscope_checkpoint_fn)(uscope_writer_t* w, void* user_data);
uscope_status_t uscope_set_checkpoint_callback(uscope_writer_t* w, uscope_checkpoint_fn fn, void* user_data);
/* Replaces all slots of a storage; properties stay. Sparse: `valid_mask` has a bit for each slot, slot i in bit i % 8
 * of byte i / 8, and `slot_data` the valid slots, ascending; `num_valid_slots` is their number. Dense: `valid_mask` is
 * NULL, and all slots are there. A slot is its fields, packed in order, little-endian. */
uscope_status_t uscope_checkpoint_storage(uscope_writer_t* w, uint16_t storage_id, const uint8_t* valid_mask,
                                          const void* slot_data, uint32_t num_valid_slots);

/* ---- reader (10) ------------------------------------------------------------------------------------------------- */

typedef struct uscope_reader uscope_reader_t;

/* Opens a file of any known version, closed, still being written, or left unfinished. NULL on failure; of a file whose
 * writer is about to create it, until what stands before the first segment is there (USCOPE_ERROR_IO, _FORMAT). */
uscope_reader_t* uscope_reader_open(const char* path);

typedef struct {
    uint64_t max_block;  /* bytes of a segment's frames, of the state of all storages, of a table; 0: 256 MiB */
    uint64_t max_string; /* bytes of a string; 0: 16 MiB */
} uscope_reader_options_t;

/* The same; NULL options are all zero. Strings above the limits are empty, a table of strings above them is left out
 * (uscope_finding()); what else is above them cannot be read (USCOPE_ERROR_LIMIT). */
uscope_reader_t* uscope_reader_open_with(const char* path, const uscope_reader_options_t* options);
/* Ends also its iterators; states live on. */
uscope_status_t uscope_reader_close(uscope_reader_t* r);
/* The last call with this reader, its iterators included but not its states, that failed; "" when none has. */
const char* uscope_reader_error(const uscope_reader_t* r);

/* The file header (2). */
typedef struct {
    uint8_t magic[4];
    uint16_t version_major;
    uint16_t version_minor;
    uint64_t flags;
    uint64_t total_time_ps; /* time of the last frame; 0 while the file is not closed */
    uint32_t num_segments;
    uint32_t preamble_end;
    uint64_t section_table_offset;
    uint64_t tail_offset;
} uscope_header_t;

/* What a reader shows belongs to it and stays where it is until it is closed; uscope_poll_new_segments() brings the
 * header up to date, and the values of DUT properties too long for the preamble, which come when the file is closed. */
const uscope_header_t* uscope_header(const uscope_reader_t* r);
const uscope_dut_desc_t* uscope_dut_desc(const uscope_reader_t* r);
const uscope_schema_t* uscope_schema(const uscope_reader_t* r);
/* NULL where the scope has none; there is no inheritance (4.4). */
const char* uscope_scope_protocol(const uscope_reader_t* r, uint16_t scope_id);
/* The first value of that key, or NULL. */
const char* uscope_dut_property(const uscope_reader_t* r, const char* key);
uint64_t uscope_checkpoint_interval(const uscope_reader_t* r);
/* True when the writer has closed the file. */
bool uscope_is_complete(const uscope_reader_t* r);

/* Runtime strings (7), which a file has when it is complete. NULL where there is no such string; `length` may be NULL
 * and matters for texts with NUL inside. */
size_t uscope_string_count(const uscope_reader_t* r);
const char* uscope_string_text(const uscope_reader_t* r, uint64_t index, size_t* length);

/* What is wrong with the file, as far as it has been read: different findings, each told once. The text belongs to the
 * reader; NULL behind the last one. */
size_t uscope_finding_count(const uscope_reader_t* r);
const char* uscope_finding(const uscope_reader_t* r, size_t index);

/* ---- summary (6), of complete files only */

typedef struct {
    uint32_t base_interval_cycles; /* a bucket of level 0 is this many cycles of the first clock */
    uint32_t fan_out;              /* a bucket of the next level is this many of the one below */
    uint64_t total_instructions;
    uint32_t num_counters;
} uscope_summary_t;

/* One bucket of a counter: the sums of its cycles. */
typedef struct {
    uint64_t min, max, sum;
} uscope_bucket_t;

/* NULL when the file has no summary (uscope_last_status() is USCOPE_OK), or a broken one (USCOPE_ERROR_FORMAT). */
const uscope_summary_t* uscope_summary(const uscope_reader_t* r);
/* Levels of the instruction density; 0 without a summary. The last one is the whole trace in one bucket. */
uint32_t uscope_summary_levels(const uscope_reader_t* r);
/* The instruction density at a level: an array of `*out_count` uint32_t, the instructions in each bucket. NULL, and 0,
 * where there is none. */
const void* uscope_summary_data(const uscope_reader_t* r, uint32_t level, uint32_t* out_count);
/* Counter `counter`: its name and its storage (NULL: not wanted); false where there is none. */
bool uscope_summary_counter(const uscope_reader_t* r, uint32_t counter, const char** name, uint16_t* storage_id,
                            uint32_t* out_levels);
const uscope_bucket_t* uscope_summary_counter_data(const uscope_reader_t* r, uint32_t counter, uint32_t level,
                                                   uint32_t* out_count);

/* ---- state */

typedef struct uscope_state uscope_state_t;

/* The state behind everything that happened at `time_ps` and before. NULL on failure. */
uscope_state_t* uscope_state_at(uscope_reader_t* r, uint64_t time_ps);
uscope_status_t uscope_state_free(uscope_state_t* s);

/* True for a set slot of a sparse storage, and for every slot of a dense one. */
bool uscope_slot_valid(const uscope_state_t* s, uint16_t storage_id, uint16_t slot);
/* Signed types are sign-extended; an invalid slot holds 0. */
uint64_t uscope_slot_field(const uscope_state_t* s, uint16_t storage_id, uint16_t slot, uint16_t field);
uint64_t uscope_property(const uscope_state_t* s, uint16_t storage_id, uint16_t property);
/* The number of valid slots. */
uint32_t uscope_storage_occupancy(const uscope_state_t* s, uint16_t storage_id);

/* ---- events and other items. Both ends of a range are inside it. Iterators and states may be used in any order; when
 * an iterator has come to the end, and uscope_poll_new_segments() has found more, it goes on. */

typedef struct uscope_event_iter uscope_event_iter_t;

uscope_event_iter_t* uscope_events_in_range(uscope_reader_t* r, uint64_t time_start_ps, uint64_t time_end_ps);
/* False at the end, and on failure (uscope_last_status()). The payload has uscope_payload_size() bytes and is valid
 * until the next call with the iterator. Each of the three may be NULL. Events that do not fit the schema are left
 * out. */
bool uscope_event_next(uscope_event_iter_t* it, uint64_t* time_ps, uint16_t* event_type_id, const void** payload);
uscope_status_t uscope_event_iter_free(uscope_event_iter_t* it);

typedef enum {
    USCOPE_ITEM_SET = 1,
    USCOPE_ITEM_CLEAR,
    USCOPE_ITEM_ADD,
    USCOPE_ITEM_PROP_SET,
    USCOPE_ITEM_EVENT,
    USCOPE_ITEM_FRAME, /* a frame without items */
    USCOPE_ITEM_RAW    /* does not fit the schema: its bytes as they stand in the frame (8.6.6) */
} uscope_item_kind_t;

typedef struct {
    uscope_item_kind_t kind;
    bool first_of_frame;
    uint64_t time_ps;
    uint16_t id; /* storage id, or event type id */
    uint16_t slot;
    uint16_t field; /* or property */
    uint64_t value; /* as it stands in the operation, not cut to the field */
    const void* payload;
    size_t payload_size; /* of an event, or of what does not fit */
} uscope_item_t;

typedef struct uscope_item_iter uscope_item_iter_t;

/* Everything that happened, in order. */
uscope_item_iter_t* uscope_items_in_range(uscope_reader_t* r, uint64_t time_start_ps, uint64_t time_end_ps);
bool uscope_item_next(uscope_item_iter_t* it, uscope_item_t* item);
uscope_status_t uscope_item_iter_free(uscope_item_iter_t* it);

/* ---- live tailing */

/* Looks whether the writer has committed segments, or has closed the file. True when there are segments that were not
 * there at the last call (at first: when the file was opened). No other call looks: until this one has found them,
 * iterators and states know nothing of them, and the file is not complete. */
bool uscope_poll_new_segments(uscope_reader_t* r);

#ifdef __cplusplus
}
#endif

#endif
