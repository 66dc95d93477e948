/* hwtrace/flux_emitter_hosted.h - what flux traces of programs that have an operating system go into: files, and blocks
 * of LZ4, zlib and gzip. Files, and these compressors' memory, are the system's: nothing of this is for a bare target.
 */
#ifndef HWTRACE_FLUX_EMITTER_HOSTED_H
#define HWTRACE_FLUX_EMITTER_HOSTED_H

#include <stdio.h>

#include "hwtrace/flux_emitter.h"

#ifdef __cplusplus
extern "C" {
#endif

/* A handler that writes to a file; what it has taken is with the system. The file stays the caller's. */
flux_handler flux_write_to(FILE* file);

/* A flux_compress for FLUX_LZ4; `work` is NULL, or memory of flux_lz4_work_size() bytes for those with a small stack.
 */
uint32_t flux_lz4_compress(void* work, const uint8_t* bytes, uint32_t size, uint8_t* out, uint32_t room);
size_t flux_lz4_work_size(void);

/* For FLUX_ZLIB and FLUX_GZIP. */
typedef struct flux_deflate flux_deflate;
/* `level` from 0 to 9, or -1: zlib's own. NULL: no such packing or level, or no memory. */
flux_deflate* flux_deflate_create(flux_packing packing, int level);
void flux_deflate_free(flux_deflate* deflate);
/* A flux_compress; `work` is a flux_deflate. */
uint32_t flux_deflate_compress(void* work, const uint8_t* bytes, uint32_t size, uint8_t* out, uint32_t room);

#ifdef __cplusplus
}
#endif

#endif
