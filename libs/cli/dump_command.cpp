#include "cli/dump_command.hpp"

#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <memory>

#include "cli/process.hpp"
#include "cli/trace_file.hpp"
#include "io/error.hpp"
#include "io/text_output.hpp"
#include "pipeline/model_dump.hpp"

namespace hwtrace::cli {

namespace {

constexpr std::string_view tool = "hwtrace-dump";
constexpr std::string_view model_view = "model";

/// The view to show, or nullptr for the model.
const View* chosen_view(const Format& format, const std::string& name) {
    if (name == model_view || (name.empty() && format.views.empty())) return nullptr;
    const auto found = std::find_if(format.views.begin(), format.views.end(),
                                    [&](const View& view) { return name.empty() || view.name == name; });
    if (found != format.views.end()) return &*found;
    std::string names;
    for (const View& view : format.views)
        names += fmt::format("{}, ", view.name);
    fail(Failure::usage,
         fmt::format("--view {}: {} has no such view; it has {}{}", name, format.name, names, model_view));
}

}  // namespace

Exit list_views(FormatList formats) {
    TextOutput out(STDOUT_FILENO);
    for (const Format* format : formats) {
        for (const View& view : format->views)
            out.put(fmt::format("{:<8} {:<12} {}\n", format->name, view.name, view.title));
        out.put(fmt::format("{:<8} {:<12} {}\n", format->name, model_view, "the trace in the terms of every format"));
    }
    out.flush();
    return Exit::done;
}

Exit dump_command(const DumpOptions& options) {
    Messages messages = options.common.messages(tool);
    if (options.input.empty()) fail(Failure::usage, "a file is needed; try hwtrace-dump --help");
    const Settings settings = options.common.settings();
    TraceFile trace = open_trace(options.input, options.common, messages);
    const std::string file = trace.name();
    const View* const view = chosen_view(*trace.format, options.view);
    if (needs_spooling(trace)) trace.input.spool(options.common.temporary_folder());

    Findings findings(findings_shown_per_rule);
    say_findings(findings, file, messages);
    TextOutput out(STDOUT_FILENO);
    naming(file, [&] {
        try {
            if (view != nullptr) {
                view->render(trace.input, out, settings, findings);
            } else {
                const std::unique_ptr<Reader> reader = trace.format->open(trace.input, settings, findings);
                Progress progress(messages, options.common.progress(), file, trace.input.size());
                dump_model(*reader, out, [&](std::uint64_t bytes) { progress(bytes); });
            }
        } catch (const Error&) {
            out.flush();  // what stands before the fault was readable
            throw;
        }
    });
    out.flush();
    say_hidden_findings(findings, file, messages);
    if (!breaks_its_format(findings) || options.allow_incomplete) return Exit::done;
    messages.error(file, fmt::format("{}; --allow-incomplete accepts this", findings.effect() == Effect::harmless
                                                                                ? "the file breaks its format"
                                                                                : "not everything could be read"));
    return Exit::incomplete;
}

}  // namespace hwtrace::cli
