#include <fmt/format.h>

#include <set>
#include <string_view>

#include "cli/report_forms.hpp"
#include "codec/value_text.hpp"

namespace hwtrace::cli {

namespace {

/// Of a file that fails though its verdict does not say so: the rules that are the reason.
std::string reason_to_fail(const Validation& v) {
    if (v.verdict == Verdict::invalid || v.exit != Exit::no) return {};
    std::set<std::string_view> ids;
    for (const Finding& finding : v.findings.kept())
        if (v.fails(*finding.rule)) ids.insert(finding.rule->id);
    const std::string by = ids.empty() ? "" : fmt::format(" by {},", fmt::join(ids, ", "));
    return fmt::format("; fails{} at level {}", by, name_of(v.fail_level));
}

std::string verdict_line(const Validation& v) {
    if (!v.verdict) return fmt::format("{}: not checked: {}\n", printable(v.file), printable(v.fault));
    return fmt::format("{}: {} ({}{}, {}, {}; {}){}\n", printable(v.file), name_of(*v.verdict),
                       v.has_baseline ? fmt::format("{} known; ", v.known) : "", counted(v.errors, "error"),
                       counted(v.warnings, "warning"), counted(v.notes, "note"),
                       v.level == CheckLevel::quick ? "records were not looked at" : counted(v.records, "record"),
                       reason_to_fail(v));
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
        }
        return text + verdict_line(v);
    };
    return {.file = file, .end = [](Exit) { return std::string(); }};
}

}  // namespace hwtrace::cli
