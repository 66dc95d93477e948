/* tests/uscope_api/killed.c - tests that a writer killed at any moment leaves a file that can be read up to its last
 * committed segment and is reported as incomplete. Arguments: a file, and hwtrace-validate if it was built. */
#define _POSIX_C_SOURCE 200809L
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "check.h"
#include "machine.h"

static unsigned long seed = 20260404;

static unsigned long any_below(unsigned long end) {
    seed = seed * 6364136223846793005u + 1442695040888963407u;
    return (seed >> 33) % end;
}

static void write_until_killed(const char* path, int round) {
    const uscope_writer_options_t options = {(uint8_t)(round % 3), round % 4 == 1, false, round % 2 == 0 ? 0u : 2u};
    uscope_writer_t* w = uscope_writer_open_with(path, &machine_dut, &machine_schema,
                                                 (uint64_t)(20 + 50 * (round % 5)) * machine_period, &options);
    if (w == NULL) _exit(1);
    machine m;
    memset(&m, 0, sizeof m);
    machine_notes(&m, w);
    for (;;)
        machine_step(&m, w);
}

/* Waits until the writer has begun, so that most writers are killed while they write. */
static void await_size(const char* path, long size) {
    const struct timespec pause = {0, 500000};
    struct stat status;
    for (int i = 0; i < 20000; ++i) {
        if (stat(path, &status) == 0 && status.st_size >= size) return;
        nanosleep(&pause, NULL);
    }
}

/* Returns the exit code of hwtrace-validate and copies its verdict into `verdict`. */
static int validate(const char* tool, const char* path, char* verdict, size_t size) {
    char command[4096];
    snprintf(command, sizeof command, "'%s' '%s' 2>&1", tool, path);
    FILE* pipe = popen(command, "r");
    size_t length = 0;
    if (pipe == NULL) return -1;
    length = fread(verdict, 1, size - 1, pipe);
    verdict[length] = '\0';
    const int status = pclose(pipe);
    return WIFEXITED(status) ? WEXITSTATUS(status) : -1;
}

static uint64_t check_left(const char* path, const char* tool) {
    uscope_reader_t* r = uscope_reader_open(path);
    if (r == NULL) { /* killed before the preamble was written: nothing was committed */
        CHECK(uscope_last_status() == USCOPE_ERROR_IO || uscope_last_status() == USCOPE_ERROR_FORMAT);
        return 0;
    }
    CHECK(!uscope_is_complete(r) && !uscope_poll_new_segments(r));
    const uint32_t segments = uscope_header(r)->num_segments;
    uint64_t frames = 0, last = 0;
    bool ordered = true;
    uscope_item_t item;
    uscope_item_iter_t* it = uscope_items_in_range(r, 0, UINT64_MAX);
    while (uscope_item_next(it, &item)) {
        if (item.first_of_frame) ordered = ordered && item.time_ps == machine_time(frames++);
        last = item.time_ps;
    }
    CHECK(ordered && (segments == 0 || frames != 0));
    const int64_t notes[3] = {0, 1, 2};
    const machine m = machine_behind(frames, notes);
    uscope_state_t* s = uscope_state_at(r, last);
    CHECK(frames == 0 || machine_is(&m, s));
    for (size_t i = 0; i < uscope_finding_count(r); ++i)
        CHECK_TEXT(uscope_finding(r, i), "USC013"); /* unfinished is the only finding */
    uscope_state_free(s);
    uscope_item_iter_free(it);
    uscope_reader_close(r);

    if (tool != NULL) {
        char verdict[8192];
        const int code = validate(tool, path, verdict, sizeof verdict);
        if (!CHECK(code == 3) || !CHECK_TEXT(verdict, "incomplete")) fprintf(stderr, "exit %d\n%s\n", code, verdict);
    }
    return frames;
}

/* Checks a file that cannot grow any more: all later calls fail, and committed segments stay. */
static void full_disk(const char* path) {
    remove(path);
    fflush(NULL);
    const pid_t writer = fork();
    if (writer == 0) {
        const struct rlimit most = {60000, 60000};
        signal(SIGXFSZ, SIG_IGN);
        if (setrlimit(RLIMIT_FSIZE, &most) != 0) _exit(9);
        uscope_writer_t* w = uscope_writer_open(path, NULL, &machine_schema, 100 * machine_period);
        machine m;
        memset(&m, 0, sizeof m);
        machine_notes(&m, w);
        /* An earlier harmless error does not hide the error that ends the trace. */
        CHECK(uscope_end_cycle(w) == USCOPE_ERROR_ORDER && uscope_writer_status(w) == USCOPE_ERROR_ORDER);
        while (m.cycle < 100000 && !uscope_writer_stopped(w))
            machine_step(&m, w);
        CHECK_TEXT(uscope_writer_error(w), path);
        CHECK(uscope_writer_status(w) == USCOPE_ERROR_IO && uscope_begin_cycle(w, UINT32_MAX) == USCOPE_ERROR_IO);
        CHECK(uscope_string(w, "text") == USCOPE_NO_STRING && uscope_flush_segment(w) == USCOPE_ERROR_IO);
        CHECK(uscope_writer_close(w) == USCOPE_ERROR_IO);
        CHECK_TEXT(uscope_last_error(), path);
        _exit(check_result());
    }
    int status = 0;
    CHECK(waitpid(writer, &status, 0) == writer && WIFEXITED(status) && WEXITSTATUS(status) == 0);
    CHECK(check_left(path, NULL) > 100);
}

/* Checks that the string table stays within the limits of readers. The process ends without writing it. */
static void full_table(const char* path) {
    fflush(NULL);
    const pid_t writer = fork();
    if (writer == 0) {
        uscope_writer_t* w = uscope_writer_open(path, NULL, &machine_schema, 0);
        const size_t longest = (size_t)16 << 20;
        char* text = malloc(longest + 1);
        memset(text, 't', longest);
        text[longest] = '\0';
        for (int i = 0; i < 15; ++i) {
            text[0] = (char)('a' + i);
            CHECK(uscope_string(w, text) == i && uscope_string(w, text) == i);
        }
        text[0] = 'p';
        CHECK(uscope_string(w, text) == USCOPE_NO_STRING && uscope_last_status() == USCOPE_ERROR_LIMIT);
        CHECK(uscope_string(w, "short") == 15 && !uscope_writer_stopped(w));
        _exit(check_result());
    }
    int status = 0;
    CHECK(waitpid(writer, &status, 0) == writer && WIFEXITED(status) && WEXITSTATUS(status) == 0);
}

/* Checks that the file at the path stays if a trace cannot begin. */
static void full_disk_at_once(const char* path) {
    uscope_writer_t* old = uscope_writer_open(path, NULL, &machine_schema, 0);
    CHECK(uscope_begin_cycle(old, 7) == USCOPE_OK && uscope_writer_close(old) == USCOPE_OK);
    fflush(NULL);
    const pid_t writer = fork();
    if (writer == 0) {
        const struct rlimit most = {100, 100};
        signal(SIGXFSZ, SIG_IGN);
        if (setrlimit(RLIMIT_FSIZE, &most) != 0) _exit(9);
        CHECK(uscope_writer_open(path, NULL, &machine_schema, 0) == NULL && uscope_last_status() == USCOPE_ERROR_IO);
        _exit(check_result());
    }
    int status = 0;
    CHECK(waitpid(writer, &status, 0) == writer && WIFEXITED(status) && WEXITSTATUS(status) == 0);
    uscope_reader_t* r = uscope_reader_open(path);
    CHECK(uscope_is_complete(r) && uscope_header(r)->total_time_ps == 7);
    uscope_reader_close(r);
}

int main(int argc, char** argv) {
    enum { rounds = 24 };
    if (argc < 2) {
        fprintf(stderr, "usage: %s FILE [hwtrace-validate]\n", argv[0]);
        return 2;
    }
    uint64_t frames = 0;
    for (int round = 0; round < rounds; ++round) {
        remove(argv[1]);
        fflush(NULL);
        const pid_t writer = fork();
        if (writer == 0) write_until_killed(argv[1], round);
        if (round % 4 != 0) await_size(argv[1], round % 4 == 1 ? 48 : 4000);
        const struct timespec pause = {0, (long)(any_below(30) * any_below(1000) * 1000)};
        nanosleep(&pause, NULL);
        int status = 0;
        CHECK(kill(writer, SIGKILL) == 0 && waitpid(writer, &status, 0) == writer);
        CHECK(WIFSIGNALED(status));
        /* The validator is slow under sanitizers, so it does not run every time. */
        frames += check_left(argv[1], argc > 2 && round % 3 == 0 ? argv[2] : NULL);
    }
    printf("%d writers killed, %lu cycles read back\n", (int)rounds, (unsigned long)frames);
    CHECK(frames != 0);
    full_disk(argv[1]);
    full_disk_at_once(argv[1]);
    full_table(argv[1]);
    remove(argv[1]);
    return check_result();
}
