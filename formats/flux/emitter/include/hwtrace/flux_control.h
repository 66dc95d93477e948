/* hwtrace/flux_control.h - requests of a viewer to the target that writes a trace, and what answers them: C99, no
 * allocation, nothing of libc but memcpy. Answers are entries of the trace (flux_write_answer()).
 *
 * A viewer sends entries in chunks (a byte with their length of up to 127 bytes, bit 7 set on an entry's last one, then
 * the bytes); flux_listen() does all of it, the calls below it are its parts. */
#ifndef HWTRACE_FLUX_CONTROL_H
#define HWTRACE_FLUX_CONTROL_H

#include "hwtrace/flux_emitter.h"

#ifdef __cplusplus
extern "C" {
#endif

/* ---- a request, or its answer -------------------------------------------------------------------------------------
 */

typedef struct flux_request {
    uint32_t control;
    uint32_t message;
    bool is_answer;
    uint32_t left;     /* parameters that flux_next_parameter() has not handed out */
    const uint8_t* at; /* these, in the bytes that were parsed */
    const uint8_t* end;
} flux_request;

typedef struct flux_parameter {
    uint32_t id;
    uint8_t type; /* flux_member_type and flags */
    const uint8_t* bytes;
    uint32_t size;
} flux_parameter;

/* The control entry that the bytes begin with, whole and well-formed; `used` is its size. FLUX_END: there are no bytes,
 * FLUX_MORE: it goes on behind them, FLUX_ERROR_PARSE: something else stands there. The bytes have to stay. */
flux_result flux_parse_request(const void* bytes, uint32_t size, flux_request* request, uint32_t* used);
/* FLUX_END behind the last one. */
flux_result flux_next_parameter(flux_request* request, flux_parameter* parameter);
/* Of those that have not been handed out; FLUX_ERROR_NOT_DEFINED: there is none. */
flux_result flux_find_parameter(const flux_request* request, uint32_t id, flux_parameter* parameter);

/* Values of a type that is not theirs are FLUX_ERROR_VALUE, those that are too large FLUX_ERROR_SIZE. An integer is one
 * of an enumeration too. */
flux_result flux_parameter_integer(const flux_parameter* parameter, int64_t* value);
flux_result flux_parameter_double(const flux_parameter* parameter, double* value);
/* With NUL behind it, in `room` bytes. */
flux_result flux_parameter_text(const flux_parameter* parameter, char* text, uint32_t room);

/* ---- chunks --------------------------------------------------------------------------------------------------------
 */

/* Puts entries together, in the caller's memory. */
typedef struct flux_deframer {
    uint8_t* memory;
    uint32_t size;
    uint32_t used;    /* of the entry */
    uint8_t left;     /* of the chunk */
    bool last;        /* the entry ends with this chunk */
    bool is_complete; /* the next byte begins another entry */
    bool is_lost;     /* the entry is too large */
} flux_deframer;

flux_result flux_deframer_init(flux_deframer* deframer, void* memory, uint32_t size);
/* Takes bytes as they come. FLUX_OK: `used` bytes at `memory` are an entry, go on with those behind `taken`; FLUX_MORE:
 * it is not complete yet; FLUX_ERROR_SIZE: an entry was too large and is left out, go on likewise. */
flux_result flux_deframe(flux_deframer* deframer, const void* bytes, uint32_t size, uint32_t* taken);
/* What a viewer does: cuts an entry into chunks. `used` bytes are written; FLUX_ERROR_SIZE: `room` is too little. */
flux_result flux_frame(const void* entry, uint32_t size, void* out, uint32_t room, uint32_t* used);

/* ---- the whole dialogue ---------------------------------------------------------------------------------------------
 */

typedef struct flux_listener {
    /* Up to `size` bytes that the viewer has sent; waits for the first of them. 0 bytes are the end. */
    flux_result (*receive)(void* user, void* bytes, uint32_t size, uint32_t* got);
    /* FLUX_EXIT ends the dialogue. */
    flux_result (*answer)(void* user, flux_request* request);
    void* user;
} flux_listener;

/* Answers requests until the input ends, or `answer` returns FLUX_EXIT: FLUX_OK. FLUX_END: the input ended inside of an
 * entry. Entries that are no requests, and those that are too large for the deframer, are left out, and their number is
 * in `skipped` (NULL: nobody wants to know). What `receive` or `answer` returns else ends it too. */
flux_result flux_listen(flux_deframer* deframer, const flux_listener* listener, uint32_t* skipped);

/* ---- the database: a viewer asks for what it shows ------------------------------------------------------------------
 */

enum { FLUX_DATABASE_SCHEME = 0x100, FLUX_DATABASE_ITEMS = 0x101, FLUX_DATABASE_SAMPLES = 0x102 };

/* Ids of items, as a request has them. */
typedef struct flux_items {
    const uint8_t* at;
    const uint8_t* end;
} flux_items;

/* FLUX_END behind the last one. */
flux_result flux_next_item(flux_items* items, uint32_t* item);

typedef struct flux_database {
    uint32_t version;
    uint32_t max_items; /* in one request for samples */
    /* Writes the definitions of all items, and flux_open() and flux_close() that tell domain and range; as the first
     * time whenever it is called. */
    flux_result (*describe)(void* user, flux_trace* trace);
    /* Writes the samples of these items, in order of their positions, which begin at 0; `more` items will be asked for.
     */
    flux_result (*samples)(void* user, flux_trace* trace, flux_items items, bool more);
    void* user;
} flux_database;

/* Answers a request for the database; FLUX_ERROR_NOT_DEFINED: it is another one, nothing was written. */
flux_result flux_answer_database(const flux_database* database, flux_trace* trace, const flux_request* request);

#ifdef __cplusplus
}
#endif

#endif
