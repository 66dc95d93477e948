// compare/schema_comparison.hpp - compares two traces apart from their records.
#pragma once

#include <array>
#include <optional>
#include <string>
#include <vector>

#include "codec/format.hpp"
#include "compare/correspondence.hpp"

namespace hwtrace {

/// One object that differs, such as {"track", "stream root/fetch"}, and its description in each trace.
struct SchemaDifference {
    std::string what, subject;
    std::array<std::optional<std::string>, 2> values{};  ///< nullopt: that trace lacks the object
};

/// The format and the used tracks of one trace.
struct SchemaSide {
    const Format* format = nullptr;
    std::vector<bool> used;  ///< by track index in the Correspondence: true if the track has records
};

/// Compares metadata, clocks, scopes, enums and tracks by name, in any order. Storage facts are not compared. `alike`
/// must be true if both traces should have the same objects: neither is a slice, and they have the same format or were
/// raised. If it is false, fewer differences are reported. Marks of conversions are then not reported. A track that one
/// trace lacks is then reported only if it has records, and a common track only if its time units differ. In either
/// case, metadata that belongs to the format of one trace is not reported if the other trace has another format and
/// lacks it.
std::vector<SchemaDifference> compare_schemas(const Correspondence& correspondence,
                                              const std::array<SchemaSide, 2>& sides, bool alike);

}  // namespace hwtrace
