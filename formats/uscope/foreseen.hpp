// formats/uscope/foreseen.hpp - predicts the losses of a conversion to µScope that depend on the records.
#pragma once

#include <vector>

#include "codec/losses.hpp"
#include "codec/settings.hpp"
#include "model/schema.hpp"

namespace hwtrace::uscope {

/// Lists the losses that the writer may count for events: numbers without a label that do not fit in the byte of an
/// enumeration. The losses of the schema itself are counted when the writer is made.
void foresee_losses(const Schema& schema, const Settings& settings, std::vector<ExpectedLoss>& losses);

}  // namespace hwtrace::uscope
