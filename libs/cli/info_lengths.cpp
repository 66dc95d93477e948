#include "cli/info_lengths.hpp"

#include <fmt/format.h>

#include <nlohmann/json.hpp>

#include <limits>

namespace hwtrace::cli {

namespace {

Json sum_json(WideSum sum, JsonIntegers integers) {
    if (sum > std::numeric_limits<std::uint64_t>::max()) return decimal_text(sum);
    return json_integer(static_cast<std::uint64_t>(sum), integers);
}

}  // namespace

std::vector<InfoColumn> length_columns() {
    return {{"count", {}}, {"min", {}}, {"median", {}}, {"p90", {}}, {"p99", {}}, {"max", {}}, {"mean", {}}};
}

std::string mean_text(const LengthSummary& lengths, std::string_view unit) {
    const auto mean = lengths.milli_mean();
    if (!mean) return "-";
    if (const auto cell = ticks_cell(static_cast<double>(*mean) / 1000, unit)) return *cell;
    return fmt::format("{}.{:03}", decimal_text(*mean / 1000), static_cast<unsigned>(*mean % 1000));
}

std::vector<InfoValue> length_cells(const LengthSummary& lengths, std::string_view unit) {
    if (lengths.count == 0) return std::vector<InfoValue>(length_columns().size());
    const auto percentile = [&](std::uint64_t length) -> InfoValue {
        if (lengths.precision == Precision::exact) return time_cell(length, unit);
        if (!lengths.has_percentiles()) return {};
        return "~" + ticks_cell(static_cast<double>(length), unit).value_or(std::to_string(length));
    };
    return {lengths.count,           time_cell(lengths.least, unit), percentile(lengths.median),
            percentile(lengths.p90), percentile(lengths.p99),        time_cell(lengths.greatest, unit),
            mean_text(lengths, unit)};
}

void print_precision(bool has_estimates, bool has_unknown, TextOutput& out) {
    if (has_estimates) out.put("    ~ less than 1 % too small: more than 4096 different values\n");
    if (has_unknown) out.put("    - unknown: percentiles are kept for 400 rows\n");
}

void append_lengths(const LengthSummary& lengths, ExtremeKeys keys, JsonIntegers integers, Json& json) {
    if (lengths.count == 0) return;
    const auto percentile = [&](std::uint64_t length) {
        return lengths.has_percentiles() ? json_integer(length, integers) : Json(nullptr);
    };
    json[keys.least] = json_integer(lengths.least, integers);
    json["median"] = percentile(lengths.median);
    json["p90"] = percentile(lengths.p90);
    json["p99"] = percentile(lengths.p99);
    json[keys.greatest] = json_integer(lengths.greatest, integers);
    json["mean"] = static_cast<double>(lengths.total) / static_cast<double>(lengths.count);
    json["total"] = sum_json(lengths.total, integers);
    json["percentiles"] = name_of(lengths.precision);
}

}  // namespace hwtrace::cli
