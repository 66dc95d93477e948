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

/// The format and the used tracks of one trace.
struct SchemaSide {
    const Format* format = nullptr;
    std::vector<bool> used;  ///< by track index in the Correspondence: true if the track has records
};

/// Compares metadata, clocks, scopes, enums and tracks by name, in any order. Storage facts are not compared. If the
/// traces are not `alike` or are slices, reports fewer differences. A track that one trace lacks is then reported only
/// if it has records, and common tracks only if their time units differ. Metadata is not reported if it is the mark of
/// a conversion, or if it belongs to a format and the trace of another format lacks it.
std::vector<SchemaDifference> compare_schemas(const Correspondence& correspondence,
                                              const std::array<SchemaSide, 2>& sides, bool alike);

}  // namespace hwtrace
