// tests/formats/uscope_support.hpp - reads and writes µScope traces in memory and converts them to lines of text.
#pragma once

#include <cstddef>
#include <string>
#include <utility>
#include <vector>

#include "codec/findings.hpp"
#include "codec/format.hpp"
#include "codec/losses.hpp"
#include "codec/settings.hpp"
#include "model/record.hpp"
#include "model/schema.hpp"

namespace hwtrace {
extern const Format uscope_format;
}

namespace hwtrace::test {

using Bytes = std::vector<std::byte>;
using Chosen = std::vector<std::pair<std::string, std::string>>;

/// The result of reading a trace. Schema and records are one line of text each, with strings instead of their ids.
struct Trace {
    std::vector<std::string> schema;
    std::vector<std::string> records;
    Facts facts;
    std::vector<std::string> findings;  ///< as "USC013 description", in order of occurrence
    Effect effect = Effect::harmless;

    std::vector<std::string> rule_ids() const;  ///< each rule once, in order of occurrence
    bool has(const std::string& rule_id) const;
    std::string fact(const std::string& key) const;
};

Settings settings_of(const Chosen& options, bool verify = false, unsigned jobs = 1);
/// Reads a whole file. Does not catch exceptions.
Trace read_trace(const Bytes& file, bool verify = false);
/// Reads `file` and writes it again.
Bytes rewritten(const Bytes& file, const Chosen& options = {}, unsigned jobs = 1);
/// Writes batches that have the same schema.
Bytes written(const Schema& schema, const std::vector<Batch>& batches, const Chosen& options = {}, unsigned jobs = 1,
              Losses* losses = nullptr);

std::string schema_line(const Track& track);
std::string record_line(const Schema& schema, const Batch& batch, const Record& record);

/// A small model with a clock, two scopes, an enum, an `entities` table, a counter, a dense table with properties, and
/// events.
struct Model {
    Schema schema;
    TrackId entities = none, counter = none, dense = none, stage = none, note = none, item = none, frame = none;
    Model();
};

/// Returns the names of the real files, without folder and extension.
const std::vector<std::string>& corpus_files();

}  // namespace hwtrace::test
