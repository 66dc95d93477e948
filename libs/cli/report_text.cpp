#include <fmt/format.h>

#include "cli/report_forms.hpp"
#include "domain/value_text.hpp"

namespace hwtrace::cli {

namespace {

/// Returns the name of a verdict: green for valid, red for invalid, yellow for incomplete.
std::string verdict_text(Verdict verdict, Colour colour) {
    if (colour == Colour::off) return std::string(name_of(verdict));
    const std::string_view code = verdict == Verdict::valid ? "32" : verdict == Verdict::invalid ? "31" : "33";
    return fmt::format("\x1b[1;{}m{}\x1b[0m", code, name_of(verdict));
}

std::string verdict_line(const Validation& v, Colour colour) {
    if (!v.verdict) return fmt::format("{}: not checked: {}\n", printable(v.file), printable(v.fault));
    return fmt::format("{}: {} ({}{}, {}, {}; {}){}\n", printable(v.file), verdict_text(*v.verdict, colour),
                       v.has_baseline ? fmt::format("{} known; ", v.known) : "", counted(v.errors, "error"),
                       counted(v.warnings, "warning"), counted(v.notes, "note"),
                       v.level == CheckLevel::quick ? "records were not checked" : counted(v.counts.records, "record"),
                       v.reason_to_fail());
}

}  // namespace

ReportForm text_form(Volume volume, Colour colour) {
    const auto file = [volume, colour](const Validation& v) {
        std::string text;
        if (volume != Volume::quiet) {
            for (const Finding& finding : v.findings.kept()) {
                text += fmt::format("{}: {}\n", printable(v.file),
                                    finding_text(finding, v.findings.severity(*finding.rule), colour));
                if (volume == Volume::verbose) text += fmt::format("{}:   {}\n", printable(v.file), finding.rule->why);
            }
            for (const Rule* const rule : v.rules())
                if (const std::uint64_t hidden = v.hidden(*rule); hidden != 0)
                    text += fmt::format("{}: {}: {} more of these\n", printable(v.file), rule->id, hidden);
        }
        return text + verdict_line(v, colour);
    };
    return {.file = file, .end = [](Exit, std::string_view) { return std::string(); }};
}

}  // namespace hwtrace::cli
