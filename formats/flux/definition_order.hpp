// formats/flux/definition_order.hpp - the order in which definitions are written.
#pragma once

#include "item_plan.hpp"
#include "stream_facts.hpp"

namespace hwtrace::flux {

/// Plans the order in which the definitions of a trace are written. Definitions in `facts` (may be null) come first,
/// in the order of the source. Scopes precede their children and keep their order.
void order_definitions(TracePlan& trace, const TraceFacts* facts);

}  // namespace hwtrace::flux
