#include "cli/merge_command.hpp"

#include <fmt/format.h>

#include <nlohmann/json.hpp>

#include <algorithm>
#include <deque>
#include <filesystem>
#include <memory>
#include <set>
#include <utility>

#include "cli/process.hpp"
#include "cli/trace_file.hpp"
#include "codec/behind_writer.hpp"
#include "convert/prescan.hpp"
#include "domain/conventions.hpp"
#include "domain/value_text.hpp"
#include "io/error.hpp"
#include "io/http/url.hpp"
#include "io/named_error.hpp"
#include "operate/merged_reader.hpp"

namespace hwtrace::cli {

namespace {

constexpr std::string_view merge_tool = "hwtrace-merge";

/// One input and its plan.
struct Merged {
    explicit Merged(TraceFile file) : trace(std::move(file)) {}
    TraceFile trace;
    Settings settings{};
    Choices choices{};
    Findings findings{findings_shown_per_rule};
    std::unique_ptr<PreparedSource> source{};
};

/// Returns the file name without its folder and without the extension of its format.
std::string stem_of(const std::string& path, const Format& format) {
    if (path == "-") return "stdin";
    std::string name = std::filesystem::path(path).filename().string();
    for (const std::string_view extension : format.extensions) {
        if (name.size() <= extension.size() || !name.ends_with(extension)) continue;
        name.resize(name.size() - extension.size());
        break;
    }
    return name;
}

/// Returns the scope name of each trace: from --name, otherwise from the file name. Equal file names get a number.
std::vector<std::string> names_of(const MergeOptions& options, const std::deque<Merged>& traces) {
    if (!options.names.empty()) {
        const std::set<std::string> different(options.names.begin(), options.names.end());
        if (options.names.size() != traces.size() || different.size() != traces.size() || different.contains(""))
            fail(Failure::usage, fmt::format("--name: {} need {} different names, or none",
                                             counted(traces.size(), "trace"), traces.size()));
        return options.names;
    }
    std::vector<std::string> names;
    std::set<std::string> taken;
    for (std::size_t i = 0; i < traces.size(); ++i) {
        const std::string stem = stem_of(shown_path(options.inputs[i]), *traces[i].trace.format);
        std::string name = stem;
        for (std::size_t number = 2; !taken.insert(name).second; ++number)
            name = fmt::format("{}-{}", stem, number);
        names.push_back(std::move(name));
    }
    return names;
}

bool has_hart(const Merged& merged) {
    return std::ranges::any_of(merged.source->schema().tracks(),
                               [](const Track& track) { return track.kind == Track::Kind::hart; });
}

/// Returns the compression of the sources that have the format `to`, or an empty string if one of them has none.
std::string common_compression(const std::deque<Merged>& traces, const Format& to) {
    std::string common;
    for (const Merged& merged : traces) {
        if (merged.source->format().format.name != to.name) continue;
        common = merged.source->for_writer(to, merged.settings).source_compression;
        if (common.empty() || common == "none") return {};
    }
    return common;
}

}  // namespace

Exit merge_command(const MergeOptions& options) {
    Messages messages = options.common.messages(merge_tool);
    if (options.inputs.empty()) fail(Failure::usage, "inputs are needed; try hwtrace-merge --help");
    if (options.target.output.empty() && !options.explain)
        fail(Failure::usage, "an output is needed (-o OUT); try hwtrace-merge --help");
    if (std::ranges::count(options.inputs, "-") > 1) fail(Failure::usage, "standard input can be given only once");
    options.target.check_loss_report(!options.explain);
    const Format& to = options.target.format(options.common.formats(), messages);
    options.common.refuse_unused(&to);

    const TimeModel time = options.time.model();
    std::deque<Merged> traces;
    std::vector<std::optional<Input::Identity>> identities;
    std::vector<const Format*> formats;
    for (const std::string& path : options.inputs) {
        Merged& merged = traces.emplace_back(open_trace(path, options.common, messages));
        identities.push_back(merged.trace.input.identity());
        formats.push_back(merged.trace.format);
    }
    const std::vector<std::string> names = names_of(options, traces);
    std::unique_ptr<Output> output;
    if (!options.explain) output = options.target.open(to, options.common.settings(), false, identities);

    Losses losses;
    std::uint64_t size = 0;
    std::size_t source_number = 0;
    for (Merged& merged : traces) {
        const std::string file = merged.trace.name();
        if (needs_spooling(merged.trace)) merged.trace.input.spool(options.common.temporary_folder());
        merged.settings = options.common.settings();
        merged.settings.source_format = merged.trace.format->name;
        // All sources are read at the same time. One thread is needed to merge them.
        if (source_number++ + 1 >= merged.settings.jobs) merged.settings.jobs = 1;
        merged.choices = {time, options.part.chosen_range(), merged.settings, options.part.criteria()};
        report_findings(merged.findings, file, messages);
        naming(file, [&] {
            merged.source =
                std::make_unique<PreparedSource>(merged.trace.input, *merged.trace.format, whole_model(),
                                                 merged.settings, merged.findings, merged.choices.criteria.records);
        });
        size += merged.trace.input.size().value_or(0);
    }
    // If there are several traces, each trace of instructions is lowered separately, because a lowering supports one
    // hart only.
    const bool lower_harts = traces.size() > 1 && std::ranges::any_of(traces, has_hart);
    std::vector<MergedSource> sources;
    std::vector<PlanStep> steps;
    for (std::size_t i = 0; i < traces.size(); ++i) {
        Merged& merged = traces[i];
        naming(merged.trace.name(), [&] {
            Plan plan = make_source_plan(merged.source->schema(), merged.source->format(), to, merged.choices, losses,
                                         lower_harts);
            for (const std::string& assumption : plan.assumptions)
                losses.assume(assumption);
            for (PlanStep& step : plan.steps)
                steps.push_back({fmt::format("{}: {}", names[i], step.name), std::move(step.what)});
            sources.push_back({names[i], &merged.source->reader(), &merged.source->schema(), std::move(plan)});
        });
    }

    const std::string file = names.size() == 1 ? names.front() : fmt::format("{} traces", names.size());
    Settings settings = options.common.settings();
    if (options.target.output != "-") settings.output_name = options.target.output;
    settings.source_format = conventions::merged_source;
    settings.source_compression = common_compression(traces, to);
    const Format from = merged_format(formats);
    ConversionCounts counts;
    MergedReader reader(std::move(sources), time, options.common.temporary_folder(), losses);
    naming(file, [&] {
        const Choices choices{time, std::nullopt, settings, {}};
        Plan plan = make_plan(reader.schema(), from, to, choices, losses);
        plan.steps.front() = {"merge", "records in order of time, each trace in its own scope"};
        plan.steps.insert(plan.steps.begin(), steps.begin(), steps.end());
        if (options.explain) {
            explain(file, plan, reader.schema(), to, settings, losses);
            return;
        }
        const auto writer = create_behind(to, *output, plan.target_schema(reader.schema()), settings, losses);
        Progress progress(messages, options.common.progress(), file, size, [&] {
            return WorkDone{reader.records_read(), output->size()};
        });
        convert(
            reader, plan, *writer, [&](std::uint64_t bytes) { progress(bytes); }, &counts);
        counts.records_read = reader.records_read();
    });
    if (options.explain) return Exit::done;

    Outcome outcome{file, "merge", to, losses, counts};
    outcome.size = size;
    for (Merged& merged : traces) {
        report_hidden_findings(merged.findings, merged.trace.name(), messages);
        outcome.effect = std::max(outcome.effect, merged.findings.effect());
        outcome.broken = outcome.broken || breaks_its_format(merged.findings);
    }
    if (const std::string numbers = reader.renumbering(); !numbers.empty()) messages.note(file, numbers);
    write_loss_report(options.target, outcome, merge_tool, options.common.json_integers(), identities);
    return conclude(options.target, outcome, *output, messages);
}

}  // namespace hwtrace::cli
