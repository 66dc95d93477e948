// views/model_data.hpp - the model as JSON, lines of JSON, or CSV, for programs; streamed, whatever its size.
#pragma once

#include "codec/format.hpp"
#include "codec/reader.hpp"
#include "io/text_output.hpp"
#include "pipeline/convert.hpp"

namespace hwtrace {

/// Writes everything that `reader` delivers, as `form` (not TextForm::text), in stream order. The caller flushes `out`.
/// - jsonl: the lines of the format jsonl (formats/jsonl/README.md), with the tool in their head: what is declared
///   while reading stands before the first record that uses it.
/// - json: one document of the same objects: "records", then "clocks", "scopes", "enums", "tracks" and "metadata",
///   which are known only at the end.
/// - csv: a row for each record: time,kind,scope,track,track_id,duration,slot,field,value,details. `details` is what
///   has no column of its own, as a JSON object.
void dump_model_data(Reader& reader, TextForm form, const Settings& settings, TextOutput& out,
                     const ProgressListener& progress = {});

/// Writes a reader's records, all of which are of `track`, as CSV with a typed column for each field: a head
/// "time:ps,duration:ps,name:text,...", several values of one field with ; between them. False, with nothing written,
/// where records of such tracks have no fields of their own. `track` has all of its fields.
bool dump_track(Reader& reader, const Track& track, TextOutput& out, const ProgressListener& progress = {});

}  // namespace hwtrace
