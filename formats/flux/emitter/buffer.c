/* formats/flux/emitter/buffer.c - linear buffers, ring buffers, and handlers that connect buffers. */
#include "entry.h"

enum { SECTION_HEADER = 7, SECTION_MIN = 16, LAPS = 15, LAST_SECTION = 0x80 };
#define SECTION_MAX 65535u

uint8_t* flux_internal_append_switch(flux_buffer* buffer, uint64_t trace, uint8_t* out) {
    if (buffer->at == buffer->memory) buffer->first_trace = buffer->trace == FLUX_NO_TRACE ? trace : FLUX_NO_TRACE;
    if (buffer->trace != FLUX_NO_TRACE) {
        out = append_pint(append_tag(out, TAG_SWITCH), (uint32_t)trace);
        buffer->shared = true;
    }
    buffer->trace = trace;
    return out;
}

/* ---- linear ------------------------------------------------------------------------------------------------------ */

/* Passes bytes to the handler until `room` bytes are free or the handler takes no more. */
static flux_result hand_over(flux_buffer* buffer, uint32_t room) {
    while (buffer->at != buffer->memory && (size_t)(buffer->end - buffer->at) < room) {
        flux_chunk chunk;
        uint32_t taken = 0;
        flux_result result;
        if (!buffer->handler.take) return FLUX_ERROR_ROOM;
        chunk.bytes = buffer->memory;
        chunk.size = (uint32_t)(buffer->at - buffer->memory);
        chunk.first_trace = buffer->first_trace;
        chunk.last_trace = buffer->trace;
        chunk.shared = buffer->shared;
        result = buffer->handler.take(buffer->handler.user, &chunk, &taken);
        if (taken > chunk.size) return FLUX_ERROR_SIZE;
        move_down(buffer->memory, buffer->memory + taken, chunk.size - taken);
        buffer->at -= taken;
        if (taken > 0) buffer->first_trace = taken == chunk.size ? buffer->trace : FLUX_NO_TRACE;
        if (result != FLUX_OK || taken == 0) return result;
    }
    return FLUX_OK;
}

static flux_result linear(flux_buffer* buffer, flux_command command, uint32_t size) {
    flux_result result;
    switch (command) {
        case FLUX_REQUEST:
            if (size > buffer->size) return FLUX_ERROR_ROOM;
            return hand_over(buffer, size);
        case FLUX_COMMIT:
            return FLUX_OK;
        case FLUX_CLEAR:
            buffer->at = buffer->memory;
            buffer->first_trace = buffer->trace;
            return FLUX_OK;
        case FLUX_FLUSH:
            return buffer->handler.take ? hand_over(buffer, buffer->size) : FLUX_OK;
        case FLUX_DEEP_FLUSH:
            result = buffer->handler.take ? hand_over(buffer, buffer->size) : FLUX_OK;
            if (result != FLUX_OK || !buffer->handler.next) return result;
            return buffer->handler.next->access(buffer->handler.next, FLUX_DEEP_FLUSH, 0);
    }
    return FLUX_ERROR_COMMAND;
}

static void init(flux_buffer* buffer, flux_access access) {
    static const flux_buffer empty;
    *buffer = empty;
    buffer->access = access;
    buffer->first_trace = FLUX_NO_TRACE;
    buffer->trace = FLUX_NO_TRACE;
}

flux_result flux_buffer_init(flux_buffer* buffer, void* memory, uint32_t size, const flux_handler* handler) {
    const flux_buffer* behind = handler ? handler->next : NULL;
    if (!buffer || !memory) return FLUX_ERROR_VALUE;
    if (size < SECTION_MIN || size > INT32_MAX) return FLUX_ERROR_SIZE;
    if (handler && !handler->take) return FLUX_ERROR_VALUE;
    for (; behind; behind = behind->handler.next)
        if (behind == buffer) return FLUX_ERROR_BUFFER_USED;
    init(buffer, linear);
    if (handler) buffer->handler = *handler;
    buffer->memory = (uint8_t*)memory;
    buffer->size = size;
    buffer->at = buffer->memory;
    buffer->end = buffer->memory + size;
    return FLUX_OK;
}

flux_result flux_buffer_custom(flux_buffer* buffer, flux_access access, void* user) {
    if (!buffer || !access) return FLUX_ERROR_VALUE;
    init(buffer, access);
    buffer->user = user;
    return FLUX_OK;
}

/* ---- ring: sections, each with a header of 7 bytes (0, tag, lap, size, used) ------------------------------------- */

static uint32_t read_16(const uint8_t* bytes) {
    return (uint32_t)bytes[0] | (uint32_t)bytes[1] << 8;
}

static void append_16(uint8_t* out, uint32_t value) {
    out[0] = (uint8_t)value;
    out[1] = (uint8_t)(value >> 8);
}

static uint8_t* section_behind(const flux_buffer* buffer) {
    if (buffer->section[2] & LAST_SECTION) return buffer->sections;
    return buffer->section + SECTION_HEADER + read_16(buffer->section + 3);
}

static void enter_section(flux_buffer* buffer, uint8_t* section) {
    const uint8_t lap = (uint8_t)(section[2] & ~LAST_SECTION);
    buffer->section = section;
    section[2] = (uint8_t)((section[2] & LAST_SECTION) | (lap % LAPS + 1));
    append_16(section + 5, 0);
    buffer->at = section + SECTION_HEADER;
    buffer->end = buffer->at + read_16(section + 3);
}

static flux_result go_on(flux_buffer* buffer, uint32_t size) {
    uint8_t* next = section_behind(buffer);
    if (size > read_16(next + 3)) return FLUX_ERROR_ROOM;
    enter_section(buffer, next);
    buffer->lap++;
    if (buffer->shared) buffer->trace = TRACE_TO_STATE;
    return FLUX_OK;
}

static void clear_ring(flux_buffer* buffer) {
    uint8_t* section = buffer->sections;
    bool last;
    do {
        last = (section[2] & LAST_SECTION) != 0;
        section[2] = (uint8_t)(section[2] & LAST_SECTION);
        append_16(section + 5, 0);
        section += SECTION_HEADER + read_16(section + 3);
    } while (!last);
    enter_section(buffer, buffer->sections);
    buffer->lap++;
    if (buffer->shared) buffer->trace = TRACE_TO_STATE;
}

static flux_result ring(flux_buffer* buffer, flux_command command, uint32_t size) {
    switch (command) {
        case FLUX_REQUEST:
            return go_on(buffer, size);
        case FLUX_COMMIT:
            append_16(buffer->section + 5, (uint32_t)(buffer->at - buffer->section) - SECTION_HEADER);
            return FLUX_OK;
        case FLUX_CLEAR:
            clear_ring(buffer);
            return FLUX_OK;
        case FLUX_FLUSH:
        case FLUX_DEEP_FLUSH:
            break;
    }
    return FLUX_ERROR_COMMAND;
}

flux_result flux_buffer_divide(flux_buffer* buffer, uint32_t count) {
    uint32_t left;
    uint32_t size;
    uint32_t last;
    uint8_t* section;
    if (!buffer) return FLUX_ERROR_VALUE;
    if (buffer->access != linear || buffer->handler.take) return FLUX_ERROR_COMMAND;
    left = (uint32_t)(buffer->end - buffer->at);
    if (count == 0 || left / count < SECTION_HEADER + SECTION_MIN) return FLUX_ERROR_SIZE;
    size = left / count;
    last = left - size * (count - 1);
    if (last > SECTION_HEADER + SECTION_MAX) return FLUX_ERROR_SIZE;
    buffer->sections = section = buffer->at;
    for (; count > 0; count--) {
        const uint32_t content = (count == 1 ? last : size) - SECTION_HEADER;
        append_tag(section, TAG_SECTION);
        section[2] = count == 1 ? LAST_SECTION : 0;
        append_16(section + 3, content);
        append_16(section + 5, 0);
        section += SECTION_HEADER + content;
    }
    buffer->access = ring;
    buffer->commits = true;
    enter_section(buffer, buffer->sections);
    return FLUX_OK;
}

/* ---- all buffers ------------------------------------------------------------------------------------------------- */

const uint8_t* flux_buffer_bytes(const flux_buffer* buffer, uint32_t* size) {
    if (size) *size = 0;
    if (!buffer || !size || !buffer->memory) return NULL;
    *size = buffer->sections ? buffer->size : (uint32_t)(buffer->at - buffer->memory);
    return buffer->memory;
}

static flux_result command(flux_buffer* buffer, flux_command what) {
    if (!buffer || !buffer->access) return FLUX_ERROR_NO_BUFFER;
    return buffer->access(buffer, what, 0);
}

flux_result flux_buffer_clear(flux_buffer* buffer) {
    return command(buffer, FLUX_CLEAR);
}

flux_result flux_flush(flux_buffer* buffer) {
    return command(buffer, FLUX_FLUSH);
}

flux_result flux_deep_flush(flux_buffer* buffer) {
    return command(buffer, FLUX_DEEP_FLUSH);
}

/* ---- handlers ---------------------------------------------------------------------------------------------------- */

/* Writes the trace switch that must precede a chunk in another buffer, if any. The caller has reserved room for it. */
static uint8_t* append_switch_to_chunk(flux_buffer* next, const flux_chunk* chunk) {
    if (chunk->first_trace == FLUX_NO_TRACE) {
        if (next->at == next->memory) next->first_trace = FLUX_NO_TRACE;
        return next->at;
    }
    return append_switch_where_needed(next, chunk->first_trace, next->at);
}

static uint32_t chunk_switch_room(const flux_buffer* next, const flux_chunk* chunk) {
    return chunk->first_trace == FLUX_NO_TRACE ? 0 : switch_room(next, chunk->first_trace);
}

static flux_result copy(void* user, const flux_chunk* chunk, uint32_t* taken) {
    flux_buffer* next = (flux_buffer*)user;
    flux_result result;
    uint8_t* out;
    next->shared = next->shared || chunk->shared;
    result = reserve(next, chunk->size + chunk_switch_room(next, chunk));
    if (result != FLUX_OK) return result;
    out = append_bytes(append_switch_to_chunk(next, chunk), chunk->bytes, chunk->size);
    next->trace = chunk->last_trace;
    *taken = chunk->size;
    return commit(next, out);
}

flux_handler flux_copy_into(flux_buffer* next) {
    flux_handler handler;
    handler.take = next && next->access ? copy : NULL;
    handler.user = next;
    handler.next = next;
    return handler;
}

/* Packs a chunk into `room` bytes at next->at and sets `out` to the end. Sets `out` to NULL if `room` is too small. */
static flux_result pack(const flux_packer* packer, const flux_chunk* chunk, uint32_t room, uint8_t** out) {
    flux_buffer* next = packer->next;
    const uint32_t ahead = chunk_switch_room(next, chunk) + ROOM_TAG + 1 + pint_size(chunk->size) + ROOM_PINT;
    uint32_t size;
    uint8_t* packed;
    uint8_t* at;
    *out = NULL;
    if (room <= ahead) return FLUX_OK;
    packed = next->at + ahead;
    size = packer->compress(packer->work, chunk->bytes, chunk->size, packed, room - ahead);
    if (size == 0) return FLUX_OK;
    if (size > room - ahead) return FLUX_ERROR_PACKING;
    at = append_tag(append_switch_to_chunk(next, chunk), TAG_PACKED);
    *at++ = (uint8_t)packer->packing;
    at = append_pint(append_pint(at, chunk->size), size);
    if (at != packed) move_down(at, packed, size);
    *out = at + size;
    return FLUX_OK;
}

/* Packs a chunk into the free room; if it does not fit, flushes the next buffer first. Copies incompressible chunks. */
static flux_result pack_chunk(void* user, const flux_chunk* chunk, uint32_t* taken) {
    const flux_packer* packer = (const flux_packer*)user;
    flux_buffer* next = packer->next;
    const size_t there = (size_t)(next->end - next->at);
    uint32_t enough;
    uint8_t* out;
    flux_result result;
    next->shared = next->shared || chunk->shared;
    enough = chunk->size + chunk_switch_room(next, chunk);
    result = pack(packer, chunk, there < enough ? (uint32_t)there : enough, &out);
    if (result != FLUX_OK) return result;
    if (!out && there < enough) {
        result = reserve(next, enough);
        if (result != FLUX_OK) return result;
        result = pack(packer, chunk, enough, &out);
        if (result != FLUX_OK) return result;
    }
    if (!out) return copy(next, chunk, taken);
    next->trace = chunk->last_trace;
    *taken = chunk->size;
    return commit(next, out);
}

flux_handler flux_pack_into(flux_packer* packer) {
    flux_handler handler;
    const bool ready = packer && packer->compress && packer->next && packer->next->access;
    handler.take = ready ? pack_chunk : NULL;
    handler.user = packer;
    handler.next = ready ? packer->next : NULL;
    return handler;
}
