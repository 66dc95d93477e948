/* formats/flux/emitter/entry.h - helpers that write an entry: reserve room for its maximum size, write it (which cannot
 * fail), commit it. */
#ifndef HWTRACE_FLUX_ENTRY_H
#define HWTRACE_FLUX_ENTRY_H

#include "hwtrace/flux_emitter.h"

/* The only libc function that the emitter needs. */
void* memcpy(void* restrict to, const void* restrict from, size_t size);

/* Copies a constant number of bytes without a call: in a build without a libc, compilers know only the builtin. */
#ifdef __GNUC__
#define COPY_FEW(to, from, size) __builtin_memcpy(to, from, size)
#else
#define COPY_FEW(to, from, size) memcpy(to, from, size)
#endif

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

enum { KIND_UNDEFINED = 0, KIND_SCOPE = 1, KIND_SIGNAL = 2 }; /* flux_item.kind */

/* Maximum sizes of the parts of an entry, in bytes. */
enum {
    ROOM_TAG = 2,
    ROOM_PINT = 5,
    ROOM_SINT = 9,   /* length byte, 8 bytes of value */
    ROOM_NUMBER = 9, /* an integer of 64 bits; unsigned ones may have a sign byte */
    ROOM_SWITCH = ROOM_TAG + ROOM_PINT,
    ROOM_CURRENT = ROOM_TAG + ROOM_PINT + ROOM_SINT
};

#define MAX_ENTRY UINT32_C(0x0FFFFFFF) /* exclusive limit for the size of a sample value */

/* Value of flux_buffer.trace if a trace switch must precede the next entry. */
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

/* Appends `value` as exactly `size` bytes. Pads it if fewer bytes suffice. */
static inline uint8_t* append_padded_pint(uint8_t* out, uint32_t value, uint32_t size) {
    while (--size > 0) {
        *out++ = (uint8_t)(value | 0x80);
        value >>= 7;
    }
    *out++ = (uint8_t)value;
    return out;
}

/* Returns the number of bits of `value` without leading zeros; 0 or 1 for the value 0. */
static inline uint32_t bit_width(uint64_t value) {
#if defined(__GNUC__) && (defined(__x86_64__) || defined(__aarch64__)) /* elsewhere, this may need a library */
    return 64 - (uint32_t)__builtin_clzll(value | 1);
#else
    uint32_t width = 0;
    for (; value >= 0x100; value >>= 8)
        width += 8;
    for (; value != 0; value >>= 1)
        width++;
    return width;
#endif
}

/* Returns the size in bytes of a signed integer; 0 for the value 0. The top bit of the last byte is the sign. */
static inline uint32_t integer_size(int64_t value) {
    if (value == 0) return 0;
    return bit_width(value < 0 ? ~(uint64_t)value : (uint64_t)value) / 8 + 1;
}

/* Returns the size in bytes, at most 9, of an unsigned integer. The top bit of the last byte is clear. */
static inline uint32_t unsigned_size(uint64_t value) {
    return value == 0 ? 0 : bit_width(value) / 8 + 1;
}

/* Appends an integer; `size` comes from integer_size() or unsigned_size(). */
static inline uint8_t* append_integer(uint8_t* out, uint64_t value, uint32_t size) {
    for (; size > 0; size--) {
        *out++ = (uint8_t)value;
        value >>= 8;
    }
    return out;
}

/* Does the same, and may write up to 9 bytes, whatever `size` is. */
static inline uint8_t* append_integer_in_room(uint8_t* out, uint64_t value, uint32_t size) {
    out[0] = (uint8_t)value;
    out[1] = (uint8_t)(value >> 8);
    out[2] = (uint8_t)(value >> 16);
    out[3] = (uint8_t)(value >> 24);
    out[4] = (uint8_t)(value >> 32);
    out[5] = (uint8_t)(value >> 40);
    out[6] = (uint8_t)(value >> 48);
    out[7] = (uint8_t)(value >> 56);
    out[8] = 0;
    return out + size;
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
    const uint8_t* from = (const uint8_t*)bytes;
    out = append_pint(out, size);
    if (size > 8) return append_bytes(out, bytes, size);
    for (; size > 0; size--) /* for short texts, a call of memcpy takes longer */
        *out++ = *from++;
    return out;
}

static inline uint8_t* append_tag(uint8_t* out, uint8_t tag) {
    *out++ = 0;
    *out++ = tag;
    return out;
}

/* Moves bytes towards the end; the ranges may overlap. */
static inline void move_up(uint8_t* to, const uint8_t* from, uint32_t size) {
    for (; size > 0; size--)
        to[size - 1] = from[size - 1];
}

/* Moves bytes towards the front; the ranges may overlap. */
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

/* Makes `room` bytes free at buffer->at. */
static inline flux_result reserve(flux_buffer* buffer, uint32_t room) {
    flux_result result;
    if ((size_t)(buffer->end - buffer->at) >= room) return FLUX_OK;
    result = buffer->access(buffer, FLUX_REQUEST, room);
    if (result != FLUX_OK) return result;
    return (size_t)(buffer->end - buffer->at) >= room ? FLUX_OK : FLUX_ERROR_ROOM;
}

/* Commits the bytes from buffer->at to `end`: one entry, or several that must stay together. */
static inline flux_result commit(flux_buffer* buffer, uint8_t* end) {
    const uint32_t size = (uint32_t)(end - buffer->at);
    buffer->at = end;
    return buffer->commits ? buffer->access(buffer, FLUX_COMMIT, size) : FLUX_OK;
}

/* Returns the maximum size of the trace switch before an entry of this trace. */
static inline uint32_t switch_room(const flux_buffer* buffer, uint64_t trace) {
    return buffer->shared || buffer->trace != trace ? ROOM_SWITCH : 0;
}

/* buffer.c: makes `trace` the current trace of the buffer. Writes a trace switch at `out` if the stream needs one. */
uint8_t* flux_internal_append_switch(flux_buffer* buffer, uint64_t trace, uint8_t* out);

static inline uint8_t* append_switch_where_needed(flux_buffer* buffer, uint64_t trace, uint8_t* out) {
    return buffer->trace == trace ? out : flux_internal_append_switch(buffer, trace, out);
}

/* trace.c: reserves room for an entry other than a sample, and writes a trace switch before it if necessary. */
flux_result flux_internal_begin_entry(flux_trace* trace, uint32_t room, uint8_t** out);
uint8_t* flux_internal_append_current(uint8_t* out, uint32_t item, int64_t position);

/* trace.c: returns a flux_type or flux_member_type as the trace stores it. */
uint8_t flux_internal_signal_type(const flux_trace* trace, uint8_t type);
uint8_t flux_internal_member_type(const flux_trace* trace, uint8_t type);

/* Finds the current position of an item. Fails unless the item is an open signal or, with `any`, an open scope. */
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

/* member.c: computes the total size of members. `padded` is the size that the first emitter would estimate; it
 * determines the padding of the header. */
flux_result flux_internal_members_size(const flux_trace* trace, const flux_member* members, uint32_t count,
                                       uint32_t* size, uint32_t* padded);
uint8_t* flux_internal_append_members(const flux_trace* trace, uint8_t* out, const flux_member* members,
                                      uint32_t count);
/* member.c: returns true if all members are numbers, texts or bytes, and can be written by
 * flux_internal_append_simple_members() into `room` bytes. */
bool flux_internal_are_simple(const flux_trace* trace, const flux_member* members, uint32_t count, uint32_t* room,
                              uint32_t* padded);
uint8_t* flux_internal_append_simple_members(const flux_trace* trace, uint8_t* out, const flux_member* members,
                                             uint32_t count);
/* member.c: computes the size of an array's elements, and writes them. If `counted`, the count precedes them. */
flux_result flux_internal_array_size(const flux_array* array, bool counted, uint32_t* size, uint32_t* padded);
uint8_t* flux_internal_append_array(uint8_t* out, const flux_array* array, bool counted);

#endif
