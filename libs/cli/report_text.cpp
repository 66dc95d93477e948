#include <fmt/format.h>

#include "cli/report_forms.hpp"
#include "domain/value_text.hpp"

namespace hwtrace::cli {

namespace {

std::string verdict_line(const Validation& v) {
    if (!v.verdict) return fmt::format("{}: not checked: {}\n", printable(v.file), printable(v.fault));
    return fmt::format("{}: {} ({}{}, {}, {}; {}){}\n", printable(v.file), name_of(*v.verdict),
                       v.has_baseline ? fmt::format("{} known; ", v.known) : "", counted(v.errors, "error"),
                       counted(v.warnings, "warning"), counted(v.notes, "note"),
                       v.level == CheckLevel::quick ? "records were not checked" : counted(v.counts.records, "record"),
                       v.reason_to_fail());
}

}  // namespace

ReportForm text_form(Volume volume) {
    const auto file = [volume](const Validation& v) {
        std::string text;
        if (volume != Volume::quiet) {
            for (const Finding& finding : v.findings.kept()) {
                text += fmt::format("{}: {}\n", printable(v.file),
                                    finding_text(finding, v.findings.severity(*finding.rule), Colour::off));
                if (volume == Volume::verbose) text += fmt::format("{}:   {}\n", printable(v.file), finding.rule->why);
            }
            for (const Rule* const rule : v.rules())
                if (const std::uint64_t hidden = v.hidden(*rule); hidden != 0)
                    text += fmt::format("{}: {}: {} more of these\n", printable(v.file), rule->id, hidden);
        }
        return text + verdict_line(v);
    };
    return {.file = file, .end = [](Exit, std::string_view) { return std::string(); }};
}

}  // namespace hwtrace::cli
