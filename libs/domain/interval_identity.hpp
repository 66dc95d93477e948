// domain/interval_identity.hpp - checks whether intervals state the ids that relations refer to.
#pragma once

#include "domain/conventions.hpp"
#include "model/schema.hpp"

namespace hwtrace {

/// Returns true if the first attribute of the track's intervals is conventions::interval_id.
inline bool states_numbers(const Track& track) noexcept {
    if (track.fields.empty()) return false;
    const Field& first = track.fields.front();
    return first.name == conventions::interval_id && first.type == Type::u64 && first.phase == Phase::unknown;
}

}  // namespace hwtrace
