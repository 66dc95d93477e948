#include "cli/merge_command.hpp"

#include <fmt/format.h>

#include <nlohmann/json.hpp>

#include <algorithm>
#include <deque>
#include <filesystem>
#include <set>
#include <utility>

#include "cli/joint_output.hpp"
#include "cli/process.hpp"
#include "cli/shard_manifest.hpp"
#include "codec/behind_writer.hpp"
#include "domain/conventions.hpp"
#include "domain/value_text.hpp"
#include "io/error.hpp"
#include "io/http/url.hpp"
#include "io/named_error.hpp"
#include "operate/merged_reader.hpp"

namespace hwtrace::cli {

namespace {

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
std::vector<std::string> names_of(const MergeOptions& options, const std::deque<JointTrace>& traces) {
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

bool has_hart(const JointTrace& merged) {
    return std::ranges::any_of(merged.source->schema().tracks(),
                               [](const Track& track) { return track.kind == Track::Kind::hart; });
}

/// Returns the compression of the sources that have the format `to`, or an empty string if one of them has none.
std::string common_compression(const std::deque<JointTrace>& traces, const Format& to) {
    std::string common;
    for (const JointTrace& merged : traces) {
        if (merged.source->format().format.name != to.name) continue;
        common = merged.source->for_writer(to, merged.settings).source_compression;
        if (common.empty() || common == "none") return {};
    }
    return common;
}

/// The traces of one merge.
class Merging final : public JointOutput {
public:
    Merging(const MergeOptions& options, const Format& to, Messages& messages) : JointOutput(options, to, messages) {
        for (const std::string& path : options.inputs)
            formats_.push_back(add(path).trace.format);
        names_ = names_of(options, traces_);
    }

    Exit run() {
        return JointOutput::run(conventions::merged_source,
                                names_.size() == 1 ? names_.front() : fmt::format("{} traces", names_.size()));
    }

private:
    void prepare();
    void open(JointTrace& merged, Findings& findings);
    std::vector<MergedSource> sources(Losses& losses, std::vector<PlanStep>& steps);
    void convert_all(Output* output, const Choices& choices, ConversionCounts& counts) override;
    std::optional<ModelDifference> compare(Input& written, const Choices& choices, Findings& findings) override;

    std::vector<const Format*> formats_;
    std::vector<std::string> names_;
};

/// Chooses how each trace is read.
void Merging::prepare() {
    std::size_t source_number = 0;
    for (JointTrace& merged : traces_) {
        if (needs_spooling(merged.trace) || options_.target.verify)
            merged.trace.input.spool(options_.common.temporary_folder());
        merged.settings = options_.common.settings();
        merged.settings.source_format = merged.trace.format->name;
        // All sources are read at the same time. Each of the first ones gets a thread that decompresses ahead.
        merged.settings.jobs = ++source_number < merged.settings.jobs ? 2 : 1;
        merged.choices = {options_.time.model(), options_.part.chosen_range(), merged.settings,
                          options_.part.criteria()};
        size_ += merged.trace.input.size().value_or(0);
    }
}

/// Opens a trace for reading from its beginning.
void Merging::open(JointTrace& merged, Findings& findings) {
    naming(merged.trace.name(), [&] {
        merged.source = std::make_unique<PreparedSource>(merged.trace.input, *merged.trace.format, whole_model(),
                                                         merged.settings, findings, merged.choices.criteria.records);
    });
}

/// Plans what is done with each open trace before it is merged.
std::vector<MergedSource> Merging::sources(Losses& losses, std::vector<PlanStep>& steps) {
    // If there are several traces, each trace of instructions is lowered separately, because a lowering supports one
    // hart only.
    const bool lower_harts = traces_.size() > 1 && std::ranges::any_of(traces_, has_hart);
    std::vector<MergedSource> sources;
    for (std::size_t i = 0; i < traces_.size(); ++i) {
        JointTrace& merged = traces_[i];
        naming(merged.trace.name(), [&] {
            Plan plan = make_source_plan(merged.source->schema(), merged.source->format(), to_, merged.choices, losses,
                                         lower_harts);
            for (const std::string& assumption : plan.assumptions)
                losses.assume(assumption);
            for (PlanStep& step : plan.steps)
                steps.push_back({fmt::format("{}: {}", names_[i], step.name), std::move(step.what)});
            sources.push_back({names_[i], &merged.source->reader(), &merged.source->schema(), std::move(plan)});
        });
    }
    return sources;
}

void Merging::convert_all(Output* output, const Choices& choices, ConversionCounts& counts) {
    prepare();
    for (JointTrace& merged : traces_) {
        report_findings(merged.findings, merged.trace.name(), messages_);
        open(merged, merged.findings);
    }
    std::vector<PlanStep> steps;
    MergedReader reader(sources(losses_, steps), choices.time, options_.common.temporary_folder(), losses_);
    Settings settings = choices.settings;
    settings.source_compression = common_compression(traces_, to_);
    const Format from = merged_format(formats_);
    naming(file_, [&] {
        Plan plan = make_plan(reader.schema(), from, to_, choices, losses_);
        plan.steps.front() = {"merge", "records in order of time, each trace in its own scope"};
        plan.steps.insert(plan.steps.begin(), steps.begin(), steps.end());
        if (output == nullptr) return explain(file_, plan, reader.schema(), to_, settings, losses_);
        const auto writer = create_behind(to_, *output, plan.target_schema(reader.schema()), settings, losses_);
        Progress progress(messages_, options_.common.progress(), file_, size_, [&] {
            return WorkDone{reader.records_read(), output->size()};
        });
        convert(
            reader, plan, *writer, [&](std::uint64_t bytes) { progress(bytes); }, &counts);
        counts.records_read = reader.records_read();
    });
    if (const std::string numbers = reader.renumbering(); !numbers.empty() && output != nullptr)
        messages_.note(file_, numbers);
}

std::optional<ModelDifference> Merging::compare(Input& written, const Choices& choices, Findings& findings) {
    for (JointTrace& merged : traces_)
        open(merged, merged.reported);
    Losses known;
    std::vector<PlanStep> steps;
    MergedReader reader(sources(known, steps), choices.time, options_.common.temporary_folder(), known);
    const Format from = merged_format(formats_);
    return verify_conversion({reader, reader.schema(), from}, written, to_, choices, findings);
}

}  // namespace

Exit merge_command(const MergeOptions& options) {
    Messages messages = options.common.messages(merge_tool);
    if (options.inputs.empty()) fail(Failure::usage, "inputs are needed; try hwtrace-merge --help");
    if (options.target.output.empty() && !options.target.explain)
        fail(Failure::usage, "an output is needed (-o OUT); try hwtrace-merge --help");
    if (has_manifest(options.inputs))
        fail(Failure::usage,
             "a manifest names shards, which are not merged by time: --concat puts them together, --check checks them");
    if (std::ranges::count(options.inputs, "-") > 1) fail(Failure::usage, "standard input can be given only once");
    options.target.check_loss_report();
    const Format& to = options.target.format(options.common.formats(), messages);
    options.common.refuse_unused(&to);
    if (options.target.verify) check_verifiable(to);
    return Merging(options, to, messages).run();
}

}  // namespace hwtrace::cli
