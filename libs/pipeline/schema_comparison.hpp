// pipeline/schema_comparison.hpp - in what two traces differ besides their records.
#pragma once

#include <array>
#include <optional>
#include <string>
#include <vector>

#include "codec/format.hpp"
#include "pipeline/correspondence.hpp"

namespace hwtrace {

/// One object of the two traces, such as {"track", "stream root/fetch"}, and what each of them says of it.
struct SchemaDifference {
    std::string what, subject;
    std::array<std::optional<std::string>, 2> values{};  ///< none: that trace has no such object
};

/// What is known of the two traces.
struct SchemaSide {
    const Format* format = nullptr;
    std::vector<bool> used;  ///< by number of the Correspondence: there are records of the track
};

/// Metadata, clocks, scopes, enumerations and tracks by their names, in whatever order. How a file stores its trace is
/// not compared. Of traces that are not `alike`, or of parts, tracks that one alone has only where it has records of
/// them, of tracks that both have only the unit of time, and of metadata neither a format's own facts that the other
/// has none of, nor those of conversions.
std::vector<SchemaDifference> compare_schemas(const Correspondence& correspondence,
                                              const std::array<SchemaSide, 2>& sides, bool alike);

}  // namespace hwtrace
