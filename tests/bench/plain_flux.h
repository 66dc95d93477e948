/* tests/bench/plain_flux.h - what a straightforward C program does with a flux stream: the yardstick for the reader.
 */
#ifndef HWTRACE_BENCH_PLAIN_FLUX_H
#define HWTRACE_BENCH_PLAIN_FLUX_H

#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

enum { PLAIN_FLUX_ITEMS = 16 };

/* The result of a scan. The caller sets the types of the items. */
typedef struct plain_flux {
    uint8_t types[PLAIN_FLUX_ITEMS]; /* by item: type of the signal as in SIGD */
    uint64_t position;
    uint64_t samples;
    uint64_t sum; /* of all values and members */
} plain_flux;

/* Decodes the samples in [at, end) up to the first other entry. Returns the address of the first byte that was not
 * decoded: of that entry, or of a sample that is not complete. Checks that each field ends before `end`. */
const uint8_t* plain_flux_scan(plain_flux* scan, const uint8_t* at, const uint8_t* end);

#ifdef __cplusplus
}
#endif

#endif
