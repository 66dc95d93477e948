/* formats/flux/emitter/hosted/hosted.c - file handler, LZ4 and zlib compressors. */
#include "hwtrace/flux_emitter_hosted.h"

#include <limits.h>
#include <lz4.h>
#include <stdlib.h>
#include <zlib.h>

static flux_result write_chunk(void* user, const flux_chunk* chunk, uint32_t* taken) {
    FILE* file = (FILE*)user;
    *taken = (uint32_t)fwrite(chunk->bytes, 1, chunk->size, file);
    return *taken == chunk->size && fflush(file) == 0 ? FLUX_OK : FLUX_ERROR_IO;
}

flux_handler flux_write_to(FILE* file) {
    flux_handler handler;
    handler.take = file ? write_chunk : NULL;
    handler.user = file;
    handler.next = NULL;
    return handler;
}

size_t flux_lz4_work_size(void) {
    return (size_t)LZ4_sizeofState();
}

uint32_t flux_lz4_compress(void* work, const uint8_t* bytes, uint32_t size, uint8_t* out, uint32_t room) {
    const int limit = room > INT_MAX ? INT_MAX : (int)room;
    if (size > LZ4_MAX_INPUT_SIZE) return 0;
    if (!work) return (uint32_t)LZ4_compress_default((const char*)bytes, (char*)out, (int)size, limit);
    return (uint32_t)LZ4_compress_fast_extState(work, (const char*)bytes, (char*)out, (int)size, limit, 1);
}

struct flux_deflate {
    z_stream stream;
};

flux_deflate* flux_deflate_create(flux_packing packing, int level) {
    enum { WINDOW = 15, AS_GZIP = 16, MEMORY = 8 };
    flux_deflate* made;
    if (packing != FLUX_ZLIB && packing != FLUX_GZIP) return NULL;
    made = (flux_deflate*)calloc(1, sizeof *made);
    if (!made) return NULL;
    if (deflateInit2(&made->stream, level, Z_DEFLATED, packing == FLUX_GZIP ? WINDOW + AS_GZIP : WINDOW, MEMORY,
                     Z_DEFAULT_STRATEGY) != Z_OK) {
        free(made);
        return NULL;
    }
    return made;
}

void flux_deflate_free(flux_deflate* deflate) {
    if (!deflate) return;
    deflateEnd(&deflate->stream);
    free(deflate);
}

uint32_t flux_deflate_compress(void* work, const uint8_t* bytes, uint32_t size, uint8_t* out, uint32_t room) {
    z_stream* stream = work ? &((flux_deflate*)work)->stream : NULL;
    int result;
    if (!stream || deflateReset(stream) != Z_OK) return UINT32_MAX;
    stream->next_in = (Bytef*)(uintptr_t)bytes; /* zlib does not write there */
    stream->avail_in = size;
    stream->next_out = out;
    stream->avail_out = room;
    result = deflate(stream, Z_FINISH);
    if (result == Z_STREAM_END) return (uint32_t)stream->total_out;
    return result == Z_OK || result == Z_BUF_ERROR ? 0 : UINT32_MAX;
}
