/* formats/flux/emitter/control.c - control entries: control id, message id and number of members (PInts), members. */
#include "hwtrace/flux_control.h"

#include "entry.h"

static flux_result write_control(flux_trace* trace, uint8_t tag, uint32_t control, uint32_t message,
                                 const flux_member* members, uint32_t count) {
    uint32_t size;
    uint32_t padded;
    flux_result result;
    uint8_t* out;
    if (!trace) return FLUX_ERROR_VALUE;
    result = flux_internal_members_size(trace, members, count, &size, &padded);
    if (result == FLUX_OK) result = flux_internal_begin_entry(trace, ROOM_TAG + 3 * ROOM_PINT + size, &out);
    if (result != FLUX_OK) return result;
    out = append_pint(append_pint(append_pint(append_tag(out, tag), control), message), count);
    return commit(trace->buffer, flux_internal_append_members(trace, out, members, count));
}

flux_result flux_write_request(flux_trace* trace, uint32_t control, uint32_t message, const flux_member* members,
                               uint32_t count) {
    return write_control(trace, TAG_REQUEST, control, message, members, count);
}

flux_result flux_write_answer(flux_trace* trace, uint32_t control, uint32_t message, const flux_member* members,
                              uint32_t count) {
    return write_control(trace, TAG_RESULT, control, message, members, count);
}

/* ---- reading ----------------------------------------------------------------------------------------------------- */

/* Reads a number of at most 32 bits and advances `at`. The number may be padded. */
static flux_result take_pint(const uint8_t** at, const uint8_t* end, uint32_t* value) {
    enum { MOST = 10 };
    uint64_t number = 0;
    uint32_t i;
    for (i = 0; i < MOST; i++) {
        uint8_t byte;
        if (*at == end) return FLUX_MORE;
        byte = *(*at)++;
        number |= i < 9 ? (uint64_t)(byte & 0x7F) << (7 * i) : 0;
        if (byte >= 0x80) continue;
        if (number > UINT32_MAX) return FLUX_ERROR_PARSE;
        *value = (uint32_t)number;
        return FLUX_OK;
    }
    return FLUX_ERROR_PARSE;
}

static flux_result take_parameter(const uint8_t** at, const uint8_t* end, flux_parameter* parameter) {
    flux_result result = take_pint(at, end, &parameter->id);
    if (result != FLUX_OK) return result;
    if (*at == end) return FLUX_MORE;
    parameter->type = *(*at)++;
    result = take_pint(at, end, &parameter->size);
    if (result != FLUX_OK) return result;
    if ((size_t)(end - *at) < parameter->size) return FLUX_MORE;
    parameter->bytes = *at;
    *at += parameter->size;
    return FLUX_OK;
}

flux_result flux_parse_request(const void* bytes, uint32_t size, flux_request* request, uint32_t* used) {
    const uint8_t* at = (const uint8_t*)bytes;
    const uint8_t* end;
    flux_parameter parameter;
    flux_result result;
    uint32_t i;
    if (!request || !used || (size > 0 && !bytes)) return FLUX_ERROR_VALUE;
    *used = 0;
    if (size == 0) return FLUX_END;
    end = at + size;
    if (*at++ != 0) return FLUX_ERROR_PARSE;
    if (at == end) return FLUX_MORE;
    if (*at != TAG_REQUEST && *at != TAG_RESULT) return FLUX_ERROR_PARSE;
    request->is_answer = *at++ == TAG_RESULT;
    result = take_pint(&at, end, &request->control);
    if (result == FLUX_OK) result = take_pint(&at, end, &request->message);
    if (result == FLUX_OK) result = take_pint(&at, end, &request->left);
    request->at = at;
    for (i = 0; result == FLUX_OK && i < request->left; i++)
        result = take_parameter(&at, end, &parameter);
    request->end = at;
    if (result == FLUX_OK) *used = (uint32_t)(at - (const uint8_t*)bytes);
    return result;
}

flux_result flux_next_parameter(flux_request* request, flux_parameter* parameter) {
    if (!request || !parameter) return FLUX_ERROR_VALUE;
    if (request->left == 0) return FLUX_END;
    request->left--;
    return take_parameter(&request->at, request->end, parameter);
}

flux_result flux_find_parameter(const flux_request* request, uint32_t id, flux_parameter* parameter) {
    flux_request rest;
    if (!request || !parameter) return FLUX_ERROR_VALUE;
    rest = *request;
    while (flux_next_parameter(&rest, parameter) == FLUX_OK)
        if (parameter->id == id) return FLUX_OK;
    return FLUX_ERROR_NOT_DEFINED;
}

static bool is_a(const flux_parameter* parameter, uint8_t type) {
    return (parameter->type & 0x0F) == type;
}

static bool is_enum(const flux_parameter* parameter) {
    return is_a(parameter, FLUX_MEMBER_ENUM) || is_a(parameter, FLUX_MEMBER_LOCAL_ENUM) ||
           is_a(parameter, FLUX_MEMBER_MERGED_ENUM);
}

static uint64_t little_endian(const uint8_t* bytes, uint32_t size) {
    uint64_t value = 0;
    while (size-- > 0)
        value = value << 8 | bytes[size];
    return value;
}

flux_result flux_parameter_integer(const flux_parameter* parameter, int64_t* value) {
    uint64_t number;
    if (!parameter || !value || !(is_a(parameter, FLUX_MEMBER_INTEGER) || is_enum(parameter))) return FLUX_ERROR_VALUE;
    if (parameter->size > 8) return FLUX_ERROR_SIZE;
    number = little_endian(parameter->bytes, parameter->size);
    if (parameter->size > 0 && parameter->size < 8 && parameter->bytes[parameter->size - 1] >= 0x80)
        number |= UINT64_MAX << (8 * parameter->size);
    memcpy(value, &number, sizeof number);
    return FLUX_OK;
}

flux_result flux_parameter_double(const flux_parameter* parameter, double* value) {
    if (!parameter || !value || !is_a(parameter, FLUX_MEMBER_FLOAT)) return FLUX_ERROR_VALUE;
    if (parameter->size == 4) {
        const uint32_t bits = (uint32_t)little_endian(parameter->bytes, 4);
        float narrow;
        memcpy(&narrow, &bits, sizeof bits);
        *value = (double)narrow;
        return FLUX_OK;
    }
    if (parameter->size == 8) {
        const uint64_t bits = little_endian(parameter->bytes, 8);
        memcpy(value, &bits, sizeof bits);
        return FLUX_OK;
    }
    return FLUX_ERROR_SIZE;
}

flux_result flux_parameter_text(const flux_parameter* parameter, char* text, uint32_t room) {
    if (!parameter || !text || !is_a(parameter, FLUX_MEMBER_TEXT)) return FLUX_ERROR_VALUE;
    if (parameter->size >= room) return FLUX_ERROR_SIZE;
    append_bytes((uint8_t*)text, parameter->bytes, parameter->size);
    text[parameter->size] = '\0';
    return FLUX_OK;
}

/* ---- chunks ------------------------------------------------------------------------------------------------------ */

enum { CHUNK = 127, LAST_CHUNK = 0x80 };

flux_result flux_deframer_init(flux_deframer* deframer, void* memory, uint32_t size) {
    static const flux_deframer empty;
    if (!deframer || !memory) return FLUX_ERROR_VALUE;
    if (size == 0) return FLUX_ERROR_SIZE;
    *deframer = empty;
    deframer->memory = (uint8_t*)memory;
    deframer->size = size;
    return FLUX_OK;
}

static void take_chunk(flux_deframer* deframer, const uint8_t* bytes, uint32_t size) {
    if (size > deframer->size - deframer->used) deframer->is_lost = true;
    if (!deframer->is_lost) {
        append_bytes(deframer->memory + deframer->used, bytes, size);
        deframer->used += size;
    }
    deframer->left = (uint8_t)(deframer->left - size);
}

flux_result flux_deframe(flux_deframer* deframer, const void* bytes, uint32_t size, uint32_t* taken) {
    const uint8_t* in = (const uint8_t*)bytes;
    if (!deframer || !deframer->memory || !taken || (size > 0 && !bytes)) return FLUX_ERROR_VALUE;
    *taken = 0;
    while (*taken < size) {
        if (deframer->is_complete) {
            deframer->used = 0;
            deframer->is_lost = false;
            deframer->is_complete = false;
        }
        if (deframer->left == 0) {
            deframer->left = in[*taken] & CHUNK;
            deframer->last = (in[*taken] & LAST_CHUNK) != 0;
            ++*taken;
        }
        if (deframer->left > 0) {
            const uint32_t there = size - *taken < deframer->left ? size - *taken : deframer->left;
            take_chunk(deframer, in + *taken, there);
            *taken += there;
        }
        if (deframer->left > 0 || !deframer->last) continue;
        deframer->is_complete = true;
        if (deframer->is_lost) return FLUX_ERROR_SIZE;
        if (deframer->used > 0) return FLUX_OK;
    }
    return FLUX_MORE;
}

flux_result flux_frame(const void* entry, uint32_t size, void* out, uint32_t room, uint32_t* used) {
    const uint8_t* from = (const uint8_t*)entry;
    uint8_t* to = (uint8_t*)out;
    if (!entry || !out || !used) return FLUX_ERROR_VALUE;
    *used = 0;
    if (size == 0 || room < size || room - size < (size + CHUNK - 1) / CHUNK) return FLUX_ERROR_SIZE;
    while (size > 0) {
        const uint32_t part = size < CHUNK ? size : CHUNK;
        size -= part;
        *to++ = (uint8_t)(part | (size == 0 ? LAST_CHUNK : 0u));
        to = append_bytes(to, from, part);
        from += part;
    }
    *used = (uint32_t)(to - (uint8_t*)out);
    return FLUX_OK;
}

/* ---- the whole dialogue ------------------------------------------------------------------------------------------ */

static flux_result answer_entry(const flux_deframer* deframer, const flux_listener* listener, uint32_t* skipped) {
    flux_request request;
    uint32_t used;
    if (flux_parse_request(deframer->memory, deframer->used, &request, &used) != FLUX_OK || request.is_answer) {
        if (skipped) ++*skipped;
        return FLUX_OK;
    }
    return listener->answer(listener->user, &request);
}

/* Answers all requests that end within these bytes. */
static flux_result answer_bytes(flux_deframer* deframer, const flux_listener* listener, const uint8_t* bytes,
                                uint32_t size, uint32_t* skipped) {
    while (size > 0) {
        uint32_t taken;
        flux_result result = flux_deframe(deframer, bytes, size, &taken);
        bytes += taken;
        size -= taken;
        if (result == FLUX_OK)
            result = answer_entry(deframer, listener, skipped);
        else if (result == FLUX_ERROR_SIZE && skipped)
            ++*skipped;
        if (result != FLUX_OK && result != FLUX_MORE && result != FLUX_ERROR_SIZE) return result;
    }
    return FLUX_OK;
}

flux_result flux_listen(flux_deframer* deframer, const flux_listener* listener, uint32_t* skipped) {
    uint8_t bytes[CHUNK + 1];
    uint32_t got = 0;
    flux_result result = FLUX_OK;
    if (skipped) *skipped = 0;
    if (!deframer || !deframer->memory || !listener || !listener->receive || !listener->answer) return FLUX_ERROR_VALUE;
    while (result == FLUX_OK) {
        result = listener->receive(listener->user, bytes, sizeof bytes, &got);
        if (result != FLUX_OK) break;
        if (got == 0) return deframer->left > 0 || (deframer->used > 0 && !deframer->is_complete) ? FLUX_END : FLUX_OK;
        if (got > sizeof bytes) return FLUX_ERROR_SIZE;
        result = answer_bytes(deframer, listener, bytes, got, skipped);
    }
    return result == FLUX_EXIT ? FLUX_OK : result;
}

/* ---- the database ------------------------------------------------------------------------------------------------ */

flux_result flux_next_item(flux_items* items, uint32_t* item) {
    if (!items || !item) return FLUX_ERROR_VALUE;
    if (items->at == items->end) return FLUX_END;
    return take_pint(&items->at, items->end, item) == FLUX_OK ? FLUX_OK : FLUX_ERROR_PARSE;
}

/* Forgets all definitions and open items of the trace, so that they can be written again. */
static void forget(flux_trace* trace) {
    flux_buffer* buffer = trace->buffer;
    flux_trace_init(trace, trace->id, trace->impulse_3 ? FLUX_IMPULSE_3 : trace->version, trace->max_item,
                    trace->max_entry, trace->items);
    trace->buffer = buffer;
}

static flux_result answer_samples(const flux_database* database, flux_trace* trace, const flux_request* request) {
    flux_request rest = *request;
    flux_parameter parameter;
    flux_items items;
    flux_items check;
    uint32_t item;
    int64_t more = 0;
    flux_result result;
    items.at = items.end = NULL;
    while (flux_next_parameter(&rest, &parameter) == FLUX_OK) {
        if (is_a(&parameter, FLUX_MEMBER_BINARY)) {
            items.at = parameter.bytes;
            items.end = parameter.bytes + parameter.size;
        } else if (is_enum(&parameter)) {
            result = flux_parameter_integer(&parameter, &more);
            if (result != FLUX_OK) return result;
        }
    }
    for (check = items; (result = flux_next_item(&check, &item)) == FLUX_OK;) {
    }
    if (result != FLUX_END) return result;
    result = flux_restart(trace);
    return result == FLUX_OK ? database->samples(database->user, trace, items, more != 0) : result;
}

flux_result flux_answer_database(const flux_database* database, flux_trace* trace, const flux_request* request) {
    flux_member scheme[2];
    flux_result result;
    if (!database || !trace || !request || !database->describe || !database->samples) return FLUX_ERROR_VALUE;
    switch (request->control) {
        case FLUX_DATABASE_SCHEME:
            scheme[0] = flux_member_unsigned(0, database->version);
            scheme[1] = flux_member_unsigned(1, database->max_items);
            return flux_write_answer(trace, request->control, request->message, scheme, 2);
        case FLUX_DATABASE_ITEMS:
            forget(trace);
            result = database->describe(database->user, trace);
            break;
        case FLUX_DATABASE_SAMPLES:
            result = answer_samples(database, trace, request);
            break;
        default:
            return FLUX_ERROR_NOT_DEFINED;
    }
    return result == FLUX_OK ? flux_write_answer(trace, request->control, request->message, NULL, 0) : result;
}
