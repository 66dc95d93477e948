// tests/formats/flux_lanes_support.hpp - compares the lanes of the flux reader with its tolerant scan.
#pragma once

#include <cstddef>
#include <vector>

#include "codec/settings.hpp"

namespace hwtrace::test {

/// Checks that lanes (formats/flux/lanes.hpp) deliver the same records, schema and findings as the tolerant scan.
void check_lanes(const std::vector<std::byte>& bytes, const Settings& settings = {});

}  // namespace hwtrace::test
