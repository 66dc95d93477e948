// formats/flux/position_plan.hpp - plans which items are opened and closed, and in which domains.
#pragma once

#include <cstddef>

#include "item_plan.hpp"
#include "model/schema.hpp"
#include "stream_facts.hpp"

namespace hwtrace::flux {

/// Plans the references and contexts of a trace. The items of the trace must be planned. `facts` may be null.
void plan_positions(const Schema& schema, const TraceFacts* facts, StreamPlan& plan, std::size_t trace);
/// Plans the order of the CLOS entries of all traces.
void plan_closes(const StreamFacts& facts, StreamPlan& plan);

}  // namespace hwtrace::flux
