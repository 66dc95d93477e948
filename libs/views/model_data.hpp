// views/model_data.hpp - streams the records of the model as JSON, JSON Lines or CSV.
#pragma once

#include "codec/format.hpp"
#include "codec/reader.hpp"
#include "convert/convert.hpp"
#include "io/text_output.hpp"

namespace hwtrace {

/// Writes all records of `reader` in `form` (not TextForm::text), in stream order. The caller flushes `out`.
/// - jsonl: the format jsonl (formats/jsonl/README.md) with the tool in the head. Declarations precede the first record
///   that uses them.
/// - json: one document of the same objects: "records", then "clocks", "scopes", "enums", "tracks" and "metadata",
///   which are complete only at the end.
/// - csv: one row per record: time,kind,scope,track,track_id,duration,slot,field,value,details. `details` is a JSON
///   object of all values that have no column.
void dump_model_data(Reader& reader, TextForm form, const Settings& settings, TextOutput& out,
                     const ProgressListener& progress = {});

/// Writes the records of a reader as CSV with one typed column per field. All records must belong to `track`, and its
/// declaration must be complete. The header is "time:ps,duration:ps,name:text,..."; several values of a field are
/// separated by ";". Returns false and writes nothing if records of this kind of track have no fields.
bool dump_track(Reader& reader, const Track& track, TextOutput& out, const ProgressListener& progress = {});

}  // namespace hwtrace
