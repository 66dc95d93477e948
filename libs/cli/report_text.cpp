#include <fmt/format.h>

#include <algorithm>
#include <cstdint>
#include <deque>
#include <map>
#include <numeric>
#include <set>
#include <string_view>
#include <vector>

#include "cli/report_forms.hpp"
#include "cli/trace_file.hpp"
#include "domain/value_text.hpp"

namespace hwtrace::cli {

namespace {

/// Returns the name of a verdict: green for valid, red for invalid, yellow for incomplete.
std::string verdict_text(Verdict verdict, Colour colour) {
    const Paint paint = verdict == Verdict::valid     ? Paint::green
                        : verdict == Verdict::invalid ? Paint::red
                                                      : Paint::yellow;
    return painted(name_of(verdict), paint, colour);
}

std::string verdict_line(const Validation& v, Colour colour) {
    if (!v.verdict) return fmt::format("{}: not checked: {}\n", printable(v.file), printable(v.fault));
    return fmt::format("{}: {} ({}{}{}, {}, {}; {}){}\n", printable(v.file), verdict_text(*v.verdict, colour),
                       v.shard ? fmt::format("shard {}; ", name_of(*v.shard)) : "",
                       v.has_baseline ? fmt::format("{} known; ", v.known) : "", counted(v.errors, "error"),
                       counted(v.warnings, "warning"), counted(v.notes, "note"),
                       v.level == CheckLevel::quick ? "records were not checked" : counted(v.counts.records, "record"),
                       v.reason_to_fail());
}

/// Returns the indices of the kept findings to print, in order. If there are too many, each rule is represented before
/// further findings of the same rule.
std::vector<std::size_t> printed(const Validation& v, Volume volume) {
    const std::deque<Finding>& kept = v.findings.kept();
    std::vector<std::size_t> chosen(kept.size());
    std::iota(chosen.begin(), chosen.end(), std::size_t{0});
    if (chosen.size() <= most_lines || volume == Volume::verbose || v.prints_kept) return chosen;
    std::set<std::string_view> met;
    std::stable_partition(chosen.begin(), chosen.end(),
                          [&](std::size_t index) { return met.insert(kept[index].rule->id).second; });
    chosen.resize(most_lines);
    std::ranges::sort(chosen);
    return chosen;
}

}  // namespace

ReportForm text_form(Volume volume, Colour colour) {
    const auto file = [volume, colour](const Validation& v) {
        std::string text;
        if (volume != Volume::quiet) {
            std::map<std::string_view, std::uint64_t> hidden = v.findings.totals();
            for (const std::size_t index : printed(v, volume)) {
                const Finding& finding = v.findings.kept()[index];
                --hidden[finding.rule->id];
                text += fmt::format("{}: {}\n", printable(v.file),
                                    finding_text(finding, v.findings.severity(*finding.rule), colour));
                if (volume == Volume::verbose) text += fmt::format("{}:   {}\n", printable(v.file), finding.rule->why);
            }
            if (const std::string more = hidden_text(hidden); !more.empty())
                text += fmt::format("{}: {}; {} more\n", printable(v.file), more,
                                    volume == Volume::verbose ? "--max-findings N prints" : "-v prints");
        }
        return text + verdict_line(v, colour);
    };
    return {.file = file, .end = [](Exit, std::string_view) { return std::string(); }};
}

}  // namespace hwtrace::cli
