#include "first_emitter.h"

#include <string.h>

enum { ERROR_ROOM = -2, ERROR_VALUE = -3, ERROR_SIZE = -4, ERROR_ID = -5, ERROR_CLOSED = -13, ERROR_POSITION = -14 };
enum { PINT_ROOM = 5, HEAD_ROOM = 4 * PINT_ROOM, UNKNOWN_STATE = 15, MEMBER_TEXT = 1, MEMBER_FLOAT = 4 };

static int access_buffer(int command, first_buffer* buffer, uint8_t** at, uint32_t size) {
    switch (command) {
        case FIRST_REQUEST:
            if (size > buffer->size) return ERROR_ROOM;
            if (size > buffer->size - buffer->used) {
                buffer->discarded += buffer->used;
                buffer->used = 0;
            }
            *at = buffer->bytes + buffer->used;
            return 0;
        case FIRST_COMMIT:
            buffer->used += size;
            return 0;
        case FIRST_FLUSH:
            buffer->discarded += buffer->used;
            buffer->used = 0;
            return 0;
        default:
            return ERROR_VALUE;
    }
}

void first_begin(first_trace* trace, first_buffer* buffer, uint8_t* bytes, uint32_t size, uint32_t max_item) {
    uint32_t item;
    memset(trace, 0, sizeof *trace);
    memset(buffer, 0, sizeof *buffer);
    buffer->access = access_buffer;
    buffer->bytes = bytes;
    buffer->size = size;
    trace->buffer = buffer;
    trace->max_item = max_item;
    for (item = 0; item <= max_item; item++)
        trace->items[item].defined = trace->items[item].open = true;
}

int first_flush(first_trace* trace) {
    return trace->buffer->access(FIRST_FLUSH, trace->buffer, NULL, 0);
}

static uint8_t* write_pint(uint8_t* at, uint32_t value) {
    while (value > 127) {
        *at++ = (uint8_t)(value | 128);
        value >>= 7;
    }
    *at++ = (uint8_t)value;
    return at;
}

static uint32_t pint_size(uint32_t value) {
    uint32_t size = 1;
    while (value > 127) {
        value >>= 7;
        size++;
    }
    return size;
}

static uint8_t* write_padded(uint8_t* at, uint32_t value, uint32_t size) {
    for (; size > 1; size--) {
        *at++ = (uint8_t)(value | 128);
        value >>= 7;
    }
    *at++ = (uint8_t)(value & 127);
    return at;
}

/* Returns the number of bytes that an integer of `size` bytes takes; a sign byte may be among them. */
static uint32_t integer_size(const uint8_t* bytes, uint32_t size, bool is_unsigned) {
    const uint8_t fill = !is_unsigned && (bytes[size - 1] & 128) != 0 ? 255 : 0;
    uint32_t kept = size;
    while (kept > 0 && bytes[kept - 1] == fill)
        kept--;
    if (kept == 0 && fill == 0) return 0;
    if (kept == 0 || (bytes[kept - 1] & 128) != (fill & 128)) kept++;
    return kept;
}

static uint8_t* write_integer(uint8_t* at, const uint8_t* bytes, uint32_t size, uint32_t kept) {
    uint32_t i;
    for (i = 0; i < kept; i++)
        *at++ = i < size ? bytes[i] : 0;
    return at;
}

/* Checks the item and the position, and asks for room. */
static int begin(first_trace* trace, uint32_t item, int64_t delta, uint32_t room, uint8_t** start, uint8_t** at) {
    first_item* context;
    int result;
    if (item == 0 || item > trace->max_item) return ERROR_ID;
    if (!trace->items[item].defined || !trace->items[item].open) return ERROR_CLOSED;
    context = &trace->items[trace->items[item].context];
    if (delta < 0 || context->current > INT64_MAX - delta) return ERROR_POSITION;
    result = trace->buffer->access(FIRST_REQUEST, trace->buffer, start, room + HEAD_ROOM);
    if (result != 0) return result;
    context->current += delta;
    *at = write_pint(*start, item << 3 | (delta != 0 ? 2u : 0u));
    if (delta != 0) *at = write_pint(*at, (uint32_t)delta);
    return 0;
}

static int commit(first_trace* trace, const uint8_t* start, const uint8_t* at) {
    return trace->buffer->access(FIRST_COMMIT, trace->buffer, NULL, (uint32_t)(at - start));
}

int first_write_integer(first_trace* trace, uint32_t item, int64_t delta, const void* value, uint32_t size,
                        bool is_unsigned) {
    uint8_t *start, *at;
    const uint32_t kept = integer_size((const uint8_t*)value, size, is_unsigned);
    const int result = begin(trace, item, delta, kept + PINT_ROOM, &start, &at);
    if (result != 0) return result;
    at = write_pint(at, kept << 4 | 1);
    return commit(trace, start, write_integer(at, (const uint8_t*)value, size, kept));
}

int first_write_float(first_trace* trace, uint32_t item, int64_t delta, const void* value, uint32_t size) {
    uint8_t *start, *at;
    const int result = begin(trace, item, delta, size + PINT_ROOM, &start, &at);
    if (result != 0) return result;
    at = write_pint(at, size << 4 | (size == 4 ? 5 : 9));
    memcpy(at, value, size);
    return commit(trace, start, at + size);
}

int first_write_states(first_trace* trace, uint32_t item, int64_t delta, uint8_t preceding, uint32_t width,
                       const uint8_t* states, uint32_t count) {
    uint8_t *start, *at, largest;
    uint32_t first = 0, i, bits, size, shift;
    int result;
    if (count == width && count > 0) preceding = states[0];
    while (first < count && states[first] == preceding)
        first++;
    largest = preceding;
    for (i = first; i < count; i++)
        if (states[i] > largest) largest = states[i];
    if (largest > UNKNOWN_STATE) return ERROR_VALUE;
    result = begin(trace, item, delta, count + 1 + PINT_ROOM, &start, &at);
    if (result != 0) return result;
    if (first == count && preceding <= 1) {
        *at++ = preceding == 0 ? 1 : 5;
        return commit(trace, start, at);
    }
    bits = largest <= 1 ? 1 : largest <= 3 ? 2 : 4;
    size = (count - first) * bits / 8 + 1;
    at = write_pint(at, size << 4 | (bits == 1 ? 9 : bits == 2 ? 10 : 11));
    memset(at, 0, size);
    shift = 0;
    for (i = 0; i < size * 8 / bits; i++) { /* from the last state to the first */
        const uint8_t state = i < count - first ? states[count - 1 - i] : preceding;
        at[size - 1 - i * bits / 8] |= (uint8_t)(state << shift);
        shift = (shift + bits) % 8;
    }
    return commit(trace, start, at + size);
}

int first_write_logic(first_trace* trace, uint32_t item, int64_t delta, char preceding, uint32_t width,
                      const char* text) {
    uint8_t states[257];
    uint32_t count = 0;
    const char* const known = "01ZXLHUW-JKMNOP";
    const char* place;
    for (; text[count] != 0; count++) {
        if (count == 256) return ERROR_SIZE;
        place = strchr(known, text[count]);
        states[count] = place ? (uint8_t)(place - known) : UNKNOWN_STATE;
    }
    place = strchr(known, preceding);
    return first_write_states(trace, item, delta, place ? (uint8_t)(place - known) : UNKNOWN_STATE, width, states,
                              count);
}

int first_write_struct(first_trace* trace, uint32_t item, int64_t delta, const first_member* members, uint32_t count) {
    uint8_t *start, *at, *header;
    uint32_t estimate = 0, ahead, i;
    int result;
    for (i = 0; i < count; i++)
        if (members[i].valid) estimate += pint_size(members[i].id) + 1 + pint_size(members[i].size) + members[i].size;
    ahead = pint_size(estimate << 4 | 1);
    result = begin(trace, item, delta, estimate + count + PINT_ROOM, &start, &header);
    if (result != 0) return result;
    at = header + ahead;
    for (i = 0; i < count; i++) {
        const first_member* const member = &members[i];
        const uint8_t* const bytes = (const uint8_t*)member->value;
        if (!member->valid) continue;
        at = write_pint(at, member->id);
        *at++ = member->type;
        if (member->type == MEMBER_TEXT || member->type == MEMBER_FLOAT) {
            at = write_pint(at, member->size);
            memcpy(at, bytes, member->size);
            at += member->size;
        } else {
            const uint32_t kept = integer_size(bytes, member->size, member->is_unsigned);
            at = write_pint(at, kept);
            at = write_integer(at, bytes, member->size, kept);
        }
    }
    write_padded(header, (uint32_t)(at - header - ahead) << 4 | 1, ahead);
    return commit(trace, start, at);
}
