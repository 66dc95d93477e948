#include "plain_flux.h"

#include <stdbool.h>
#include <string.h>

enum { TYPE_EVENT = 1, TYPE_INTEGER = 2, TYPE_LOGIC = 3, TYPE_FLOAT = 4, TYPE_STRUCT = 7 };
enum { MEMBER_TEXT = 1, MEMBER_ENUM = 2, MEMBER_INTEGER = 3, MEMBER_FLOAT = 4, MEMBER_TYPE = 0x0F };

/* Reads a number of at most 64 bits. Returns NULL if it is not complete. */
static inline const uint8_t* read_pint(const uint8_t* at, const uint8_t* end, uint64_t* value) {
    uint64_t number = 0;
    unsigned shift;
    if (at < end && *at < 0x80) {
        *value = *at;
        return at + 1;
    }
    for (shift = 0; at < end && shift < 64; shift += 7) {
        const uint8_t byte = *at++;
        number |= (uint64_t)(byte & 0x7F) << shift;
        if (byte < 0x80) {
            *value = number;
            return at;
        }
    }
    return NULL;
}

static inline uint64_t read_unsigned(const uint8_t* at, uint64_t size) {
    uint64_t value = 0;
    while (size > 0)
        value = value << 8 | at[--size];
    return value;
}

static inline int64_t read_signed(const uint8_t* at, uint64_t size) {
    int64_t value;
    if (size == 0) return 0;
    value = (int8_t)at[--size];
    while (size > 0)
        value = value * 256 + at[--size];
    return value;
}

static uint64_t read_float(const uint8_t* at, uint64_t size) {
    float single;
    double real = 0;
    if (size == 4) {
        memcpy(&single, at, 4);
        real = single;
    } else if (size == 8) {
        memcpy(&real, at, 8);
    }
    return (uint64_t)(int64_t)real;
}

static uint64_t read_states(const uint8_t* at, uint64_t size) {
    uint64_t value = 0;
    size_t i;
    for (i = 0; i < size; i++)
        value = value << 8 | at[i];
    return value;
}

static bool read_members(plain_flux* scan, const uint8_t* at, const uint8_t* end) {
    while (at < end) {
        uint64_t id, size;
        uint8_t type;
        at = read_pint(at, end, &id);
        if (!at || at == end) return false;
        type = *at++ & MEMBER_TYPE;
        at = read_pint(at, end, &size);
        if (!at || size > (uint64_t)(end - at)) return false;
        switch (type) {
            case MEMBER_INTEGER:
                scan->sum += (uint64_t)read_signed(at, size);
                break;
            case MEMBER_ENUM:
                scan->sum += read_unsigned(at, size);
                break;
            case MEMBER_FLOAT:
                scan->sum += read_float(at, size);
                break;
            case MEMBER_TEXT:
                scan->sum += size > 0 ? at[0] : 0u;
                break;
            default:
                return false;
        }
        scan->sum += id;
        at += size;
    }
    return true;
}

const uint8_t* plain_flux_scan(plain_flux* scan, const uint8_t* at, const uint8_t* end) {
    while (at < end && *at != 0) {
        const uint8_t* next;
        uint64_t front, delta = 0, header, size;
        next = read_pint(at, end, &front);
        if (next && (front & 4) != 0) next = next < end ? next + 1 : NULL;
        if (next && (front & 2) != 0) next = read_pint(next, end, &delta);
        if (next) next = read_pint(next, end, &header);
        if (!next) return at;
        size = header >> 4;
        if (size > (uint64_t)(end - next) || front >> 3 >= PLAIN_FLUX_ITEMS) return at;
        switch (scan->types[front >> 3]) {
            case TYPE_EVENT:
                scan->sum += read_unsigned(next, size);
                break;
            case TYPE_INTEGER:
                scan->sum += (uint64_t)read_signed(next, size);
                break;
            case TYPE_FLOAT:
                scan->sum += read_float(next, size);
                break;
            case TYPE_LOGIC:
                scan->sum += read_states(next, size);
                break;
            case TYPE_STRUCT:
                if (!read_members(scan, next, next + size)) return at;
                break;
            default:
                return at;
        }
        scan->position += delta;
        scan->samples++;
        at = next + size;
    }
    return at;
}
