// formats/pccx/schema_losses.hpp - what a file loses of a schema: objects without events, and names.
#pragma once

#include <string>
#include <string_view>

#include "codec.hpp"
#include "codec/losses.hpp"
#include "lanes.hpp"
#include "model/schema.hpp"

namespace hwtrace::pccx {

/// The subject of losses of the optional names of events.
inline constexpr Subject names_of_events = Subject::general(api_name);
inline constexpr std::string_view same_type = "another track of the core has this name: both become one type";

/// Counts a changed name.
inline void count_name_change(Losses& losses, Subject subject, std::string_view what) {
    losses.count(Loss::name_changed, subject, [&] { return std::string(what); });
}

/// Counts losses for event types, cores and attributes without events, and for clocks and enumerations, because the
/// file cannot define them.
void count_unused(const Schema& schema, const Lanes& lanes, bool has_events, Losses& losses);

}  // namespace hwtrace::pccx
