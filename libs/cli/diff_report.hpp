// cli/diff_report.hpp - the report of hwtrace-diff, as text and as JSON.
#pragma once

#include <array>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "cli/json.hpp"
#include "cli/messages.hpp"
#include "compare/comparison.hpp"

namespace hwtrace::cli {

/// A difference and the records to print with it.
struct ShownDifference {
    Difference difference;
    std::array<std::vector<ShownRecord>, 2> records;  ///< records of each trace, in order, with context
};

struct DiffReport {
    std::array<std::string, 2> files;
    std::array<std::string_view, 2> formats;
    std::array<bool, 2> complete{true, true};
    const Comparison& comparison;
    std::vector<ShownDifference> differences;
    bool equal = false;
};

/// Returns the report as text. Lists the tracks that differ. With `all_tracks`, also lists the tracks that are equal.
/// In colour, what only A has is red, what only B has is green.
std::string diff_text(const DiffReport& report, bool all_tracks, Colour colour);
/// Returns "equal" or "different".
std::string verdict_text(bool equal, Colour colour);
/// Returns the report as a JSON document, "hwtrace-diff/1".
std::string diff_json(const DiffReport& report, JsonIntegers integers);

}  // namespace hwtrace::cli
