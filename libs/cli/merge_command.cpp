#include "cli/merge_command.hpp"

#include <fmt/format.h>

#include <nlohmann/json.hpp>

#include <algorithm>
#include <deque>
#include <filesystem>
#include <memory>
#include <set>
#include <utility>

#include "cli/process.hpp"
#include "cli/shard_manifest.hpp"
#include "cli/trace_file.hpp"
#include "codec/behind_writer.hpp"
#include "convert/prescan.hpp"
#include "domain/conventions.hpp"
#include "domain/value_text.hpp"
#include "io/error.hpp"
#include "io/http/url.hpp"
#include "io/named_error.hpp"
#include "operate/merged_reader.hpp"

namespace hwtrace::cli {

namespace {

constexpr std::string_view merge_tool = "hwtrace-merge";

/// One input and its plan.
struct Merged {
    explicit Merged(TraceFile file) : trace(std::move(file)) {}
    TraceFile trace;
    Settings settings{};
    Choices choices{};
    Findings findings{findings_shown_per_rule};
    Findings reported{0};  ///< of the second reading, for --verify
    std::unique_ptr<PreparedSource> source{};
};

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
std::vector<std::string> names_of(const MergeOptions& options, const std::deque<Merged>& traces) {
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

bool has_hart(const Merged& merged) {
    return std::ranges::any_of(merged.source->schema().tracks(),
                               [](const Track& track) { return track.kind == Track::Kind::hart; });
}

/// Returns the compression of the sources that have the format `to`, or an empty string if one of them has none.
std::string common_compression(const std::deque<Merged>& traces, const Format& to) {
    std::string common;
    for (const Merged& merged : traces) {
        if (merged.source->format().format.name != to.name) continue;
        common = merged.source->for_writer(to, merged.settings).source_compression;
        if (common.empty() || common == "none") return {};
    }
    return common;
}

/// The traces of one merge.
class Merging {
public:
    Merging(const MergeOptions& options, const Format& to, Messages& messages)
        : options_(options), to_(to), messages_(messages) {
        for (const std::string& path : options.inputs) {
            Merged& merged = traces_.emplace_back(open_trace(path, options.common, messages));
            identities_.push_back(merged.trace.input.identity());
            formats_.push_back(merged.trace.format);
        }
        names_ = names_of(options, traces_);
        file_ = names_.size() == 1 ? names_.front() : fmt::format("{} traces", names_.size());
    }

    Exit run();

private:
    void prepare();
    void open(Merged& merged, Findings& findings);
    std::vector<MergedSource> sources(Losses& losses, std::vector<PlanStep>& steps);
    void merge(Output* output, const Choices& choices, ConversionCounts& counts);
    bool verify(Output& output, const Choices& choices, Effect effect);

    const MergeOptions& options_;
    const Format& to_;
    Messages& messages_;
    std::deque<Merged> traces_;
    std::vector<std::optional<Input::Identity>> identities_;
    std::vector<const Format*> formats_;
    std::vector<std::string> names_;
    std::string file_;  ///< the traces in messages
    std::uint64_t size_ = 0;
    Losses losses_;
};

/// Chooses how each trace is read.
void Merging::prepare() {
    std::size_t source_number = 0;
    for (Merged& merged : traces_) {
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
void Merging::open(Merged& merged, Findings& findings) {
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
        Merged& merged = traces_[i];
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

/// Merges the traces. Without an output, prints the plan instead.
void Merging::merge(Output* output, const Choices& choices, ConversionCounts& counts) {
    for (Merged& merged : traces_) {
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

/// Compares the output with the traces, which are merged once more. Returns false if the output violates its format in
/// a way in which no trace does.
bool Merging::verify(Output& output, const Choices& choices, Effect effect) {
    VerifiedOutput written{output, to_, choices, reason_not_to_compare(to_, choices, losses_, effect, false), {}, {}};
    written.compare = [&](Input& merged_file, Findings& findings) {
        for (Merged& merged : traces_) {
            merged.trace.input.seek(0);
            open(merged, merged.reported);
        }
        Losses known;
        std::vector<PlanStep> steps;
        MergedReader reader(sources(known, steps), choices.time, options_.common.temporary_folder(), known);
        const Format from = merged_format(formats_);
        return verify_conversion({reader, reader.schema(), from}, merged_file, to_, choices, findings);
    };
    FaultsOfSources faults;
    for (Merged& merged : traces_)
        if (merged.trace.format == &to_) faults.add(merged.trace.input, to_, merged.settings);
    written.faults_of_source = [&](std::string_view rule) { return faults.total(rule); };
    return report_verification(verify_output(written), file_, output.name(), messages_);
}

Exit Merging::run() {
    Settings settings = options_.common.settings();
    std::unique_ptr<Output> output;
    if (!options_.target.explain) output = options_.target.open(to_, settings, options_.target.verify, identities_);
    if (options_.target.output != "-") settings.output_name = options_.target.output;
    settings.source_format = conventions::merged_source;
    const Choices choices{options_.time.model(), std::nullopt, settings, {}};
    ConversionCounts counts;
    prepare();
    merge(output.get(), choices, counts);
    if (options_.target.explain) return Exit::done;

    Outcome outcome{file_, "merge", to_, losses_, counts};
    outcome.size = size_;
    for (Merged& merged : traces_) {
        report_hidden_findings(merged.findings, merged.trace.name(), messages_);
        outcome.effect = std::max(outcome.effect, merged.findings.effect());
        outcome.broken = outcome.broken || breaks_its_format(merged.findings);
    }
    write_loss_report(options_.target, outcome, merge_tool, options_.common.json_integers(), identities_);
    if (options_.target.verify && !outcome.refused(options_.target) && !verify(*output, choices, outcome.effect))
        return Exit::no;
    return conclude(options_.target, outcome, *output, messages_);
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
