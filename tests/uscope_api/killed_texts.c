/* tests/uscope_api/killed_texts.c - tests that the texts of committed segments survive if their recorder is killed:
 * readers, hwtrace-dump with and without --follow, and hwtrace-recover show them. Arguments: a file, hwtrace-dump,
 * hwtrace-recover. */
#define _POSIX_C_SOURCE 200809L
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "check.h"
#include "machine.h"

enum { segments = 3, longest = 65536, long_value = 2000 };

static const uscope_clock_t clocks[] = {{"clk", 1000}};
static const uscope_field_t fields[] = {{"id", USCOPE_U32, 0, 0, 0}, {"text", USCOPE_STRING_REF, 0, 0, 0}};
static const uscope_storage_t storages[] = {{"table", 4, USCOPE_SPARSE, 0, fields, 2, NULL, 0}};
static const uscope_event_type_t events[] = {{"note", 0, fields, 2}};
static const uscope_schema_t schema = {clocks, 1, NULL, 0, NULL, 0, storages, 1, events, 1, NULL, 0};

static char long_text[long_value + 1];
static const uscope_dut_property_t properties[] = {{"dut_name", "unit"}, {"long", long_text}};
static const uscope_dut_desc_t dut = {properties, 2};

static void record_text(uscope_writer_t* w, uint64_t cycle, const char* text) {
    const int64_t string = uscope_string(w, text);
    const uint64_t values[] = {cycle, (uint64_t)string};
    uscope_begin_cycle(w, cycle * 1000);
    uscope_slot_set(w, 0, (uint16_t)(cycle % 4), 1, (uint64_t)string);
    uscope_event_values(w, 0, values, 2);
    uscope_end_cycle(w);
}

/* Records `segments` segments with new texts and commits them, then one cycle more. */
static uscope_writer_t* record(const char* path, unsigned threads) {
    const uscope_writer_options_t options = {USCOPE_LZ4, false, false, threads};
    uscope_writer_t* w = uscope_writer_open_with(path, &dut, &schema, 1000000, &options);
    for (uint64_t segment = 0; segment < segments; ++segment) {
        char text[40];
        snprintf(text, sizeof text, "committed text %d", (int)segment);
        record_text(w, 2 * segment, "the same text");
        record_text(w, 2 * segment + 1, text);
        if (uscope_flush_segment(w) != USCOPE_OK) return NULL;
    }
    record_text(w, 2 * segments, "uncommitted text");
    return w;
}

/* Starts a recorder and waits until it has committed its segments. */
static pid_t start_recorder(const char* path, unsigned threads) {
    int ends[2];
    char ready = '\0';
    if (pipe(ends) != 0) return -1;
    fflush(NULL);
    const pid_t recorder = fork();
    if (recorder == 0) {
        close(ends[0]);
        ready = record(path, threads) != NULL ? 'y' : 'n';
        if (write(ends[1], &ready, 1) != 1) _exit(1);
        for (;;)
            pause();
    }
    close(ends[1]);
    CHECK(read(ends[0], &ready, 1) == 1 && ready == 'y');
    close(ends[0]);
    return recorder;
}

static bool has_all_texts(const char* output) {
    for (int segment = 0; segment < segments; ++segment) {
        char text[40];
        snprintf(text, sizeof text, "committed text %d", segment);
        if (strstr(output, text) == NULL) return false;
    }
    return strstr(output, "the same text") != NULL && strstr(output, long_text) != NULL &&
           strstr(output, "missing string") == NULL && strstr(output, "uncommitted") == NULL;
}

/* Starts a tool with its output in a pipe. Arguments end with NULL. */
static FILE* start(pid_t* process, const char* const* arguments) {
    int ends[2];
    if (pipe(ends) != 0) return NULL;
    fflush(NULL);
    *process = fork();
    if (*process == 0) {
        dup2(ends[1], STDOUT_FILENO);
        close(ends[0]);
        close(ends[1]);
        execv(arguments[0], (char* const*)arguments);
        _exit(127);
    }
    close(ends[1]);
    return fdopen(ends[0], "r");
}

/* Reads output up to the end, or up to and including a line that contains `last`. */
static void read_output(FILE* from, const char* last, char* output) {
    size_t size = 0;
    output[0] = '\0';
    while (size + 4096 < longest && fgets(output + size, 4096, from) != NULL) {
        if (last != NULL && strstr(output + size, last) != NULL) return;
        size += strlen(output + size);
    }
}

static int exit_code(pid_t process) {
    int status = 0;
    return waitpid(process, &status, 0) == process && WIFEXITED(status) ? WEXITSTATUS(status) : -1;
}

/* Runs a tool and returns its exit code. */
static int run(const char* const* arguments, char* output) {
    pid_t process = 0;
    FILE* from = start(&process, arguments);
    if (from == NULL) return -1;
    read_output(from, NULL, output);
    fclose(from);
    return exit_code(process);
}

/* Checks what a C reader sees. `whole` is false if the file was damaged on purpose. */
static void check_reader(const char* path, bool whole) {
    uscope_reader_t* r = uscope_reader_open(path);
    if (r == NULL) {
        CHECK(!whole);
        return;
    }
    uint64_t time = 0, seen = 0;
    const void* payload = NULL;
    bool same = true;
    uscope_event_iter_t* it = uscope_events_in_range(r, 0, UINT64_MAX);
    while (uscope_event_next(it, &time, NULL, &payload)) {
        const char* text = uscope_string_text(r, uscope_payload_field(&events[0], payload, 1), NULL);
        char wanted[40];
        snprintf(wanted, sizeof wanted, "committed text %d", (int)(seen / 2));
        same = same && text != NULL && strcmp(text, seen % 2 == 0 ? "the same text" : wanted) == 0;
        ++seen;
    }
    if (whole) {
        CHECK(same && seen == 2 * segments && uscope_string_count(r) == segments + 2);
        CHECK(!uscope_is_complete(r) && uscope_dut_property(r, "long") != NULL);
        CHECK(strcmp(uscope_dut_property(r, "long"), long_text) == 0);
        CHECK(uscope_finding_count(r) == 1); /* unfinished */
        CHECK_TEXT(uscope_finding(r, 0), "USC013");
    }
    for (size_t i = 0; i < uscope_string_count(r); ++i)
        CHECK(uscope_string_text(r, i, NULL) != NULL);
    uscope_event_iter_free(it);
    uscope_reader_close(r);
}

static void write_bytes(const char* path, const char* bytes, size_t size) {
    FILE* file = fopen(path, "wb");
    CHECK(file != NULL && fwrite(bytes, 1, size, file) == size);
    fclose(file);
}

/* Cuts the file anywhere and changes any byte of it: the rest is read. */
static void damage(const char* path) {
    static char bytes[longest];
    FILE* file = fopen(path, "rb");
    const size_t size = fread(bytes, 1, sizeof bytes, file);
    fclose(file);
    CHECK(size > 100 && size < sizeof bytes);
    for (size_t cut = size; cut > 48; cut -= 1 + cut / 400) {
        write_bytes(path, bytes, cut);
        check_reader(path, false);
    }
    for (size_t i = 48; i < size; i += 1 + (i % 5 == 0 ? 3 : 0)) {
        bytes[i] = (char)(bytes[i] ^ 0x81);
        write_bytes(path, bytes, size);
        check_reader(path, false);
        bytes[i] = (char)(bytes[i] ^ 0x81);
    }
}

int main(int argc, char** argv) {
    static char output[longest];
    if (argc < 4) {
        fprintf(stderr, "usage: %s FILE HWTRACE-DUMP HWTRACE-RECOVER\n", argv[0]);
        return 2;
    }
    memset(long_text, 'v', long_value);
    char recovered[4096];
    snprintf(recovered, sizeof recovered, "%s.recovered.uscope", argv[1]);
    const char* const dump[] = {argv[2], "-q", argv[1], NULL};
    const char* const follow[] = {argv[2], "-q", "--follow", argv[1], NULL};
    const char* const recover[] = {argv[3], "-q", "-f", "--allow-incomplete", argv[1], recovered, NULL};
    const char* const dump_recovered[] = {argv[2], "-q", recovered, NULL};
    for (unsigned threads = 1; threads <= 2; ++threads) {
        remove(argv[1]);
        const pid_t recorder = start_recorder(argv[1], threads);
        if (recorder < 0) break;
        pid_t follower = 0;
        FILE* followed = start(&follower, follow);
        if (!CHECK(followed != NULL)) break;
        read_output(followed, "committed text 2", output); /* while the recorder runs */
        CHECK(strstr(output, "missing string") == NULL && strstr(output, "committed text 0") != NULL);
        CHECK(kill(recorder, SIGKILL) == 0 && waitpid(recorder, NULL, 0) == recorder);
        CHECK(kill(follower, SIGTERM) == 0);
        fclose(followed);
        CHECK(exit_code(follower) == 0);

        check_reader(argv[1], true);
        CHECK(run(dump, output) == 3); /* incomplete */
        if (!CHECK(has_all_texts(output))) fprintf(stderr, "%s\n", output);
        CHECK(run(recover, output) == 0);
        CHECK(run(dump_recovered, output) == 0 && has_all_texts(output));
        uscope_reader_t* r = uscope_reader_open(recovered);
        CHECK(uscope_is_complete(r) && uscope_finding_count(r) == 0);
        uscope_reader_close(r);
    }
    damage(argv[1]);
    remove(argv[1]);
    remove(recovered);
    return check_result();
}
