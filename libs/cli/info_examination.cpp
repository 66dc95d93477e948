#include "cli/info_examination.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <optional>
#include <string>
#include <string_view>
#include <utility>

#include "cli/elf_options.hpp"
#include "cli/index_file.hpp"
#include "cli/info_in_shards.hpp"
#include "cli/info_meters.hpp"
#include "cli/info_partial.hpp"
#include "cli/progress.hpp"
#include "convert/prescan.hpp"
#include "domain/saved_schema.hpp"
#include "io/error.hpp"
#include "io/named_error.hpp"
#include "select/selection.hpp"

namespace hwtrace::cli {

namespace {

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

FileInfo measured(Examination& examination, const InfoOptions& options) {
    TraceFile& trace = examination.trace;
    Settings& settings = examination.settings;
    Findings& findings = examination.findings;
    Messages& messages = examination.messages;
    FileInfo info;
    info.file = trace.name();
    info.format = trace.format;
    info.size = trace.input.size();
    info.symbols = settings.symbols;
    info.part = part_text(options.part);
    const Criteria criteria = options.part.criteria();
    settings.window = reading_window(options.part.chosen_range(), criteria);
    naming(info.file, [&] {
        const std::optional<Range> range = options.part.range_in(trace, settings, examination.index);
        const bool measures_twice = criteria.any() || (range && range->unit == Range::Unit::record);
        if (measures_twice && !options.quick) trace.input.spool(settings.temporary_folder);
        const auto open = [&](Findings& ledger, const Criteria& chosen) {
            return Counted(trace, settings, ledger, range, chosen, examination.index);
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
            info.counts = scan(reader, examination.progress, [&](const Batch& batch) { meters.add(batch); });
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
    info.effect = findings.effect();
    info.broken = breaks_its_format(findings);
    return info;
}

FileInfo examine_trace(const std::string& path, const InfoOptions& options, Messages& messages) {
    TraceFile trace = open_trace(path, options.common, messages);
    if (needs_spooling(trace)) trace.input.spool(options.common.temporary_folder());
    Findings findings(findings_shown_per_rule);
    report_findings(findings, trace.name(), messages);
    Settings settings = options.common.settings();
    std::shared_ptr<const TraceIndex> index;
    if (options.part.any()) index = index_beside(path, trace, messages);
    settings.symbols = options.elf.load(trace, settings, messages);
    std::optional<Progress> progress;
    const ProgressListener listener = [&](std::uint64_t bytes) {
        if (!progress) progress.emplace(messages, options.common.progress(), trace.name(), trace.input.size());
        (*progress)(bytes);
    };
    if (auto info = examined_in_shards(path, trace, options, settings, listener)) return *std::move(info);
    Examination examination{trace, std::move(index), std::move(settings), findings, listener, messages};
    FileInfo info = measured(examination, options);
    progress.reset();
    report_hidden_findings(findings, info.file, messages);
    return info;
}

}  // namespace hwtrace::cli
