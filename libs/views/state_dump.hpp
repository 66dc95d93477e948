// views/state_dump.hpp - writes the contents of storages at a time, as text and as data.
#pragma once

#include <cstdint>
#include <optional>

#include "codec/format.hpp"
#include "codec/settings.hpp"
#include "io/text_output.hpp"
#include "model/state.hpp"

namespace hwtrace {

/// Writes every storage of `schema` with its properties and slots. Leaves out invalid slots; counts the slots of dense
/// storages that hold only zeros. A slot that names an entity of its `cpu` scope is followed by the other fields of the
/// entity. `time` is in ticks of the storages. The caller flushes `out`.
/// - text: a listing for people.
/// - json: one document {"schema": "hwtrace-state/1", ..., "time", "storages"}.
/// - jsonl: a head, then one object per storage and slot, distinguished by "type".
/// - csv: one row per value: scope,storage,track_id,slot,field,value; properties have no slot.
void dump_state(const Schema& schema, const StateTable& state, Tick time, TextForm form, const Settings& settings,
                TextOutput& out);

}  // namespace hwtrace
