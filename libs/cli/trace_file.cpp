#include "cli/trace_file.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "cli/process.hpp"
#include "io/error.hpp"

namespace hwtrace::cli {

const Format* identify(Input& input, const CommonOptions& options, Messages& messages) {
    if (const Format* forced = options.source_format()) return forced;
    const Format* const by_content = sniff_format(options.formats(), input);
    const Format* const by_name = format_by_extension(options.formats(), input.name());
    if (by_content != nullptr) {
        if (by_name != nullptr && by_name != by_content)
            messages.note(input.name(), fmt::format("is {} by its content, {} by its name; the content decides",
                                                    by_content->name, by_name->name));
        return by_content;
    }
    if (by_name == nullptr || input.head(1).empty()) return nullptr;
    messages.note(input.name(),
                  fmt::format("its content matches no known format; read as {} because of its name", by_name->name));
    return by_name;
}

std::string head_text(Input& input) {
    const auto head = input.head(8);
    if (head.empty()) return "an empty file";
    std::string text = "a file that begins with";
    for (const std::byte byte : head)
        text += fmt::format(" {:02x}", static_cast<unsigned>(byte));
    return text;
}

const Format& known_format(Input& input, const CommonOptions& options, Messages& messages) {
    if (const Format* format = identify(input, options, messages)) return *format;
    const std::string head = head_text(input);
    if (input.head(1).empty())
        throw Error(Failure::input, about(input.name(), fmt::format("not a trace but {}", head)));
    throw Error(Failure::input,
                about(input.name(), fmt::format("not a trace of a known format but {}; if it is a damaged trace, name "
                                                "its format with --from: {}",
                                                head, format_names(options.formats()))));
}

TraceFile open_trace(const std::string& path, const CommonOptions& options, Messages& messages) {
    options.source_format();  // reports a wrong --from before any fault of the file
    Input input = Input::open(path);
    const Format* const format = &known_format(input, options, messages);
    return {std::move(input), format};
}

bool needs_spooling(const TraceFile& trace) noexcept {
    return !trace.input.seekable() && !trace.format->reads.streams;
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
