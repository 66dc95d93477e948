// views/state_dump.hpp - writes the contents of storages at one time, as text or data.
#pragma once

#include <cstdint>
#include <optional>

#include "codec/format.hpp"
#include "codec/settings.hpp"
#include "io/text_output.hpp"
#include "model/state.hpp"

namespace hwtrace {

/// Writes every storage of `schema` with its properties and slots. Omits invalid slots. In dense storages,
/// slots that hold only zeros are counted instead of listed. A slot that names an entity of its `cpu` scope is followed
/// by the other fields of the entity. `time` is in ticks of the storages. The caller flushes `out`.
/// - text: a listing for people.
/// - json: one document {"schema": "hwtrace-state/1", ..., "time", "storages"}.
/// - jsonl: a head, then one object per storage and slot, distinguished by "type".
/// - csv: one row per value: scope,storage,track_id,slot,field,value; properties have no slot.
void dump_state(const Schema& schema, const StateTable& state, Tick time, TextForm form, const Settings& settings,
                TextOutput& out);

}  // namespace hwtrace
