// cli/concat_command.cpp - hwtrace-merge --concat: puts the shards of a trace together.
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <deque>
#include <memory>
#include <optional>
#include <string_view>
#include <utility>

#include "cli/merge_command.hpp"
#include "cli/process.hpp"
#include "cli/shard_manifest.hpp"
#include "cli/trace_file.hpp"
#include "codec/behind_writer.hpp"
#include "convert/prescan.hpp"
#include "domain/value_text.hpp"
#include "io/advised_error.hpp"
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
    Choices choices{};
    Findings findings{findings_shown_per_rule};
    Findings reported{0};  ///< of the second reading, for --verify
    std::unique_ptr<PreparedSource> source{};
};

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
class Concatenation {
public:
    Concatenation(const MergeOptions& options, const std::vector<std::string>& inputs, const Format& to, Raise raise,
                  Messages& messages)
        : options_(options), to_(to), raise_(raise), messages_(messages) {
        for (const std::string& path : inputs)
            open(path);
    }

    /// Writes the whole trace. Throws NotContinued if the shards do not continue each other.
    Exit run();

private:
    void open(const std::string& path);
    ShardSource prepared(OpenShard& shard, Findings& findings, Losses& losses);
    void convert_shards(Output* output, const Choices& choices, ConversionCounts& counts);
    bool verify(Output& output, const Choices& choices, Effect effect);
    SourceFormat source_format(bool is_raised, bool has_instructions) const;

    const MergeOptions& options_;
    const Format& to_;
    Raise raise_;
    Messages& messages_;
    std::deque<OpenShard> shards_;
    std::vector<std::optional<Input::Identity>> identities_;
    std::uint64_t size_ = 0;
    std::string file_;  ///< the shards in messages
    Losses losses_;
};

void Concatenation::open(const std::string& path) {
    OpenShard& shard = shards_.emplace_back(open_trace(path, options_.common, messages_));
    identities_.push_back(shard.trace.input.identity());
    size_ += shard.trace.input.size().value_or(0);
    check_format(*shard.trace.format);
    const OpenShard& first = shards_.front();
    if (shard.trace.format != first.trace.format)
        fail(Failure::usage, fmt::format("{} is {}, but {} is {}: shards of one trace have one format", path,
                                         shard.trace.format->name, first.trace.name(), first.trace.format->name));
}

/// Opens the shard for reading and plans how it is raised.
ShardSource Concatenation::prepared(OpenShard& shard, Findings& findings, Losses& losses) {
    const std::string file = shard.trace.name();
    shard.settings = options_.common.settings();
    shard.settings.source_format = shard.trace.format->name;
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
    SourceFormat from = shards_.front().source->format();
    from.lateness.reset();  // is known only for one shard
    if (!is_raised) return from;
    from.reads.schema_upfront = true;
    // Instructions have the order of their positions. Other records may have another order than their tables had.
    from.reads.time_ordered = has_instructions || (from.reads.time_ordered && raise_ == Raise::as_converted);
    for (const Shape shape : all_shapes)
        from.reads.shapes.add(shape);
    return from;
}

/// Converts all shards. Without an output, prints the plan instead.
void Concatenation::convert_shards(Output* output, const Choices& choices, ConversionCounts& counts) {
    std::vector<ShardSource> sources;
    for (OpenShard& shard : shards_) {
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
    const Settings for_writer = shards_.front().source->for_writer(to_, choices.settings);
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

Exit Concatenation::run() {
    file_ = counted(shards_.size(), "shard");
    Settings settings = options_.common.settings();
    std::unique_ptr<Output> output;
    if (!options_.target.explain) output = options_.target.open(to_, settings, options_.target.verify, identities_);
    if (options_.target.output != "-") settings.output_name = options_.target.output;
    settings.source_format = shards_.front().trace.format->name;
    const Choices choices{options_.time.model(), std::nullopt, settings, {}};
    ConversionCounts counts;
    convert_shards(output.get(), choices, counts);
    if (options_.target.explain) return Exit::done;

    Outcome outcome{file_, std::string(settings.source_format), to_, losses_, counts};
    outcome.size = size_;
    for (OpenShard& shard : shards_) {
        report_hidden_findings(shard.findings, shard.trace.name(), messages_);
        outcome.effect = std::max(outcome.effect, shard.findings.effect());
        outcome.broken = outcome.broken || breaks_its_format(shard.findings);
    }
    write_loss_report(options_.target, outcome, concat_tool, options_.common.json_integers(), identities_);
    if (options_.target.verify && !outcome.refused(options_.target) && !verify(*output, choices, outcome.effect))
        return Exit::no;
    return conclude(options_.target, outcome, *output, messages_);
}

/// Compares the output with the shards, which are put together once more. Returns false if the output violates its
/// format.
bool Concatenation::verify(Output& output, const Choices& choices, Effect effect) {
    VerifiedOutput written{output, to_, choices, reason_not_to_compare(to_, choices, losses_, effect, false), {}, {}};
    written.compare = [&](Input& whole, Findings& findings) {
        std::vector<ShardSource> sources;
        Losses known;
        for (OpenShard& shard : shards_) {
            shard.trace.input.seek(0);
            sources.push_back(prepared(shard, shard.reported, known));
        }
        const bool is_raised = !sources.front().plan.stages.empty();
        ConcatenatedReader reader(std::move(sources), choices.settings.limits);
        const SourceFormat from = source_format(is_raised, has_hart(reader.schema()));
        return verify_conversion({reader, reader.schema(), from}, whole, to_, choices, findings);
    };
    FaultsOfSources faults;
    for (OpenShard& shard : shards_)
        if (shard.trace.format == &to_) faults.add(shard.trace.input, to_, choices.settings);
    written.faults_of_source = [&](std::string_view rule) { return faults.total(rule); };
    return report_verification(verify_output(written), file_, output.name(), messages_);
}

}  // namespace

Exit concat_command(const MergeOptions& options) {
    Messages messages = options.common.messages(concat_tool);
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
