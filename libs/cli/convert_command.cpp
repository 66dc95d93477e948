#include "cli/convert_command.hpp"

#include <fmt/format.h>

#include <memory>
#include <optional>
#include <utility>

#include "cli/index_file.hpp"
#include "cli/process.hpp"
#include "cli/shard_manifest.hpp"
#include "cli/trace_file.hpp"
#include "cli/version.hpp"
#include "hwtrace/conversion.hpp"
#include "io/advised_error.hpp"
#include "io/error.hpp"
#include "io/http/url.hpp"
#include "io/named_error.hpp"
#include "io/number_text.hpp"
#include "io/output.hpp"
#include "operate/concatenation.hpp"

namespace hwtrace::cli {

namespace {

/// Checks --manifest before anything is written.
void check_manifest_option(const ConvertOptions& options) {
    if (options.manifest.empty()) return;
    if (!options.part.shard) fail(Failure::usage, "--manifest requires --shard");
    if (options.target.explain) fail(Failure::usage, "--explain writes nothing; leave out --manifest");
    if (options.target.output == "-" || options.manifest == "-")
        fail(Failure::usage, "--manifest: the output and the manifest must be files");
    options.target.check_outside_output("--manifest", options.manifest);
    if (const auto input = Input::identity_of(options.input); input && input == Input::identity_of(options.manifest))
        fail(Failure::usage, fmt::format("--manifest {}: names the input", options.manifest));
    // The manifest states that the shard is complete, so an old one must not survive a failure.
    remove_replaced(options.manifest, options.target.force ? Existing::replace : Existing::refuse);
}

/// Writes the manifest of a shard whose output is committed.
void write_shard_manifest(const ConvertOptions& options, const Outcome& outcome, const Range& range,
                          const std::vector<std::optional<Input::Identity>>& inputs) {
    const ShardEntry entry{*options.part.chosen_shard(), options.target.output, range, outcome.counts.records_written,
                           checksum_of(options.target.output)};
    const ShardManifest manifest{options.manifest, shown_path(options.input), outcome.from, outcome.size, {}, {entry}};
    write_manifest(manifest, options.tool, options.common.json_integers(), Existing::refuse, inputs);
}

/// Throws Failure::usage if the options contradict each other. Returns the target format.
const Format& check_choices(const ConvertOptions& options, Messages& messages) {
    if (options.input.empty()) fail(Failure::usage, "an input is needed; try hwtrace-convert --help");
    if (options.target.output.empty() && !options.target.explain)
        fail(Failure::usage, "an output is needed: a file, or - with --to FORMAT; try hwtrace-convert --help");
    options.target.check_loss_report();
    options.part.check();
    options.around.check(options.part);
    const Format& to = options.target.format(options.common.formats(), messages);
    options.csv.apply(to.name == name_of(TextForm::csv));
    options.common.refuse_unused(&to);
    return to;
}

/// Returns what the options state without the trace.
ConversionOptions conversion_options(const ConvertOptions& options) {
    ConversionOptions how;
    how.settings = options.common.settings();
    how.settings.version = version();
    if (options.target.output != "-") how.settings.output_name = options.target.output;
    how.first = options.part.first_selected();
    how.last = options.part.last_count();
    how.shard = options.part.chosen_shard();
    how.range = options.part.chosen_range();
    how.criteria = options.part.criteria();
    how.time = options.time.model();
    how.verify = options.target.verify;
    how.strict = options.target.strict;
    how.findings_per_rule = findings_shown_per_rule;
    return how;
}

/// Prints where the slice begins in the input, or which option is the reason if the output holds no records.
void note_slice(const ConvertOptions& options, const ConversionCounts& counts, std::optional<std::uint64_t> begin,
                const std::string& file, Messages& messages) {
    const PartOptions& part = options.part;
    if (counts.records_written != 0 && begin)
        messages.note(file, fmt::format("position 0 of the output is {}# of the input", *begin));
    else if (counts.records_written != 0)
        return;
    else if (options.around.place)
        messages.note(file, fmt::format("nothing is around {}; the output holds no records", *options.around.place));
    else if (part.range)
        messages.note(file, fmt::format("nothing is in the range {}; the output holds no records", *part.range));
    else if (part.last_count() == 0)
        messages.note(file, "--last 0 selects nothing; the output holds no records");
    else if (part.shard)
        messages.note(file, fmt::format("shard {} is empty; the output holds no records", *part.shard));
    else if (!part.select.empty() && counts.records_read != 0)
        messages.note(file, "nothing was selected; the output holds no records");
}

}  // namespace

Exit convert_command(const ConvertOptions& options) {
    Messages messages = options.common.messages(options.tool);
    const Format& to = check_choices(options, messages);
    ConversionOptions how = conversion_options(options);
    check_manifest_option(options);
    TraceFile trace = open_trace(options.input, options.common, messages);
    if (options.part.any() || options.around.place) how.index = index_beside(options.input, trace, messages);
    how.settings.symbols = options.elf.load(trace, how.settings, messages);
    const std::string file = trace.name();
    AroundOptions::Found around;
    if (options.around.place) {
        naming(file, [&] { around = options.around.find(trace, to, {how.time, {}, how.settings, {}, how.index}); });
        how.range = around.range;
    }
    std::optional<Progress> progress;
    Progress::Ask ask;
    const bool ends_early = how.range && how.range->end;  // where in the file is not known
    how.progress = [&, ends_early](std::uint64_t bytes, std::optional<std::uint64_t> whole) {
        const std::optional<std::uint64_t> size = ends_early ? std::nullopt : whole;
        if (!progress) progress.emplace(messages, options.common.progress(), file, size, ask);
        (*progress)(bytes);
    };
    const auto identity = trace.input.identity();
    const std::optional<std::uint64_t> size = trace.input.size();
    std::unique_ptr<Output> output;
    if (!options.target.explain) output = options.target.open(to, how.settings, options.target.verify, {identity});
    Conversion conversion(std::move(trace.input), *trace.format, to, std::move(how));
    ConversionReport& report = conversion.report();
    report_findings(report.findings, file, messages);
    const Choices& choices = conversion.choices();
    if (options.target.explain) {
        Plan& plan = conversion.plan();
        naming(file, [&] { explain(file, plan, conversion.schema(), to, choices.settings, report.losses); });
        if (!around.unplaced.empty()) messages.note(file, around.unplaced);
        return Exit::done;
    }
    ask = [&] { return WorkDone{report.counts.records_read, output->size()}; };
    conversion.begin(*output);
    if (!conversion.plan().gives_time && options.time.any())
        messages.note(file, "--clock and --ipc have no effect: this conversion assumes no time");
    if (const Plan& plan = conversion.plan();
        options.part.shard && lacks_mark(*trace.format, to, plan.lowers, plan.target_schema(conversion.schema())))
        warn_of_shards(messages, file, to);
    const std::optional<std::uint64_t> renumbered = conversion.plan().renumbered;
    conversion.run();
    progress.reset();

    const std::string from(trace.format->name);
    const Outcome outcome{file, from, to, report.losses, report.counts, report.findings.effect(), report.is_broken(),
                          size};
    write_loss_report(options.target, outcome, options.tool, options.common.json_integers(), {identity});
    if (options.target.verify && !outcome.refused(options.target) &&
        !report_verification(conversion.verify(), file, output->name(), messages))
        return Exit::no;
    report_hidden_findings(report.findings, file, messages);
    if (options.part.require_match && report.counts.records_written == 0) {
        messages.error(file,
                       fmt::format("{}; {} was not written",
                                   around.unplaced.empty() ? std::string(no_match) : around.unplaced, output->name()));
        return Exit::no;
    }
    const Exit exit = conclude(options.target, outcome, *output, messages);
    if (!options.manifest.empty() && !outcome.refused(options.target))
        write_shard_manifest(options, outcome, *choices.range, {identity});
    if (!around.unplaced.empty())
        messages.note(file, around.unplaced);
    else if (!outcome.refused(options.target))
        note_slice(options, report.counts, renumbered, file, messages);
    return exit;
}

}  // namespace hwtrace::cli
