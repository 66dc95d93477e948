/* formats/flux/emitter/sample.c - samples: PInt(item * 8 + flags), [tag], [delta], PInt(size * 16 + nibble), bytes. */
#include "entry.h"

enum { FLAG_MARKED = 1, FLAG_DELTA = 2, FLAG_TAG = 4 };

enum { ROOM_NUMBER_HEADER = 2 };

/* Maximum size of everything but the value: a trace switch, a position, the fields of a sample. */
enum { ROOM_SAMPLE = ROOM_SWITCH + ROOM_CURRENT + 3 * ROOM_PINT + 1 };

/* Writes the fields before the header of a sample and advances the position. On return, `room` bytes are free at `out`
 * for the header and the value. */
static inline flux_result begin_sample(flux_trace* trace, uint32_t item, flux_when when, uint32_t room, uint8_t** out) {
    flux_buffer* buffer;
    flux_item* context;
    flux_result result;
    uint64_t delta;
    bool state;
    uint8_t* at;
    if (!trace) return FLUX_ERROR_VALUE;
    buffer = trace->buffer;
    if (!buffer) return FLUX_ERROR_NO_BUFFER;
    result = find_context(trace, item, false, &context);
    if (result != FLUX_OK) return result;
    if (when.relative) {
        if (when.position < 0 || context->position > INT64_MAX - when.position) return FLUX_ERROR_POSITION;
        delta = (uint64_t)when.position;
    } else {
        if (when.position < context->position) return FLUX_ERROR_POSITION;
        delta = (uint64_t)when.position - (uint64_t)context->position;
    }
    if (when.tag > 1) {
        if (trace->version < FLUX_VERSION_6) return FLUX_ERROR_VALUE;
        room++;
    }
    room += 2 * ROOM_PINT + switch_room(buffer, trace->id);
    state = delta > UINT32_MAX; /* readers of version 4 support only deltas of 32 bits */
    result = reserve(buffer, state ? room + ROOM_CURRENT : room);
    if (result != FLUX_OK) return result;
    if (context->lap != buffer->lap && !state) {
        state = true;
        result = reserve(buffer, room + ROOM_CURRENT);
        if (result != FLUX_OK) return result;
    }
    at = append_switch_where_needed(buffer, trace->id, buffer->at);
    if (state) {
        if (delta > UINT32_MAX) {
            context->position = (int64_t)((uint64_t)context->position + delta);
            delta = 0;
        }
        at = flux_internal_append_current(at, context->context, context->position);
        context->lap = buffer->lap;
    }
    context->position = (int64_t)((uint64_t)context->position + delta);
    item = item << 3 | (delta != 0 ? FLAG_DELTA : 0u) | (when.tag != 0 ? FLAG_MARKED : 0u);
    if (when.tag > 1) {
        at = append_pint(at, item | FLAG_TAG);
        *at++ = when.tag;
    } else {
        at = append_pint(at, item);
    }
    *out = delta != 0 ? append_pint(at, (uint32_t)delta) : at;
    return FLUX_OK;
}

static uint32_t header(uint32_t size, uint32_t nibble) {
    return size << 4 | nibble;
}

flux_result flux_write_none(flux_trace* trace, uint32_t item, flux_when when) {
    uint8_t* out;
    const flux_result result = begin_sample(trace, item, when, ROOM_NUMBER_HEADER, &out);
    if (result != FLUX_OK) return result;
    *out++ = 0;
    return commit(trace->buffer, out);
}

static inline flux_result write_number(flux_trace* trace, uint32_t item, flux_when when, uint64_t value, uint32_t size,
                                       uint32_t nibble) {
    uint8_t* out;
    const flux_result result = begin_sample(trace, item, when, ROOM_NUMBER_HEADER + (size < 4 ? 4 : size), &out);
    if (result != FLUX_OK) return result;
    return commit(trace->buffer, append_integer(append_pint(out, header(size, nibble)), value, size));
}

flux_result flux_write_event(flux_trace* trace, uint32_t item, flux_when when, uint32_t value) {
    return write_number(trace, item, when, value, unsigned_size(value), 2);
}

flux_result flux_write_integer(flux_trace* trace, uint32_t item, flux_when when, int64_t value) {
    return write_number(trace, item, when, (uint64_t)value, integer_size(value), 1);
}

flux_result flux_write_unsigned(flux_trace* trace, uint32_t item, flux_when when, uint64_t value) {
    return write_number(trace, item, when, value, unsigned_size(value), 1);
}

flux_result flux_write_float(flux_trace* trace, uint32_t item, flux_when when, float value) {
    uint32_t bits;
    COPY_FEW(&bits, &value, sizeof bits);
    return write_number(trace, item, when, bits, 4, 5);
}

flux_result flux_write_double(flux_trace* trace, uint32_t item, flux_when when, double value) {
    uint64_t bits;
    COPY_FEW(&bits, &value, sizeof bits);
    return write_number(trace, item, when, bits, 8, 9);
}

flux_result flux_write_big_integer(flux_trace* trace, uint32_t item, flux_when when, const void* bytes, uint32_t size,
                                   bool is_signed) {
    const uint8_t* digits = (const uint8_t*)bytes;
    flux_result result;
    uint8_t* out;
    uint8_t sign;
    uint32_t kept = size;
    bool add_sign;
    if (size > 0 && !digits) return FLUX_ERROR_VALUE;
    if (size >= MAX_ENTRY) return FLUX_ERROR_SIZE;
    sign = is_signed && size > 0 && (digits[size - 1] & 0x80) != 0 ? 0xFF : 0;
    while (kept > 0 && digits[kept - 1] == sign)
        kept--;
    add_sign = kept == 0 ? sign != 0 : (digits[kept - 1] & 0x80) != (sign & 0x80);
    result = begin_sample(trace, item, when, ROOM_PINT + kept + 1, &out);
    if (result != FLUX_OK) return result;
    out = append_bytes(append_pint(out, header(kept + (add_sign ? 1 : 0), 1)), digits, kept);
    if (add_sign) *out++ = sign;
    return commit(trace->buffer, out);
}

flux_result flux_write_binary(flux_trace* trace, uint32_t item, flux_when when, const void* bytes, uint32_t size) {
    flux_result result;
    uint8_t* out;
    if (size > 0 && !bytes) return FLUX_ERROR_VALUE;
    if (size >= MAX_ENTRY) return FLUX_ERROR_SIZE;
    result = begin_sample(trace, item, when, ROOM_PINT + size, &out);
    if (result != FLUX_OK) return result;
    return commit(trace->buffer, append_bytes(append_pint(out, header(size, 1)), bytes, size));
}

flux_result flux_write_characters(flux_trace* trace, uint32_t item, flux_when when, const char* text, uint32_t size) {
    return flux_write_binary(trace, item, when, text, size);
}

flux_result flux_write_text(flux_trace* trace, uint32_t item, flux_when when, const char* text) {
    return flux_write_binary(trace, item, when, text, text_size(text));
}

/* ---- logic ------------------------------------------------------------------------------------------------------- */

static inline uint8_t state_of(char character) {
    /* the states of the characters from '-' to 'Z' */
    static const uint8_t states[] = {8,  15, 15, 0,  1,  15, 15, 15, 15, 15, 15, 15, 15, 15, 15, 15,
                                     15, 15, 15, 15, 15, 15, 15, 15, 15, 15, 15, 5,  15, 9,  10, 4,
                                     11, 12, 13, 14, 15, 15, 15, 15, 6,  15, 7,  3,  15, 2};
    const uint8_t code = (uint8_t)((uint8_t)character - (character >= 'a' && character <= 'z' ? 'a' - 'A' : 0) - '-');
    return code < sizeof states ? states[code] : FLUX_STATE_UNKNOWN;
}

/* Logic states, given as numbers or as characters. */
typedef struct states {
    const uint8_t* numbers;
    const char* text;
} states;

static inline uint8_t state_at(const states* all, uint32_t at) {
    return all->numbers ? all->numbers[at] : state_of(all->text[at]);
}

/* Appends the states from `first` on. Fill states pad the first byte; there is at least one. */
static inline uint8_t* append_states(uint8_t* out, const states* all, uint32_t first, uint32_t count, uint8_t fill,
                                     uint32_t bits) {
    const uint32_t per_byte = 8 / bits;
    const uint32_t fills = per_byte - (count - first) % per_byte;
    uint32_t left = per_byte - fills; /* states that the current byte still takes */
    uint32_t byte = 0;
    uint32_t i;
    for (i = 0; i < fills; i++)
        byte = byte << bits | fill;
    do {
        for (; left > 0; left--)
            byte = byte << bits | state_at(all, first++);
        *out++ = (uint8_t)byte;
        byte = 0;
        left = per_byte;
    } while (first < count);
    return out;
}

static inline flux_result write_logic(flux_trace* trace, uint32_t item, flux_when when, uint8_t preceding,
                                      uint32_t width, const states* all, uint32_t count) {
    uint8_t largest;
    uint32_t first;
    uint32_t bits;
    uint32_t size;
    uint32_t i;
    flux_result result;
    uint8_t* out;
    if (!trace || preceding > FLUX_STATE_UNKNOWN) return FLUX_ERROR_VALUE;
    if (count >= MAX_ENTRY || (width != 0 && count > width)) return FLUX_ERROR_SIZE;
    if (trace->version >= FLUX_VERSION_6 && count > 0 && count == width) preceding = state_at(all, 0);
    for (first = 0; first < count && state_at(all, first) == preceding; first++) {
    }
    largest = preceding;
    for (i = first; i < count; i++)
        if (state_at(all, i) > largest) largest = state_at(all, i);
    if (largest > FLUX_STATE_UNKNOWN) return FLUX_ERROR_VALUE;
    result = begin_sample(trace, item, when, ROOM_PINT + count + 1, &out);
    if (result != FLUX_OK) return result;
    if (first == count && preceding <= FLUX_STATE_1) {
        *out++ = preceding == FLUX_STATE_0 ? 1 : 5;
        return commit(trace->buffer, out);
    }
    bits = largest <= FLUX_STATE_1 ? 1 : largest <= FLUX_STATE_X ? 2 : 4;
    size = (count - first) * bits / 8 + 1; /* at least one fill state precedes the kept states */
    out = append_pint(out, header(size, bits == 1 ? 9 : bits == 2 ? 10 : 11));
    if (bits == 1) return commit(trace->buffer, append_states(out, all, first, count, preceding, 1));
    if (bits == 2) return commit(trace->buffer, append_states(out, all, first, count, preceding, 2));
    return commit(trace->buffer, append_states(out, all, first, count, preceding, 4));
}

flux_result flux_write_states(flux_trace* trace, uint32_t item, flux_when when, uint8_t preceding, uint32_t width,
                              const uint8_t* numbers, uint32_t count) {
    states all;
    all.numbers = numbers;
    all.text = NULL;
    if (!numbers && count > 0) return FLUX_ERROR_VALUE;
    return write_logic(trace, item, when, preceding, width, &all, count);
}

flux_result flux_write_logic(flux_trace* trace, uint32_t item, flux_when when, char preceding, uint32_t width,
                             const char* text) {
    states all;
    all.numbers = NULL;
    all.text = text;
    return write_logic(trace, item, when, state_of(preceding), width, &all, text_size(text));
}

/* ---- arrays and structs ------------------------------------------------------------------------------------------ */

static uint8_t array_nibble(const flux_array* array) {
    static const uint8_t nibbles[] = {5, 5, 9, 9, 5, 9, 2, 1};
    const uint8_t nibble = nibbles[array->element];
    return array->dynamic ? (uint8_t)(nibble | 3) : nibble;
}

static uint32_t header_size(uint32_t size, uint32_t padded, uint32_t nibble) {
    return pint_size(header(padded > size ? padded : size, nibble));
}

flux_result flux_write_array(flux_trace* trace, uint32_t item, flux_when when, const flux_array* array) {
    uint32_t size;
    uint32_t padded;
    uint32_t ahead;
    flux_result result;
    uint8_t* out;
    if (!trace || !array) return FLUX_ERROR_VALUE;
    if (trace->version < FLUX_VERSION_6 && (array->dynamic || array->element == FLUX_TEXTS)) return FLUX_ERROR_VALUE;
    result = flux_internal_array_size(array, array->dynamic, &size, &padded);
    if (result != FLUX_OK) return result;
    ahead = header_size(size, padded, array_nibble(array));
    result = begin_sample(trace, item, when, ahead + size, &out);
    if (result != FLUX_OK) return result;
    out = append_padded_pint(out, header(size, array_nibble(array)), ahead);
    return commit(trace->buffer, flux_internal_append_array(out, array, array->dynamic));
}

/* Writes a struct whose members need at most `room` bytes, which are free. The size is known afterwards. */
static flux_result write_struct_at_once(flux_trace* trace, uint32_t item, flux_when when, const flux_member* members,
                                        uint32_t count, uint32_t room, uint32_t padded) {
    uint32_t ahead = header_size(padded, padded, 1);
    uint8_t* out;
    uint8_t* end;
    const flux_result result = begin_sample(trace, item, when, ROOM_PINT + room, &out);
    if (result != FLUX_OK) return result;
    end = flux_internal_append_simple_members(trace, out + ahead, members, count);
    if ((uint32_t)(end - out) - ahead > padded) { /* unsigned numbers with a sign byte */
        const uint32_t size = (uint32_t)(end - out) - ahead;
        const uint32_t needed = header_size(size, padded, 1);
        if (needed != ahead) move_up(out + needed, out + ahead, size);
        end = out + needed + size;
        ahead = needed;
    }
    append_padded_pint(out, header((uint32_t)(end - out) - ahead, 1), ahead);
    return commit(trace->buffer, end);
}

flux_result flux_write_struct(flux_trace* trace, uint32_t item, flux_when when, const flux_member* members,
                              uint32_t count) {
    uint32_t size;
    uint32_t padded;
    uint32_t ahead;
    flux_result result;
    uint8_t* out;
    if (!trace) return FLUX_ERROR_VALUE;
    if (trace->buffer && flux_internal_are_simple(trace, members, count, &size, &padded) &&
        (size_t)(trace->buffer->end - trace->buffer->at) >= size + ROOM_SAMPLE)
        return write_struct_at_once(trace, item, when, members, count, size, padded);
    result = flux_internal_members_size(trace, members, count, &size, &padded);
    if (result != FLUX_OK) return result;
    ahead = header_size(size, padded, 1);
    result = begin_sample(trace, item, when, ahead + size, &out);
    if (result != FLUX_OK) return result;
    out = append_padded_pint(out, header(size, 1), ahead);
    return commit(trace->buffer, flux_internal_append_members(trace, out, members, count));
}
