// formats/flux/writer_options.hpp - parses the options of the writer.
#pragma once

#include <cstdint>
#include <optional>

#include "codec/settings.hpp"
#include "item_plan.hpp"
#include "wire.hpp"

namespace hwtrace::flux {

/// The memory of a ring in bytes, and the number of its sections.
struct WantedRing {
    std::uint64_t size = 0, sections = 4;
};

/// These functions throw Failure::usage if a value is invalid or excludes another option.
WantedLayout wanted_layout(const Settings& settings);
/// Returns nullopt if entries are not packed.
std::optional<Pack> wanted_packing(const Settings& settings);
/// Returns nullopt if the stream is not a ring.
std::optional<WantedRing> wanted_ring(const Settings& settings);

}  // namespace hwtrace::flux
