#include "cli/convert_command.hpp"

#include <fmt/format.h>

#include <nlohmann/json.hpp>

#include <algorithm>
#include <array>
#include <memory>
#include <utility>

#include "cli/process.hpp"
#include "cli/trace_file.hpp"
#include "convert/convert.hpp"
#include "convert/prescan.hpp"
#include "convert/verify.hpp"
#include "io/error.hpp"
#include "io/number_text.hpp"
#include "io/output.hpp"

namespace hwtrace::cli {

namespace {

constexpr std::string_view convert_tool = "hwtrace-convert";

/// Returns the reason why the output cannot be compared with the input; empty if it can. `took_back`: see PartLosses.
std::string reason_not_to_compare(const Format& to, const Choices& choices, const Losses& losses, bool took_back,
                                  Effect source) {
    if (!losses.none()) return "data was lost";
    if (took_back) return fmt::format("{} cannot hold all of the trace outside the slice", to.name);
    if (can_verify(to, choices, source)) return {};
    if (source == Effect::damaged) return "parts of the input cannot be read";
    const Option* const restating = choices.settings.restating(to.options);
    if (restating != nullptr) return fmt::format("--{} changes the trace", restating->key);
    return fmt::format("{} renumbers a slice", to.name);
}

/// Reports the errors of the output. Returns false if it violates its format in a way in which the input does not.
bool is_valid(const Findings& written, const TraceFile& trace, const Format& to, const Findings& source,
              const std::string& output, Messages& messages) {
    if (!breaks_its_format(written)) return true;
    std::string kept;
    for (const auto& [rule, total] : written.totals()) {
        const std::string_view id = rule;
        const auto of_rule = std::ranges::find(written.kept(), id, [](const Finding& found) { return found.rule->id; });
        if (of_rule == written.kept().end() || written.severity(*of_rule->rule) != Severity::error) continue;
        if (trace.format == &to && source.total(id) != 0) {
            kept.append(kept.empty() ? "" : ", ").append(id);
            continue;
        }
        messages.finding(output, *of_rule, Severity::error);
        messages.error(output, "--verify: the output would violate its format, so it was not written");
        return false;
    }
    if (kept.empty()) return true;
    messages.note(output, fmt::format("--verify: the output violates its format as the input does: {}", kept));
    return true;
}

/// Reads the output back, checks it, and compares it with the input (--verify). Returns false if the output violates
/// its format.
bool verify_output(TraceFile& trace, Output& output, const Format& to, const Choices& choices,
                   const std::string& reason, const Findings& source, Messages& messages) {
    std::optional<Input> written = output.reopen();
    if (!written) fail(Failure::internal, "the output cannot be read back");
    Findings findings(1);
    std::optional<ModelDifference> difference;
    Settings whole = choices.settings;
    whole.check = CheckLevel::full;
    whole.window.reset();
    if (reason.empty()) {
        difference = verify_conversion(trace.input, *trace.format, *written, to, choices, findings);
    } else {
        messages.note(trace.name(), "--verify: not compared, because " + reason);
        check_output(*written, to, whole, findings);
    }
    // The input of a slice has been checked only as far as it was needed for the slice.
    Findings of_input(0);
    const bool lacks_check = choices.settings.check < CheckLevel::full && trace.format == &to;
    if (lacks_check && breaks_its_format(findings)) {
        trace.input.seek(0);
        check_output(trace.input, *trace.format, whole, of_input);
    }
    if (!is_valid(findings, trace, to, lacks_check ? of_input : source, output.name(), messages)) return false;
    if (!difference) {
        if (reason.empty()) messages.detail(output.name(), "verified: the output reads back as the same trace");
        return true;
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
    if (!options.explain) output = options.target.open(to, settings, options.verify, {identity});
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
    write_loss_report(options.target, outcome, convert_tool, options.common.json_integers(), {identity});
    if (options.verify && !outcome.refused(options.target)) {
        const std::string reason = reason_not_to_compare(to, choices, losses, took_back, findings.effect());
        if (!verify_output(trace, *output, to, choices, reason, findings, messages)) return Exit::no;
    }
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
