// pipeline/schema_comparison.hpp - compares two traces apart from their records.
#pragma once

#include <array>
#include <optional>
#include <string>
#include <vector>

#include "codec/format.hpp"
#include "pipeline/correspondence.hpp"

namespace hwtrace {

/// One object that differs, such as {"track", "stream root/fetch"}, and its description in each trace.
struct SchemaDifference {
    std::string what, subject;
    std::array<std::optional<std::string>, 2> values{};  ///< none: that trace has no such object
};

/// The facts about one of the traces.
struct SchemaSide {
    const Format* format = nullptr;
    std::vector<bool> used;  ///< by number of the Correspondence: whether the track has records
};

/// Compares metadata, clocks, scopes, enums and tracks by name, in any order. Storage facts are not compared. If the
/// traces are not `alike` or are slices, only the following count: tracks that one trace lacks, if they have records;
/// of common tracks, the unit of time; metadata, except a format's own that the other lacks, and except marks of
/// conversions.
std::vector<SchemaDifference> compare_schemas(const Correspondence& correspondence,
                                              const std::array<SchemaSide, 2>& sides, bool alike);

}  // namespace hwtrace
