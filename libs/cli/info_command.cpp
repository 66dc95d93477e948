#include "cli/info_command.hpp"

#include <fmt/format.h>

#include <unistd.h>
#include <nlohmann/json.hpp>

#include <algorithm>
#include <array>
#include <cmath>
#include <memory>
#include <optional>
#include <utility>

#include "cli/instruction_report.hpp"
#include "cli/json.hpp"
#include "cli/process.hpp"
#include "cli/trace_file.hpp"
#include "convert/prescan.hpp"
#include "domain/conventions.hpp"
#include "domain/protocols.hpp"
#include "domain/value_text.hpp"
#include "io/error.hpp"
#include "io/named_error.hpp"
#include "io/text_output.hpp"
#include "operate/position_count.hpp"
#include "operate/scan.hpp"
#include "select/selection.hpp"
#include "views/activity.hpp"
#include "views/instruction_statistics.hpp"
#include "views/interval_statistics.hpp"
#include "views/signal_statistics.hpp"
#include "views/statistics.hpp"

namespace hwtrace::cli {

namespace {

constexpr std::string_view info_tool = "hwtrace-info";
constexpr std::size_t kinds = std::tuple_size_v<decltype(ScanCounts::records_by_kind)>;

struct FileInfo {
    std::string file;
    const Format* format = nullptr;
    std::optional<std::uint64_t> size;
    Facts facts;
    std::string part;                  ///< the options that choose the slice; empty: the whole trace
    std::optional<ScanCounts> counts;  ///< nullopt with --quick
    std::string unit;                  ///< unit of times; see time_unit()
    std::optional<Activity> activity;  ///< nullopt without intervals
    std::optional<IntervalStatistics> intervals;
    std::optional<SignalStatistics> signals;
    std::optional<Statistics> statistics;  ///< nullopt without tables and events
    std::optional<InstructionStatistics> instructions;
    Effect effect = Effect::harmless;
    bool broken = false;  ///< see breaks_its_format
};

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
    if (part.last) add("--last", *part.last);
    for (const std::string& criterion : part.select)
        add("--select", criterion);
    return text;
}

/// A reader of the slice to count.
class Counted {
public:
    /// Reads `trace` from its beginning. `range` is nullopt for the whole trace.
    Counted(TraceFile& trace, const Settings& settings, Findings& findings, const std::optional<Range>& range,
            const Criteria& criteria)
        : whole_(trace.input, *trace.format, settings, findings, criteria.records) {
        if (!range && !criteria.any()) return;
        constexpr Range everything{Range::Unit::record, 0, std::nullopt};
        part_.emplace(whole_.reader(), range.value_or(everything),
                      SelectionOptions{std::nullopt, Earlier::counted, settings.limits, criteria.instructions,
                                       trace.format->reads},
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

/// Returns the activity of the slice. `meter` must have received all intervals of the slice. If they were out of order,
/// `open` opens the slice again, and they are sorted. Returns nullopt if that is impossible, because the input is a
/// pipe. The utilisation of selected records or positions refers to the time and the scopes of the trace without the
/// selection. `open` opens that trace as well.
template <typename Open>
std::optional<Activity> activity_of(const ActivityMeter& meter, TraceFile& trace, const Open& open,
                                    const Settings& settings, const std::optional<Range>& range,
                                    const Criteria& criteria, Messages& messages) {
    Findings reported_before(0);
    const auto relative = [&](const ActivityMeter& part) -> std::optional<Activity> {
        const bool is_whole = !criteria.any() && !(range && range->unit == Range::Unit::record);
        if (is_whole || !part.result()) return part.result();
        trace.input.seek(0);
        Counted everything = open(reported_before, Criteria{});
        ActivityMeter whole(everything.reader().schema(), range);
        scan(everything.reader(), {}, [&](const Batch& batch) { whole.add(batch); });
        everything.complete_schema();
        return part.result(whole);
    };
    if (meter.in_order()) return relative(meter);
    if (!trace.input.seekable()) {
        messages.note(trace.name(),
                      "the intervals are out of order, and a pipe can be read only once: their activity is not "
                      "printed; give a file");
        return std::nullopt;
    }
    trace.input.seek(0);
    Counted counted = open(reported_before, criteria);
    ActivityMeter sorted(counted.reader().schema(), range);
    measure_sorted(counted.reader(), settings.temporary_folder, sorted);
    return relative(sorted);
}

FileInfo examine(const std::string& path, const InfoOptions& options, Messages& messages) {
    TraceFile trace = open_trace(path, options.common, messages);
    FileInfo info;
    info.file = trace.name();
    info.format = trace.format;
    if (needs_spooling(trace)) trace.input.spool(options.common.temporary_folder());
    info.size = trace.input.size();
    Findings findings(findings_shown_per_rule);
    report_findings(findings, info.file, messages);
    Settings settings = options.common.settings();
    info.part = part_text(options.part);
    const Criteria criteria = options.part.criteria();
    settings.window = reading_window(options.part.chosen_range(), criteria);
    naming(info.file, [&] {
        std::optional<Range> range = options.part.chosen_range();
        if (const auto last = options.part.last_count())
            range = last_range(*last, trace.input, *trace.format, settings);
        const bool measures_twice = criteria.any() || (range && range->unit == Range::Unit::record);
        if (measures_twice && !options.quick) trace.input.spool(settings.temporary_folder);
        const auto open = [&](Findings& ledger, const Criteria& chosen) {
            return Counted(trace, settings, ledger, range, chosen);
        };
        Counted counted = open(findings, criteria);
        Reader& reader = counted.reader();
        // For a slice, take the facts before the records are read. Later, the facts would depend on how much of the
        // file was read.
        if (!info.part.empty()) info.facts = reader.facts();
        ActivityMeter meter(reader.schema(), range);
        IntervalStatisticsMeter intervals(reader.schema());
        SignalStatisticsMeter signals(reader.schema());
        StatisticsMeter statistics(reader.schema());
        InstructionMeter instructions(reader.schema(), options.interval.value_or(0), settings.limits);
        if (!options.quick) {
            Progress progress(messages, options.common.progress(), info.file, info.size);
            info.counts = scan(
                reader, [&](std::uint64_t bytes) { progress(bytes); },
                [&](const Batch& batch) {
                    meter.add(batch);
                    intervals.add(batch);
                    signals.add(batch);
                    statistics.add(batch);
                    instructions.add(batch);
                });
            info.intervals = intervals.result();
            info.signals = signals.result();
            info.statistics = statistics.result();
            info.instructions = instructions.result();
            if (options.interval && !info.instructions)
                messages.note(info.file, "--interval has no effect: the trace has no instructions");
        }
        if (info.part.empty()) info.facts = reader.facts();
        info.unit = time_unit(reader.schema());
        if (!options.quick) info.activity = activity_of(meter, trace, open, settings, range, criteria, messages);
    });
    report_hidden_findings(findings, info.file, messages);
    info.effect = findings.effect();
    info.broken = breaks_its_format(findings);
    return info;
}

std::string_view completeness(const FileInfo& info) noexcept {
    switch (info.effect) {
        case Effect::harmless:
            if (info.broken) return "breaks its format";
            if (!info.part.empty()) return "not checked outside the slice";
            return info.counts ? "complete" : "not checked (--quick)";
        case Effect::incomplete:
            return "ends early";
        case Effect::damaged:
            return "damaged";
    }
    return "";
}

/// One row of an activity table.
struct ActivityRow {
    std::string name;
    Busy busy;
    std::optional<std::uint64_t> share;  ///< see hwtrace::share
};

struct ActivityTable {
    std::string_view title;  ///< heading of the name column, in text
    std::string_view key;    ///< key of the rows, in JSON
    std::vector<ActivityRow> rows;
};

/// Returns the activity tables by scope, by type and by track.
std::array<ActivityTable, 3> tables_of(const Activity& activity) {
    std::array<ActivityTable, 3> tables{ActivityTable{"scope", "scopes", {}}, ActivityTable{"type", "types", {}},
                                        ActivityTable{"track", "tracks", {}}};
    for (const Activity::OfScope& scope : activity.scopes)
        tables[0].rows.push_back({scope.name, scope.busy, share(scope.busy.busy, activity.span)});
    const auto scopes = static_cast<WideTick>(activity.working_scopes);
    for (const Activity::OfTrack& type : activity.types)
        tables[1].rows.push_back({type.name, type.busy, share(type.busy.busy, activity.span * scopes)});
    for (const Activity::OfTrack& track : activity.tracks)
        tables[2].rows.push_back({name_in(track.scope, track.name), track.busy, share(track.busy.busy, activity.span)});
    return tables;
}

/// Returns the activity of the matrix unit of each scope.
ActivityTable matrix_table(const Activity& activity) {
    ActivityTable table{conventions::matrix_work, {}, {}};
    for (const Activity::OfTrack& track : activity.tracks)
        if (track.name == conventions::matrix_work)
            table.rows.push_back({track.scope, track.busy, share(track.busy.busy, activity.span)});
    return table;
}

std::string percent(std::optional<std::uint64_t> share) {
    return share ? fmt::format("{}.{:02} %", *share / 100, *share % 100) : "-";
}

std::string_view span_source(const Activity& activity) noexcept {
    switch (activity.span_from) {
        case Activity::Span::stated:
            return conventions::trace_cycles;
        case Activity::Span::extent:
            return "first begin to last end";
        case Activity::Span::window:
            return "time window";
    }
    return "";
}

/// Returns the name of a row, or "-" if the name is empty.
std::string shown_name(const std::string& name) {
    return name.empty() ? "-" : name_text(name);
}

void print_activity_table(const ActivityTable& table, Volume volume, TextOutput& out) {
    constexpr std::size_t most_rows = 16;
    const std::size_t shown = volume == Volume::verbose ? table.rows.size() : std::min(table.rows.size(), most_rows);
    std::size_t width = table.title.size();
    for (std::size_t i = 0; i < shown; ++i)
        width = std::max(width, shown_name(table.rows[i].name).size());
    out.put(fmt::format("    {:<{}}  {:>12}  {:>20}  {:>20}  {:>11}\n", table.title, width, "intervals", "busy",
                        "total", "utilisation"));
    for (std::size_t i = 0; i < shown; ++i) {
        const ActivityRow& row = table.rows[i];
        out.put(fmt::format("    {:<{}}  {:>12}  {:>20}  {:>20}  {:>11}\n", shown_name(row.name), width,
                            row.busy.intervals, saturated(row.busy.busy), saturated(row.busy.total),
                            percent(row.share)));
    }
    if (shown < table.rows.size()) out.put(fmt::format("    and {} more (-v shows all)\n", table.rows.size() - shown));
}

void print_activity(const FileInfo& info, Volume volume, TextOutput& out) {
    const Activity& activity = *info.activity;
    out.put(fmt::format("  {:<24} of {} {} ({})\n", "activity", saturated(activity.span), info.unit,
                        span_source(activity)));
    for (const ActivityTable& table : tables_of(activity))
        if (table.key != "tracks" || volume == Volume::verbose) print_activity_table(table, volume, out);
    if (const ActivityTable matrix = matrix_table(activity); !matrix.rows.empty())
        print_activity_table(matrix, volume, out);
}

/// A table of numbers. Prints at most 16 rows unless verbose.
class NumberTable {
public:
    explicit NumberTable(std::vector<std::string> titles) : titles_(std::move(titles)) {}

    /// Adds a row with one cell per title. The first cell is the name.
    void row(std::vector<std::string> cells) { rows_.push_back(std::move(cells)); }

    void print(Volume volume, TextOutput& out) const {
        if (rows_.empty()) return;
        constexpr std::size_t most_rows = 16;
        const std::size_t shown = volume == Volume::verbose ? rows_.size() : std::min(rows_.size(), most_rows);
        std::vector<std::size_t> widths(titles_.size());
        for (std::size_t column = 0; column < titles_.size(); ++column) {
            widths[column] = titles_[column].size();
            for (std::size_t i = 0; i < shown; ++i)
                widths[column] = std::max(widths[column], rows_[i][column].size());
        }
        print_row(titles_, widths, out);
        for (std::size_t i = 0; i < shown; ++i)
            print_row(rows_[i], widths, out);
        if (shown < rows_.size()) out.put(fmt::format("    and {} more (-v shows all)\n", rows_.size() - shown));
    }

private:
    static void print_row(const std::vector<std::string>& cells, const std::vector<std::size_t>& widths,
                          TextOutput& out) {
        out.put(fmt::format("    {:<{}}", cells[0], widths[0]));
        for (std::size_t column = 1; column < cells.size(); ++column)
            out.put(fmt::format("  {:>{}}", cells[column], widths[column]));
        out.put('\n');
    }

    std::vector<std::string> titles_;
    std::vector<std::vector<std::string>> rows_;
};

/// Returns a path such as "root/core0/rob", printable on one line.
std::string full_name(const std::string& scope, const std::string& name) {
    return name_text(name_in(scope, name));
}

void print_intervals(const FileInfo& info, Volume volume, TextOutput& out) {
    const IntervalStatistics& intervals = *info.intervals;
    const auto row = [](std::string name, const IntervalSummary& summary) {
        const bool any = summary.count != 0;
        const auto cell = [&](WideTick value) { return any ? std::to_string(saturated(value)) : "-"; };
        return std::vector{std::move(name),        std::to_string(summary.count),
                           cell(summary.first),    cell(summary.last),
                           cell(summary.shortest), (summary.exact_median ? "" : "~") + cell(summary.median),
                           cell(summary.longest)};
    };
    const auto titles = [&](std::string what) {
        return std::vector<std::string>{std::move(what), "intervals", fmt::format("first, {}", info.unit),
                                        "last end",      "shortest",  "median",
                                        "longest"};
    };
    NumberTable scopes(titles("intervals by scope"));
    for (const IntervalStatistics::OfScope& scope : intervals.scopes)
        scopes.row(row(shown_name(scope.name), scope.summary));
    scopes.print(volume, out);
    NumberTable tracks(titles("intervals by track"));
    for (const IntervalStatistics::OfTrack& track : intervals.tracks)
        tracks.row(row(full_name(track.scope, track.name), track.summary));
    tracks.print(volume, out);
    if (volume != Volume::verbose) return;
    NumberTable attributes({"attribute", "stated", "type", "times"});
    for (const IntervalStatistics::OfTrack& track : intervals.tracks)
        for (const IntervalStatistics::Attribute& attribute : track.attributes)
            attributes.row({full_name(track.scope, track.name) + " " + name_text(attribute.name),
                            std::string(name_of(attribute.phase)), std::string(name_of(attribute.type)),
                            std::to_string(attribute.count)});
    attributes.print(volume, out);
}

/// Returns minimum, maximum and mean. All three are null if there are no numbers.
std::array<Json, 3> number_cells(const SignalStatistics::Member& member, JsonIntegers integers) {
    if (!member.numbers) return {};
    const SignalStatistics::Numbers& numbers = *member.numbers;
    const auto integer = [&](WideTick value) {
        return value < 0 ? json_integer(static_cast<std::int64_t>(value), integers)
                         : json_integer(static_cast<std::uint64_t>(value), integers);
    };
    const auto real = [](double value) {
        return std::isfinite(value) ? Json(value) : Json(value < 0 ? "-Infinity" : value > 0 ? "Infinity" : "NaN");
    };
    if (numbers.is_real) return {real(numbers.least_real), real(numbers.greatest_real), real(numbers.mean)};
    return {integer(numbers.least), integer(numbers.greatest), real(numbers.mean)};
}

void print_signals(const FileInfo& info, Volume volume, TextOutput& out) {
    NumberTable table({"signal", "type", "changes", "first", "last", "unit", "least", "greatest", "mean", "toggles",
                       "no value", "conflicts", "tagged"});
    for (const SignalStatistics::OfSignal& signal : info.signals->signals) {
        const bool any = signal.changes != 0;
        const auto row = [&](std::string name, const SignalStatistics::Member* member) {
            std::vector<std::string> cells{std::move(name),
                                           member == nullptr ? "structure" : member->types,
                                           std::to_string(signal.changes),
                                           any ? std::to_string(signal.first) : "-",
                                           any ? std::to_string(signal.last) : "-",
                                           signal.unit,
                                           "-",
                                           "-",
                                           "-",
                                           "-",
                                           std::to_string(signal.no_values),
                                           std::to_string(signal.conflicts),
                                           std::to_string(signal.tagged)};
            if (member != nullptr && member->numbers) {
                const std::array<Json, 3> numbers = number_cells(*member, JsonIntegers::numbers);
                for (std::size_t i = 0; i < numbers.size(); ++i)
                    cells[6 + i] = numbers[i].is_string() ? numbers[i].get<std::string>() : numbers[i].dump();
            }
            if (member != nullptr && member->toggles) cells[9] = std::to_string(*member->toggles);
            return cells;
        };
        const std::string name = full_name(signal.scope, signal.name);
        const bool single = signal.members.size() == 1;
        table.row(row(name, single ? signal.members.data() : nullptr));
        if (single) continue;
        for (const SignalStatistics::Member& member : signal.members) {
            std::vector<std::string> cells = row(name + "." + name_text(member.name), &member);
            cells[2] = std::to_string(member.values);
            for (const std::size_t of_signal : {3u, 4u, 5u, 10u, 11u, 12u})
                cells[of_signal] = "";
            table.row(std::move(cells));
        }
    }
    table.print(volume, out);
}

std::string thousandths(std::uint64_t value) {
    return fmt::format("{}.{:03}", value / 1000, value % 1000);
}

void print_unit(const Statistics::Unit& unit, TextOutput& out) {
    const bool is_core = unit.protocol == Catalogue::Protocol::cpu;
    out.put(fmt::format("  {:<24} {}", name_text(unit.scope), summary(unit.protocol, unit.lives)));
    if (const auto ipc = unit.milli_ipc(); ipc && unit.first_cycle)
        out.put(fmt::format("; cycles {} to {}{}, {} {} per cycle", *unit.first_cycle, *unit.last_cycle,
                            unit.assumed_period ? " (1000 ps each, assumed)" : "", thousandths(*ipc),
                            is_core ? "instructions" : "transactions"));
    out.put('\n');
}

void print_statistics(const FileInfo& info, Volume volume, TextOutput& out) {
    const Statistics& statistics = *info.statistics;
    for (const Statistics::Unit& unit : statistics.units)
        print_unit(unit, out);
    NumberTable tables(
        {"table", "sets", "clears", "adds", "property sets", "slots", "used", "highest at once", "out of range"});
    std::size_t idle = 0;
    const auto hides = [&](bool is_idle) {
        const bool hidden = is_idle && volume != Volume::verbose;
        idle += hidden ? 1 : 0;
        return hidden;
    };
    for (const Statistics::Table& table : statistics.tables) {
        if (hides(table.sets + table.clears + table.adds + table.property_sets == 0)) continue;
        tables.row({full_name(table.scope, table.name), std::to_string(table.sets), std::to_string(table.clears),
                    std::to_string(table.adds), std::to_string(table.property_sets), std::to_string(table.slots),
                    std::to_string(table.slots_used), std::to_string(table.highest_occupancy),
                    std::to_string(table.out_of_range)});
    }
    tables.print(volume, out);
    NumberTable events({"event", "count", fmt::format("first, {}", info.unit), "last"});
    for (const Statistics::Event& event : statistics.events) {
        if (hides(event.count == 0)) continue;
        events.row({full_name(event.scope, event.name), std::to_string(event.count),
                    event.count == 0 ? "-" : std::to_string(event.first),
                    event.count == 0 ? "-" : std::to_string(event.last)});
    }
    events.print(volume, out);
    NumberTable counters({"counter", "at the end"});
    for (const Statistics::Counter& counter : statistics.counters)
        counters.row({full_name(counter.scope, counter.name), std::to_string(counter.value)});
    counters.print(volume, out);
    if (idle != 0)
        out.put(fmt::format("    and {} without a record (-v shows all)\n",
                            counted(idle, "table or event", "tables and events")));
}

void print_line(std::string_view key, std::string_view value, TextOutput& out) {
    out.put(fmt::format("  {:<24} {}\n", key, printable(value)));
}

/// Prints facts. Unless verbose, prints only the first 16 facts of a key.
void print_facts(const Facts& facts, Volume volume, TextOutput& out) {
    constexpr std::size_t most = 16;
    for (auto fact = facts.begin(); fact != facts.end();) {
        const auto end = std::find_if(fact, facts.end(), [&](const Fact& other) { return other.key != fact->key; });
        const auto same = static_cast<std::size_t>(end - fact);
        const std::size_t shown = volume == Volume::verbose ? same : std::min(same, most);
        for (std::size_t i = 0; i < shown; ++i)
            print_line(fact->key, text_of(fact[static_cast<std::ptrdiff_t>(i)]), out);
        if (shown < same) print_line(fact->key, fmt::format("and {} more (-v shows all)", same - shown), out);
        fact = end;
    }
}

void print_text(const FileInfo& info, Volume volume, TextOutput& out) {
    const auto line = [&](std::string_view key, std::string_view value) { print_line(key, value, out); };
    out.put(fmt::format("{}\n", printable(info.file)));
    line("format", fmt::format("{} ({})", info.format->name, info.format->title));
    if (info.size) line("size", counted(*info.size, "byte"));
    print_facts(info.facts, volume, out);
    if (!info.part.empty()) line("part", info.part);
    if (info.counts) {
        line("model.records", std::to_string(info.counts->records));
        for (std::size_t i = 0; i < kinds; ++i)
            if (const std::uint64_t count = info.counts->records_by_kind[i]; count > 0)
                line(fmt::format("model.{}", name_of(static_cast<Kind>(i))), std::to_string(count));
        if (info.counts->first_time)
            line("time", fmt::format("{} to {} {}", *info.counts->first_time, *info.counts->last_time, info.unit));
    }
    line("state", completeness(info));
    if (info.activity) print_activity(info, volume, out);
    if (info.intervals) print_intervals(info, volume, out);
    if (info.signals) print_signals(info, volume, out);
    if (info.instructions) print_instructions(*info.instructions, out);
    if (info.statistics) print_statistics(info, volume, out);
}

Json fact_json(const Fact& fact, JsonIntegers integers) {
    if (const auto* const text = std::get_if<std::string>(&fact.value)) return *text;
    const auto* const number = std::get_if<std::uint64_t>(&fact.value);
    return number != nullptr ? json_integer(*number, integers)
                             : json_integer(std::get<std::int64_t>(fact.value), integers);
}

/// Adds a fact. Several facts with the same key become a list.
void add_fact(Json& facts, const std::string& key, Json value) {
    if (!facts.contains(key)) {
        facts[key] = std::move(value);
        return;
    }
    Json& known = facts[key];
    if (!known.is_array()) known = Json::array({known});
    known.push_back(std::move(value));
}

Json activity_json(const FileInfo& info, JsonIntegers integers) {
    const Activity& activity = *info.activity;
    Json json;
    json["span"] = json_integer(saturated(activity.span), integers);
    json["span_from"] = span_source(activity);
    json["unit"] = info.unit;
    for (const ActivityTable& table : tables_of(activity)) {
        Json& rows = json[std::string(table.key)] = Json::array();
        for (const ActivityRow& row : table.rows) {
            Json entry;
            entry["name"] = row.name;
            entry["intervals"] = json_integer(row.busy.intervals, integers);
            entry["busy"] = json_integer(saturated(row.busy.busy), integers);
            entry["total"] = json_integer(saturated(row.busy.total), integers);
            entry["utilisation_percent"] = row.share ? Json(static_cast<double>(*row.share) / 100) : Json();
            rows.push_back(entry);
        }
    }
    return json;
}

Json summary_json(const IntervalSummary& summary, JsonIntegers integers) {
    Json json;
    json["intervals"] = json_integer(summary.count, integers);
    if (summary.count == 0) return json;
    json["first"] = json_integer(saturated(summary.first), integers);
    json["last_end"] = json_integer(saturated(summary.last), integers);
    json["shortest"] = json_integer(summary.shortest, integers);
    json["median"] = json_integer(summary.median, integers);
    json["median_exact"] = summary.exact_median;
    json["longest"] = json_integer(summary.longest, integers);
    return json;
}

Json intervals_json(const FileInfo& info, JsonIntegers integers) {
    Json json;
    json["unit"] = info.unit;
    json["scopes"] = Json::array();
    for (const IntervalStatistics::OfScope& scope : info.intervals->scopes) {
        Json entry;
        entry["name"] = scope.name;
        entry.update(summary_json(scope.summary, integers));
        json["scopes"].push_back(entry);
    }
    json["tracks"] = Json::array();
    for (const IntervalStatistics::OfTrack& track : info.intervals->tracks) {
        Json entry;
        entry["scope"] = track.scope;
        entry["name"] = track.name;
        entry.update(summary_json(track.summary, integers));
        entry["attributes"] = Json::array();
        for (const IntervalStatistics::Attribute& attribute : track.attributes) {
            Json of_attribute;
            of_attribute["name"] = attribute.name;
            of_attribute["phase"] = name_of(attribute.phase);
            of_attribute["type"] = name_of(attribute.type);
            of_attribute["times"] = json_integer(attribute.count, integers);
            entry["attributes"].push_back(of_attribute);
        }
        json["tracks"].push_back(entry);
    }
    return json;
}

Json signals_json(const SignalStatistics& statistics, JsonIntegers integers) {
    Json json = Json::array();
    for (const SignalStatistics::OfSignal& signal : statistics.signals) {
        Json entry;
        entry["scope"] = signal.scope;
        entry["name"] = signal.name;
        entry["unit"] = signal.unit;
        entry["changes"] = json_integer(signal.changes, integers);
        if (signal.changes != 0) {
            entry["first"] = json_integer(signal.first, integers);
            entry["last"] = json_integer(signal.last, integers);
        }
        entry["no_values"] = json_integer(signal.no_values, integers);
        entry["conflicts"] = json_integer(signal.conflicts, integers);
        entry["tagged"] = json_integer(signal.tagged, integers);
        entry["members"] = Json::array();
        for (const SignalStatistics::Member& member : signal.members) {
            Json of_member;
            of_member["name"] = member.name;
            of_member["type"] = member.types;
            of_member["values"] = json_integer(member.values, integers);
            const std::array<Json, 3> numbers = number_cells(member, integers);
            constexpr std::array<const char*, 3> keys{"least", "greatest", "mean"};
            for (std::size_t i = 0; i < keys.size(); ++i)
                if (member.numbers) of_member[keys[i]] = numbers[i];
            if (member.toggles) of_member["toggles"] = json_integer(*member.toggles, integers);
            entry["members"].push_back(of_member);
        }
        json.push_back(entry);
    }
    return json;
}

Json unit_json(const Statistics::Unit& unit, JsonIntegers integers) {
    Json json;
    json["scope"] = unit.scope;
    json["protocol"] = unit.protocol == Catalogue::Protocol::cpu ? "cpu" : "noc";
    json["created"] = json_integer(unit.lives.created, integers);
    json["retired"] = json_integer(unit.lives.retired, integers);
    json["flushed"] = json_integer(unit.lives.flushed, integers);
    json["replaced"] = json_integer(unit.lives.replaced, integers);
    json["in_flight"] = json_integer(unit.lives.in_flight, integers);
    json["first_cycle"] = unit.first_cycle ? json_integer(*unit.first_cycle, integers) : Json();
    json["last_cycle"] = unit.last_cycle ? json_integer(*unit.last_cycle, integers) : Json();
    json["cycles"] = json_integer(unit.cycles(), integers);
    if (unit.assumed_period) json["assumed_period_ps"] = CycleScale::assumed_period_ps;
    const auto ipc = unit.milli_ipc();
    json["retired_per_cycle"] = ipc ? Json(static_cast<double>(*ipc) / 1000) : Json();
    return json;
}

Json statistics_json(const Statistics& statistics, JsonIntegers integers) {
    Json json;
    json["scopes"] = Json::array();
    for (const Statistics::Unit& unit : statistics.units)
        json["scopes"].push_back(unit_json(unit, integers));
    json["tables"] = Json::array();
    for (const Statistics::Table& table : statistics.tables) {
        Json entry;
        entry["scope"] = table.scope;
        entry["name"] = table.name;
        entry["sets"] = json_integer(table.sets, integers);
        entry["clears"] = json_integer(table.clears, integers);
        entry["adds"] = json_integer(table.adds, integers);
        entry["property_sets"] = json_integer(table.property_sets, integers);
        entry["slots"] = table.slots;
        entry["slots_used"] = table.slots_used;
        entry["highest_occupancy"] = table.highest_occupancy;
        entry["out_of_range"] = json_integer(table.out_of_range, integers);
        json["tables"].push_back(entry);
    }
    json["events"] = Json::array();
    for (const Statistics::Event& event : statistics.events) {
        Json entry;
        entry["scope"] = event.scope;
        entry["name"] = event.name;
        entry["count"] = json_integer(event.count, integers);
        if (event.count != 0) {
            entry["first"] = json_integer(event.first, integers);
            entry["last"] = json_integer(event.last, integers);
        }
        json["events"].push_back(entry);
    }
    json["counters"] = Json::array();
    for (const Statistics::Counter& counter : statistics.counters) {
        Json entry;
        entry["scope"] = counter.scope;
        entry["name"] = counter.name;
        entry["value"] = json_integer(counter.value, integers);
        json["counters"].push_back(entry);
    }
    return json;
}

Json to_json(const FileInfo& info, JsonIntegers integers) {
    Json json;
    json["file"] = info.file;
    json["format"] = info.format->name;
    json["size"] = info.size ? json_integer(*info.size, integers) : Json();
    json["facts"] = Json::object();
    for (const Fact& fact : info.facts)
        add_fact(json["facts"], fact.key, fact_json(fact, integers));
    if (!info.part.empty()) json["part"] = info.part;
    if (info.counts) {
        Json& model = json["model"];
        model["records"] = json_integer(info.counts->records, integers);
        for (std::size_t i = 0; i < kinds; ++i)
            if (const std::uint64_t count = info.counts->records_by_kind[i]; count > 0)
                model[std::string(name_of(static_cast<Kind>(i)))] = json_integer(count, integers);
        if (info.counts->first_time) {
            json["time"]["first"] = json_integer(*info.counts->first_time, integers);
            json["time"]["last"] = json_integer(*info.counts->last_time, integers);
            json["time"]["unit"] = info.unit;
        }
    }
    if (info.activity) json["activity"] = activity_json(info, integers);
    if (info.intervals) json["intervals"] = intervals_json(info, integers);
    if (info.signals) json["signals"] = signals_json(*info.signals, integers);
    if (info.instructions) json["instructions"] = instructions_json(*info.instructions, integers);
    if (info.statistics) json["statistics"] = statistics_json(*info.statistics, integers);
    json["state"] = completeness(info);
    return json;
}

}  // namespace

Exit info_command(const InfoOptions& options) {
    Messages messages = options.common.messages(info_tool);
    if (options.inputs.empty()) fail(Failure::usage, "a file is needed; try hwtrace-info --help");
    if (options.part.any() && options.quick)
        fail(Failure::usage, "--quick cannot be combined with --range, --last or --select");
    options.common.refuse_unused(nullptr);
    if (options.interval == 0) fail(Failure::usage, "--interval 0: takes a number of instructions, at least 1");
    if (options.interval && options.quick)
        fail(Failure::usage, "--interval and --quick cannot be combined: --quick reads no instructions");
    const bool as_json = options.format == "json";
    TextOutput out(STDOUT_FILENO);
    Json json = json_head("hwtrace-info/1", info_tool);
    json["files"] = Json::array();
    Exit result = Exit::done;
    for (const std::string& path : options.inputs) {
        try {
            const FileInfo info = examine(path, options, messages);
            if (as_json)
                json["files"].push_back(to_json(info, options.common.json_integers()));
            else
                print_text(info, messages.volume(), out);
            if (info.broken && !options.allow_incomplete) result = worse(result, Exit::incomplete);
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
