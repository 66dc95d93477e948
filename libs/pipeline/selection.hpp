// pipeline/selection.hpp - the stage that keeps the part of a trace that --range names.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>

#include "model/schema.hpp"
#include "pipeline/range.hpp"
#include "pipeline/stage.hpp"

namespace hwtrace {

/// Keeps the records that `range` names, whole and in their order, as the first stage behind the reader: intervals that
/// overlap it (one without duration where it begins inside), all others whose time is inside. Range::Unit::record
/// counts what apply() is given. `period_ps`, not 0, is the length of a cycle for the tracks that do not say how long
/// theirs are. `source` outlives the stage and may grow. Throws Failure::usage where records depend
/// on earlier ones (storages, signals, harts), and where a track's time cannot be compared with the range; apply()
/// throws the same for tracks that appear while reading. What is left out is the user's choice, no loss.
std::unique_ptr<Stage> make_selection(const Schema& source, const Range& range,
                                      std::optional<std::uint64_t> period_ps = std::nullopt);

}  // namespace hwtrace
