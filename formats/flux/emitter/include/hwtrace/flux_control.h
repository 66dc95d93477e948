/* hwtrace/flux_control.h - reads a viewer's requests on the target that writes a trace, and answers them. C99; no
 * allocation; needs only memcpy from libc. Answers are entries of the trace (flux_write_answer()).
 *
 * A viewer sends entries in chunks: a length byte of up to 127, then the bytes. In the last chunk of an entry, bit 7 of
 * the length byte is set. flux_listen() runs the whole dialogue; programs with their own loop call its parts. */
#ifndef HWTRACE_FLUX_CONTROL_H
#define HWTRACE_FLUX_CONTROL_H

#include "hwtrace/flux_emitter.h"

#ifdef __cplusplus
extern "C" {
#endif

/* ---- requests and answers ---------------------------------------------------------------------------------------- */

typedef struct flux_request {
    uint32_t control;
    uint32_t message;
    bool is_answer;
    uint32_t left;     /* parameters that flux_next_parameter() has not returned yet */
    const uint8_t* at; /* the bytes of these parameters, in the parsed input */
    const uint8_t* end;
} flux_request;

typedef struct flux_parameter {
    uint32_t id;
    uint8_t type; /* flux_member_type and flags */
    const uint8_t* bytes;
    uint32_t size;
} flux_parameter;

/* Parses the control entry at the start of `bytes` and sets `used` to its size. `bytes` must stay valid while `request`
 * is used. FLUX_END: no bytes; FLUX_MORE: the entry needs more bytes; FLUX_ERROR_PARSE: not a control entry. */
flux_result flux_parse_request(const void* bytes, uint32_t size, flux_request* request, uint32_t* used);
/* Returns the next parameter; FLUX_END after the last one. */
flux_result flux_next_parameter(flux_request* request, flux_parameter* parameter);
/* Finds a parameter by id. Skips parameters that flux_next_parameter() has returned. FLUX_ERROR_NOT_DEFINED: none. */
flux_result flux_find_parameter(const flux_request* request, uint32_t id, flux_parameter* parameter);

/* These calls return FLUX_ERROR_VALUE if the parameter has another type, and FLUX_ERROR_SIZE if its value is too large.
 * flux_parameter_integer() accepts enumerations too. */
flux_result flux_parameter_integer(const flux_parameter* parameter, int64_t* value);
flux_result flux_parameter_double(const flux_parameter* parameter, double* value);
/* Copies the text and a final NUL into `room` bytes. */
flux_result flux_parameter_text(const flux_parameter* parameter, char* text, uint32_t room);

/* ---- chunks ------------------------------------------------------------------------------------------------------ */

/* Assembles entries from chunks in the caller's memory. */
typedef struct flux_deframer {
    uint8_t* memory;
    uint32_t size;
    uint32_t used;    /* bytes of the current entry */
    uint8_t left;     /* missing bytes of the current chunk */
    bool last;        /* the entry ends with this chunk */
    bool is_complete; /* the next byte begins another entry */
    bool is_lost;     /* the entry is too large */
} flux_deframer;

flux_result flux_deframer_init(flux_deframer* deframer, void* memory, uint32_t size);
/* Consumes received bytes. FLUX_OK: `used` bytes at `memory` are an entry; FLUX_MORE: the entry is incomplete;
 * FLUX_ERROR_SIZE: an entry was too large and is skipped. After FLUX_OK and FLUX_ERROR_SIZE, call again with the bytes
 * after the first `taken`. */
flux_result flux_deframe(flux_deframer* deframer, const void* bytes, uint32_t size, uint32_t* taken);
/* Splits an entry into chunks, as a viewer does, and sets `used` to their size. FLUX_ERROR_SIZE: too little `room`. */
flux_result flux_frame(const void* entry, uint32_t size, void* out, uint32_t room, uint32_t* used);

/* ---- the whole dialogue ------------------------------------------------------------------------------------------ */

typedef struct flux_listener {
    /* Waits for input and stores up to `size` bytes; `got` is 0 at the end of the input. */
    flux_result (*receive)(void* user, void* bytes, uint32_t size, uint32_t* got);
    /* Answers a request; FLUX_EXIT ends the dialogue. */
    flux_result (*answer)(void* user, flux_request* request);
    void* user;
} flux_listener;

/* Answers requests until the input ends or `answer` returns FLUX_EXIT, then returns FLUX_OK. FLUX_END: the input ended
 * inside an entry. Any other code from `receive` or `answer` ends the dialogue and is returned. Entries that are not
 * requests or are too large for the deframer are skipped and counted in `skipped`, which may be NULL. */
flux_result flux_listen(flux_deframer* deframer, const flux_listener* listener, uint32_t* skipped);

/* ---- the database: a viewer requests items and samples on demand ------------------------------------------------- */

enum { FLUX_DATABASE_SCHEME = 0x100, FLUX_DATABASE_ITEMS = 0x101, FLUX_DATABASE_SAMPLES = 0x102 };

/* A list of item ids in a request. */
typedef struct flux_items {
    const uint8_t* at;
    const uint8_t* end;
} flux_items;

/* Returns the next id; FLUX_END after the last one. */
flux_result flux_next_item(flux_items* items, uint32_t* item);

typedef struct flux_database {
    uint32_t version;
    uint32_t max_items; /* maximum number of items in one sample request */
    /* Writes the definitions of all items, then calls flux_open() and flux_close() to state domain and range. Must
     * write the same entries on every call. */
    flux_result (*describe)(void* user, flux_trace* trace);
    /* Writes the samples of `items` in order of position, starting at 0. `more` is true if further requests follow. */
    flux_result (*samples)(void* user, flux_trace* trace, flux_items items, bool more);
    void* user;
} flux_database;

/* Answers a database request. FLUX_ERROR_NOT_DEFINED: not a database request; nothing was written. */
flux_result flux_answer_database(const flux_database* database, flux_trace* trace, const flux_request* request);

#ifdef __cplusplus
}
#endif

#endif
