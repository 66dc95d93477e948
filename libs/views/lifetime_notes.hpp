// views/lifetime_notes.hpp - notes of the views that follow lifetimes.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "domain/timeline.hpp"
#include "views/model_views.hpp"

namespace hwtrace {

/// Returns the notes about the lifetimes of a whole trace: assumptions, what could not be followed, or why there are
/// none. `intervals` is the number of intervals shown; nullopt for a view that shows none.
std::vector<std::string> lifetime_notes(const Schema& schema, const Timeline& timeline, const ViewOptions& options,
                                        std::optional<std::uint64_t> intervals);

}  // namespace hwtrace
