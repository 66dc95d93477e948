/* Writes signals as flux, without allocation and without an operating system: emit_flux FILE */
#include <hwtrace/flux_emitter.h>
#include <stdio.h>

static uint8_t memory[2048];

/* Receives the bytes: here a file; on a target, a serial line or a socket. */
static flux_result send(void* port, const flux_chunk* chunk, uint32_t* taken) {
    *taken = (uint32_t)fwrite(chunk->bytes, 1, chunk->size, (FILE*)port);
    return FLUX_OK;
}

int main(int argc, char** argv) {
    enum { FREQUENCY = 1, STATE = 2, LAST = STATE };
    flux_handler handler = {send, NULL, NULL};
    flux_result result;
    FILE* file;
    flux_buffer buffer;
    flux_trace trace;
    int64_t time;
    if (argc != 2) return fprintf(stderr, "emit_flux FILE\n"), 2;
    if ((file = fopen(argv[1], "wb")) == NULL) return perror(argv[1]), 1;
    handler.user = file;
    flux_buffer_init(&buffer, memory, sizeof memory, &handler);
    flux_trace_init(&trace, 0, FLUX_VERSION_6, LAST, sizeof memory, NULL);
    flux_trace_attach(&trace, &buffer);

    flux_write_head(&trace, "power", "clock and state of a core");
    flux_add_signal(&trace, FREQUENCY, 0, "frequency", "in MHz", FLUX_INTEGER, NULL);
    flux_add_signal(&trace, STATE, 0, "state", NULL, FLUX_EVENT, NULL);
    flux_open(&trace, 0, "us", 0, 0);
    flux_define_enum(&trace, STATE, FLUX_ENUM_GLOBAL, "running", 1);
    flux_define_enum(&trace, STATE, FLUX_ENUM_GLOBAL, "sleeping", 2);
    for (time = 0; time < 1000; time += 10) {
        flux_write_integer(&trace, FREQUENCY, flux_at(time), time % 200 < 100 ? 800 : 200);
        if (time % 100 == 0) flux_write_event(&trace, STATE, flux_after(0), time % 200 == 0 ? 1 : 2);
    }
    flux_close(&trace, 0, 1000);
    result = flux_flush(&buffer);
    return fclose(file) == 0 && result == FLUX_OK ? 0 : 1;
}
