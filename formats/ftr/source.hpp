// formats/ftr/source.hpp - recognises traces that come from an FTR file or a recording.
#pragma once

#include "codec/settings.hpp"
#include "model/schema.hpp"

namespace hwtrace::ftr {

/// Returns true if streams and transactions have ids, as the FTR reader delivers them, and the source is FTR or states
/// a time of creation.
bool is_of_ftr(const Schema& schema, const Settings& settings);

}  // namespace hwtrace::ftr
