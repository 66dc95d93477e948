/* tests/uscope_api/follow.c - tests that hwtrace-dump prints every item once, in order, while another process writes
 * the file. */
#define _POSIX_C_SOURCE 200809L
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "check.h"
#include "machine.h"

enum { cycles = 6000, rounds = 20, longest_line = 4096 };

/* Starts a process that writes with pauses, in which a follower sees the committed segments. */
static pid_t start_writer(const char* path) {
    const struct timespec pause = {0, 60000000};
    fflush(NULL);
    const pid_t writer = fork();
    if (writer != 0) return writer;
    uscope_writer_t* w = uscope_writer_open(path, &machine_dut, &machine_schema, 100 * machine_period);
    machine m;
    memset(&m, 0, sizeof m);
    machine_notes(&m, w);
    while (m.cycle < cycles) {
        machine_step(&m, w);
        if (m.cycle % (cycles / rounds) == 0) nanosleep(&pause, NULL);
    }
    _exit(uscope_writer_close(w) == USCOPE_OK ? 0 : 1);
}

/* Starts hwtrace-dump with this option and returns its output. */
static FILE* start_dump(const char* dump, const char* path, const char* option, pid_t* process) {
    int ends[2];
    if (pipe(ends) != 0) return NULL;
    fflush(NULL);
    *process = fork();
    if (*process == 0) {
        dup2(ends[1], STDOUT_FILENO);
        close(ends[0]);
        close(ends[1]);
        execl(dump, dump, path, "-q", option, (char*)NULL);
        _exit(127);
    }
    close(ends[1]);
    return fdopen(ends[0], "r");
}

static bool ended_well(pid_t process) {
    int status = 0;
    return waitpid(process, &status, 0) == process && WIFEXITED(status) && WEXITSTATUS(status) == 0;
}

/* Reads the next line of a frame or an item, and skips the lines about the file. Returns false at the end. */
static bool next_line(FILE* from, bool* in_frames, char* line) {
    while (fgets(line, longest_line, from) != NULL) {
        *in_frames = *in_frames || line[0] == '@';
        if (*in_frames) return true;
    }
    return false;
}

int main(int argc, char** argv) {
    if (argc < 3) {
        fprintf(stderr, "usage: %s FILE HWTRACE-DUMP\n", argv[0]);
        return 2;
    }
    const struct timespec pause = {0, 1000000};
    remove(argv[1]);
    const pid_t writer = start_writer(argv[1]);
    uscope_reader_t* r = NULL;
    for (int i = 0; i < 20000 && r == NULL; ++i) { /* until the file can be opened */
        r = uscope_reader_open(argv[1]);
        if (r == NULL) nanosleep(&pause, NULL);
    }
    CHECK(r != NULL && !uscope_is_complete(r));
    uscope_reader_close(r);

    pid_t follower = 0, reader = 0;
    FILE* followed = start_dump(argv[2], argv[1], "--follow", &follower);
    char got[longest_line], wanted[longest_line];
    bool got_frames = false, wanted_frames = false;
    /* The first frame is printed while the writer runs. */
    if (!CHECK(followed != NULL && next_line(followed, &got_frames, got))) return check_result();
    CHECK(waitpid(writer, NULL, WNOHANG) == 0);
    FILE* copy = tmpfile();
    if (!CHECK(copy != NULL)) return check_result();
    do
        fputs(got, copy);
    while (next_line(followed, &got_frames, got));
    fclose(followed);
    CHECK(ended_well(follower));
    CHECK(ended_well(writer));

    /* The output equals the output for the closed file. */
    rewind(copy);
    FILE* whole = start_dump(argv[2], argv[1], "--color=never", &reader);
    if (!CHECK(whole != NULL)) return check_result();
    unsigned long frames = 0, differ = 0;
    while (next_line(whole, &wanted_frames, wanted)) {
        if (fgets(got, sizeof got, copy) == NULL) got[0] = '\0';
        frames += wanted[0] == '@' ? 1 : 0;
        if (strcmp(got, wanted) != 0 && ++differ == 1) fprintf(stderr, "followed: %swhole: %s", got, wanted);
    }
    CHECK(fgets(got, sizeof got, copy) == NULL);
    CHECK(differ == 0 && frames == cycles);
    fclose(whole);
    fclose(copy);
    CHECK(ended_well(reader));
    printf("%lu frames followed\n", frames);
    remove(argv[1]);
    return check_result();
}
