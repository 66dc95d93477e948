#include <fmt/format.h>

#include <initializer_list>
#include <optional>
#include <utility>

#include "cli/report_forms.hpp"

namespace hwtrace::cli {

namespace {

/// Escapes the message of a workflow command. With `is_property`, also escapes ':' and ',', as properties require.
std::string escaped(std::string_view text, bool is_property) {
    std::string safe;
    for (const char c : text) {
        const bool is_special = c == '%' || c == '\r' || c == '\n' || (is_property && (c == ':' || c == ','));
        if (is_special)
            safe += fmt::format("%{:02X}", static_cast<unsigned char>(c));
        else
            safe.push_back(c);
    }
    return safe;
}

/// `line`: the line that the annotation is shown at; nullopt: the file.
std::string command(std::string_view level, std::string_view file, std::string_view title, std::string_view message,
                    std::optional<std::uint64_t> line = std::nullopt) {
    return fmt::format("::{} file={}{},title={}::{}\n", level, escaped(printable(file), true),
                       line ? fmt::format(",line={}", *line) : "", escaped(title, true),
                       escaped(printable(message), false));
}

std::string_view level_of(const Rule& rule, const Validation& v) noexcept {
    const Severity severity = v.shown_severity(rule);
    return severity >= Severity::warning ? name_of(severity) : "notice";
}

}  // namespace

ReportForm github_form() {
    const auto file = [](const Validation& v) {
        std::string text;
        for (const Finding& finding : v.findings.kept())
            text += command(level_of(*finding.rule, v), v.file, finding.rule->id,
                            fmt::format("{}: {}", v.file, describe(finding)), line_of(finding));
        for (const Rule* const rule : v.rules())
            if (const std::uint64_t hidden = v.hidden(*rule); hidden != 0)
                text += command(level_of(*rule, v), v.file, rule->id, fmt::format("{} more of these", hidden));
        if (!v.fault.empty() && !v.fault_is_found)
            text += command("error", v.file, v.verdict ? name_of(*v.verdict) : "not checked",
                            fmt::format("{}: {}", v.file, v.fault));
        return text;
    };
    const auto end = [](Exit, std::string_view fault) {
        return fault.empty() ? std::string()
                             : fmt::format("::error title=hwtrace-validate::{}\n", escaped(fault, false));
    };
    return {.file = file, .end = end};
}

}  // namespace hwtrace::cli
