/* tests/bench/first_emitter.h - a straightforward flux emitter in the manner of the first one: the yardstick for the
 * emitter library. It writes the same bytes, through a buffer that is asked for room and told of each entry. */
#ifndef HWTRACE_BENCH_FIRST_EMITTER_H
#define HWTRACE_BENCH_FIRST_EMITTER_H

#include <stdbool.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

enum { FIRST_ITEMS = 16, FIRST_REQUEST = 0, FIRST_COMMIT = 2, FIRST_FLUSH = 6 };

typedef struct first_buffer first_buffer;
typedef int (*first_access)(int command, first_buffer* buffer, uint8_t** at, uint32_t size);
struct first_buffer {
    first_access access;
    uint8_t* bytes;
    uint32_t size;
    uint32_t used;
    uint64_t discarded; /* bytes of the flushed content */
};

typedef struct first_item {
    bool defined, open;
    uint32_t context;
    int64_t current;
} first_item;

typedef struct first_trace {
    first_buffer* buffer;
    uint32_t max_item;
    first_item items[FIRST_ITEMS];
} first_trace;

typedef struct first_member {
    uint32_t id;
    uint8_t type; /* as in MEMD */
    bool valid;
    bool is_unsigned;
    const void* value; /* an integer or float of `size` bytes, or a text */
    uint32_t size;
} first_member;

/* Prepares a trace whose items 1 to `max_item` are open signals under item 0. The buffer discards its content. */
void first_begin(first_trace* trace, first_buffer* buffer, uint8_t* bytes, uint32_t size, uint32_t max_item);
int first_flush(first_trace* trace);

/* Write a sample `delta` after the last one. Return 0, or a negative number for an error. */
int first_write_integer(first_trace* trace, uint32_t item, int64_t delta, const void* value, uint32_t size,
                        bool is_unsigned);
int first_write_float(first_trace* trace, uint32_t item, int64_t delta, const void* value, uint32_t size);
int first_write_states(first_trace* trace, uint32_t item, int64_t delta, uint8_t preceding, uint32_t width,
                       const uint8_t* states, uint32_t count);
int first_write_logic(first_trace* trace, uint32_t item, int64_t delta, char preceding, uint32_t width,
                      const char* text);
int first_write_struct(first_trace* trace, uint32_t item, int64_t delta, const first_member* members, uint32_t count);

#ifdef __cplusplus
}
#endif

#endif
