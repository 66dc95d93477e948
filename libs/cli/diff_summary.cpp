#include "cli/diff_summary.hpp"

#include <fmt/format.h>

#include <unistd.h>
#include <nlohmann/json.hpp>

#include <algorithm>
#include <cmath>
#include <utility>

#include "cli/diff_command.hpp"
#include "cli/diff_report.hpp"
#include "cli/info_command.hpp"
#include "cli/info_examination.hpp"
#include "cli/info_report.hpp"
#include "cli/info_table.hpp"
#include "cli/terminal.hpp"
#include "domain/protocols.hpp"
#include "domain/value_text.hpp"
#include "io/error.hpp"
#include "model/hash.hpp"

namespace hwtrace::cli {

namespace {

constexpr std::array<std::string_view, 2> letters{"A", "B"};

/// Facts about the file, points in time, numbers that depend on a choice of windows, and lists of the most frequent
/// items.
constexpr std::array<std::string_view, 23> no_statistics{"file",
                                                         "format",
                                                         "size",
                                                         "facts",
                                                         "part",
                                                         "state",
                                                         "unit",
                                                         "first",
                                                         "last",
                                                         "last_end",
                                                         "first_cycle",
                                                         "last_cycle",
                                                         "window",
                                                         "windows",
                                                         "pcs",
                                                         "blocks",
                                                         "features",
                                                         "most_per_window",
                                                         "mean_per_window",
                                                         "line_bytes",
                                                         "page_bytes",
                                                         "clock_mhz",
                                                         "span_from"};

using Statistics = std::vector<std::pair<std::string, StatisticValue>>;

std::string text_member(const Json& entry, const char* key) {
    const auto found = entry.find(key);
    if (found == entry.end()) return {};
    return found->is_string() ? found->get<std::string>() : found->dump();
}

/// Returns what distinguishes an element of an array: "bus/read", "read 8".
std::string label_of(const Json& entry) {
    const std::string name = text_member(entry, "name"), type = text_member(entry, "type");
    if (entry.contains("from"))
        return fmt::format("{}: {} -> {}", name, name_in(text_member(entry, "from_scope"), text_member(entry, "from")),
                           name_in(text_member(entry, "to_scope"), text_member(entry, "to")));
    if (entry.contains("scope")) return name_in(text_member(entry, "scope"), name);
    if (entry.contains("what")) return text_member(entry, "what") + " " + name;
    if (!name.empty() && !type.empty() && entry.contains("intervals")) return type + " " + name;
    if (!name.empty()) return name;
    if (!type.empty()) return type + " " + text_member(entry, "size");
    return text_member(entry, "least");
}

void flatten(const Json& json, const std::string& path, Statistics& statistics) {
    if (json.is_number()) {
        StatisticValue value{json.dump(), 0};
        value.value = json.is_number_unsigned()  ? static_cast<long double>(json.get<std::uint64_t>())
                      : json.is_number_integer() ? static_cast<long double>(json.get<std::int64_t>())
                                                 : static_cast<long double>(json.get<double>());
        statistics.emplace_back(path, std::move(value));
    } else if (json.is_object()) {
        for (const auto& [key, member] : json.items()) {
            if (std::ranges::find(no_statistics, key) != no_statistics.end()) continue;
            // Branches by pc, and the counters of each interval of instructions.
            if (member.is_array() && (key == "branches" || key == "intervals")) continue;
            std::string name = path;
            if (!name.empty()) name += '.';
            flatten(member, name + key, statistics);
        }
    } else if (json.is_array()) {
        HashMap<std::string, std::uint64_t> times;
        for (const Json& entry : json) {
            if (!entry.is_object()) continue;
            std::string label = label_of(entry);
            if (const std::uint64_t before = times[label]++; before != 0) label += fmt::format(" #{}", before + 1);
            Json rest = entry;
            if (entry.contains("references")) {  // a bucket of reuse distances, which these members name
                rest.erase("least");
                rest.erase("greatest");
            }
            flatten(rest, fmt::format("{}[{}]", path, label), statistics);
        }
    }
}

ComparedStatistic compared(const std::string& name, const StatisticValue* a, const StatisticValue* b,
                           long double threshold) {
    using Verdict = ComparedStatistic::Verdict;
    ComparedStatistic result;
    result.name = name;
    if (a != nullptr) result.values[0] = *a;
    if (b != nullptr) result.values[1] = *b;
    if (a == nullptr || b == nullptr) {
        result.verdict = b == nullptr ? Verdict::only_a : Verdict::only_b;
        return result;
    }
    if (a->text == b->text) {
        if (a->value != 0) result.change = 0;
        return result;
    }
    if (a->value != 0) result.change = (b->value - a->value) / std::fabs(a->value);
    const bool is_within = result.change && std::fabs(*result.change) <= threshold;
    result.verdict = is_within ? Verdict::within : Verdict::changed;
    return result;
}

std::string change_text(const ComparedStatistic& statistic) {
    if (!statistic.change) return "-";
    return fmt::format("{:+.2f} %", static_cast<double>(*statistic.change * 100));
}

std::string value_text(const std::optional<StatisticValue>& value) {
    if (!value) return "-";
    if (value->text.find_first_of(".eE") == std::string::npos) return value->text;
    return fmt::format("{:.3f}", static_cast<double>(value->value));
}

struct SummaryReport {
    std::array<FileInfo, 2> traces;
    std::vector<ComparedStatistic> statistics;
    std::string threshold;  ///< in percent, without the sign
};

std::string totals_text(const SummaryReport& report, Colour colour) {
    std::array<std::size_t, 3> counts{};  // same, within, beyond
    for (const ComparedStatistic& statistic : report.statistics)
        ++counts[statistic.is_beyond() ? 2 : statistic.verdict == ComparedStatistic::Verdict::within ? 1 : 0];
    return fmt::format("{}: {} changed by more than {} % or in one trace only, {} changed less, {} equal\n",
                       verdict_text(counts[2] == 0, colour), counted(counts[2], "statistic"), report.threshold,
                       counts[1], counts[0]);
}

void print_summary(const SummaryReport& report, Volume volume, Colour colour, TextOutput& out) {
    for (const std::size_t side : {0u, 1u}) {
        const FileInfo& trace = report.traces[side];
        out.put(fmt::format("{}: {} ({}), {}\n", letters[side], printable(trace.file), trace.format->name,
                            counted(trace.counts ? trace.counts->records : 0, "record")));
    }
    // The greatest change comes first.
    std::vector<const ComparedStatistic*> rows;
    for (const ComparedStatistic& statistic : report.statistics)
        if (volume == Volume::verbose || statistic.verdict != ComparedStatistic::Verdict::same)
            rows.push_back(&statistic);
    std::ranges::stable_sort(rows, [](const ComparedStatistic* left, const ComparedStatistic* right) {
        return left->is_beyond() && !right->is_beyond();
    });
    InfoTable({{"statistic", {}}, {"A", {}}, {"B", {}}, {"change", {}}, {"verdict", {}}}, rows,
              [](const ComparedStatistic* row) {
                  return std::vector<InfoValue>{printable(row->name), value_text(row->values[0]),
                                                value_text(row->values[1]), change_text(*row),
                                                std::string(name_of(row->verdict))};
              })
        .print(volume, out);
    out.put(totals_text(report, colour));
}

void print_csv(const SummaryReport& report, TextOutput& out) {
    out.put("statistic,a,b,change_percent,verdict\n");
    for (const ComparedStatistic& statistic : report.statistics) {
        append_csv(statistic.name, out);
        for (const auto& value : statistic.values)
            out.put("," + (value ? value->text : std::string()));
        out.put(statistic.change ? fmt::format(",{:.6f}", static_cast<double>(*statistic.change * 100)) : ",");
        out.put(fmt::format(",{}\n", name_of(statistic.verdict)));
    }
}

std::string summary_json(const SummaryReport& report, bool equal) {
    Json json = json_head("hwtrace-diff-summary/1", "hwtrace-diff");
    json["equal"] = equal;
    json["threshold_percent"] = Json::parse(report.threshold);
    for (const std::size_t side : {0u, 1u}) {
        const FileInfo& trace = report.traces[side];
        Json& entry = json[side == 0 ? "a" : "b"];
        entry["file"] = trace.file;
        entry["format"] = trace.format->name;
        entry["complete"] = !trace.broken;
    }
    json["statistics"] = Json::array();
    for (const ComparedStatistic& statistic : report.statistics) {
        Json entry;
        entry["name"] = statistic.name;
        entry["a"] = statistic.values[0] ? Json::parse(statistic.values[0]->text) : Json();
        entry["b"] = statistic.values[1] ? Json::parse(statistic.values[1]->text) : Json();
        entry["change_percent"] = statistic.change ? Json(static_cast<double>(*statistic.change * 100)) : Json();
        entry["verdict"] = name_of(statistic.verdict);
        json["statistics"].push_back(std::move(entry));
    }
    return to_pretty_text(json);
}

void refuse_other_options(const DiffOptions& options) {
    const auto refuse = [](bool is_given, std::string_view option) {
        if (is_given)
            fail(Failure::usage,
                 fmt::format("{} cannot be combined with --summary, which compares no records", option));
    };
    refuse(options.align != "order", "--align");
    refuse(!options.keys.empty(), "--key");
    refuse(!options.ignore.empty(), "--ignore");
    refuse(!options.tolerance.empty(), "--tolerance");
    refuse(!options.clock.empty(), "--clock");
    refuse(options.lowered != "auto", "--lowered");
    refuse(options.allow_empty, "--allow-empty");
}

}  // namespace

std::string_view name_of(ComparedStatistic::Verdict verdict) noexcept {
    constexpr std::array<std::string_view, 5> names{"same", "within", "changed", "only in A", "only in B"};
    return names[static_cast<std::size_t>(verdict)];
}

std::vector<ComparedStatistic> compare_statistics(const Json& a, const Json& b, long double threshold) {
    std::array<Statistics, 2> sides;
    flatten(a, {}, sides[0]);
    flatten(b, {}, sides[1]);
    HashMap<std::string, const StatisticValue*> of_b;
    for (const auto& [name, value] : sides[1])
        of_b.emplace(name, &value);
    std::vector<ComparedStatistic> result;
    for (const auto& [name, value] : sides[0]) {
        const auto other = of_b.find(name);
        result.push_back(compared(name, &value, other == of_b.end() ? nullptr : other->second, threshold));
        if (other != of_b.end()) other->second = nullptr;
    }
    for (const auto& [name, value] : sides[1])
        if (of_b.find(name)->second != nullptr) result.push_back(compared(name, nullptr, &value, threshold));
    return result;
}

long double parse_threshold(std::string_view text) {
    const std::string_view digits = text.ends_with('%') ? text.substr(0, text.size() - 1) : text;
    const std::size_t point = std::min(digits.find('.'), digits.size());
    const auto are_digits = [](std::string_view part) {
        return !part.empty() && part.size() <= 9 &&
               std::ranges::all_of(part, [](char c) { return c >= '0' && c <= '9'; });
    };
    const bool is_number =
        are_digits(digits.substr(0, point)) && (point == digits.size() || are_digits(digits.substr(point + 1)));
    if (!is_number) fail(Failure::usage, fmt::format("--threshold {}: takes a percentage such as 5% or 0.5%", text));
    return std::stold(std::string(digits)) / 100;
}

Exit summary_command(const DiffOptions& options, Messages& messages) {
    refuse_other_options(options);
    const std::string wanted = options.threshold.empty() ? "5%" : options.threshold;
    const long double threshold = parse_threshold(wanted);
    SummaryReport report;
    report.threshold = wanted.ends_with('%') ? wanted.substr(0, wanted.size() - 1) : wanted;
    // JSON has no numbers such as 05.
    while (report.threshold.size() > 1 && report.threshold[0] == '0' && report.threshold[1] != '.')
        report.threshold.erase(0, 1);
    InfoOptions info(options.common.formats());
    info.common = options.common;
    info.part = options.part;
    std::array<Json, 2> json;
    bool is_incomplete = false;
    for (const std::size_t side : {0u, 1u}) {
        report.traces[side] = examine_trace(side == 0 ? options.first : options.second, info, messages);
        json[side] = to_json(report.traces[side], JsonIntegers::numbers);
        is_incomplete = is_incomplete || report.traces[side].broken;
    }
    report.statistics = compare_statistics(json[0], json[1], threshold);
    const bool equal = std::ranges::none_of(report.statistics, &ComparedStatistic::is_beyond);
    if (messages.volume() != Volume::quiet) {
        TextOutput out(STDOUT_FILENO);
        if (options.format == "text") fit_to_terminal(out);
        if (options.format == "json")
            out.put(summary_json(report, equal));
        else if (options.format == "csv")
            print_csv(report, out);
        else
            print_summary(report, messages.volume(), options.common.colour_on(STDOUT_FILENO), out);
        out.flush();
    }
    if (!equal) return Exit::no;
    return is_incomplete && !options.allow_incomplete ? Exit::incomplete : Exit::done;
}

}  // namespace hwtrace::cli
