/* tests/uscope_api/paths.c - tests paths of traces: links, a path that two writers share, files that are replaced while
 * they are written or read, and names that are not files. */
#define _POSIX_C_SOURCE 200809L
#include <hwtrace/uscope.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "check.h"
#include "machine.h"

static bool is_link(const char* path) {
    struct stat status;
    return lstat(path, &status) == 0 && S_ISLNK(status.st_mode);
}

static void record(uscope_writer_t* w, machine* m, uint64_t cycles) {
    while (m->cycle < cycles)
        machine_step(m, w);
}

static uscope_writer_t* start(const char* path, const uscope_writer_options_t* options, machine* m) {
    uscope_writer_t* w = uscope_writer_open_with(path, NULL, &machine_schema, 10 * machine_period, options);
    memset(m, 0, sizeof *m);
    if (w != NULL) machine_notes(m, w);
    return w;
}

/* Returns the number of cycles of the trace at the path, or 0 if it is incomplete. */
static uint64_t cycles_at(const char* path) {
    uscope_reader_t* r = uscope_reader_open(path);
    const bool complete = uscope_is_complete(r) && uscope_finding_count(r) == 0;
    const uint64_t cycles = complete ? uscope_header(r)->total_time_ps / machine_period + 1 : 0;
    uscope_reader_close(r);
    return cycles;
}

static void links(const char* path) {
    char target[4096];
    snprintf(target, sizeof target, "%s.target", path);
    remove(path);
    remove(target);
    const char* slash = strrchr(target, '/');
    CHECK(symlink(slash == NULL ? target : slash + 1, path) == 0);
    machine m;
    /* The link is dangling at first, and then leads to the new file. */
    const uscope_writer_options_t refuse = {USCOPE_LZ4, false, true, 0};
    uscope_writer_t* w = start(path, &refuse, &m);
    record(w, &m, 30);
    CHECK(access(target, F_OK) == 0 && uscope_writer_close(w) == USCOPE_OK);
    CHECK(is_link(path) && cycles_at(path) == 30 && cycles_at(target) == 30);
    CHECK(start(path, &refuse, &m) == NULL && uscope_last_status() == USCOPE_ERROR_ARGUMENT);
    w = start(path, NULL, &m);
    record(w, &m, 40);
    CHECK(uscope_writer_close(w) == USCOPE_OK && is_link(path) && cycles_at(target) == 40);
    remove(target);
    remove(path);

    CHECK(symlink(path, path) == 0);
    CHECK(start(path, NULL, &m) == NULL && uscope_last_status() == USCOPE_ERROR_IO);
    CHECK(uscope_reader_open(path) == NULL && uscope_last_status() == USCOPE_ERROR_IO && is_link(path));
    remove(path);
}

/* Checks two writers with the same path. Each has its own file; the path leads to the last file. Readers keep the file
 * that they opened. */
static void two_writers(const char* path) {
    machine first, second;
    uscope_writer_t* a = start(path, NULL, &first);
    record(a, &first, 25);
    uscope_reader_t* of_first = uscope_reader_open(path);
    uscope_writer_t* b = start(path, NULL, &second);
    CHECK(b != NULL && b != a);
    record(b, &second, 60);
    uscope_reader_t* of_second = uscope_reader_open(path);
    CHECK(uscope_header(of_second)->num_segments > uscope_header(of_first)->num_segments);
    record(a, &first, 100);
    CHECK(uscope_writer_close(a) == USCOPE_OK && cycles_at(path) == 0);
    record(b, &second, 80);
    CHECK(uscope_writer_close(b) == USCOPE_OK && cycles_at(path) == 80);

    CHECK(uscope_poll_new_segments(of_first) && uscope_poll_new_segments(of_second));
    CHECK(uscope_header(of_first)->total_time_ps == machine_time(99) && uscope_is_complete(of_first));
    CHECK(uscope_header(of_second)->total_time_ps == machine_time(79) && uscope_is_complete(of_second));
    uscope_state_t* s = uscope_state_at(of_first, UINT64_MAX);
    CHECK(machine_is(&first, s) && uscope_finding_count(of_first) == 0);
    uscope_state_free(s);
    uscope_reader_close(of_first);
    uscope_reader_close(of_second);

    /* refuse_existing also refuses a file that is being written. */
    const uscope_writer_options_t refuse = {USCOPE_LZ4, false, true, 0};
    remove(path);
    a = start(path, &refuse, &first);
    CHECK(a != NULL);
    CHECK(start(path, &refuse, &second) == NULL && uscope_last_status() == USCOPE_ERROR_ARGUMENT);
    record(a, &first, 20);
    CHECK(uscope_writer_close(a) == USCOPE_OK && cycles_at(path) == 20);
}

/* Unlinks a file while it is written and read. */
static void without_name(const char* path) {
    machine m;
    uscope_writer_t* w = start(path, NULL, &m);
    record(w, &m, 25);
    uscope_reader_t* r = uscope_reader_open(path);
    CHECK(remove(path) == 0);
    record(w, &m, 50);
    CHECK(uscope_writer_close(w) == USCOPE_OK && access(path, F_OK) != 0);
    CHECK(uscope_poll_new_segments(r) && uscope_is_complete(r));
    uscope_state_t* s = uscope_state_at(r, UINT64_MAX);
    CHECK(machine_is(&m, s) && uscope_finding_count(r) == 0);
    uscope_state_free(s);
    uscope_reader_close(r);
}

int main(int argc, char** argv) {
    if (argc < 2) {
        fprintf(stderr, "usage: %s FILE\n", argv[0]);
        return 2;
    }
    links(argv[1]);
    two_writers(argv[1]);
    without_name(argv[1]);
    machine m;
    const char* const no_files[] = {"", ".", "/dev/null", "/no/such/folder/file"};
    for (size_t i = 0; i < sizeof no_files / sizeof *no_files; ++i) {
        CHECK(start(no_files[i], NULL, &m) == NULL && uscope_last_status() != USCOPE_OK);
        CHECK(uscope_reader_open(no_files[i]) == NULL && uscope_last_status() != USCOPE_OK);
        CHECK(strlen(uscope_last_error()) != 0);
    }
    remove(argv[1]);
    return check_result();
}
