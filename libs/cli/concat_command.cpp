// cli/concat_command.cpp - hwtrace-merge --concat: puts the shards of a trace together.
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <optional>
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
#include "operate/concatenation.hpp"

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

/// One attempt to put shards together.
class JoinedShards final : public JointOutput {
public:
    /// `origin` is the format of the trace that was cut; null: unknown.
    JoinedShards(const MergeOptions& options, const std::vector<std::string>& inputs, const Format& to,
                 const Format* origin, std::optional<Raise> raise, Messages& messages)
        : JointOutput(options, to, messages) {
        for (const std::string& path : inputs)
            open(path);
        const Format& shards = *traces_.front().trace.format;
        how_.emplace(Concatenation{shards, to, origin, raise.value_or(Concatenation::first_way(shards, origin))});
    }

    /// Returns true if the shards may also have been cut another way than this attempt assumes.
    bool has_other_way() const noexcept { return how_->origin == nullptr && how_->raise == Raise::as_converted; }
    /// Writes the whole trace. Throws NotContinued if the shards do not continue each other.
    Exit run() { return JointOutput::run(how_->source().name, counted(traces_.size(), "shard")); }

private:
    void open(const std::string& path);
    ShardSource prepared(JointTrace& shard, Findings& findings, Losses& losses);
    void convert_all(Output* output, const Choices& choices, ConversionCounts& counts) override;
    std::optional<ModelDifference> compare(Input& written, const Choices& choices, Findings& findings) override;

    std::optional<Concatenation> how_;
};

void JoinedShards::open(const std::string& path) {
    const JointTrace& shard = add(path);
    size_ += shard.trace.input.size().value_or(0);
    check_format(*shard.trace.format);
    const JointTrace& first = traces_.front();
    if (shard.trace.format != first.trace.format)
        fail(Failure::usage, fmt::format("{} is {}, but {} is {}: shards of one trace have one format", path,
                                         shard.trace.format->name, first.trace.name(), first.trace.format->name));
}

/// Opens the shard for reading and plans how it is raised.
ShardSource JoinedShards::prepared(JointTrace& shard, Findings& findings, Losses& losses) {
    const std::string file = shard.trace.name();
    shard.settings = options_.common.settings();
    shard.settings.source_format = shard.trace.format->name;
    // All shards are open at the same time.
    shard.settings.jobs = std::max(1U, shard.settings.jobs / static_cast<unsigned>(traces_.size()));
    // With this range, the plans raise the shards, as the plan that made a shard has raised the trace.
    shard.choices = {options_.time.model(), Range{Range::Unit::record, 0, std::nullopt}, shard.settings};
    ShardSource source{file, nullptr, nullptr, {}};
    naming(file, [&] {
        const Format& target = how_->raised_for();
        shard.source =
            std::make_unique<PreparedSource>(shard.trace.input, *shard.trace.format, target, shard.settings, findings);
        source.reader = &shard.source->reader();
        source.complete = &shard.source->schema();
        source.plan = make_raising_plan(shard.source->schema(), target, shard.choices, losses);
        check_joinable(*how_, RaisedShards(source.plan), source.plan.target_schema(*source.complete));
    });
    return source;
}

void JoinedShards::convert_all(Output* output, const Choices& choices, ConversionCounts& counts) {
    std::vector<ShardSource> sources;
    for (JointTrace& shard : traces_) {
        if (needs_spooling(shard.trace) || options_.target.verify)
            shard.trace.input.spool(options_.common.temporary_folder());
        report_findings(shard.findings, shard.trace.name(), messages_);
        sources.push_back(prepared(shard, shard.findings, losses_));
    }
    const RaisedShards raised(sources.front().plan);
    ConcatenatedReader reader(std::move(sources), choices.settings.limits, how_->numbers());
    const PreparedSource& first = *traces_.front().source;
    const SourceFormat from = how_->source_format(first.format(), raised, reader.schema());
    Plan plan = make_plan(reader.schema(), from, to_, choices, losses_);
    how_->check_same_form(plan.target_schema(reader.schema()), first.schema());
    if (output == nullptr) return explain(file_, plan, reader.schema(), to_, choices.settings, losses_);
    const Settings for_writer = how_->for_writer(first, choices.settings);
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

std::optional<ModelDifference> JoinedShards::compare(Input& written, const Choices& choices, Findings& findings) {
    std::vector<ShardSource> sources;
    Losses known;
    for (JointTrace& shard : traces_)
        sources.push_back(prepared(shard, shard.reported, known));
    const RaisedShards raised(sources.front().plan);
    ConcatenatedReader reader(std::move(sources), choices.settings.limits, how_->numbers());
    const SourceFormat from = how_->source_format(traces_.front().source->format(), raised, reader.schema());
    return verify_conversion({reader, reader.schema(), from}, written, to_, choices, findings);
}

}  // namespace

Exit concat_command(const MergeOptions& options) {
    Messages messages = options.common.messages(merge_tool);
    check_choices(options);
    if (options.inputs.empty()) fail(Failure::usage, "inputs are needed; try hwtrace-merge --help");
    std::vector<std::string> inputs = options.inputs;
    const Format* origin = nullptr;
    if (options.check || has_manifest(inputs)) {
        const CheckedShards checked = check_manifests(inputs, messages);
        if (checked.exit != Exit::done) return checked.exit;
        inputs = checked.files;
        origin = find_format(options.common.formats(), checked.source_format);
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
    JoinedShards joined(options, inputs, to, origin, std::nullopt, messages);
    try {
        return joined.run();
    } catch (const NotContinued& error) {
        if (origin != nullptr) refuse_ordered(error);
        if (!joined.has_other_way()) throw;
    }
    return JoinedShards(options, inputs, to, origin, Raise::all, messages).run();
}

}  // namespace hwtrace::cli
