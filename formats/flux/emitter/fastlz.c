/* formats/flux/emitter/fastlz.c - FastLZ compressor, levels 1 and 2.
 *
 * A stream is a list of literal runs and matches. A run has an opcode below 32: its length - 1. A match has 3 bits for
 * its length - 2 and 13 bits for its distance - 1. Longer matches have extra length bytes. In level 2, farther matches
 * have two extra distance bytes. */
#include "entry.h"

enum {
    MAX_RUN = 32, /* maximum number of literals per opcode */
    MIN_MATCH = 3,
    LONG_MATCH = 7,    /* value of the three length bits if length bytes follow */
    MAX_MATCH_1 = 262, /* maximum match length per opcode in level 1 */
    NEAR_1 = 8192,     /* smaller distances fit in 13 bits */
    NEAR_2 = 8191,
    TAIL = 12,      /* no match begins in the last TAIL bytes of the input */
    FAR_OPCODE = 31 /* upper distance bits that mark a far match; a distance byte of 255 follows */
};

static const uint32_t far_2 = UINT32_C(65535) + NEAR_2 - 1;

typedef struct stream {
    const uint8_t* in;
    uint32_t size;
    uint8_t* out;
    uint8_t* end;
    uint8_t* run; /* opcode of the current literal run */
    uint32_t literals;
    bool full;
} stream;

static void put(stream* to, uint32_t byte) {
    if (to->out == to->end)
        to->full = true;
    else
        *to->out++ = (uint8_t)byte;
}

static void append_literal(stream* to, uint8_t byte) {
    if (to->literals == 0) {
        to->run = to->out;
        put(to, 0);
    }
    put(to, byte);
    if (to->full) return;
    *to->run = (uint8_t)to->literals++;
    if (to->literals == MAX_RUN) to->literals = 0;
}

/* Appends a match. `length` is the match length - 2, `distance` is the match distance - 1. */
static void append_match_1(stream* to, uint32_t length, uint32_t distance) {
    for (; length > MAX_MATCH_1; length -= MAX_MATCH_1) {
        put(to, LONG_MATCH << 5 | distance >> 8);
        put(to, MAX_MATCH_1 - LONG_MATCH - 2);
        put(to, distance & 0xFF);
    }
    if (length < LONG_MATCH) {
        put(to, length << 5 | distance >> 8);
    } else {
        put(to, LONG_MATCH << 5 | distance >> 8);
        put(to, length - LONG_MATCH);
    }
    put(to, distance & 0xFF);
}

static void append_match_2(stream* to, uint32_t length, uint32_t distance) {
    const bool far = distance >= NEAR_2;
    const uint32_t high = far ? FAR_OPCODE : distance >> 8;
    if (length < LONG_MATCH) {
        put(to, length << 5 | high);
    } else {
        put(to, LONG_MATCH << 5 | high);
        for (length -= LONG_MATCH; length >= 255 && !to->full; length -= 255)
            put(to, 255);
        put(to, length);
    }
    if (far) {
        put(to, 255);
        put(to, (distance - NEAR_2) >> 8);
        put(to, (distance - NEAR_2) & 0xFF);
    } else {
        put(to, distance & 0xFF);
    }
}

static uint32_t pair(const uint8_t* bytes) {
    return (uint32_t)bytes[0] | (uint32_t)bytes[1] << 8;
}

static uint32_t hash(const uint8_t* bytes, uint8_t bits) {
    const uint32_t first = pair(bytes);
    return (first ^ pair(bytes + 1) ^ first >> (16 - bits)) & ((UINT32_C(1) << bits) - 1);
}

static bool same(const uint8_t* a, const uint8_t* b, uint32_t count) {
    while (count > 0 && *a == *b) {
        a++;
        b++;
        count--;
    }
    return count == 0;
}

/* Returns the distance of a match that is long enough to save bytes; 0 if there is none. */
static uint32_t find_match(const flux_fastlz* work, const stream* from, uint32_t at, uint32_t level) {
    const uint8_t* here = from->in + at;
    uint32_t* slot;
    uint32_t distance;
    if (level == 2 && here[0] == here[-1] && pair(here - 1) == pair(here + 1)) return 1;
    slot = &work->table[hash(here, work->bits)];
    distance = at - *slot;
    *slot = at;
    if (distance == 0 || distance >= (level == 1 ? (uint32_t)NEAR_1 : far_2)) return 0;
    return same(here, here - distance, level == 2 && distance >= NEAR_2 ? MIN_MATCH + 2 : MIN_MATCH) ? distance : 0;
}

/* Returns the end of a match. The last three bytes of the input stay literals, as in the original compressor. */
static uint32_t match_end(const stream* from, uint32_t at, uint32_t distance) {
    uint32_t end = at + MIN_MATCH;
    while (end < from->size - 3 && from->in[end] == from->in[end - distance])
        end++;
    return end;
}

static void compress(const flux_fastlz* work, stream* to, uint32_t level) {
    uint32_t at = 2;
    append_literal(to, to->in[0]);
    append_literal(to, to->in[1]);
    while (at + TAIL < to->size && !to->full) {
        const uint32_t distance = find_match(work, to, at, level);
        uint32_t end;
        if (distance == 0) {
            append_literal(to, to->in[at++]);
            continue;
        }
        end = match_end(to, at, distance);
        to->literals = 0;
        (level == 1 ? append_match_1 : append_match_2)(to, end - at - 2, distance - 1);
        work->table[hash(to->in + end - 2, work->bits)] = end - 2;
        work->table[hash(to->in + end - 1, work->bits)] = end - 1;
        at = end;
    }
    while (at < to->size && !to->full)
        append_literal(to, to->in[at++]);
}

uint32_t flux_fastlz_compress(void* work, const uint8_t* bytes, uint32_t size, uint8_t* out, uint32_t room) {
    const flux_fastlz* fastlz = (const flux_fastlz*)work;
    static const stream empty;
    stream to = empty;
    uint32_t level;
    uint32_t i;
    if (!fastlz || !fastlz->table || fastlz->bits < 4 || fastlz->bits > 16 || fastlz->level > 2) return UINT32_MAX;
    level = fastlz->level != 0 ? fastlz->level : size < 65536 ? 1 : 2;
    to.in = bytes;
    to.size = size;
    to.out = out;
    to.end = out + room;
    if (size < 4) {
        for (i = 0; i < size; i++)
            append_literal(&to, bytes[i]);
        return to.full ? 0 : (uint32_t)(to.out - out);
    }
    for (i = 0; i < UINT32_C(1) << fastlz->bits; i++)
        fastlz->table[i] = 0;
    compress(fastlz, &to, level);
    if (to.full) return 0;
    if (level == 2) *out |= 1 << 5;
    return (uint32_t)(to.out - out);
}
