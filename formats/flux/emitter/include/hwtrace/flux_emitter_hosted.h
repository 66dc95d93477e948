/* hwtrace/flux_emitter_hosted.h - writes flux traces to files and packs them with LZ4, zlib and gzip. For programs with
 * an operating system, which provides the files and the compressors' memory; not for bare targets. */
#ifndef HWTRACE_FLUX_EMITTER_HOSTED_H
#define HWTRACE_FLUX_EMITTER_HOSTED_H

#include <stdio.h>

#include "hwtrace/flux_emitter.h"

#ifdef __cplusplus
extern "C" {
#endif

/* Returns a handler that writes to a file and flushes it to the system. The caller still owns the file. */
flux_handler flux_write_to(FILE* file);

/* A flux_compress for FLUX_LZ4. `work` is NULL, or flux_lz4_work_size() bytes of memory, which saves stack. */
uint32_t flux_lz4_compress(void* work, const uint8_t* bytes, uint32_t size, uint8_t* out, uint32_t room);
size_t flux_lz4_work_size(void);

/* Compressor state for FLUX_ZLIB and FLUX_GZIP. */
typedef struct flux_deflate flux_deflate;
/* Creates a compressor. `level` is 0 to 9, or -1 for zlib's default. NULL: invalid packing or level, or no memory. */
flux_deflate* flux_deflate_create(flux_packing packing, int level);
void flux_deflate_free(flux_deflate* deflate);
/* A flux_compress; `work` points to a flux_deflate. */
uint32_t flux_deflate_compress(void* work, const uint8_t* bytes, uint32_t size, uint8_t* out, uint32_t room);

#ifdef __cplusplus
}
#endif

#endif
