// views/schema_tree.hpp - the schema for people and programs: scopes with their protocol and clock, and what is in
// them.
#pragma once

#include "codec/format.hpp"
#include "codec/settings.hpp"
#include "io/text_output.hpp"
#include "model/schema.hpp"

namespace hwtrace {

/// Writes what `schema` has declared. The caller flushes `out`.
/// - text: metadata, clocks and enums, then the scopes as a tree; under each its tracks with their role in the
///   protocol (model/protocols.hpp), their fields and their properties.
/// - json: one document {"schema": "hwtrace-schema/1", ..., "metadata", "clocks", "enums", "scopes", "tracks"}.
/// - jsonl: a head, then the same objects, one a line, told apart by "type".
/// - csv: a row for each field and property, and for each track without any:
///   scope,kind,track,track_id,role,slots,sparse,buffer,field,type,enum,property.
void dump_schema_tree(const Schema& schema, TextForm form, const Settings& settings, TextOutput& out);

/// "ps", "cycles", ...: what a tick of that base is, for people.
void append_unit(const TimeBase& base, TextOutput& out);

}  // namespace hwtrace
