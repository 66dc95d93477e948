// views/state_dump.hpp - what storages hold at one moment, as text and as data.
#pragma once

#include <cstdint>
#include <optional>

#include "codec/format.hpp"
#include "codec/settings.hpp"
#include "io/text_output.hpp"
#include "model/state.hpp"

namespace hwtrace {

/// Writes every storage of `schema` with its properties and slots. Invalid slots are left out; those of dense storages
/// that hold nothing but zeros are counted. Behind a slot that names an entity of its `cpu` scope stand the entity's
/// other fields. `time` is in ticks of the storages. The caller flushes `out`.
/// - text: for people.
/// - json: one document {"schema": "hwtrace-state/1", ..., "time", "storages"}.
/// - jsonl: a head, then an object for each storage and each slot, told apart by "type".
/// - csv: a row for each value: scope,storage,track_id,slot,field,value; properties have no slot.
void dump_state(const Schema& schema, const StateTable& state, Tick time, TextForm form, const Settings& settings,
                TextOutput& out);

}  // namespace hwtrace
