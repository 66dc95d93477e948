/* hwtrace/flux_emitter.h - writes flux traces from the smallest target: C99, no allocation, nothing of libc but memcpy.
 *
 * A trace makes entries (definitions, samples, ...) and puts each of them whole into its buffer; a buffer hands what it
 * holds to its handler when it is full or flushed, or keeps the newest of it in a ring. All memory is the caller's and
 * has to stay where it is while it is in use.
 *
 * Every call returns a code and does nothing where that is not FLUX_OK: no byte is written, no position moves. A NULL
 * pointer where one is needed, a call that comes at the wrong time, and ids and values out of range are codes too.
 * Texts are UTF-8 and end with NUL; NULL is the empty text.
 *
 * One trace, and everything that its buffer leads to, is for one thread at a time; interrupts count as threads. */
#ifndef HWTRACE_FLUX_EMITTER_H
#define HWTRACE_FLUX_EMITTER_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

typedef struct flux_buffer flux_buffer;
typedef struct flux_trace flux_trace;

/* The numbers are those of the first emitter of flux. */
typedef enum flux_result {
    FLUX_OK = 0,
    FLUX_ERROR_COMMAND = -1,      /* this buffer cannot do that: flushing a ring */
    FLUX_ERROR_ROOM = -2,         /* the entry does not fit into the buffer, or into the one behind it */
    FLUX_ERROR_VALUE = -3,        /* NULL, or a value that the version of the trace does not have */
    FLUX_ERROR_SIZE = -4,         /* a width, a count or a memory of the wrong size */
    FLUX_ERROR_ID = -5,           /* 0 where an item is needed, or beyond the trace's largest id */
    FLUX_ERROR_NO_BUFFER = -6,    /* the trace has no buffer */
    FLUX_ERROR_OPENING = -7,      /* flux_repeat_open() without a sync head */
    FLUX_ERROR_DEFINED = -8,      /* the item is defined already */
    FLUX_ERROR_NOT_DEFINED = -9,  /* ... is not defined, or no signal */
    FLUX_ERROR_PARENT = -10,      /* the parent is no scope that is defined */
    FLUX_ERROR_OPEN = -11,        /* the item, or a scope around it, is open */
    FLUX_ERROR_CHILD_OPEN = -12,  /* something in the item is open */
    FLUX_ERROR_NOT_OPEN = -13,    /* neither the item nor a scope around it is open */
    FLUX_ERROR_POSITION = -14,    /* before the current position, or beyond 63 bits */
    FLUX_ERROR_IO = -15,          /* what a handler writes to failed */
    FLUX_ERROR_PARSE = -16,       /* no control entry */
    FLUX_MORE = -17,              /* the control entry goes on behind these bytes */
    FLUX_ERROR_PACKING = -18,     /* the compressor failed */
    FLUX_END = -19,               /* nothing is left */
    FLUX_ERROR_BUFFER_USED = -20, /* the buffer leads back to itself */
    FLUX_EXIT = -21               /* free for handlers and callbacks: what they return is passed on */
} flux_result;

/* "not open", ...; never NULL. */
const char* flux_result_text(flux_result result);

/* ---- buffers ----------------------------------------------------------------------------------------------------- */

/* What a buffer hands to its handler: whole entries, unless a handler took a part of them before. */
typedef struct flux_chunk {
    const uint8_t* bytes;
    uint32_t size;
    uint64_t first_trace; /* id of the trace that the bytes go on with; FLUX_NO_TRACE: they say it themselves */
    uint64_t last_trace;
    bool shared; /* there are several */
} flux_chunk;

#define FLUX_NO_TRACE UINT64_MAX

/* Where a buffer's bytes go. `take` sets how many bytes it took, from the front; the buffer keeps the rest. */
typedef struct flux_handler {
    flux_result (*take)(void* user, const flux_chunk* chunk, uint32_t* taken);
    void* user;
    flux_buffer* next; /* the buffer behind, which a deep flush reaches; NULL: none */
} flux_handler;

/* What a buffer is asked by its access function. */
typedef enum flux_command {
    FLUX_REQUEST = 0,   /* let there be `size` bytes between `at` and `end` */
    FLUX_COMMIT = 2,    /* an entry of `size` bytes ends at `at`; only where `commits` is set */
    FLUX_CLEAR = 5,     /* forget what is there */
    FLUX_FLUSH = 6,     /* hand over what is there */
    FLUX_DEEP_FLUSH = 7 /* ... and so do all buffers behind */
} flux_command;

typedef flux_result (*flux_access)(flux_buffer* buffer, flux_command command, uint32_t size);

struct flux_buffer {
    uint8_t* at;  /* where the next entry begins */
    uint8_t* end; /* entries are written up to here without asking */
    uint8_t* memory;
    uint32_t size;
    bool commits;
    bool shared; /* several traces write into it */
    flux_access access;
    flux_handler handler;
    void* user;           /* of a custom buffer */
    uint64_t first_trace; /* at the beginning of what is there */
    uint64_t trace;       /* which wrote last */
    uint32_t lap;         /* sections of a ring that have been entered */
    uint8_t* sections;    /* the first section of a ring; NULL: a linear buffer */
    uint8_t* section;     /* the one that is written */
};

/* A buffer on the caller's memory. It hands what it holds to the handler when an entry does not fit any more; with a
 * handler of NULL it takes nothing more then (FLUX_ERROR_ROOM) until it is cleared. */
flux_result flux_buffer_init(flux_buffer* buffer, void* memory, uint32_t size, const flux_handler* handler);
/* Makes a ring of what is free of a buffer without handler, in `count` sections; what is there already (head,
 * definitions, open) stays in front of it. The whole memory is a stream then, at any time: its sections tell their
 * order, and each that is entered later states its positions again, and whose they are where traces share the ring
 * (what a handler puts into it states no positions). Sections hold 16 to 65535 bytes. */
flux_result flux_buffer_divide(flux_buffer* buffer, uint32_t count);
/* A buffer of the caller's own kind: `access` answers all commands and keeps `at` and `end`, which are NULL at first.
 */
flux_result flux_buffer_custom(flux_buffer* buffer, flux_access access, void* user);

/* What a buffer holds: of a ring all its memory. NULL and 0 of a custom one. */
const uint8_t* flux_buffer_bytes(const flux_buffer* buffer, uint32_t* size);
/* Empties a linear buffer, or goes on with the first section of an empty ring. */
flux_result flux_buffer_clear(flux_buffer* buffer);
/* Hands what is there to the handler. FLUX_ERROR_COMMAND of rings. */
flux_result flux_flush(flux_buffer* buffer);
/* ... and flushes the buffers behind too, the nearest first. */
flux_result flux_deep_flush(flux_buffer* buffer);

/* A handler that passes all to another buffer, in which a chunk has to fit. Where that is another trace's stream at the
 * moment, a switch is written in front. */
flux_handler flux_copy_into(flux_buffer* next);

/* Packs a chunk into at most `room` bytes and returns how many; 0: more were needed, UINT32_MAX: it failed. */
typedef uint32_t (*flux_compress)(void* work, const uint8_t* bytes, uint32_t size, uint8_t* out, uint32_t room);

typedef enum flux_packing { FLUX_LZ4 = 0, FLUX_FASTLZ = 1, FLUX_ZLIB = 2, FLUX_GZIP = 3 } flux_packing;

typedef struct flux_packer {
    flux_buffer* next;
    flux_packing packing;
    flux_compress compress;
    void* work; /* given to `compress` */
} flux_packer;

/* A handler that packs each chunk into a block of another buffer; a chunk that does not get smaller is copied as it is.
 * `next` has to be as large as the buffer in front of it. */
flux_handler flux_pack_into(flux_packer* packer);

/* FastLZ. The table makes it faster and better the larger it is: 2^bits entries, 13 is usual, 4 to 16 are possible.
 * Level 0 takes 1 for chunks below 64 KiB and 2 for larger ones. */
typedef struct flux_fastlz {
    uint32_t* table;
    uint8_t bits;
    uint8_t level;
} flux_fastlz;

/* A flux_compress; `work` is a flux_fastlz. */
uint32_t flux_fastlz_compress(void* work, const uint8_t* bytes, uint32_t size, uint8_t* out, uint32_t room);

/* ---- traces ------------------------------------------------------------------------------------------------------ */

enum { FLUX_VERSION_4 = 4, FLUX_VERSION_6 = 6 };
#define FLUX_MAX_ITEM UINT32_C(0x1FFFFFFF)

/* What a trace knows of an item. */
typedef struct flux_item {
    int64_t position; /* of what was opened here */
    uint32_t parent;
    uint32_t context; /* the item that was opened: this one, or one around it */
    uint32_t lap;     /* of the buffer, when the position was last known there */
    uint8_t kind;
    bool open;
} flux_item;

struct flux_trace {
    flux_buffer* buffer;
    flux_item* items;
    uint32_t id;
    uint32_t max_item;
    uint32_t max_entry;
    uint8_t version;
    bool repeating; /* behind a sync head */
    flux_item single;
};

/* A trace of items 1 to `max_item`. `items` is memory for `max_item` + 1 of them, and then scopes and signals can be
 * opened one by one and definitions are checked; with NULL one thing is open at a time, and whoever calls knows what he
 * does. `max_entry` stands in the head, for readers. */
flux_result flux_trace_init(flux_trace* trace, uint32_t id, uint8_t version, uint32_t max_item, uint32_t max_entry,
                            flux_item* items);
/* Entries go into this buffer from now on; what stands in another one stays there. Several traces may have the same
 * buffer: switches between them are written where they are needed. NULL: none. */
flux_result flux_trace_attach(flux_trace* trace, flux_buffer* buffer);

/* ---- heads, items ------------------------------------------------------------------------------------------------ */

flux_result flux_write_head(flux_trace* trace, const char* name, const char* description);
/* A format of the caller's own, named by four characters instead of `flux`. */
flux_result flux_write_derived_head(flux_trace* trace, const char* magic, const char* name, const char* description);
/* For those who begin to read here: definitions and flux_repeat_open() follow as they were. */
flux_result flux_write_sync_head(flux_trace* trace, const char* name, const char* description);

typedef enum flux_type {
    FLUX_UNKNOWN,
    FLUX_EVENT,
    FLUX_INTEGER,
    FLUX_LOGIC,
    FLUX_FLOAT,
    FLUX_TEXT,
    FLUX_BINARY,
    FLUX_STRUCT,
    FLUX_EVENT_ARRAY,
    FLUX_INTEGER_ARRAY,
    FLUX_FLOAT_ARRAY,
    FLUX_TEXT_ARRAY
} flux_type;

/* A parent of 0 is the root. A descriptor says more about a signal: "default<bits=16>", "default<df=Hex>". */
flux_result flux_add_scope(flux_trace* trace, uint32_t item, uint32_t parent, const char* name,
                           const char* description);
flux_result flux_add_signal(flux_trace* trace, uint32_t item, uint32_t parent, const char* name,
                            const char* description, flux_type type, const char* descriptor);
/* Signals `first` to `last`, all alike. */
flux_result flux_add_signals(flux_trace* trace, uint32_t first, uint32_t last, uint32_t parent, const char* name,
                             const char* description, flux_type type, const char* descriptor);
/* Another place of a signal; it has no id of its own. */
flux_result flux_add_reference(flux_trace* trace, uint32_t item, uint32_t parent, const char* name,
                               const char* description);
/* A part of a signal of logic, its states `from` to `to`: all of the same parent and name make one. */
flux_result flux_add_scattered(flux_trace* trace, uint32_t item, uint32_t parent, const char* name,
                               const char* description, flux_type type, const char* descriptor, uint32_t from,
                               uint32_t to);
flux_result flux_add_scattered_reference(flux_trace* trace, uint32_t item, uint32_t parent, const char* name,
                                         const char* description, uint32_t from, uint32_t to);

/* ---- open and close ---------------------------------------------------------------------------------------------- */

/* Of those opens whose domain is empty. */
flux_result flux_set_default_domain(flux_trace* trace, const char* domain);
/* Opens an item and everything in it (0: all) at a position, which counts in `domain` ("ns", "Hz", ...); a rate above 0
 * says that samples are that far apart. What was closed may be opened again. */
flux_result flux_open(flux_trace* trace, uint32_t item, const char* domain, int64_t start, uint32_t rate);
/* Behind a sync head: states again what is open, at its current position. */
flux_result flux_repeat_open(flux_trace* trace, uint32_t item, const char* domain, uint32_t rate);
/* An end before the current position becomes the position behind it. */
flux_result flux_close(flux_trace* trace, uint32_t item, int64_t end);
/* Everything is open at position 0, without an entry that says so: how answers to requests for samples begin. */
flux_result flux_restart(flux_trace* trace);
/* Goes forward without a sample. */
flux_result flux_set_current(flux_trace* trace, uint32_t item, int64_t position);

/* ---- enumerations and members: what is named in an open signal -----------------------------------------------------
 */

enum {
    FLUX_ENUM_GLOBAL = 0,
    FLUX_ENUM_RELATION_TARGET = 1, /* "\\Scope\\signal" */
    FLUX_ENUM_RELATION_STYLE = 2,  /* "label/RRGGBB/line/normal" */
    FLUX_ENUM_LABEL_STYLE = 3,     /* "text/RRGGBB/star" */
    FLUX_ENUM_RELATION_DOMAIN = 4, /* version 6 */
    FLUX_ENUM_MEMBER = 8           /* + member id, or + index of an array */
};

typedef enum flux_member_type {
    FLUX_MEMBER_INDEX = 0, /* names an index of an array; no member */
    FLUX_MEMBER_TEXT = 1,
    FLUX_MEMBER_ENUM = 2, /* of the signal's FLUX_ENUM_GLOBAL */
    FLUX_MEMBER_INTEGER = 3,
    FLUX_MEMBER_FLOAT = 4,
    FLUX_MEMBER_BINARY = 6,
    FLUX_MEMBER_LOCAL_ENUM = 7, /* of FLUX_ENUM_MEMBER + id */
    FLUX_MEMBER_MERGED_ENUM = 8,
    FLUX_MEMBER_STRUCT = 9, /* version 6, and so are arrays */
    FLUX_MEMBER_ENUM_ARRAY = 10,
    FLUX_MEMBER_INTEGER_ARRAY = 11,
    FLUX_MEMBER_FLOAT_ARRAY = 12,
    FLUX_MEMBER_TEXT_ARRAY = 13
} flux_member_type;

enum {
    FLUX_MEMBER_UNTIL_CHANGE = 0x40, /* version 6: holds until it is written again */
    FLUX_MEMBER_HIDDEN = 0x80,
    FLUX_NO_PARENT = -1
};

flux_result flux_define_enum(flux_trace* trace, uint32_t item, uint32_t enumeration, const char* label, uint32_t value);
/* `type` with flags; `parent` is the member that this one is in (version 6), or FLUX_NO_PARENT. */
flux_result flux_define_member(flux_trace* trace, uint32_t item, uint32_t member, int64_t parent, const char* label,
                               uint8_t type, const char* descriptor);
/* Names an element of an array. */
flux_result flux_define_index(flux_trace* trace, uint32_t item, uint32_t index, const char* label);

/* ---- samples ----------------------------------------------------------------------------------------------------- */

/* Where a sample is, and its mark. */
typedef struct flux_when {
    int64_t position;
    bool relative;
    uint8_t tag; /* 0: none, 1: a conflict; version 6 has others, up to 255 */
} flux_when;

static inline flux_when flux_at(int64_t position) {
    flux_when when;
    when.position = position;
    when.relative = false;
    when.tag = 0;
    return when;
}

/* So far behind the last sample of what was opened together with this signal. */
static inline flux_when flux_after(int64_t delta) {
    flux_when when;
    when.position = delta;
    when.relative = true;
    when.tag = 0;
    return when;
}

static inline flux_when flux_tagged(flux_when when, uint8_t tag) {
    when.tag = tag;
    return when;
}

/* No value from here on. */
flux_result flux_write_none(flux_trace* trace, uint32_t item, flux_when when);
flux_result flux_write_event(flux_trace* trace, uint32_t item, flux_when when, uint32_t value);
flux_result flux_write_integer(flux_trace* trace, uint32_t item, flux_when when, int64_t value);
flux_result flux_write_unsigned(flux_trace* trace, uint32_t item, flux_when when, uint64_t value);
/* An integer of any size, the lowest byte first. */
flux_result flux_write_big_integer(flux_trace* trace, uint32_t item, flux_when when, const void* bytes, uint32_t size,
                                   bool is_signed);
flux_result flux_write_float(flux_trace* trace, uint32_t item, flux_when when, float value);
flux_result flux_write_double(flux_trace* trace, uint32_t item, flux_when when, double value);
flux_result flux_write_text(flux_trace* trace, uint32_t item, flux_when when, const char* text);
/* A text that does not end with NUL. */
flux_result flux_write_characters(flux_trace* trace, uint32_t item, flux_when when, const char* text, uint32_t size);
flux_result flux_write_binary(flux_trace* trace, uint32_t item, flux_when when, const void* bytes, uint32_t size);

/* States of logic by their numbers. */
enum {
    FLUX_STATE_0,
    FLUX_STATE_1,
    FLUX_STATE_Z,
    FLUX_STATE_X,
    FLUX_STATE_L,
    FLUX_STATE_H,
    FLUX_STATE_U,
    FLUX_STATE_W,
    FLUX_STATE_DASH,
    FLUX_STATE_J,
    FLUX_STATE_K,
    FLUX_STATE_M,
    FLUX_STATE_N,
    FLUX_STATE_O,
    FLUX_STATE_P,
    FLUX_STATE_UNKNOWN
};

/* `count` states, the most significant first. Those in front of them, up to the signal's width, are `preceding`; where
 * the signal's `width` is given (not 0) and there are as many states, version 6 chooses it, and writes less. */
flux_result flux_write_states(flux_trace* trace, uint32_t item, flux_when when, uint8_t preceding, uint32_t width,
                              const uint8_t* states, uint32_t count);
/* The same by characters: 0 1 Z X L H U W - J K M N O P; others are unknown. */
flux_result flux_write_logic(flux_trace* trace, uint32_t item, flux_when when, char preceding, uint32_t width,
                             const char* states);

/* What arrays are made of, and how they stand in memory. */
typedef enum flux_element {
    FLUX_INT32,
    FLUX_UINT32,
    FLUX_INT64,
    FLUX_UINT64,
    FLUX_FLOAT32, /* float */
    FLUX_FLOAT64, /* double */
    FLUX_EVENTS,  /* uint32_t */
    FLUX_TEXTS    /* const char*; version 6 */
} flux_element;

typedef struct flux_array {
    const void* values;
    uint32_t count;
    flux_element element;
    bool dynamic; /* version 6: of another length each time */
} flux_array;

flux_result flux_write_array(flux_trace* trace, uint32_t item, flux_when when, const flux_array* array);

typedef struct flux_member flux_member;
struct flux_member {
    uint32_t id;
    uint8_t type;  /* flux_member_type and flags */
    uint8_t width; /* of integers and floats in bytes: 4 or 8 */
    bool is_signed;
    union {
        int64_t integer;
        uint64_t natural;
        float real;
        double real64;
        const void* bytes; /* of text, binary, struct (flux_member) and arrays (flux_array) */
    } value;
    uint32_t size; /* bytes of text and binary, members of a struct */
};

static inline flux_member flux_private_member(uint32_t id, uint8_t type, uint8_t width, bool is_signed) {
    flux_member member;
    member.id = id;
    member.type = type;
    member.width = width;
    member.is_signed = is_signed;
    member.size = 0;
    return member;
}

static inline flux_member flux_member_integer64(uint32_t id, int64_t value) {
    flux_member member = flux_private_member(id, FLUX_MEMBER_INTEGER, 8, true);
    member.value.integer = value;
    return member;
}

static inline flux_member flux_member_integer(uint32_t id, int32_t value) {
    flux_member member = flux_private_member(id, FLUX_MEMBER_INTEGER, 4, true);
    member.value.integer = value;
    return member;
}

static inline flux_member flux_member_unsigned64(uint32_t id, uint64_t value) {
    flux_member member = flux_private_member(id, FLUX_MEMBER_INTEGER, 8, false);
    member.value.natural = value;
    return member;
}

static inline flux_member flux_member_unsigned(uint32_t id, uint32_t value) {
    flux_member member = flux_private_member(id, FLUX_MEMBER_INTEGER, 4, false);
    member.value.natural = value;
    return member;
}

static inline flux_member flux_member_enum(uint32_t id, flux_member_type type, uint32_t value) {
    flux_member member = flux_private_member(id, (uint8_t)type, 4, false);
    member.value.natural = value;
    return member;
}

static inline flux_member flux_member_float(uint32_t id, float value) {
    flux_member member = flux_private_member(id, FLUX_MEMBER_FLOAT, 4, true);
    member.value.real = value;
    return member;
}

static inline flux_member flux_member_double(uint32_t id, double value) {
    flux_member member = flux_private_member(id, FLUX_MEMBER_FLOAT, 8, true);
    member.value.real64 = value;
    return member;
}

static inline flux_member flux_member_binary(uint32_t id, const void* bytes, uint32_t size) {
    flux_member member = flux_private_member(id, FLUX_MEMBER_BINARY, 0, false);
    member.value.bytes = bytes;
    member.size = size;
    return member;
}

flux_member flux_member_text(uint32_t id, const char* text);
/* A text that does not end with NUL. */
static inline flux_member flux_member_characters(uint32_t id, const char* text, uint32_t size) {
    flux_member member = flux_member_binary(id, text, size);
    member.type = FLUX_MEMBER_TEXT;
    return member;
}

/* Version 6. What is pointed to has to stay until the sample is written. An array of events is one of enum values. */
flux_member flux_member_struct(uint32_t id, const flux_member* members, uint32_t count);
flux_member flux_member_array(uint32_t id, const flux_array* array);
static inline flux_member flux_member_flags(flux_member member, uint8_t flags) {
    member.type |= flags;
    return member;
}

/* Members that have no value now are left out. */
flux_result flux_write_struct(flux_trace* trace, uint32_t item, flux_when when, const flux_member* members,
                              uint32_t count);

/* ---- relations and labels: of the sample that was written last for the item ----------------------------------------
 */

typedef enum flux_relation {
    FLUX_DELTA, /* the target is so far away; the only one of version 4 */
    FLUX_DELTA_REVERSED,
    FLUX_POSITION, /* ... is at this position, of the target's domain */
    FLUX_POSITION_REVERSED
} flux_relation;

/* Values of FLUX_ENUM_RELATION_TARGET, _STYLE and _DOMAIN (0: none, and of version 4). */
flux_result flux_write_relation(flux_trace* trace, uint32_t item, flux_relation relation, uint32_t target,
                                uint32_t style, int64_t distance, uint32_t domain);
/* A value of FLUX_ENUM_LABEL_STYLE; x and y are of version 4. */
flux_result flux_write_label(flux_trace* trace, uint32_t item, uint32_t style, int32_t x, int32_t y);

/* ---- control entries; <hwtrace/flux_control.h> reads them -----------------------------------------------------------
 */

flux_result flux_write_request(flux_trace* trace, uint32_t control, uint32_t message, const flux_member* members,
                               uint32_t count);
/* The answer to a request: with its numbers. */
flux_result flux_write_answer(flux_trace* trace, uint32_t control, uint32_t message, const flux_member* members,
                              uint32_t count);

#ifdef __cplusplus
}
#endif

#endif
