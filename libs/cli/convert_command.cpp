#include "cli/convert_command.hpp"

#include <fmt/format.h>

#include <nlohmann/json.hpp>

#include <algorithm>
#include <array>
#include <memory>
#include <utility>

#include "cli/process.hpp"
#include "cli/trace_file.hpp"
#include "io/error.hpp"
#include "io/number_text.hpp"
#include "io/output.hpp"
#include "pipeline/convert.hpp"
#include "pipeline/prescan.hpp"
#include "pipeline/verify.hpp"

namespace hwtrace::cli {

namespace {

constexpr std::string_view convert_tool = "hwtrace-convert";

/// Reads the output back and compares it with the input (--verify). `took_back`: see PartLosses.
void verify_output(TraceFile& trace, Output& output, const Format& to, const Choices& choices, const Losses& losses,
                   bool took_back, Effect source, Messages& messages) {
    if (!losses.none() || took_back) {
        messages.note(trace.name(), losses.none() ? fmt::format("--verify: not compared, because {} cannot hold all of "
                                                                "the trace outside the slice",
                                                                to.name)
                                                  : "--verify: not compared, because data was lost");
        return;
    }
    if (!can_verify(to, choices, source)) {
        const Option* const restating = choices.settings.restating(to.options);
        messages.note(trace.name(),
                      source == Effect::damaged ? "--verify: not compared, because parts of the input cannot be read"
                      : restating != nullptr
                          ? fmt::format("--verify: not compared, because --{} changes the trace", restating->key)
                          : fmt::format("--verify: not compared, because {} renumbers a slice", to.name));
        return;
    }
    std::optional<Input> written = output.reopen();
    if (!written) fail(Failure::internal, "the output cannot be read back");
    const auto difference = verify_conversion(trace.input, *trace.format, *written, to, choices);
    if (!difference) {
        messages.detail(output.name(), "verified: the output reads back as the same trace");
        return;
    }
    fail(Failure::internal,
         fmt::format(
             "{}: the output reads back as a different trace, at line {} of the model: expected '{}', found '{}'",
             output.name(), difference->line, difference->expected, difference->got));
}

}  // namespace

Exit convert_command(const ConvertOptions& options) {
    Messages messages = options.common.messages(convert_tool);
    if (options.input.empty()) fail(Failure::usage, "an input is needed; try hwtrace-convert --help");
    if (options.target.output.empty() && !options.explain)
        fail(Failure::usage, "an output is needed: a file, or - with --to FORMAT; try hwtrace-convert --help");
    options.target.check_loss_report(!options.explain);
    const Format& to = options.target.format(options.common.formats(), messages);
    Settings settings = options.common.settings();
    options.common.refuse_unused(&to);
    if (options.target.output != "-") settings.output_name = options.target.output;
    const std::optional<std::uint64_t> last = options.part.last_count();

    TraceFile trace = open_trace(options.input, options.common, messages);
    settings.source_format = trace.format->name;
    settings.window = reading_window(options.part.chosen_range(), options.part.criteria(), &to);
    const bool is_whole =
        !options.part.range && !last;  // seeking to a range would skip records that --verify must check
    if (options.verify && is_whole) settings.check = CheckLevel::full;
    Choices choices{options.time.model(), options.part.chosen_range(), settings, options.part.criteria()};
    const std::string file = trace.name();
    const auto identity = trace.input.identity();
    std::unique_ptr<Output> output;
    if (!options.explain)
        output =
            options.target.open(to.writes.needs_patch || options.verify, options.common.temporary_folder(), {identity});
    if (needs_spooling(trace) || (options.verify && !options.explain)) {
        trace.input.spool(options.common.temporary_folder());
    }

    Findings findings(findings_shown_per_rule);
    report_findings(findings, file, messages);
    Losses losses;
    ConversionCounts counts;
    bool took_back = false;
    naming(file, [&] {
        if (last) choices.range = last_range(*last, trace, to, choices);
        PreparedSource source(trace.input, *trace.format, to, settings, findings, choices.criteria.records);
        Plan plan = make_plan(source.schema(), source.format(), to, choices, losses);
        if (options.explain) {
            explain(file, plan, source.schema(), to, settings, losses);
            return;
        }
        const Settings for_writer = source.for_writer(to, settings);
        const std::unique_ptr<Writer> writer =
            to.create(*output, plan.target_schema(source.schema()), for_writer, losses);
        Progress progress(messages, options.common.progress(), file, trace.input.size());
        if (!plan.gives_time && options.time.any())
            messages.note(file, "--clock and --ipc have no effect: this conversion assumes no time");
        counts = convert(source.reader(), plan, *writer, [&](std::uint64_t bytes) { progress(bytes); });
        took_back = plan.part && plan.part->took_back();
    });
    if (options.explain) return Exit::done;

    const Outcome outcome{
        file, std::string(trace.format->name), to, losses, counts, findings.effect(), breaks_its_format(findings)};
    if (options.verify && !outcome.refused(options.target))
        verify_output(trace, *output, to, choices, losses, took_back, findings.effect(), messages);
    write_loss_report(options.target, outcome, convert_tool, options.common.json_integers(), {identity});
    report_hidden_findings(findings, file, messages);
    const Exit exit = conclude(options.target, outcome, *output, messages);
    if (counts.records_written == 0) {
        if (options.part.range)
            messages.note(file,
                          fmt::format("nothing is in the range {}; the output holds no records", *options.part.range));
        else if (last == 0)
            messages.note(file, "--last 0 selects nothing; the output holds no records");
        else if (choices.criteria.any() && counts.records_read != 0)
            messages.note(file, "nothing was selected; the output holds no records");
    }
    return exit;
}

}  // namespace hwtrace::cli
