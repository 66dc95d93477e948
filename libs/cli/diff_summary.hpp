// cli/diff_summary.hpp - compares the statistics of two traces: hwtrace-diff --summary.
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "cli/exit_code.hpp"
#include "cli/json.hpp"
#include "cli/messages.hpp"
#include "io/text_output.hpp"

namespace hwtrace::cli {

struct DiffOptions;

/// A number, exact if it is an integer.
struct StatisticValue {
    std::string text;  ///< as JSON writes it
    long double value = 0;
};

/// A statistic of two traces.
struct ComparedStatistic {
    enum class Verdict : std::uint8_t {
        same,
        within,   ///< changed by at most the threshold
        changed,  ///< changed by more than the threshold
        only_a,
        only_b,
    };
    std::string name;  ///< path in the JSON of hwtrace-info: "intervals.tracks[bus/read].p99"
    std::array<std::optional<StatisticValue>, 2> values;
    std::optional<long double> change;  ///< (B - A) / |A|; nullopt if A is 0 or missing, or B is missing
    Verdict verdict = Verdict::same;

    bool is_beyond() const noexcept { return verdict != Verdict::same && verdict != Verdict::within; }
};
/// Returns "same", "within", "changed", "only in A" or "only in B".
std::string_view name_of(ComparedStatistic::Verdict verdict) noexcept;

/// Compares the statistics that hwtrace-info reports of a file in JSON, in the order of A. Facts about the file, points
/// in time and lists of the most frequent items are no statistics. `threshold` is a part of A, such as 0.05.
std::vector<ComparedStatistic> compare_statistics(const Json& a, const Json& b, long double threshold);

/// Parses "5%", "0.5%" or "5". Throws Failure::usage for anything else.
long double parse_threshold(std::string_view text);

/// Compares the statistics of two traces and prints them. Returns Exit::no if one changed by more than the threshold.
Exit summary_command(const DiffOptions& options, Messages& messages);

}  // namespace hwtrace::cli
