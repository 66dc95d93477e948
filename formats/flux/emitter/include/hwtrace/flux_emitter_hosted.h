/* hwtrace/flux_emitter_hosted.h - writes flux traces to files and packs them with LZ4, zlib and gzip. Needs an
 * operating system for files and for the memory of the compressors. */
#ifndef HWTRACE_FLUX_EMITTER_HOSTED_H
#define HWTRACE_FLUX_EMITTER_HOSTED_H

#include <stdio.h>

#include "hwtrace/flux_emitter.h"

#ifdef __cplusplus
extern "C" {
#endif

/* Returns a handler that writes to a file and flushes it to the system. The caller still owns the file. */
flux_handler flux_write_to(FILE* file);

/* A flux_compress for FLUX_LZ4. `work` is NULL, or points to flux_lz4_work_size() bytes to save stack. */
uint32_t flux_lz4_compress(void* work, const uint8_t* bytes, uint32_t size, uint8_t* out, uint32_t room);
size_t flux_lz4_work_size(void);

/* Compressor state for FLUX_ZLIB and FLUX_GZIP. */
typedef struct flux_deflate flux_deflate;
/* Creates a compressor. `level` is 0 to 9, or -1 for zlib's default. Returns NULL if packing or level is invalid, or if
 * memory is exhausted. */
flux_deflate* flux_deflate_create(flux_packing packing, int level);
void flux_deflate_free(flux_deflate* deflate);
/* A flux_compress for FLUX_ZLIB and FLUX_GZIP. `work` points to a flux_deflate. */
uint32_t flux_deflate_compress(void* work, const uint8_t* bytes, uint32_t size, uint8_t* out, uint32_t room);

#ifdef __cplusplus
}
#endif

#endif
