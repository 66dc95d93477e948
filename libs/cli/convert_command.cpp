#include "cli/convert_command.hpp"

#include <fmt/format.h>

#include <memory>
#include <optional>
#include <utility>

#include "cli/process.hpp"
#include "cli/trace_file.hpp"
#include "cli/version.hpp"
#include "hwtrace/conversion.hpp"
#include "io/error.hpp"
#include "io/named_error.hpp"
#include "io/number_text.hpp"
#include "io/output.hpp"

namespace hwtrace::cli {

namespace {

/// Reads the output back, checks it, and compares it with the input (--verify). Returns false if the output violates
/// its format in a way in which the input does not.
bool verify_output(Conversion& conversion, const std::string& output, Messages& messages) {
    const std::string& file = conversion.report().source;
    const Verification& result = conversion.verify();
    if (!result.not_compared.empty()) messages.note(file, "--verify: not compared, because " + result.not_compared);
    if (result.violation) {
        messages.finding(output, *result.violation, Severity::error);
        messages.error(output, "--verify: the output would violate its format, so it was not written");
        return false;
    }
    if (!result.inherited.empty())
        messages.note(output, "--verify: the output violates its format as the input does: " + result.inherited);
    if (result.difference)
        fail(Failure::internal,
             fmt::format(
                 "{}: the output reads back as a different trace, at line {} of the model: expected '{}', found '{}'",
                 output, result.difference->line, result.difference->expected, result.difference->got));
    if (result.not_compared.empty()) messages.detail(output, "verified: the output reads back as the same trace");
    return true;
}

}  // namespace

Exit convert_command(const ConvertOptions& options) {
    Messages messages = options.common.messages(options.tool);
    if (options.input.empty()) fail(Failure::usage, "an input is needed; try hwtrace-convert --help");
    if (options.target.output.empty() && !options.explain)
        fail(Failure::usage, "an output is needed: a file, or - with --to FORMAT; try hwtrace-convert --help");
    options.target.check_loss_report(!options.explain);
    const Format& to = options.target.format(options.common.formats(), messages);
    ConversionOptions how;
    how.settings = options.common.settings();
    how.settings.version = version();
    options.common.refuse_unused(&to);
    if (options.target.output != "-") how.settings.output_name = options.target.output;
    how.last = options.part.last_count();
    TraceFile trace = open_trace(options.input, options.common, messages);
    how.settings.symbols = options.elf.load(trace, how.settings, messages);
    how.range = options.part.chosen_range();
    how.criteria = options.part.criteria();
    how.time = options.time.model();
    how.verify = options.verify;
    how.strict = options.target.strict;
    how.findings_per_rule = findings_shown_per_rule;
    const std::string file = trace.name();
    std::optional<Progress> progress;
    how.progress = [&](std::uint64_t bytes, std::optional<std::uint64_t> size) {
        if (!progress) progress.emplace(messages, options.common.progress(), file, size);
        (*progress)(bytes);
    };
    const auto identity = trace.input.identity();
    std::unique_ptr<Output> output;
    if (!options.explain) output = options.target.open(to, how.settings, options.verify, {identity});
    const std::optional<std::uint64_t> last = how.last;
    Conversion conversion(std::move(trace.input), *trace.format, to, std::move(how));
    ConversionReport& report = conversion.report();
    report_findings(report.findings, file, messages);
    const Choices& choices = conversion.choices();
    if (options.explain) {
        Plan& plan = conversion.plan();
        naming(file, [&] { explain(file, plan, conversion.schema(), to, choices.settings, report.losses); });
        return Exit::done;
    }
    conversion.begin(*output);
    if (!conversion.plan().gives_time && options.time.any())
        messages.note(file, "--clock and --ipc have no effect: this conversion assumes no time");
    conversion.run();
    progress.reset();

    const Outcome outcome{file,
                          std::string(trace.format->name),
                          to,
                          report.losses,
                          report.counts,
                          report.findings.effect(),
                          report.is_broken()};
    write_loss_report(options.target, outcome, options.tool, options.common.json_integers(), {identity});
    if (options.verify && !outcome.refused(options.target) && !verify_output(conversion, output->name(), messages))
        return Exit::no;
    report_hidden_findings(report.findings, file, messages);
    const Exit exit = conclude(options.target, outcome, *output, messages);
    if (report.counts.records_written == 0) {
        if (options.part.range)
            messages.note(file,
                          fmt::format("nothing is in the range {}; the output holds no records", *options.part.range));
        else if (last == 0)
            messages.note(file, "--last 0 selects nothing; the output holds no records");
        else if (choices.criteria.any() && report.counts.records_read != 0)
            messages.note(file, "nothing was selected; the output holds no records");
    }
    return exit;
}

}  // namespace hwtrace::cli
