/* hwtrace/flux_emitter.h - writes flux traces on targets of any size. C99; no allocation; needs only memcpy from libc.
 *
 * A trace writes entries (definitions, samples, ...) into its buffer. A linear buffer passes its content to a handler
 * when it is full or flushed; a ring keeps the newest entries. The caller owns all memory, which must stay in place
 * while it is in use.
 *
 * Every call returns a code. If the code is not FLUX_OK, the call had no effect: no byte was written and no position
 * moved. NULL pointers, calls at the wrong time, and ids and values out of range are safe and return codes as well.
 * Strings are UTF-8 and end with NUL; a NULL pointer is the empty string.
 *
 * Use a trace, its buffer and all buffers after it from only one thread at a time. An interrupt counts as a thread. */
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

/* Result of a call. The first flux emitter uses the same numbers. */
typedef enum flux_result {
    FLUX_OK = 0,
    FLUX_ERROR_COMMAND = -1,      /* the buffer does not support the command, such as flushing a ring */
    FLUX_ERROR_ROOM = -2,         /* the entry does not fit into the buffer, or into the next buffer */
    FLUX_ERROR_VALUE = -3,        /* NULL, or a value that does not exist in the trace's version */
    FLUX_ERROR_SIZE = -4,         /* wrong width, count or memory size */
    FLUX_ERROR_ID = -5,           /* 0 instead of an item, or an id above the trace's maximum */
    FLUX_ERROR_NO_BUFFER = -6,    /* the trace has no buffer */
    FLUX_ERROR_OPENING = -7,      /* flux_repeat_open() without a sync head */
    FLUX_ERROR_DEFINED = -8,      /* the item is defined already */
    FLUX_ERROR_NOT_DEFINED = -9,  /* the item is not defined, or is not a signal */
    FLUX_ERROR_PARENT = -10,      /* the parent is not a defined scope */
    FLUX_ERROR_OPEN = -11,        /* the item, or a scope around it, is open already */
    FLUX_ERROR_CHILD_OPEN = -12,  /* an item inside this one is open */
    FLUX_ERROR_NOT_OPEN = -13,    /* neither the item nor a scope around it is open */
    FLUX_ERROR_POSITION = -14,    /* before the current position, or beyond 63 bits */
    FLUX_ERROR_IO = -15,          /* a handler could not write */
    FLUX_ERROR_PARSE = -16,       /* not a control entry */
    FLUX_MORE = -17,              /* the control entry needs more bytes */
    FLUX_ERROR_PACKING = -18,     /* the compressor failed */
    FLUX_END = -19,               /* nothing is left */
    FLUX_ERROR_BUFFER_USED = -20, /* the buffers form a loop */
    FLUX_EXIT = -21               /* for handlers and callbacks; passed on to the caller */
} flux_result;

/* Returns the meaning of a result, such as "not open"; never NULL. */
const char* flux_result_text(flux_result result);

/* ---- buffers ----------------------------------------------------------------------------------------------------- */

/* Bytes that a buffer passes to its handler: whole entries, unless the handler consumed a part of them earlier. */
typedef struct flux_chunk {
    const uint8_t* bytes;
    uint32_t size;
    uint64_t first_trace; /* trace of the first entry; FLUX_NO_TRACE: the bytes state it */
    uint64_t last_trace;  /* trace of the last entry */
    bool shared;          /* several traces write into the buffer */
} flux_chunk;

#define FLUX_NO_TRACE UINT64_MAX

/* Destination of a buffer's bytes. `take` sets `taken` to the number of bytes that it consumed from the front; the
 * buffer keeps the rest. */
typedef struct flux_handler {
    flux_result (*take)(void* user, const flux_chunk* chunk, uint32_t* taken);
    void* user;
    flux_buffer* next; /* the buffer that the handler writes to, for flux_deep_flush(); NULL: none */
} flux_handler;

/* Commands to a buffer's access function. */
typedef enum flux_command {
    FLUX_REQUEST = 0,   /* provide `size` bytes between `at` and `end` */
    FLUX_COMMIT = 2,    /* an entry of `size` bytes ends at `at`; sent only if `commits` is set */
    FLUX_CLEAR = 5,     /* discard the content */
    FLUX_FLUSH = 6,     /* pass the content to the handler */
    FLUX_DEEP_FLUSH = 7 /* pass the content to the handler and flush all buffers after this one */
} flux_command;

typedef flux_result (*flux_access)(flux_buffer* buffer, flux_command command, uint32_t size);

struct flux_buffer {
    uint8_t* at;  /* start of the next entry */
    uint8_t* end; /* entries that end at or before this address need no request */
    uint8_t* memory;
    uint32_t size;
    bool commits;
    bool shared; /* several traces write into it */
    flux_access access;
    flux_handler handler;
    void* user;           /* for a custom buffer */
    uint64_t first_trace; /* trace of the first entry in the buffer */
    uint64_t trace;       /* trace that wrote last */
    uint32_t lap;         /* number of ring sections entered so far */
    uint8_t* sections;    /* the first section of a ring; NULL: a linear buffer */
    uint8_t* section;     /* the current section */
};

/* Initialises a linear buffer in the caller's memory. When an entry does not fit, the buffer passes its content to the
 * handler. If `handler` is NULL, a full buffer rejects entries (FLUX_ERROR_ROOM) until it is cleared. */
flux_result flux_buffer_init(flux_buffer* buffer, void* memory, uint32_t size, const flux_handler* handler);
/* Divides the free memory of a buffer that has no handler into a ring of `count` sections of 16 to 65535 bytes. The
 * current content (head, definitions, open) stays before the ring. From then on the whole memory is a readable stream
 * at any time, because the sections state their order. Each new section states positions again, and the trace if
 * several traces share the ring. Entries that a handler copies into the ring get no positions. */
flux_result flux_buffer_divide(flux_buffer* buffer, uint32_t count);
/* Initialises a buffer that the caller implements. `access` executes all commands and maintains `at` and `end`, which
 * are NULL at first. */
flux_result flux_buffer_custom(flux_buffer* buffer, flux_access access, void* user);

/* Returns the content of a buffer and sets `size`. The content of a ring is its whole memory. For a custom buffer,
 * returns NULL and sets `size` to 0. */
const uint8_t* flux_buffer_bytes(const flux_buffer* buffer, uint32_t* size);
/* Empties a linear buffer, or restarts a ring at its first section. */
flux_result flux_buffer_clear(flux_buffer* buffer);
/* Passes the content to the handler. Rings return FLUX_ERROR_COMMAND. */
flux_result flux_flush(flux_buffer* buffer);
/* Flushes the buffer like flux_flush(), then the buffers after it, nearest first. */
flux_result flux_deep_flush(flux_buffer* buffer);

/* Returns a handler that copies each chunk into another buffer, in which the chunk must fit. If another trace wrote to
 * that buffer last, a trace switch (SWTH) precedes the chunk. */
flux_handler flux_copy_into(flux_buffer* next);

/* A compressor. Packs a chunk into at most `room` bytes and returns the packed size. Returns 0 if `room` is too small,
 * UINT32_MAX on failure. */
typedef uint32_t (*flux_compress)(void* work, const uint8_t* bytes, uint32_t size, uint8_t* out, uint32_t room);

typedef enum flux_packing { FLUX_LZ4 = 0, FLUX_FASTLZ = 1, FLUX_ZLIB = 2, FLUX_GZIP = 3 } flux_packing;

typedef struct flux_packer {
    flux_buffer* next;
    flux_packing packing;
    flux_compress compress;
    void* work; /* passed to `compress` */
} flux_packer;

/* Returns a handler that packs each chunk into a block of another buffer. A chunk that does not become smaller is
 * copied unpacked. `next` must be at least as large as the buffer before it. `packer` must outlive the handler. */
flux_handler flux_pack_into(flux_packer* packer);

/* Work memory of FastLZ. The table has 2^bits entries; `bits` is 4 to 16, usually 13. A larger table compresses faster
 * and better. Level 0 selects level 1 for chunks below 64 KiB and level 2 for larger chunks. */
typedef struct flux_fastlz {
    uint32_t* table;
    uint8_t bits;
    uint8_t level;
} flux_fastlz;

/* A flux_compress for FLUX_FASTLZ; `work` points to a flux_fastlz. */
uint32_t flux_fastlz_compress(void* work, const uint8_t* bytes, uint32_t size, uint8_t* out, uint32_t room);

/* ---- traces ------------------------------------------------------------------------------------------------------ */

/* The version of a trace. FLUX_IMPULSE_3 is version 6 in the layout that impulse 3 writes: definitions hold tags, and
 * the display format and the width of a logic signal instead of a descriptor. They are taken from the descriptor. */
enum { FLUX_VERSION_4 = 4, FLUX_VERSION_6 = 6, FLUX_IMPULSE_3 = 0x86 };
#define FLUX_MAX_ITEM UINT32_C(0x1FFFFFFF)

/* State of an item in a trace. */
typedef struct flux_item {
    int64_t position; /* current position, if this item was opened itself */
    uint32_t parent;
    uint32_t context; /* id of the opened item: this item or a scope around it */
    uint32_t lap;     /* lap of the buffer in which the position was last stated */
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
    bool impulse_3;   /* the layout of the definitions */
    bool repeating;   /* a sync head was written; definitions are repeated */
    const char* tags; /* for the next definition */
    flux_item single;
};

/* Initialises a trace with items 1 to `max_item`. `items` is an array of `max_item` + 1 elements. With it, definitions
 * are checked, and scopes and signals can be opened individually. If it is NULL, definitions are not checked, and only
 * one item (or everything, item 0) is open at a time. `max_entry` is stated in the head, for readers. */
flux_result flux_trace_init(flux_trace* trace, uint32_t id, uint8_t version, uint32_t max_item, uint32_t max_entry,
                            flux_item* items);
/* Sends later entries to this buffer (NULL: to none); entries in a previous buffer stay there. Several traces may share
 * a buffer; trace switches are written as needed. */
flux_result flux_trace_attach(flux_trace* trace, flux_buffer* buffer);

/* ---- heads, items ------------------------------------------------------------------------------------------------ */

flux_result flux_write_head(flux_trace* trace, const char* name, const char* description);
/* Writes the head of a derived format: `magic` has four characters and replaces `flux`. */
flux_result flux_write_derived_head(flux_trace* trace, const char* magic, const char* name, const char* description);
/* Writes a head for readers that join here. Repeat the definitions unchanged after it, then call flux_repeat_open(). */
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

/* Gives tags, separated by commas, to the next definition or reference that succeeds. The text must stay valid until
 * then. A NULL pointer removes the tags. Only FLUX_IMPULSE_3 stores tags. */
flux_result flux_tag_next(flux_trace* trace, const char* tags);
/* Defines a scope or signal. Parent 0 is the root. A descriptor gives details of a signal: "default<bits=16>",
 * "default<df=Hex>". */
flux_result flux_add_scope(flux_trace* trace, uint32_t item, uint32_t parent, const char* name,
                           const char* description);
flux_result flux_add_signal(flux_trace* trace, uint32_t item, uint32_t parent, const char* name,
                            const char* description, flux_type type, const char* descriptor);
/* Defines the signals `first` to `last` with equal properties. */
flux_result flux_add_signals(flux_trace* trace, uint32_t first, uint32_t last, uint32_t parent, const char* name,
                             const char* description, flux_type type, const char* descriptor);
/* Shows a signal in another scope. The reference itself has no id. */
flux_result flux_add_reference(flux_trace* trace, uint32_t item, uint32_t parent, const char* name,
                               const char* description);
/* Defines the part of a logic signal with states `from` to `to`. All parts with the same parent and name form one
 * signal. */
flux_result flux_add_scattered(flux_trace* trace, uint32_t item, uint32_t parent, const char* name,
                               const char* description, flux_type type, const char* descriptor, uint32_t from,
                               uint32_t to);
flux_result flux_add_scattered_reference(flux_trace* trace, uint32_t item, uint32_t parent, const char* name,
                                         const char* description, uint32_t from, uint32_t to);

/* ---- open and close ---------------------------------------------------------------------------------------------- */

/* Sets the domain for all later opens whose domain is empty. */
flux_result flux_set_default_domain(flux_trace* trace, const char* domain);
/* Opens an item and its children (0: everything) at position `start`, in steps of `domain` ("ns", "Hz", ...). A rate
 * above 0 is the distance between evenly spaced samples. A closed item may be opened again. */
flux_result flux_open(flux_trace* trace, uint32_t item, const char* domain, int64_t start, uint32_t rate);
/* Repeats the open of an item at its current position, after a sync head. */
flux_result flux_repeat_open(flux_trace* trace, uint32_t item, const char* domain, uint32_t rate);
/* Closes an opened item. An end before the current position is replaced with the current position + 1. */
flux_result flux_close(flux_trace* trace, uint32_t item, int64_t end);
/* Opens everything at position 0 without writing an entry. Use it to answer sample requests. */
flux_result flux_restart(flux_trace* trace);
/* Advances the position without a sample. */
flux_result flux_set_current(flux_trace* trace, uint32_t item, int64_t position);

/* ---- enumerations and members: names within an open signal ------------------------------------------------------- */

enum {
    FLUX_ENUM_GLOBAL = 0,
    FLUX_ENUM_RELATION_TARGET = 1, /* "\\Scope\\signal" */
    FLUX_ENUM_RELATION_STYLE = 2,  /* "label/RRGGBB/line/normal" */
    FLUX_ENUM_LABEL_STYLE = 3,     /* "text/RRGGBB/star" */
    FLUX_ENUM_RELATION_DOMAIN = 4, /* version 6 */
    FLUX_ENUM_MEMBER = 8           /* + member id, or + index of an array */
};

typedef enum flux_member_type {
    FLUX_MEMBER_INDEX = 0, /* the label of an array index, not a member */
    FLUX_MEMBER_TEXT = 1,
    FLUX_MEMBER_ENUM = 2, /* labels: the signal's FLUX_ENUM_GLOBAL */
    FLUX_MEMBER_INTEGER = 3,
    FLUX_MEMBER_FLOAT = 4,
    FLUX_MEMBER_BINARY = 6,
    FLUX_MEMBER_LOCAL_ENUM = 7, /* labels: FLUX_ENUM_MEMBER + id */
    FLUX_MEMBER_MERGED_ENUM = 8,
    FLUX_MEMBER_STRUCT = 9, /* this and the following types: version 6 only */
    FLUX_MEMBER_ENUM_ARRAY = 10,
    FLUX_MEMBER_INTEGER_ARRAY = 11,
    FLUX_MEMBER_FLOAT_ARRAY = 12,
    FLUX_MEMBER_TEXT_ARRAY = 13
} flux_member_type;

enum {
    FLUX_MEMBER_UNTIL_CHANGE = 0x40, /* version 6: the value holds until the next one */
    FLUX_MEMBER_HIDDEN = 0x80,
    FLUX_NO_PARENT = -1
};

flux_result flux_define_enum(flux_trace* trace, uint32_t item, uint32_t enumeration, const char* label, uint32_t value);
/* Defines a struct member. `type` is a flux_member_type with flags; `parent` is the enclosing struct member
 * (version 6) or FLUX_NO_PARENT. */
flux_result flux_define_member(flux_trace* trace, uint32_t item, uint32_t member, int64_t parent, const char* label,
                               uint8_t type, const char* descriptor);
/* Names the element of an array at `index`. */
flux_result flux_define_index(flux_trace* trace, uint32_t item, uint32_t index, const char* label);

/* ---- samples ----------------------------------------------------------------------------------------------------- */

/* Position and mark of a sample. */
typedef struct flux_when {
    int64_t position;
    bool relative;
    uint8_t tag; /* 0: none; 1: conflict; version 6 allows values up to 255 */
} flux_when;

/* Returns an absolute position. */
static inline flux_when flux_at(int64_t position) {
    flux_when when;
    when.position = position;
    when.relative = false;
    when.tag = 0;
    return when;
}

/* Returns a position relative to the last sample under the same open. */
static inline flux_when flux_after(int64_t delta) {
    flux_when when;
    when.position = delta;
    when.relative = true;
    when.tag = 0;
    return when;
}

/* Returns `when` with a mark. */
static inline flux_when flux_tagged(flux_when when, uint8_t tag) {
    when.tag = tag;
    return when;
}

/* Writes that the signal has no value from here on. */
flux_result flux_write_none(flux_trace* trace, uint32_t item, flux_when when);
flux_result flux_write_event(flux_trace* trace, uint32_t item, flux_when when, uint32_t value);
flux_result flux_write_integer(flux_trace* trace, uint32_t item, flux_when when, int64_t value);
flux_result flux_write_unsigned(flux_trace* trace, uint32_t item, flux_when when, uint64_t value);
/* Writes an integer of any size, lowest byte first. */
flux_result flux_write_big_integer(flux_trace* trace, uint32_t item, flux_when when, const void* bytes, uint32_t size,
                                   bool is_signed);
flux_result flux_write_float(flux_trace* trace, uint32_t item, flux_when when, float value);
flux_result flux_write_double(flux_trace* trace, uint32_t item, flux_when when, double value);
flux_result flux_write_text(flux_trace* trace, uint32_t item, flux_when when, const char* text);
/* Writes a text of `size` bytes; it need not end with NUL. */
flux_result flux_write_characters(flux_trace* trace, uint32_t item, flux_when when, const char* text, uint32_t size);
flux_result flux_write_binary(flux_trace* trace, uint32_t item, flux_when when, const void* bytes, uint32_t size);

/* Logic states. */
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

/* Writes `count` states, most significant first. `preceding` fills the states before them up to the signal's
 * width. If `width` is the signal's width (not 0) and equals `count`, version 6 chooses the fill state itself and
 * writes fewer bytes. */
flux_result flux_write_states(flux_trace* trace, uint32_t item, flux_when when, uint8_t preceding, uint32_t width,
                              const uint8_t* states, uint32_t count);
/* Writes states given as characters: 0 1 Z X L H U W - J K M N O P. Any other character is the unknown state. */
flux_result flux_write_logic(flux_trace* trace, uint32_t item, flux_when when, char preceding, uint32_t width,
                             const char* states);

/* Element type of an array in memory. */
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
    bool dynamic; /* version 6: the length may change; a count is stored */
} flux_array;

flux_result flux_write_array(flux_trace* trace, uint32_t item, flux_when when, const flux_array* array);

typedef struct flux_member flux_member;
struct flux_member {
    uint32_t id;
    uint8_t type;  /* flux_member_type and flags */
    uint8_t width; /* bytes of an integer or float: 4 or 8 */
    bool is_signed;
    union {
        int64_t integer;
        uint64_t natural;
        float real;
        double real64;
        const void* bytes; /* text, binary, struct (flux_member) or array (flux_array) */
    } value;
    uint32_t size; /* bytes of a text or binary; members of a struct */
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
/* Returns a text member of `size` bytes; the text need not end with NUL. */
static inline flux_member flux_member_characters(uint32_t id, const char* text, uint32_t size) {
    flux_member member = flux_member_binary(id, text, size);
    member.type = FLUX_MEMBER_TEXT;
    return member;
}

/* Return a struct or array member (version 6). The pointers must stay valid until the sample is written. An array of
 * FLUX_EVENTS becomes an array of enum values. */
flux_member flux_member_struct(uint32_t id, const flux_member* members, uint32_t count);
flux_member flux_member_array(uint32_t id, const flux_array* array);
static inline flux_member flux_member_flags(flux_member member, uint8_t flags) {
    member.type |= flags;
    return member;
}

/* Writes a struct. Omit members without a value. */
flux_result flux_write_struct(flux_trace* trace, uint32_t item, flux_when when, const flux_member* members,
                              uint32_t count);

/* ---- relations and labels, for the last sample of the item ------------------------------------------------------- */

typedef enum flux_relation {
    FLUX_DELTA, /* distance to the target; the only kind in version 4 */
    FLUX_DELTA_REVERSED,
    FLUX_POSITION, /* position of the target, in its domain */
    FLUX_POSITION_REVERSED
} flux_relation;

/* Writes a relation. `target`, `style` and `domain` are values of FLUX_ENUM_RELATION_TARGET, _STYLE and _DOMAIN. Domain
 * 0 means none; version 4 has no domains. */
flux_result flux_write_relation(flux_trace* trace, uint32_t item, flux_relation relation, uint32_t target,
                                uint32_t style, int64_t distance, uint32_t domain);
/* Writes a label. `style` is a value of FLUX_ENUM_LABEL_STYLE. Only version 4 stores `x` and `y`. */
flux_result flux_write_label(flux_trace* trace, uint32_t item, uint32_t style, int32_t x, int32_t y);

/* ---- control entries; <hwtrace/flux_control.h> reads them -------------------------------------------------------- */

flux_result flux_write_request(flux_trace* trace, uint32_t control, uint32_t message, const flux_member* members,
                               uint32_t count);
/* Writes the answer to a request. Pass the control and message ids of the request. */
flux_result flux_write_answer(flux_trace* trace, uint32_t control, uint32_t message, const flux_member* members,
                              uint32_t count);

#ifdef __cplusplus
}
#endif

#endif
