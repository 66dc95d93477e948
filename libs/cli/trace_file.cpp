#include "cli/trace_file.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <functional>
#include <system_error>
#include <utility>
#include <vector>

#include "io/error.hpp"

namespace hwtrace::cli {

const Format* stated_format(Input& input, const CommonOptions& options, Messages& messages) {
    const Format* const stated = options.source_format();
    const Format* const found = stated == nullptr ? nullptr : sniff_format(options.formats(), input);
    if (found != nullptr && found != stated)
        messages.note(input.name(), fmt::format("is read as {} because of --from, but its content looks like {}",
                                                stated->name, found->name));
    return stated;
}

const Format* identify(Input& input, const CommonOptions& options, Messages& messages) {
    if (const Format* const stated = stated_format(input, options, messages)) return stated;
    return identify(input, options.formats(), notes_of(input.name(), messages));
}

const Format& known_format(Input& input, const CommonOptions& options, Messages& messages) {
    if (const Format* const stated = stated_format(input, options, messages)) return *stated;
    return known_format(input, options.formats(), notes_of(input.name(), messages));
}

NoteListener notes_of(std::string file, Messages& messages) {
    return [file = std::move(file), &messages](std::string_view text) { messages.note(file, text); };
}

void refuse_written_folder(const std::string& path, FormatList formats) {
    const Format* const format = format_by_extension(formats, path);
    std::error_code unknown;
    if (format == nullptr || format->can_read() || format->writes.writes_folder == nullptr ||
        !std::filesystem::is_directory(path, unknown))
        return;
    fail(Failure::io, fmt::format("{}: is a folder; {}", path, why_not_read(formats, path)));
}

TraceFile open_trace(const std::string& path, const CommonOptions& options, Messages& messages) {
    options.source_format();  // reports a wrong --from before any fault of the file
    refuse_written_folder(path, options.formats());
    Input input = Input::open(path);
    const Format* const format = &known_format(input, options, messages);
    return {std::move(input), format};
}

bool needs_spooling(const TraceFile& trace) noexcept {
    return needs_spooling(trace.input, *trace.format);
}

namespace {

/// Decides which findings are printed. Warnings do not use up the lines for errors, which say why a command fails.
class FindingLines {
public:
    bool take(Severity severity, const Messages& messages) noexcept {
        if (!messages.prints(severity)) return false;
        std::size_t& printed = severity == Severity::error ? errors_ : others_;
        return printed++ < most_lines || messages.volume() == Volume::verbose;
    }

private:
    std::size_t errors_ = 0, others_ = 0;
};

}  // namespace

void report_findings(Findings& findings, const std::string& file, Messages& messages) {
    findings.listen([&findings, &messages, file, lines = FindingLines()](const Finding& finding) mutable {
        const Severity severity = findings.severity(*finding.rule);
        if (lines.take(severity, messages)) messages.finding(file, finding, severity);
    });
}

bool breaks_its_format(const Findings& findings) noexcept {
    return findings.verdict() != Verdict::valid;
}

void report_hidden_findings(const Findings& findings, const std::string& file, Messages& messages) {
    std::map<std::string_view, std::uint64_t> hidden = findings.totals();
    std::erase_if(hidden, [&](const auto& entry) {
        const auto of_rule =
            std::ranges::find(findings.kept(), entry.first, [](const Finding& f) { return f.rule->id; });
        return of_rule != findings.kept().end() && !messages.prints(findings.severity(*of_rule->rule));
    });
    FindingLines lines;
    for (const Finding& finding : findings.kept())
        if (lines.take(findings.severity(*finding.rule), messages)) --hidden[finding.rule->id];
    if (const std::string text = hidden_text(hidden); !text.empty())
        messages.note(file, text + "; hwtrace-validate --max-findings N lists N of each rule");
}

std::string hidden_text(const std::map<std::string_view, std::uint64_t>& hidden) {
    std::uint64_t total = 0;
    std::vector<std::pair<std::uint64_t, std::string_view>> rules;
    for (const auto& [rule, count] : hidden) {
        total += count;
        if (count != 0) rules.emplace_back(count, rule);
    }
    if (rules.empty()) return {};
    if (rules.size() == 1) return fmt::format("{}: {} more of these", rules.front().second, total);
    std::ranges::stable_sort(rules, std::ranges::greater(), [](const auto& rule) { return rule.first; });
    std::string text = fmt::format("{} more findings", total);
    for (std::size_t i = 0; i < std::min(rules.size(), most_lines); ++i)
        text += fmt::format("{} {} {}", i == 0 ? ":" : ",", rules[i].second, rules[i].first);
    if (rules.size() > most_lines) text += fmt::format(", and {} other rules", rules.size() - most_lines);
    return text;
}

}  // namespace hwtrace::cli
