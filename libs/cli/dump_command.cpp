#include "cli/dump_command.hpp"

#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <charconv>
#include <limits>
#include <memory>

#include "cli/process.hpp"
#include "cli/trace_file.hpp"
#include "cli/version.hpp"
#include "io/error.hpp"
#include "io/text_output.hpp"
#include "pipeline/model_views.hpp"

namespace hwtrace::cli {

namespace {

constexpr std::string_view tool = "hwtrace-dump";

TextForm form_of(std::string_view name) {
    for (const TextForm form : {TextForm::text, TextForm::json, TextForm::jsonl, TextForm::csv})
        if (name_of(form) == name) return form;
    fail(Failure::usage, fmt::format("--format {}: takes text, json, jsonl or csv", name));
}

bool can_write(const View& view, TextForm form) noexcept {
    return form == TextForm::text || view.render_data != nullptr;
}

/// The views of a trace in that format that can be written in that form, those of the model at the end.
std::string view_names(const Format& format, TextForm form) {
    std::string names;
    const auto add = [&](std::string_view name) { names += fmt::format("{}{}", names.empty() ? "" : ", ", name); };
    for (const View& view : format.views)
        if (can_write(view, form)) add(view.name);
    for (const ModelView& view : model_views())
        add(view.name);
    return names;
}

/// The format's own view to show, or nullptr for a view of the model.
const View* chosen_view(const Format& format, const std::string& name, TextForm form) {
    for (const View& view : format.views) {
        if (name.empty() ? !can_write(view, form) : view.name != name) continue;
        if (can_write(view, form)) return &view;
        fail(Failure::usage, fmt::format("--view {}: it is for people; as {} there are {}", name, name_of(form),
                                         view_names(format, form)));
    }
    if (name.empty() || find_model_view(name) != nullptr) return nullptr;
    fail(Failure::usage, fmt::format("--view {}: {} has no such view; it has {}", name, format.name,
                                     view_names(format, TextForm::text)));
}

void render(const View& view, TextForm form, Input& input, TextOutput& out, const Settings& settings,
            Findings& findings) {
    if (form == TextForm::text)
        view.render(input, out, settings, findings);
    else
        view.render_data(input, form, out, settings, findings);
}

/// A whole number, in decimal or with 0x in hexadecimal.
std::uint64_t number_of(std::string_view option, std::string_view text) {
    const bool hexadecimal = text.starts_with("0x");
    const std::string_view digits = hexadecimal ? text.substr(2) : text;
    std::uint64_t value = 0;
    const auto [end, error] =
        std::from_chars(digits.data(), digits.data() + digits.size(), value, hexadecimal ? 16 : 10);
    if (error != std::errc() || end != digits.data() + digits.size())
        fail(Failure::usage, fmt::format("{} {}: takes a number", option, text));
    return value;
}

ViewOptions view_options(const DumpOptions& options, const Format& format) {
    ViewOptions wanted;
    wanted.schema_upfront = format.reads.schema_upfront;
    if (options.entity) wanted.entity = number_of("--entity", *options.entity);
    wanted.counter = options.counter;
    if (options.interval) {
        std::string_view cycles = *options.interval;
        if (cycles.ends_with("cyc")) cycles.remove_suffix(3);
        const std::uint64_t number = number_of("--interval", cycles);
        if (number == 0 || number > static_cast<std::uint64_t>(std::numeric_limits<Tick>::max()))
            fail(Failure::usage, fmt::format("--interval {}: takes a number of cycles from 1", *options.interval));
        wanted.interval = static_cast<Tick>(number);
    }
    return wanted;
}

/// Options that the view has no use for are a mistake.
void check_options(const DumpOptions& options) {
    const auto belongs = [&](std::string_view option, bool given, std::initializer_list<std::string_view> views) {
        if (given && std::ranges::find(views, options.view) == views.end())
            fail(Failure::usage, fmt::format("{} goes with --view {} only", option, fmt::join(views, " or ")));
    };
    belongs("--entity", options.entity.has_value(), {"timeline"});
    belongs("--counter", !options.counter.empty(), {"counters"});
    belongs("--interval", options.interval.has_value(), {"counters", "buffers"});
}

}  // namespace

Exit list_views(FormatList formats) {
    TextOutput out(STDOUT_FILENO);
    for (const Format* format : formats) {
        for (const View& view : format->views)
            out.put(fmt::format("{:<8} {:<12} {}{}\n", format->name, view.name, view.title,
                                can_write(view, TextForm::json) ? " (also json, jsonl, csv)" : ""));
    }
    for (const ModelView& view : model_views())
        out.put(fmt::format("{:<8} {:<12} {} (also json, jsonl, csv)\n", "any", view.name, view.title));
    out.flush();
    return Exit::done;
}

Exit dump_command(const DumpOptions& options) {
    Messages messages = options.common.messages(tool);
    if (options.input.empty()) fail(Failure::usage, "a file is needed; try hwtrace-dump --help");
    const TextForm form = form_of(options.format);
    check_options(options);
    Settings settings = options.common.settings();
    settings.tool = tool;
    settings.version = version();
    TraceFile trace = open_trace(options.input, options.common, messages);
    const std::string file = trace.name();
    const View* const view = chosen_view(*trace.format, options.view, form);
    if (needs_spooling(trace)) trace.input.spool(options.common.temporary_folder());

    Findings findings(findings_shown_per_rule);
    say_findings(findings, file, messages);
    const ViewOptions wanted = view_options(options, *trace.format);
    std::vector<std::string> notes;
    TextOutput out(STDOUT_FILENO);
    naming(file, [&] {
        try {
            if (view != nullptr) {
                render(*view, form, trace.input, out, settings, findings);
            } else {
                const std::unique_ptr<Reader> reader = trace.format->open(trace.input, settings, findings);
                Progress progress(messages, options.common.progress(), file, trace.input.size());
                const ModelView& of_model =
                    options.view.empty() ? model_views().front() : *find_model_view(options.view);
                notes = of_model.render(*reader, form, wanted, settings, out,
                                        [&](std::uint64_t bytes) { progress(bytes); });
            }
        } catch (const Error&) {
            out.flush();  // what stands before the fault was readable
            throw;
        }
    });
    out.flush();
    for (const std::string& note : notes)
        messages.note(file, note);
    say_hidden_findings(findings, file, messages);
    if (!breaks_its_format(findings) || options.allow_incomplete) return Exit::done;
    messages.error(file, fmt::format("{}; --allow-incomplete accepts this", findings.effect() == Effect::harmless
                                                                                ? "the file breaks its format"
                                                                                : "not everything could be read"));
    return Exit::incomplete;
}

}  // namespace hwtrace::cli
