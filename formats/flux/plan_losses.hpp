// formats/flux/plan_losses.hpp - the losses that follow from the plan of a stream.
#pragma once

#include <vector>

#include "codec/losses.hpp"
#include "item_plan.hpp"
#include "model/schema.hpp"

namespace hwtrace::flux {

inline constexpr Subject position_subject = Subject::general("positions");

/// Returns true if the bytes of a field do not fit the type of the signal (FLX029). Decimals fit.
bool is_formless(const TrackPlan& track, const FieldPlan& field) noexcept;
/// Appends the losses that the plan causes, independently of the records.
void foretell(const Schema& schema, const StreamPlan& plan, std::vector<ExpectedLoss>& losses);

}  // namespace hwtrace::flux
