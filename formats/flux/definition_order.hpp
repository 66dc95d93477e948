// formats/flux/definition_order.hpp - in which order definitions are written.
#pragma once

#include "item_plan.hpp"
#include "stream_facts.hpp"

namespace hwtrace::flux {

/// Plans the steps of a trace: in the order of its source, where `facts` is not null, then what that does not name.
/// Scopes stand in front of what is in them, and keep their order among each other.
void order_definitions(TracePlan& trace, const TraceFacts* facts);

}  // namespace hwtrace::flux
