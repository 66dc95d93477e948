// convert/model_dump.hpp - prints the model as text. Dumps are complete and deterministic, so that equal models have
// equal dumps. Most tests compare dumps.
#pragma once

#include <memory>

#include "codec/reader.hpp"
#include "convert/convert.hpp"
#include "io/text_output.hpp"
#include "symbols/code_places.hpp"

namespace hwtrace {

/// Writes the schema (clocks, scopes, enums, tracks, metadata), then one line per record in stream order. Declarations
/// that appear while reading precede the first record that uses them. A new attribute is written as "track 3 also
/// fields=name:type". Strings are quoted. Bytes that are neither printable ASCII nor UTF-8 are written as \xNN. The
/// caller flushes `out`. With symbols, a line of an instruction ends with its function (append_place_comment).
void dump_model(Reader& reader, TextOutput& out, const ProgressListener& progress = {},
                const std::shared_ptr<const Symbols>& symbols = {});

/// These functions write the two halves of a model dump, for records that do not come from a reader.
void dump_schema(const Schema& schema, TextOutput& out);
void dump_records(const Schema& schema, const Batch& batch, TextOutput& out, CodePlaces* places = nullptr);
/// Writes the values of a change as a dump shows them: "value=5 mark=1", "no value".
void append_change(const Schema& schema, const Batch& batch, const Record& change, TextOutput& out);
/// Writes attributes of an interval of `track` as a dump shows them: "line=7 by=core0".
void append_attributes(const Schema& schema, const Track& track, std::span<const Attribute> attributes,
                       TextOutput& out);

}  // namespace hwtrace
