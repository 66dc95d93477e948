// formats/ftr/source.hpp - recognises traces that come from an FTR file or a recording.
#pragma once

#include "codec/settings.hpp"
#include "model/schema.hpp"

namespace hwtrace::ftr {

/// Returns true if both conditions hold: the source is FTR or states a time of creation, and its streams and
/// transactions have ids as in traces from the FTR reader.
bool is_of_ftr(const Schema& schema, const Settings& settings);

}  // namespace hwtrace::ftr
