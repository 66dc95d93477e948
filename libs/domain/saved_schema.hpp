// domain/saved_schema.hpp - a schema in bytes, for partial statistics and indexes.
#pragma once

#include "io/saved_state.hpp"
#include "model/schema.hpp"

namespace hwtrace {

/// Writes the scopes, clocks, enumerations, tracks and metadata, but no runtime strings.
void save_schema(const Schema& schema, StateOut& out);
/// Adds the objects that save_schema() wrote to an empty schema. Throws Failure::input for a schema that no trace has,
/// and Failure::limit.
void restore_schema(StateIn& in, Schema& schema);
/// The same for a field. `schema` holds the enumerations that it may have.
void save_field(const Field& field, StateOut& out);
Field restore_field(StateIn& in, const Schema& schema);

/// Returns true if `part` becomes `whole` when its values, or its fields, are added.
bool extends(const Enum& whole, const Enum& part);
bool extends(const Track& whole, const Track& part);
/// Returns true if the objects of `whole` begin with those of `part`, whose lists of fields, labels and metadata may be
/// shorter. Thus ids of `part` are ids of `whole`.
bool extends(const Schema& whole, const Schema& part);

}  // namespace hwtrace
