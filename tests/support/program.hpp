// tests/support/program.hpp - a small RV64 program and a simulator that records it: the source of our own traces.
#pragma once

#include "codec/writer.hpp"
#include "model/schema.hpp"

namespace hwtrace::test {

/// The declarations of recorded traces. The tracks are the same as the tracks of the STF reader.
struct RecordedSchema {
    Schema schema;
    TrackId hart = none, comments = none;
    TrackId event = none, event_target = none, process = none, page_walk = none, bus = none;

    RecordedSchema();
};

/// Runs the program to its end and writes every instruction with its registers and memory accesses. A loop copies an
/// array of `elements` (1 to 2047) 64-bit values and sums them. A system call follows, which its handler records as a
/// DMA transfer. All of this happens twice, for two processes. A page walk is recorded when a page is first accessed.
void record_program(const RecordedSchema& schema, unsigned elements, Writer& writer);

}  // namespace hwtrace::test
