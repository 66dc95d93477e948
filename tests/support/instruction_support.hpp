// tests/support/instruction_support.hpp - a small hand-made instruction trace, and functions that run stages on
// batches.
#pragma once

#include <string>
#include <vector>

#include "codec/losses.hpp"
#include "model/record.hpp"
#include "model/schema.hpp"
#include "select/stage.hpp"
#include "support/lines.hpp"

namespace hwtrace::test {

/// A hart with the usual tracks of instruction traces: an event, an event with rows, notes and native records.
struct Trace {
    Schema schema;
    TrackId hart = none, event = none, walk = none, text_event = none, notes = none, native = none;

    /// `vector_bits` is the value of the metadata stf.vlen; 0: no such metadata.
    explicit Trace(unsigned vector_bits = 128);
};

/// Returns the model dump of the stage's output for these batches, without the schema. Also calls `finish`.
std::vector<std::string> lines_after(Stage& stage, const std::vector<const Batch*>& batches);
/// Returns the model dump of a batch without the schema.
std::vector<std::string> lines_of(const Schema& schema, const Batch& batch);
/// Returns the lines that contain `part`.
std::vector<std::string> with(const std::vector<std::string>& lines, const std::string& part);

/// Lowers `batch`, raises the result, and returns the lines of its model dump. Adds the losses of both stages to
/// `losses`.
std::vector<std::string> there_and_back(const Trace& trace, const Batch& batch, std::uint64_t period_ps,
                                        Ratio per_cycle, Losses& losses);

}  // namespace hwtrace::test
