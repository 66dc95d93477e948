#include "cli/info_command.hpp"

#include <fmt/format.h>

#include <unistd.h>
#include <nlohmann/json.hpp>

#include <algorithm>
#include <memory>
#include <optional>
#include <utility>

#include "cli/index_file.hpp"
#include "cli/info_meters.hpp"
#include "cli/info_partial.hpp"
#include "cli/info_report.hpp"
#include "cli/json.hpp"
#include "cli/next_steps.hpp"
#include "cli/process.hpp"
#include "cli/trace_file.hpp"
#include "convert/prescan.hpp"
#include "domain/saved_schema.hpp"
#include "io/error.hpp"
#include "io/named_error.hpp"
#include "io/text_output.hpp"
#include "operate/scan.hpp"
#include "select/selection.hpp"

namespace hwtrace::cli {

namespace {

constexpr std::string_view info_tool = "hwtrace-info";

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
    if (meters.ordered.activity.in_order()) {
        info.arrivals = meters.ordered.arrivals.result();
        return relative(meters.ordered.activity, meters.schema());
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

/// Sets the partial statistics of a shard. If its intervals are out of order, opens the shard again and sorts them.
template <typename Open>
void set_sections(FileInfo& info, const Meters& meters, TraceFile& trace, const Open& open, const Settings& settings) {
    FileInfo::OfShard& of_shard = *info.of_shard;
    if (meters.ordered.activity.in_order() && meters.ordered.arrivals.in_order()) {
        of_shard.sections = meters.save(meters.ordered);
    } else {
        trace.input.seek(0);
        Findings reported_before(0);
        Counted counted = open(reported_before, Criteria{});
        HistogramBudget histograms;
        OrderedMeters sorted(counted.reader().schema(), histograms, of_shard.range);
        sorted.begin_shard();
        measure_sorted(counted.reader(), settings.temporary_folder, [&](const Batch& batch) { sorted.add(batch); });
        of_shard.sections = meters.save(sorted);
    }
    Appender bytes;
    StateOut out(bytes);
    save_schema(meters.schema(), out);
    of_shard.sections.push_back({"schema", {bytes.span().begin(), bytes.span().end()}});
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
        Meters meters(
            reader.schema(), settings.limits, range,
            {options.interval.value_or(0), options.reuse ? ReuseMode::measured : ReuseMode::skipped, settings.symbols});
        if (options.partial) meters.begin_shard();
        if (!options.quick) {
            Progress progress(messages, options.common.progress(), info.file, info.size);
            info.counts = scan(
                reader, [&](std::uint64_t bytes) { progress(bytes); }, [&](const Batch& batch) { meters.add(batch); });
            if (!options.partial) meters.finish(info);
            if (options.interval && !info.instructions)
                messages.note(info.file, "--interval has no effect: the trace has no instructions");
            if (options.elf.any() && !info.profile)
                messages.note(info.file, "--elf has no effect: the trace has no instructions");
            if (options.reuse && !(info.profile && info.profile->reuse))
                messages.note(info.file, "--reuse has no effect: the trace has no memory accesses of instructions");
        }
        if (info.part.empty()) info.facts = reader.facts();
        info.unit = time_unit(reader.schema());
        if (options.partial) {
            info.of_shard = {range.value(), reader.facts(), sample_of(trace.input), {}};
            set_sections(info, meters, trace, open, settings);
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
    const FileInfo info = examine_trace(options.inputs.front(), options, messages);
    TextOutput out(STDOUT_FILENO);
    out.put(to_text(partial_json(info, *options.part.chosen_shard())) + '\n');
    out.flush();
    return info.broken && !options.allow_incomplete ? Exit::incomplete : Exit::done;
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
    if (options.reduce) show(reduced(options.inputs, options.common.formats(), options.common.settings()));
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
