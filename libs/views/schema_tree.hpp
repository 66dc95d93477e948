// views/schema_tree.hpp - the view schema: scopes with their protocols, clocks and tracks.
#pragma once

#include "codec/format.hpp"
#include "codec/settings.hpp"
#include "io/text_output.hpp"
#include "model/schema.hpp"

namespace hwtrace {

/// Writes the declarations of `schema`. The caller flushes `out`.
/// - text: metadata, clocks and enums, then the tree of scopes. Each scope lists its tracks with their role in the
///   protocol (domain/protocols.hpp), fields and properties.
/// - json: one document {"schema": "hwtrace-schema/1", ..., "metadata", "clocks", "enums", "scopes", "tracks"}.
/// - jsonl: a head, then the same objects, one per line, distinguished by "type".
/// - csv: one row per field and property, and one for a track without fields and properties:
///   scope,kind,track,track_id,role,slots,sparse,buffer,field,type,enum,property.
void dump_schema_tree(const Schema& schema, TextForm form, const Settings& settings, TextOutput& out);

/// Writes the unit of a tick as text: "ps", "cycles", ...
void append_unit(const TimeBase& base, TextOutput& out);

}  // namespace hwtrace
