// pipeline/model_dump.hpp - the model as text: complete, deterministic, the same for equal models; the oracle of most
// tests.
#pragma once

#include "codec/reader.hpp"
#include "io/text_output.hpp"
#include "pipeline/convert.hpp"

namespace hwtrace {

/// Writes the schema (clocks, scopes, enums, tracks, metadata), then a line for each record in stream order. What is
/// declared while reading stands before the first record that uses it, an attribute as "track 3 also fields=name:type".
/// Strings are quoted with \xNN for what is not printable ASCII or UTF-8. The caller flushes `out`.
void dump_model(Reader& reader, TextOutput& out, const ProgressListener& progress = {});

/// The two halves, for records that come from elsewhere than a reader.
void dump_schema(const Schema& schema, TextOutput& out);
void dump_records(const Schema& schema, const Batch& batch, TextOutput& out);
/// What a dump says of a change: "value=5 mark=1", "no value".
void append_change(const Schema& schema, const Batch& batch, const Record& change, TextOutput& out);
/// What it says of attributes of an interval of that track: "line=7 by=core0".
void append_attributes(const Schema& schema, const Track& track, std::span<const Attribute> attributes,
                       TextOutput& out);

}  // namespace hwtrace
