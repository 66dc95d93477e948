#include "cli/trace_file.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

namespace hwtrace::cli {

const Format* identify(Input& input, const CommonOptions& options, Messages& messages) {
    if (const Format* forced = options.source_format()) return forced;
    return identify(input, options.formats(), notes_of(input.name(), messages));
}

const Format& known_format(Input& input, const CommonOptions& options, Messages& messages) {
    if (const Format* forced = options.source_format()) return *forced;
    return known_format(input, options.formats(), notes_of(input.name(), messages));
}

NoteListener notes_of(std::string file, Messages& messages) {
    return [file = std::move(file), &messages](std::string_view text) { messages.note(file, text); };
}

TraceFile open_trace(const std::string& path, const CommonOptions& options, Messages& messages) {
    options.source_format();  // reports a wrong --from before any fault of the file
    Input input = Input::open(path);
    const Format* const format = &known_format(input, options, messages);
    return {std::move(input), format};
}

bool needs_spooling(const TraceFile& trace) noexcept {
    return needs_spooling(trace.input, *trace.format);
}

void report_findings(Findings& findings, const std::string& file, Messages& messages) {
    findings.listen([&findings, &messages, file](const Finding& finding) {
        messages.finding(file, finding, findings.severity(*finding.rule));
    });
}

bool breaks_its_format(const Findings& findings) noexcept {
    return findings.verdict() != Verdict::valid;
}

void report_hidden_findings(const Findings& findings, const std::string& file, Messages& messages) {
    for (const auto& [rule, total] : findings.totals()) {
        const std::string_view id = rule;
        const auto same = [id](const Finding& finding) { return finding.rule->id == id; };
        const auto shown =
            static_cast<std::uint64_t>(std::count_if(findings.kept().begin(), findings.kept().end(), same));
        if (total > shown) messages.note(file, fmt::format("{}: {} more of these", id, total - shown));
    }
}

}  // namespace hwtrace::cli
