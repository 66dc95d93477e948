#include "cli/info_command.hpp"

#include <fmt/format.h>

#include <unistd.h>
#include <nlohmann/json.hpp>

#include <algorithm>
#include <memory>
#include <optional>
#include <utility>

#include "cli/index_file.hpp"
#include "cli/info_partial.hpp"
#include "cli/info_report.hpp"
#include "cli/json.hpp"
#include "cli/next_steps.hpp"
#include "cli/process.hpp"
#include "cli/trace_file.hpp"
#include "convert/prescan.hpp"
#include "io/error.hpp"
#include "io/named_error.hpp"
#include "io/text_output.hpp"
#include "operate/scan.hpp"
#include "select/selection.hpp"

namespace hwtrace::cli {

namespace {

constexpr std::string_view info_tool = "hwtrace-info";

/// Returns the time unit of all tracks: "ps", "cycles", "instructions", or "ticks" if they differ.
std::string time_unit(const Schema& schema) {
    std::optional<TimeBase> base;
    for (const Track& track : schema.tracks()) {
        if (base && *base != track.time) return "ticks";
        base = track.time;
    }
    return base ? unit_of(*base) : "ticks";
}

/// Returns the options that choose the slice, as in "--range 10cyc:20cyc --select kind=interval".
std::string part_text(const PartOptions& part) {
    std::string text;
    const auto add = [&](std::string_view option, const std::string& value) {
        text += fmt::format("{}{} {}", text.empty() ? "" : " ", option, value);
    };
    if (part.range) add("--range", *part.range);
    if (part.first) add("--first", *part.first);
    if (part.last) add("--last", *part.last);
    if (part.shard) add("--shard", *part.shard);
    for (const std::string& criterion : part.select)
        add("--select", criterion);
    return text;
}

/// A reader of the slice to count.
class Counted {
public:
    /// Reads `trace` from its beginning. `range` is nullopt for the whole trace. `index` may be null.
    Counted(TraceFile& trace, const Settings& settings, Findings& findings, const std::optional<Range>& range,
            const Criteria& criteria, const std::shared_ptr<const TraceIndex>& index)
        : whole_(trace.input, *trace.format, settings, findings, criteria.records, index) {
        if (!range && !criteria.any()) return;
        constexpr Range everything{Range::Unit::record, 0, std::nullopt};
        part_.emplace(whole_.reader(), range.value_or(everything),
                      SelectionOptions{std::nullopt, Earlier::counted, settings.limits, criteria.instructions,
                                       whole_.format().reads, false, index},
                      criteria.records, &whole_.schema());
    }
    Counted(const Counted&) = delete;
    Counted& operator=(const Counted&) = delete;

    Reader& reader() noexcept { return part_ ? static_cast<Reader&>(*part_) : whole_.reader(); }
    /// Reads what the slice has left, so that the schema of the reader is complete.
    void complete_schema() {
        for (Batch batch; whole_.reader().read(batch);)
            batch.clear();
    }

private:
    PreparedSource whole_;
    std::optional<RangedReader> part_;
};

/// The meters of one pass over a trace.
class Meters {
public:
    Meters(const Schema& schema, const InfoOptions& options, const Settings& settings,
           const std::optional<Range>& range)
        : activity(schema, range),
          arrivals(schema, histograms_),
          schema_(schema),
          intervals_(schema, histograms_),
          relations_(schema, histograms_),
          names_(schema, histograms_),
          signals_(schema),
          statistics_(schema, &histograms_),
          instructions_(schema, options.interval.value_or(0), settings.limits),
          profile_(schema, options.reuse ? ReuseMode::measured : ReuseMode::skipped) {
        if (settings.symbols) functions_.emplace(schema, settings.symbols);
    }
    Meters(const Meters&) = delete;
    Meters& operator=(const Meters&) = delete;

    void add(const Batch& batch) {
        activity.add(batch);
        intervals_.add(batch);
        arrivals.add(batch);
        relations_.add(batch);
        names_.add(batch);
        signals_.add(batch);
        statistics_.add(batch);
        instructions_.add(batch);
        profile_.add(batch);
        if (functions_) functions_->add(batch);
    }
    const Schema& schema() const noexcept { return schema_; }
    /// Sets the results that do not depend on the order of intervals.
    void finish(FileInfo& info) {
        info.intervals = intervals_.result();
        info.relations = relations_.result();
        info.names = names_.result();
        info.signals = signals_.result();
        info.statistics = statistics_.result();
        info.instructions = instructions_.result();
        info.profile = profile_.result();
        if (functions_ && info.profile) info.functions = functions_->result();
    }

private:
    HistogramBudget histograms_;

public:
    ActivityMeter activity;
    ArrivalMeter arrivals;

private:
    const Schema& schema_;
    IntervalStatisticsMeter intervals_;
    RelationLatencyMeter relations_;
    NamedIntervalMeter names_;
    SignalStatisticsMeter signals_;
    StatisticsMeter statistics_;
    InstructionMeter instructions_;
    InstructionProfileMeter profile_;
    std::optional<FunctionProfileMeter> functions_;
};

/// Sets the activity and the arrivals of the slice. `meters` must have received all intervals of the slice. If they
/// were out of order, `open` opens the slice again, and they are sorted. That is impossible if the input is a pipe. The
/// utilisation of selected records or positions refers to the time and the scopes of the trace without the selection.
/// `open` opens that trace as well.
template <typename Open>
void set_activity(FileInfo& info, const Meters& meters, TraceFile& trace, const Open& open, const Settings& settings,
                  const std::optional<Range>& range, const Criteria& criteria, Messages& messages) {
    Findings reported_before(0);
    const auto relative = [&](const ActivityMeter& part, const Schema& schema) {
        const bool is_whole = !criteria.any() && !(range && range->unit == Range::Unit::record);
        info.activity = part.result();
        if (!is_whole && info.activity) {
            trace.input.seek(0);
            Counted everything = open(reported_before, Criteria{});
            ActivityMeter whole(everything.reader().schema(), range);
            scan(everything.reader(), {}, [&](const Batch& batch) { whole.add(batch); });
            everything.complete_schema();
            info.activity = part.result(whole);
        }
        if (info.activity) info.roofline = roofline_of(schema, *info.activity);
    };
    if (meters.activity.in_order()) {
        info.arrivals = meters.arrivals.result();
        return relative(meters.activity, meters.schema());
    }
    if (!trace.input.seekable()) {
        messages.note(trace.name(),
                      "the intervals are out of order, and a pipe can be read only once: their activity is not "
                      "printed; give a file");
        return;
    }
    trace.input.seek(0);
    Counted counted = open(reported_before, criteria);
    const Schema& schema = counted.reader().schema();
    HistogramBudget histograms;
    ActivityMeter sorted(schema, range);
    ArrivalMeter arrivals(schema, histograms);
    measure_sorted(counted.reader(), settings.temporary_folder, [&](const Batch& batch) {
        sorted.add(batch);
        arrivals.add(batch);
    });
    if (arrivals.in_order()) info.arrivals = arrivals.result();
    relative(sorted, schema);
}

}  // namespace

FileInfo examine_trace(const std::string& path, const InfoOptions& options, Messages& messages) {
    TraceFile trace = open_trace(path, options.common, messages);
    FileInfo info;
    info.file = trace.name();
    info.format = trace.format;
    if (needs_spooling(trace)) trace.input.spool(options.common.temporary_folder());
    info.size = trace.input.size();
    Findings findings(findings_shown_per_rule);
    report_findings(findings, info.file, messages);
    Settings settings = options.common.settings();
    std::shared_ptr<const TraceIndex> index;
    if (options.part.any()) index = index_beside(path, trace, messages);
    settings.symbols = options.elf.load(trace, settings, messages);
    info.symbols = settings.symbols;
    info.part = part_text(options.part);
    const Criteria criteria = options.part.criteria();
    settings.window = reading_window(options.part.chosen_range(), criteria);
    naming(info.file, [&] {
        const std::optional<Range> range = options.part.range_in(trace, settings, index);
        const bool measures_twice = criteria.any() || (range && range->unit == Range::Unit::record);
        if (measures_twice && !options.quick) trace.input.spool(settings.temporary_folder);
        const auto open = [&](Findings& ledger, const Criteria& chosen) {
            return Counted(trace, settings, ledger, range, chosen, index);
        };
        Counted counted = open(findings, criteria);
        Reader& reader = counted.reader();
        // For a slice, take the facts before the records are read. Later, the facts would depend on how much of the
        // file was read.
        if (!info.part.empty()) info.facts = reader.facts();
        Meters meters(reader.schema(), options, settings, range);
        if (!options.quick) {
            Progress progress(messages, options.common.progress(), info.file, info.size);
            info.counts = scan(
                reader, [&](std::uint64_t bytes) { progress(bytes); }, [&](const Batch& batch) { meters.add(batch); });
            meters.finish(info);
            if (options.interval && !info.instructions)
                messages.note(info.file, "--interval has no effect: the trace has no instructions");
            if (options.elf.any() && !info.profile)
                messages.note(info.file, "--elf has no effect: the trace has no instructions");
            if (options.reuse && !(info.profile && info.profile->reuse))
                messages.note(info.file, "--reuse has no effect: the trace has no memory accesses of instructions");
        }
        if (info.part.empty()) info.facts = reader.facts();
        if (options.partial) {
            info.range = range;
            info.facts_at_end = reader.facts();
            info.sample = sample_of(trace.input);
        }
        info.unit = time_unit(reader.schema());
        if (options.partial) {
            // Only whether there is an activity matters. Its values would need the whole trace.
            info.activity = meters.activity.result();
            if (info.activity) info.roofline = roofline_of(reader.schema(), *info.activity);
            info.arrivals = meters.arrivals.result();
        } else if (!options.quick) {
            set_activity(info, meters, trace, open, settings, range, criteria, messages);
        }
    });
    report_hidden_findings(findings, info.file, messages);
    info.effect = findings.effect();
    info.broken = breaks_its_format(findings);
    return info;
}

namespace {

void check_options(const InfoOptions& options) {
    if (options.inputs.empty()) fail(Failure::usage, "a file is needed; try hwtrace-info --help");
    if (options.part.any() && options.quick)
        fail(Failure::usage, "--quick cannot be combined with --range, --last, --shard or --select");
    if (options.part.require_match && options.quick)
        fail(Failure::usage, "--require-match and --quick cannot be combined: --quick reads no records");
    if (options.interval == 0) fail(Failure::usage, "--interval 0: takes a number of instructions, at least 1");
    if (options.interval && options.quick)
        fail(Failure::usage, "--interval and --quick cannot be combined: --quick reads no instructions");
    if (options.reuse && options.quick)
        fail(Failure::usage, "--reuse and --quick cannot be combined: --quick reads no instructions");
    if (options.elf.any() && options.quick)
        fail(Failure::usage, "--elf and --quick cannot be combined: --quick reads no instructions");
    if (options.partial && (!options.part.shard || options.part.select.size() + options.inputs.size() != 1))
        fail(Failure::usage, "--partial needs one trace and --shard, without --select");
    if (options.partial && (options.interval || options.reuse || options.elf.any() || options.next))
        fail(Failure::usage, "--partial cannot be combined with --interval, --reuse, --elf or --next");
    if (options.reduce && (options.partial || options.part.any() || options.quick || options.interval ||
                           options.reuse || options.elf.any() || options.next))
        fail(Failure::usage, "--reduce takes files of --partial, and no options about a trace");
}

/// Writes the partial statistics of a shard.
Exit write_partial(const InfoOptions& options, Messages& messages) {
    PartialInfo partial;
    partial.info = examine_trace(options.inputs.front(), options, messages);
    partial.shard = *options.part.chosen_shard();
    const FileInfo& info = partial.info;
    partial.range = info.range.value();
    partial.sample = info.sample;
    for (const Facts* const facts : {&info.facts, &info.facts_at_end}) {
        const Facts& others = facts == &info.facts ? info.facts_at_end : info.facts;
        for (const Fact& fact : *facts)
            if (std::ranges::find(others, fact) == others.end() &&
                std::ranges::find(partial.moving_facts, fact.key) == partial.moving_facts.end())
                partial.moving_facts.push_back(fact.key);
    }
    const Json shown = to_json(info, JsonIntegers::numbers);
    for (const auto& section : shown.items())
        partial.sections.push_back(section.key());
    TextOutput out(STDOUT_FILENO);
    out.put(to_text(to_json(partial)) + '\n');
    out.flush();
    return info.broken && !options.allow_incomplete ? Exit::incomplete : Exit::done;
}

FileInfo reduce(const InfoOptions& options) {
    std::vector<PartialInfo> partials;
    for (const std::string& path : options.inputs)
        partials.push_back(read_partial(path, options.common.formats()));
    return reduced(std::move(partials));
}

}  // namespace

Exit info_command(const InfoOptions& options) {
    Messages messages = options.common.messages(info_tool);
    check_options(options);
    options.common.refuse_unused(nullptr);
    if (options.partial) return write_partial(options, messages);
    const bool as_json = options.format == "json";
    TextOutput out(STDOUT_FILENO);
    Json json = json_head("hwtrace-info/1", info_tool);
    json["files"] = Json::array();
    Exit result = Exit::done;
    const auto show = [&](const FileInfo& info) {
        if (as_json)
            json["files"].push_back(to_json(info, options.common.json_integers()));
        else
            print_text(info, messages.volume(), out);
        if (options.next && !as_json) print_next_steps(info, out);
        if (info.broken && !options.allow_incomplete) result = worse(result, Exit::incomplete);
    };
    if (options.reduce) show(reduce(options));
    for (const std::string& path : options.reduce ? std::vector<std::string>() : options.inputs) {
        try {
            const FileInfo info = examine_trace(path, options, messages);
            show(info);
            if (options.part.require_match && info.counts && info.counts->records == 0) {
                messages.error(info.file, no_match);
                result = worse(result, Exit::no);
            }
        } catch (const Error& error) {
            if (error.failure() == Failure::usage || error.failure() == Failure::internal) throw;
            messages.error("", error.what());
            result = worse(result, exit_of(error.failure()));
        }
    }
    if (as_json) out.put(to_pretty_text(json));
    out.flush();
    return result;
}

}  // namespace hwtrace::cli
