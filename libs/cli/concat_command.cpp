// cli/concat_command.cpp - hwtrace-merge --concat: puts the shards of a trace together.
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <string_view>
#include <utility>

#include "cli/joint_output.hpp"
#include "cli/merge_command.hpp"
#include "cli/process.hpp"
#include "cli/shard_manifest.hpp"
#include "codec/behind_writer.hpp"
#include "domain/value_text.hpp"
#include "io/advised_error.hpp"
#include "io/error.hpp"
#include "io/named_error.hpp"
#include "operate/concatenated_reader.hpp"

namespace hwtrace::cli {

namespace {

/// Throws Failure::usage if --check is combined with an option about an output.
void check_only_checks(const MergeOptions& options) {
    if (options.concat)
        fail(Failure::usage, "--check only checks; leave it out: --concat checks the shards of manifests first");
    const TargetOptions& target = options.target;
    const std::array<std::pair<bool, std::string_view>, 14> given{{{!target.output.empty(), "-o OUT"},
                                                                   {!target.to.empty(), "--to"},
                                                                   {target.force, "--force"},
                                                                   {target.explain, "--explain"},
                                                                   {target.verify, "--verify"},
                                                                   {target.strict, "--strict"},
                                                                   {target.allow_loss, "--allow-loss"},
                                                                   {target.allow_incomplete, "--allow-incomplete"},
                                                                   {!target.loss_report.empty(), "--loss-report"},
                                                                   {!options.names.empty(), "--name"},
                                                                   {!options.time.clock.empty(), "--clock"},
                                                                   {!options.time.ipc.empty(), "--ipc"},
                                                                   {options.part.range.has_value(), "--range"},
                                                                   {!options.part.select.empty(), "--select"}}};
    for (const auto& [is_given, name] : given)
        if (is_given)
            throw AdvisedError(Failure::usage,
                               fmt::format("--check only checks and writes nothing: {} has no effect", name),
                               "leave it out");
    options.common.refuse_unused(nullptr);
}

void check_choices(const MergeOptions& options) {
    if (options.check) return check_only_checks(options);
    if (options.part.any()) fail(Failure::usage, "--concat puts whole shards together; slice the result instead");
    if (!options.names.empty()) fail(Failure::usage, "--name and --concat cannot be combined");
    if (options.concat && options.target.output.empty() && !options.target.explain)
        fail(Failure::usage, "an output is needed (-o OUT); try hwtrace-merge --help");
}

/// Throws Failure::usage for a format that does not state what was in flight where a shard begins: pictures, and logs
/// of one protocol.
void check_format(const Format& format) {
    if (format.writes.is_picture || !format.writes.holds.protocol().empty())
        fail(Failure::usage,
             fmt::format("--concat: {} does not state what was in flight where a shard begins; use another format for "
                         "the shards and the whole, such as uscope or jsonl",
                         format.name));
}

/// Which lowerings of the shards are undone before they are put together.
enum class Raise : std::uint8_t {
    as_converted,  ///< those that a conversion to the target undoes, because it cuts the trace behind them
    all,           ///< all, for shards of a trace that was cut before it was lowered
};

/// One attempt to put shards together.
class Concatenation final : public JointOutput {
public:
    Concatenation(const MergeOptions& options, const std::vector<std::string>& inputs, const Format& to, Raise raise,
                  Messages& messages)
        : JointOutput(options, to, messages), raise_(raise) {
        for (const std::string& path : inputs)
            open(path);
    }

    /// Writes the whole trace. Throws NotContinued if the shards do not continue each other.
    Exit run() { return JointOutput::run(traces_.front().trace.format->name, counted(traces_.size(), "shard")); }

private:
    void open(const std::string& path);
    ShardSource prepared(JointTrace& shard, Findings& findings, Losses& losses);
    SourceFormat source_format(bool is_raised, bool has_instructions) const;
    void convert_all(Output* output, const Choices& choices, ConversionCounts& counts) override;
    std::optional<ModelDifference> compare(Input& written, const Choices& choices, Findings& findings) override;

    Raise raise_;
};

void Concatenation::open(const std::string& path) {
    const JointTrace& shard = add(path);
    size_ += shard.trace.input.size().value_or(0);
    check_format(*shard.trace.format);
    const JointTrace& first = traces_.front();
    if (shard.trace.format != first.trace.format)
        fail(Failure::usage, fmt::format("{} is {}, but {} is {}: shards of one trace have one format", path,
                                         shard.trace.format->name, first.trace.name(), first.trace.format->name));
}

/// Opens the shard for reading and plans how it is raised.
ShardSource Concatenation::prepared(JointTrace& shard, Findings& findings, Losses& losses) {
    const std::string file = shard.trace.name();
    shard.settings = options_.common.settings();
    shard.settings.source_format = shard.trace.format->name;
    // All shards are open at the same time.
    shard.settings.jobs = std::max(1U, shard.settings.jobs / static_cast<unsigned>(traces_.size()));
    // With this range, the plans raise the shards, as the plan that made a shard has raised the trace.
    shard.choices = {options_.time.model(), Range{Range::Unit::record, 0, std::nullopt}, shard.settings};
    ShardSource source{file, nullptr, nullptr, {}};
    naming(file, [&] {
        const Format& target = raise_ == Raise::all ? whole_model() : to_;
        shard.source =
            std::make_unique<PreparedSource>(shard.trace.input, *shard.trace.format, target, shard.settings, findings);
        source.reader = &shard.source->reader();
        source.complete = &shard.source->schema();
        source.plan = make_raising_plan(shard.source->schema(), target, shard.choices, losses);
    });
    return source;
}

SourceFormat Concatenation::source_format(bool is_raised, bool has_instructions) const {
    SourceFormat from = traces_.front().source->format();
    from.lateness.reset();  // is known only for one shard
    if (!is_raised) return from;
    from.reads.schema_upfront = true;
    // Instructions have the order of their positions. Other records may have another order than their tables had.
    from.reads.time_ordered = has_instructions || (from.reads.time_ordered && raise_ == Raise::as_converted);
    for (const Shape shape : all_shapes)
        from.reads.shapes.add(shape);
    return from;
}

void Concatenation::convert_all(Output* output, const Choices& choices, ConversionCounts& counts) {
    std::vector<ShardSource> sources;
    for (JointTrace& shard : traces_) {
        if (needs_spooling(shard.trace) || options_.target.verify)
            shard.trace.input.spool(options_.common.temporary_folder());
        report_findings(shard.findings, shard.trace.name(), messages_);
        sources.push_back(prepared(shard, shard.findings, losses_));
    }
    const bool is_raised = !sources.front().plan.stages.empty();
    ConcatenatedReader reader(std::move(sources), choices.settings.limits);
    const SourceFormat from = source_format(is_raised, has_hart(reader.schema()));
    Plan plan = make_plan(reader.schema(), from, to_, choices, losses_);
    if (output == nullptr) return explain(file_, plan, reader.schema(), to_, choices.settings, losses_);
    const Settings for_writer = traces_.front().source->for_writer(to_, choices.settings);
    const auto writer = create_behind(to_, *output, plan.target_schema(reader.schema()), for_writer, losses_);
    {
        Progress progress(messages_, options_.common.progress(), file_, size_, [&] {
            return WorkDone{counts.records_read, output->size()};
        });
        convert(
            reader, plan, *writer, [&](std::uint64_t bytes) { progress(bytes); }, &counts);
    }
    counts.records_read = reader.records_read();
}

std::optional<ModelDifference> Concatenation::compare(Input& written, const Choices& choices, Findings& findings) {
    std::vector<ShardSource> sources;
    Losses known;
    for (JointTrace& shard : traces_)
        sources.push_back(prepared(shard, shard.reported, known));
    const bool is_raised = !sources.front().plan.stages.empty();
    ConcatenatedReader reader(std::move(sources), choices.settings.limits);
    const SourceFormat from = source_format(is_raised, has_hart(reader.schema()));
    return verify_conversion({reader, reader.schema(), from}, written, to_, choices, findings);
}

}  // namespace

Exit concat_command(const MergeOptions& options) {
    Messages messages = options.common.messages(merge_tool);
    check_choices(options);
    if (options.inputs.empty()) fail(Failure::usage, "inputs are needed; try hwtrace-merge --help");
    std::vector<std::string> inputs = options.inputs;
    if (options.check || has_manifest(inputs)) {
        const CheckedShards checked = check_manifests(inputs, messages);
        if (checked.exit != Exit::done) return checked.exit;
        inputs = checked.files;
        if (options.check) {
            messages.note("",
                          fmt::format("{} complete and undamaged", counted(inputs.size(), "shard is", "shards are")));
            return Exit::done;
        }
    }
    if (std::ranges::find(inputs, "-") != inputs.end())
        fail(Failure::usage, "--concat may read its shards twice, so they must be files, not standard input");
    options.target.check_loss_report();
    const Format& to = options.target.format(options.common.formats(), messages);
    options.common.refuse_unused(&to);
    check_format(to);
    if (options.target.verify) check_verifiable(to);
    try {
        return Concatenation(options, inputs, to, Raise::as_converted, messages).run();
    } catch (const NotContinued&) {
        return Concatenation(options, inputs, to, Raise::all, messages).run();
    }
}

}  // namespace hwtrace::cli
