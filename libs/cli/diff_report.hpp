// cli/diff_report.hpp - what hwtrace-diff prints of a comparison.
#pragma once

#include <array>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "cli/json.hpp"
#include "cli/messages.hpp"
#include "pipeline/comparison.hpp"

namespace hwtrace::cli {

/// A difference with the records that it is about.
struct ShownDifference {
    Difference difference;
    std::array<std::vector<ShownRecord>, 2> records;  ///< of each trace, those around it too, in order
};

struct DiffReport {
    std::array<std::string, 2> files;
    std::array<std::string_view, 2> formats;
    std::array<bool, 2> complete{true, true};
    const Comparison& comparison;
    std::vector<ShownDifference> differences;
    bool equal = false;
};

/// The result for people: a line where the traces are equal (`all_tracks`: and one for each track).
std::string diff_text(const DiffReport& report, bool all_tracks);
/// The same as a JSON document, "hwtrace-diff/1".
std::string diff_json(const DiffReport& report, JsonIntegers integers);

}  // namespace hwtrace::cli
