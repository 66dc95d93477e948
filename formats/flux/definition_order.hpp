// formats/flux/definition_order.hpp - the order in which definitions are written.
#pragma once

#include "item_plan.hpp"
#include "stream_facts.hpp"

namespace hwtrace::flux {

/// Plans the steps of a trace: first those in `facts` (may be null), in the order of the source, then all others.
/// Scopes precede their children and keep their order.
void order_definitions(TracePlan& trace, const TraceFacts* facts);

}  // namespace hwtrace::flux
