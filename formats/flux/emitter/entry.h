/* formats/flux/emitter/entry.h - how an entry gets into a buffer: room is asked for first, for the most that it can
 * take; then it is written, which cannot fail; then it is committed. */
#ifndef HWTRACE_FLUX_ENTRY_H
#define HWTRACE_FLUX_ENTRY_H

#include "hwtrace/flux_emitter.h"

/* The only thing that is needed of libc. */
void* memcpy(void* restrict to, const void* restrict from, size_t size);

enum {
    TAG_HEAD = 0x01,
    TAG_SWITCH = 0x04,
    TAG_PACKED = 0x05,
    TAG_SECTION = 0x06,
    TAG_SCOPE = 0x10,
    TAG_SIGNAL = 0x11,
    TAG_SIGNALS = 0x12,
    TAG_REFERENCE = 0x13,
    TAG_SCATTERED = 0x14,
    TAG_SCATTERED_REFERENCE = 0x15,
    TAG_OPEN = 0x20,
    TAG_CLOSE = 0x21,
    TAG_DOMAIN = 0x22,
    TAG_CURRENT = 0x23,
    TAG_ENUM = 0x30,
    TAG_MEMBER = 0x31,
    TAG_RELATION = 0x40,
    TAG_LABEL = 0x41,
    TAG_REQUEST = 0x80,
    TAG_RESULT = 0x81
};

enum { KIND_UNDEFINED = 0, KIND_SCOPE = 1, KIND_SIGNAL = 2 }; /* of flux_item */

/* The most bytes of a part of an entry. */
enum {
    ROOM_TAG = 2,
    ROOM_PINT = 5,
    ROOM_SINT = 9, /* 1 of length, 8 */
    ROOM_SWITCH = ROOM_TAG + ROOM_PINT,
    ROOM_CURRENT = ROOM_TAG + ROOM_PINT + ROOM_SINT
};

#define MAX_ENTRY UINT32_C(0x0FFFFFFF) /* values of samples are smaller */

/* Of a buffer whose next entry has to say whose it is. */
#define TRACE_TO_STATE (UINT64_MAX - 1)

static inline uint8_t* append_pint(uint8_t* out, uint32_t value) {
    while (value >= 0x80) {
        *out++ = (uint8_t)(value | 0x80);
        value >>= 7;
    }
    *out++ = (uint8_t)value;
    return out;
}

static inline uint32_t pint_size(uint32_t value) {
    uint32_t size = 1;
    while (value >>= 7)
        size++;
    return size;
}

/* In exactly `size` bytes, more than are needed or just as many. */
static inline uint8_t* append_padded_pint(uint8_t* out, uint32_t value, uint32_t size) {
    while (--size > 0) {
        *out++ = (uint8_t)(value | 0x80);
        value >>= 7;
    }
    *out++ = (uint8_t)value;
    return out;
}

/* Bytes of an integer whose value 0 has none and whose topmost bit is its sign. */
static inline uint32_t integer_size(int64_t value) {
    uint64_t rest = (uint64_t)value;
    uint32_t size = 1;
    if (value == 0) return 0;
    if (value < 0) rest = ~rest;
    for (rest >>= 7; rest != 0; rest >>= 8)
        size++;
    return size;
}

/* ... of one without a sign, 9 at most. */
static inline uint32_t unsigned_size(uint64_t value) {
    uint32_t size = 1;
    if (value == 0) return 0;
    for (value >>= 7; value != 0; value >>= 8)
        size++;
    return size;
}

/* `size` as the two above say. */
static inline uint8_t* append_integer(uint8_t* out, uint64_t value, uint32_t size) {
    for (; size > 0; size--) {
        *out++ = (uint8_t)value;
        value >>= 8;
    }
    return out;
}

static inline uint8_t* append_sint(uint8_t* out, int64_t value) {
    const uint32_t size = integer_size(value);
    *out++ = (uint8_t)size;
    return append_integer(out, (uint64_t)value, size);
}

static inline uint8_t* append_bytes(uint8_t* out, const void* bytes, uint32_t size) {
    if (size > 0) memcpy(out, bytes, size);
    return out + size;
}

static inline uint8_t* append_value(uint8_t* out, const void* bytes, uint32_t size) {
    return append_bytes(append_pint(out, size), bytes, size);
}

static inline uint8_t* append_tag(uint8_t* out, uint8_t tag) {
    *out++ = 0;
    *out++ = tag;
    return out;
}

/* Moves bytes towards the front; they may overlap. */
static inline void move_down(uint8_t* to, const uint8_t* from, uint32_t size) {
    for (; size > 0; size--)
        *to++ = *from++;
}

static inline uint32_t text_size(const char* text) {
    uint32_t size = 0;
    if (text)
        while (size < MAX_ENTRY && text[size] != '\0')
            size++;
    return size;
}

/* FLUX_OK: `room` bytes are free behind buffer->at. */
static inline flux_result reserve(flux_buffer* buffer, uint32_t room) {
    flux_result result;
    if ((size_t)(buffer->end - buffer->at) >= room) return FLUX_OK;
    result = buffer->access(buffer, FLUX_REQUEST, room);
    if (result != FLUX_OK) return result;
    return (size_t)(buffer->end - buffer->at) >= room ? FLUX_OK : FLUX_ERROR_ROOM;
}

/* What stands between buffer->at and `end` is an entry, or several that belong together. */
static inline flux_result commit(flux_buffer* buffer, uint8_t* end) {
    const uint32_t size = (uint32_t)(end - buffer->at);
    buffer->at = end;
    return buffer->commits ? buffer->access(buffer, FLUX_COMMIT, size) : FLUX_OK;
}

/* More that may be needed in front of an entry of this trace. */
static inline uint32_t switch_room(const flux_buffer* buffer, uint64_t trace) {
    return buffer->shared || buffer->trace != trace ? ROOM_SWITCH : 0;
}

/* buffer.c: the buffer goes on with this trace; a switch is written at `out` where the stream has to say so. */
uint8_t* append_switch(flux_buffer* buffer, uint64_t trace, uint8_t* out);

static inline uint8_t* append_switch_where_needed(flux_buffer* buffer, uint64_t trace, uint8_t* out) {
    return buffer->trace == trace ? out : append_switch(buffer, trace, out);
}

/* trace.c: room for an entry that is no sample, behind a switch where one is needed. */
flux_result begin_entry(flux_trace* trace, uint32_t room, uint8_t** out);
uint8_t* append_current(uint8_t* out, uint32_t item, int64_t position);

/* What counts the positions of an item; not FLUX_OK where it is no open signal (or scope: `any`). */
static inline flux_result find_context(flux_trace* trace, uint32_t item, bool any, flux_item** context) {
    const flux_item* entry = &trace->single;
    if (item > trace->max_item || (item == 0 && !any)) return FLUX_ERROR_ID;
    if (trace->items) {
        entry = &trace->items[item];
        if (entry->kind != KIND_SIGNAL && (entry->kind == KIND_UNDEFINED || !any)) return FLUX_ERROR_NOT_DEFINED;
    }
    if (!entry->open) return FLUX_ERROR_NOT_OPEN;
    *context = trace->items ? &trace->items[entry->context] : &trace->single;
    return FLUX_OK;
}

/* member.c: bytes of members, all of them together; `padded` is what the writer of a header assumes before it knows. */
flux_result members_size(const flux_trace* trace, const flux_member* members, uint32_t count, uint32_t* size,
                         uint32_t* padded);
uint8_t* append_members(uint8_t* out, const flux_member* members, uint32_t count);
/* member.c: elements of an array, behind their number where it is `counted`. */
flux_result array_size(const flux_array* array, bool counted, uint32_t* size, uint32_t* padded);
uint8_t* append_array(uint8_t* out, const flux_array* array, bool counted);

#endif
