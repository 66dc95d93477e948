/* tests/uscope_api/live.c - tests a reader that follows a file while it is written, in one process and in two. */
#define _POSIX_C_SOURCE 200809L
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "check.h"
#include "machine.h"

/* Returns true if a finding has this rule. */
static bool has_finding(const uscope_reader_t* r, const char* rule) {
    for (size_t i = 0; i < uscope_finding_count(r); ++i)
        if (strncmp(uscope_finding(r, i), rule, strlen(rule)) == 0) return true;
    return false;
}

static void in_one_process(const char* path) {
    uscope_writer_t* w = uscope_writer_open(path, &machine_dut, &machine_schema, 50 * machine_period);
    machine m;
    memset(&m, 0, sizeof m);
    machine_notes(&m, w);

    uscope_reader_t* r = uscope_reader_open(path);
    if (!CHECK(r != NULL)) {
        fprintf(stderr, "%s\n", uscope_last_error());
        return;
    }
    CHECK(!uscope_is_complete(r) && uscope_header(r)->num_segments == 0 && uscope_schema(r)->num_storages == 3);
    uscope_event_iter_t* it = uscope_events_in_range(r, 0, UINT64_MAX);
    CHECK(!uscope_event_next(it, NULL, NULL, NULL) && !uscope_poll_new_segments(r));

    machine followed;
    memset(&followed, 0, sizeof followed);
    memcpy(followed.notes, m.notes, sizeof m.notes);
    bool same = true;
    for (int round = 0; round < 40; ++round) {
        for (int i = 0; i < 17; ++i)
            machine_step(&m, w);
        const bool flush = round % 3 == 0;
        if (flush) CHECK(uscope_flush_segment(w) == USCOPE_OK);
        const bool more = uscope_poll_new_segments(r);
        CHECK(!flush || more);
        CHECK(!uscope_poll_new_segments(r)); /* no more segments */

        /* Committed segments can be read by an iterator that continues at its end, and as a state. */
        uint64_t time = 0;
        uint16_t id = 0;
        while (uscope_event_next(it, &time, &id, NULL)) {
            while (machine_time(followed.cycle) < time)
                machine_step(&followed, NULL);
            machine ahead = followed;
            const machine_events happened = machine_step(&ahead, NULL);
            same = same && machine_time(followed.cycle) == time &&
                   ((id == fetch && happened.fetched != 0) || (id == stall && happened.stalls) ||
                    (id == wide && happened.is_wide));
        }
        if (flush) {
            uscope_state_t* s = uscope_state_at(r, UINT64_MAX);
            same = same && machine_is(&m, s);
            uscope_state_free(s);
        }
    }
    CHECK(same);
    CHECK(uscope_string_count(r) == 3); /* committed with the first segment */
    CHECK(has_finding(r, "USC013"));
    CHECK(uscope_writer_close(w) == USCOPE_OK);
    uscope_poll_new_segments(r);
    CHECK(!has_finding(r, "USC013") && uscope_finding_count(r) == 0); /* no longer true */
    CHECK(uscope_is_complete(r) && uscope_header(r)->total_time_ps == machine_time(m.cycle - 1));
    while (uscope_event_next(it, NULL, NULL, NULL))
        continue;
    CHECK(!uscope_poll_new_segments(r));
    uscope_state_t* s = uscope_state_at(r, UINT64_MAX);
    CHECK(machine_is(&m, s));
    CHECK(uscope_string_count(r) == 3);
    CHECK_TEXT(uscope_string_text(r, uscope_slot_field(s, rob, m.head, rob_note), NULL),
               m.rob[m.head].note == m.notes[0]   ? "addi"
               : m.rob[m.head].note == m.notes[1] ? "ld"
                                                  : "Grüße");
    CHECK(uscope_summary_levels(r) != 0);
    uscope_state_free(s);
    uscope_event_iter_free(it);
    uscope_reader_close(r);
}

/* Returns the number of frames that an iterator has left. */
static uint64_t frames_of(uscope_item_iter_t* it) {
    uscope_item_t item;
    uint64_t frames = 0;
    while (uscope_item_next(it, &item))
        frames += item.first_of_frame ? 1 : 0;
    return frames;
}

static bool is_at(uscope_reader_t* r, uint64_t cycle) {
    const int64_t notes[3] = {0, 1, 2};
    const machine m = machine_behind(cycle, notes);
    uscope_state_t* s = uscope_state_at(r, UINT64_MAX);
    const bool same = machine_is(&m, s);
    uscope_state_free(s);
    return same;
}

/* Checks that new segments and the closing of the file become visible only with a poll. */
static void only_what_was_polled(const char* path) {
    uscope_writer_t* w = uscope_writer_open(path, NULL, &machine_schema, 1000000 * machine_period);
    machine m;
    memset(&m, 0, sizeof m);
    machine_notes(&m, w);
    uscope_reader_t* r = uscope_reader_open(path);
    uscope_item_iter_t* first = uscope_items_in_range(r, 0, UINT64_MAX);
    for (uint64_t segment = 0; segment < 3; ++segment) {
        while (m.cycle < 10 * (segment + 1))
            machine_step(&m, w);
        CHECK((segment < 2 ? uscope_flush_segment(w) : uscope_writer_close(w)) == USCOPE_OK);
        uscope_item_iter_t* it = uscope_items_in_range(r, 0, UINT64_MAX);
        CHECK(frames_of(it) == 10 * segment && frames_of(first) == 0);
        CHECK(is_at(r, 10 * segment) && uscope_header(r)->num_segments == segment);
        CHECK(!uscope_is_complete(r) && uscope_string_count(r) == (segment == 0 ? 0 : 3));
        CHECK(uscope_summary(r) == NULL);

        CHECK(uscope_poll_new_segments(r) && !uscope_poll_new_segments(r));
        CHECK(frames_of(it) == 10 && frames_of(first) == 10 && is_at(r, 10 * (segment + 1)));
        CHECK(uscope_header(r)->num_segments == segment + 1);
        uscope_item_iter_free(it);
    }
    CHECK(uscope_is_complete(r) && uscope_string_count(r) == 3 && uscope_summary(r) != NULL);
    uscope_item_iter_free(first);
    uscope_reader_close(r);
}

/* Checks that a follower sees every item exactly once and in order, whenever it polls. */
static void in_two_processes(const char* path, unsigned threads) {
    enum { cycles = 20000 };
    const struct timespec pause = {0, 200000}, work = {0, 5000000};
    remove(path);
    fflush(NULL);
    const pid_t writer = fork();
    if (writer == 0) {
        const uscope_writer_options_t options = {USCOPE_LZ4, false, false, threads};
        uscope_writer_t* w = uscope_writer_open_with(path, NULL, &machine_schema, 100 * machine_period, &options);
        machine m;
        memset(&m, 0, sizeof m);
        machine_notes(&m, w);
        while (m.cycle < cycles) {
            machine_step(&m, w);
            if (m.cycle % 500 == 0) nanosleep(&work, NULL);
        }
        _exit(uscope_writer_close(w) == USCOPE_OK ? 0 : 1);
    }
    uscope_reader_t* r = NULL;
    for (int i = 0; i < 50000 && r == NULL; ++i) { /* until the file can be opened */
        r = uscope_reader_open(path);
        if (r == NULL) nanosleep(&pause, NULL);
    }
    if (!CHECK(r != NULL)) return;
    uscope_item_iter_t* it = uscope_items_in_range(r, 0, UINT64_MAX);
    uscope_item_t item;
    uint64_t frames = 0, adds = 0, last = 0, polls = 0;
    bool ordered = true, complete = false;
    for (int i = 0; i < 500000; ++i) {
        complete = uscope_is_complete(r);
        while (uscope_item_next(it, &item)) {
            ordered = ordered && (item.first_of_frame ? item.time_ps == machine_time(frames) : item.time_ps == last);
            frames += item.first_of_frame ? 1 : 0;
            last = item.time_ps;
            adds += item.kind == USCOPE_ITEM_ADD && item.id == committed ? 1 : 0;
        }
        if (complete) break;
        if (uscope_poll_new_segments(r))
            ++polls;
        else
            nanosleep(&pause, NULL);
    }
    const int64_t notes[3] = {0, 1, 2};
    const machine m = machine_behind(cycles, notes);
    CHECK(complete && ordered && frames == cycles && adds == m.committed);
    int status = 0;
    CHECK(waitpid(writer, &status, 0) == writer && WIFEXITED(status) && WEXITSTATUS(status) == 0);
    uscope_state_t* s = uscope_state_at(r, UINT64_MAX);
    CHECK(machine_is(&m, s));
    CHECK(polls > 5); /* the file was followed, not read at once */
    printf("%u threads: %lu cycles followed in %lu polls with news\n", threads, (unsigned long)frames,
           (unsigned long)polls);
    uscope_state_free(s);
    uscope_item_iter_free(it);
    uscope_reader_close(r);
}

int main(int argc, char** argv) {
    if (argc < 2) {
        fprintf(stderr, "usage: %s FILE\n", argv[0]);
        return 2;
    }
    in_one_process(argv[1]);
    only_what_was_polled(argv[1]);
    in_two_processes(argv[1], 1);
    in_two_processes(argv[1], 2);
    remove(argv[1]);
    return check_result();
}
