// cli/concat_command.cpp - hwtrace-merge --concat: puts the shards of a trace together.
#include <fmt/format.h>

#include <deque>
#include <memory>
#include <optional>
#include <utility>

#include "cli/merge_command.hpp"
#include "cli/process.hpp"
#include "cli/shard_manifest.hpp"
#include "cli/trace_file.hpp"
#include "convert/prescan.hpp"
#include "domain/value_text.hpp"
#include "io/error.hpp"
#include "io/named_error.hpp"
#include "operate/concatenated_reader.hpp"

namespace hwtrace::cli {

namespace {

constexpr std::string_view concat_tool = "hwtrace-merge";

/// One shard while it is read.
struct OpenShard {
    explicit OpenShard(TraceFile file) : trace(std::move(file)) {}
    TraceFile trace;
    Settings settings{};
    Findings findings{findings_shown_per_rule};
    std::unique_ptr<PreparedSource> source{};
};

void check_choices(const MergeOptions& options) {
    if (!options.concat && !options.target.output.empty())
        fail(Failure::usage, "--check with -o needs --concat, which puts the checked shards together");
    if (options.part.any()) fail(Failure::usage, "--concat puts whole shards together; slice the result instead");
    if (!options.names.empty()) fail(Failure::usage, "--name and --concat cannot be combined");
    if (options.concat && options.target.output.empty() && !options.explain)
        fail(Failure::usage, "an output is needed (-o OUT); try hwtrace-merge --help");
}

/// Opens the shard for reading.
void prepare(OpenShard& shard, const MergeOptions& options, const Format& to, Messages& messages) {
    if (needs_spooling(shard.trace)) shard.trace.input.spool(options.common.temporary_folder());
    shard.settings = options.common.settings();
    shard.settings.source_format = shard.trace.format->name;
    report_findings(shard.findings, shard.trace.name(), messages);
    naming(shard.trace.name(), [&] {
        shard.source = std::make_unique<PreparedSource>(shard.trace.input, *shard.trace.format, to, shard.settings,
                                                        shard.findings);
    });
}

}  // namespace

Exit concat_command(const MergeOptions& options) {
    Messages messages = options.common.messages(concat_tool);
    check_choices(options);
    std::vector<std::string> inputs = options.inputs;
    if (!options.manifests.empty()) {
        std::vector<std::string> manifests = options.manifests;
        manifests.insert(manifests.end(), inputs.begin(), inputs.end());  // --check *.manifest.json
        const CheckedShards checked = check_manifests(manifests, messages);
        if (checked.exit != Exit::done) return checked.exit;
        inputs = checked.files;
        if (!options.concat) {
            messages.note("",
                          fmt::format("{} complete and undamaged", counted(inputs.size(), "shard is", "shards are")));
            return Exit::done;
        }
    }
    if (inputs.empty()) fail(Failure::usage, "inputs are needed; try hwtrace-merge --help");
    options.target.check_loss_report(!options.explain);
    const Format& to = options.target.format(options.common.formats(), messages);
    options.common.refuse_unused(&to);

    std::deque<OpenShard> shards;
    std::vector<std::optional<Input::Identity>> identities;
    std::uint64_t size = 0;
    for (const std::string& path : inputs) {
        OpenShard& shard = shards.emplace_back(open_trace(path, options.common, messages));
        identities.push_back(shard.trace.input.identity());
        size += shard.trace.input.size().value_or(0);
        if (shard.trace.format != shards.front().trace.format)
            fail(Failure::usage,
                 fmt::format("{} is {}, but {} is {}: shards of one trace have one format", path,
                             shard.trace.format->name, inputs.front(), shards.front().trace.format->name));
    }
    std::unique_ptr<Output> output;
    if (!options.explain) output = options.target.open(to, options.common.settings(), false, identities);

    Losses losses;
    // With this range, the plans raise the shards, as the plan that made a shard has raised the trace.
    const Choices raising{options.time.model(), Range{Range::Unit::record, 0, std::nullopt}, options.common.settings()};
    std::vector<ShardSource> sources;
    for (OpenShard& shard : shards) {
        prepare(shard, options, to, messages);
        naming(shard.trace.name(), [&] {
            Plan plan = make_raising_plan(shard.source->schema(), to, raising, losses);
            sources.push_back({shard.trace.name(), &shard.source->reader(), &shard.source->schema(), std::move(plan)});
        });
    }
    const OpenShard& first = shards.front();
    const bool is_raised = !sources.front().plan.stages.empty();
    Settings settings = options.common.settings();
    if (options.target.output != "-") settings.output_name = options.target.output;
    settings.source_format = first.trace.format->name;
    SourceFormat from = first.source->format();
    from.lateness.reset();  // is known only for one shard
    if (is_raised) {
        from.reads.schema_upfront = true;
        for (const Shape shape : all_shapes)
            from.reads.shapes.add(shape);
    }
    const std::string file = counted(shards.size(), "shard");
    ConversionCounts counts;
    const Limits limits = settings.limits;
    ConcatenatedReader reader(std::move(sources), limits);
    naming(file, [&] {
        const Choices choices{options.time.model(), std::nullopt, settings, {}};
        Plan plan = make_plan(reader.schema(), from, to, choices, losses);
        if (options.explain) {
            explain(file, plan, reader.schema(), to, settings, losses);
            return;
        }
        const Settings for_writer = first.source->for_writer(to, settings);
        const auto writer = to.create(*output, plan.target_schema(reader.schema()), for_writer, losses);
        Progress progress(messages, options.common.progress(), file, size);
        counts = convert(reader, plan, *writer, [&](std::uint64_t bytes) { progress(bytes); });
        counts.records_read = reader.records_read();
    });
    if (options.explain) return Exit::done;

    Outcome outcome{file, std::string(first.trace.format->name), to, losses, counts};
    outcome.size = size;
    for (OpenShard& shard : shards) {
        report_hidden_findings(shard.findings, shard.trace.name(), messages);
        outcome.effect = std::max(outcome.effect, shard.findings.effect());
        outcome.broken = outcome.broken || breaks_its_format(shard.findings);
    }
    write_loss_report(options.target, outcome, concat_tool, options.common.json_integers(), identities);
    return conclude(options.target, outcome, *output, messages);
}

}  // namespace hwtrace::cli
