// tests/support/program.hpp - a small RV64 program and a simulator that records it: where our own traces come from.
#pragma once

#include "codec/writer.hpp"
#include "model/schema.hpp"

namespace hwtrace::test {

/// What recorded traces declare and describe: the tracks that the STF reader declares too.
struct RecordedSchema {
    Schema schema;
    TrackId hart = none, comments = none;
    TrackId event = none, event_target = none, process = none, page_walk = none, bus = none;

    RecordedSchema();
};

/// Runs the program to its end and writes every instruction with its registers and memory accesses: a loop that copies
/// an array of `elements` (1 to 2047) 64-bit values and sums them up; then a system call, which the handler records as
/// a DMA transfer; all of it twice, for two processes. Page walks stand where a page is touched for the first time.
void record_program(const RecordedSchema& schema, unsigned elements, Writer& writer);

}  // namespace hwtrace::test
