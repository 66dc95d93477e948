// select/restated_storages.hpp - states the contents of storages at the start of a slice.
#pragma once

#include <span>

#include "domain/occupancy.hpp"
#include "io/limits.hpp"
#include "model/record.hpp"
#include "model/schema.hpp"
#include "model/state.hpp"

namespace hwtrace {

/// Appends one frame that sets empty storages of `schema` to the contents of `state`, see Earlier::restated. Every
/// record is marked record_restated. `occupied`, by track, are the slots of dense storages of which every field is set;
/// missing tracks have none. Throws Failure::limit if the records exceed Limits::block.
void restate_storages(const Schema& schema, const StateTable& state, std::span<const Occupancy> occupied, Tick time,
                      const Limits& limits, Batch& out);

}  // namespace hwtrace
