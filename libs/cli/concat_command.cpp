// cli/concat_command.cpp - hwtrace-merge --concat: puts the shards of a trace together.
#include <fmt/format.h>

#include <algorithm>
#include <deque>
#include <memory>
#include <optional>
#include <utility>

#include "cli/merge_command.hpp"
#include "cli/process.hpp"
#include "cli/shard_manifest.hpp"
#include "cli/trace_file.hpp"
#include "codec/behind_writer.hpp"
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
    Choices choices{};
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
    ShardSource prepared(OpenShard& shard);
    SourceFormat source_format(bool is_raised, bool has_instructions) const;

    const MergeOptions& options_;
    const Format& to_;
    Raise raise_;
    Messages& messages_;
    std::deque<OpenShard> shards_;
    std::vector<std::optional<Input::Identity>> identities_;
    std::uint64_t size_ = 0;
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
ShardSource Concatenation::prepared(OpenShard& shard) {
    const std::string file = shard.trace.name();
    if (needs_spooling(shard.trace)) shard.trace.input.spool(options_.common.temporary_folder());
    shard.settings = options_.common.settings();
    shard.settings.source_format = shard.trace.format->name;
    report_findings(shard.findings, file, messages_);
    // With this range, the plans raise the shards, as the plan that made a shard has raised the trace.
    shard.choices = {options_.time.model(), Range{Range::Unit::record, 0, std::nullopt}, shard.settings};
    ShardSource source{file, nullptr, nullptr, {}};
    naming(file, [&] {
        const Format& target = raise_ == Raise::all ? whole_model() : to_;
        shard.source = std::make_unique<PreparedSource>(shard.trace.input, *shard.trace.format, target, shard.settings,
                                                        shard.findings);
        source.reader = &shard.source->reader();
        source.complete = &shard.source->schema();
        source.plan = make_raising_plan(shard.source->schema(), target, shard.choices, losses_);
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

Exit Concatenation::run() {
    std::unique_ptr<Output> output;
    if (!options_.explain) output = options_.target.open(to_, options_.common.settings(), false, identities_);
    std::vector<ShardSource> sources;
    for (OpenShard& shard : shards_)
        sources.push_back(prepared(shard));
    const OpenShard& first = shards_.front();
    const bool is_raised = !sources.front().plan.stages.empty();
    Settings settings = options_.common.settings();
    if (options_.target.output != "-") settings.output_name = options_.target.output;
    settings.source_format = first.trace.format->name;
    const std::string file = counted(shards_.size(), "shard");
    ConcatenatedReader reader(std::move(sources), settings.limits);
    const SourceFormat from = source_format(is_raised, has_hart(reader.schema()));
    const Choices choices{options_.time.model(), std::nullopt, settings, {}};
    Plan plan = make_plan(reader.schema(), from, to_, choices, losses_);
    if (options_.explain) {
        explain(file, plan, reader.schema(), to_, settings, losses_);
        return Exit::done;
    }
    const Settings for_writer = first.source->for_writer(to_, settings);
    const auto writer = create_behind(to_, *output, plan.target_schema(reader.schema()), for_writer, losses_);
    ConversionCounts counts;
    {
        Progress progress(messages_, options_.common.progress(), file, size_, [&] {
            return WorkDone{counts.records_read, output->size()};
        });
        convert(
            reader, plan, *writer, [&](std::uint64_t bytes) { progress(bytes); }, &counts);
    }
    counts.records_read = reader.records_read();

    Outcome outcome{file, std::string(first.trace.format->name), to_, losses_, counts};
    outcome.size = size_;
    for (OpenShard& shard : shards_) {
        report_hidden_findings(shard.findings, shard.trace.name(), messages_);
        outcome.effect = std::max(outcome.effect, shard.findings.effect());
        outcome.broken = outcome.broken || breaks_its_format(shard.findings);
    }
    write_loss_report(options_.target, outcome, concat_tool, options_.common.json_integers(), identities_);
    return conclude(options_.target, outcome, *output, messages_);
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
    if (std::ranges::find(inputs, "-") != inputs.end())
        fail(Failure::usage, "--concat may read its shards twice, so they must be files, not standard input");
    options.target.check_loss_report(!options.explain);
    const Format& to = options.target.format(options.common.formats(), messages);
    options.common.refuse_unused(&to);
    check_format(to);
    try {
        return Concatenation(options, inputs, to, Raise::as_converted, messages).run();
    } catch (const NotContinued&) {
        return Concatenation(options, inputs, to, Raise::all, messages).run();
    }
}

}  // namespace hwtrace::cli
