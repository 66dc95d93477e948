#include "cli/info_intervals.hpp"

#include <fmt/format.h>

#include <nlohmann/json.hpp>

#include <algorithm>
#include <array>
#include <cstdint>
#include <limits>
#include <span>
#include <utility>
#include <vector>

#include "cli/info_lengths.hpp"
#include "cli/info_table.hpp"
#include "cli/quantities.hpp"
#include "domain/conventions.hpp"
#include "domain/protocols.hpp"
#include "domain/value_text.hpp"

namespace hwtrace::cli {

namespace {

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

InfoTable table_of(const ActivityTable& table, const std::string& unit) {
    return {{{std::string(table.title), ""},
             {"", "name"},
             {"intervals", "intervals", 12},
             {"busy", "busy", 20},
             {"total", "total", 20},
             {"utilisation", "", 11},
             {"", "utilisation_percent"}},
            table.rows,
            [&](const ActivityRow& row) {
                const InfoValue part =
                    row.share ? InfoValue(static_cast<double>(*row.share) / 100) : InfoValue(nullptr);
                return std::vector<InfoValue>{shown_name(row.name),
                                              row.name,
                                              row.busy.intervals,
                                              time_cell(saturated(row.busy.busy), unit),
                                              time_cell(saturated(row.busy.total), unit),
                                              percent(row.share),
                                              part};
            }};
}

/// A row of a table of intervals.
struct IntervalRow {
    std::string scope, name;  ///< a row of a scope has no name
    const IntervalSummary* summary;
};

std::vector<IntervalRow> rows_of(const std::vector<IntervalStatistics::OfScope>& scopes) {
    std::vector<IntervalRow> rows;
    for (const IntervalStatistics::OfScope& scope : scopes)
        rows.push_back({scope.name, {}, &scope.summary});
    return rows;
}

std::vector<IntervalRow> rows_of(const std::vector<IntervalStatistics::OfTrack>& tracks) {
    std::vector<IntervalRow> rows;
    for (const IntervalStatistics::OfTrack& track : tracks)
        rows.push_back({track.scope, track.name, &track.summary});
    return rows;
}

enum class Rows : std::uint8_t { scopes, tracks };

/// Calls `make` with the time in 64 bits: signed before 0, otherwise unsigned, because an end may be after the last
/// Tick. Returns the result.
template <typename Make>
auto in_64_bits(WideTick time, Make make) {
    constexpr WideTick earliest = std::numeric_limits<Tick>::min();
    return time < 0 ? make(static_cast<Tick>(std::max(time, earliest))) : make(saturated(time));
}

std::string title_of(const IntervalRow& row, Rows rows) {
    return rows == Rows::scopes ? shown_name(row.scope) : full_name(row.scope, row.name);
}

/// Returns the table of counts and times.
InfoTable time_table(const std::vector<IntervalRow>& list, Rows rows, const std::string& unit) {
    return {{{rows == Rows::scopes ? "intervals by scope" : "intervals by track", {}},
             {"intervals", {}},
             {time_heading("first", unit), {}},
             {"last end", {}},
             {"total", {}}},
            list,
            [&](const IntervalRow& row) {
                const LengthSummary& durations = row.summary->durations;
                std::vector<InfoValue> cells{title_of(row, rows), durations.count};
                const auto total = ticks_cell(static_cast<double>(durations.total), unit);
                const auto cell = [&](auto time) { return time_cell(time, unit); };
                if (durations.count != 0)
                    cells.insert(cells.end(),
                                 {in_64_bits(row.summary->first, cell), in_64_bits(row.summary->last, cell),
                                  total.value_or(decimal_text(durations.total))});
                cells.resize(5);
                return cells;
            }};
}

void print_durations(const std::vector<IntervalRow>& list, Rows rows, const std::string& unit, Volume volume,
                     TextOutput& out) {
    print_lengths(
        rows == Rows::scopes ? "durations by scope" : "durations by track", unit, list,
        [&](const IntervalRow& row) { return title_of(row, rows); },
        [](const IntervalRow& row) -> const LengthSummary& { return row.summary->durations; }, volume, out);
}

Json interval_json(const IntervalRow& row, Rows rows, JsonIntegers integers) {
    Json json;
    if (rows == Rows::tracks) json["scope"] = row.scope;
    json["name"] = rows == Rows::tracks ? row.name : row.scope;
    const LengthSummary& durations = row.summary->durations;
    json["intervals"] = json_integer(durations.count, integers);
    if (durations.count == 0) return json;
    const auto integer = [&](auto time) { return json_integer(time, integers); };
    json["first"] = in_64_bits(row.summary->first, integer);
    json["last_end"] = in_64_bits(row.summary->last, integer);
    append_lengths(durations, {"shortest", "longest"}, integers, json);
    json["median_exact"] = durations.precision == Precision::exact;
    return json;
}

/// Returns the attributes of some tracks. JSON lists them by track.
InfoTable attribute_table(std::span<const IntervalStatistics::OfTrack> tracks) {
    struct Row {
        const IntervalStatistics::OfTrack* track;
        const IntervalStatistics::Attribute* attribute;
    };
    std::vector<Row> rows;
    for (const IntervalStatistics::OfTrack& track : tracks)
        for (const IntervalStatistics::Attribute& attribute : track.attributes)
            rows.push_back({&track, &attribute});
    return {{{"attribute", ""}, {"", "name"}, {"stated", "phase"}, {"type", "type"}, {"times", "times"}},
            rows,
            [](const Row& row) {
                return std::vector<InfoValue>{
                    full_name(row.track->scope, row.track->name) + " " + name_text(row.attribute->name),
                    row.attribute->name, std::string(name_of(row.attribute->phase)),
                    std::string(name_of(row.attribute->type)), row.attribute->count};
            }};
}

}  // namespace

void print_activity(const FileInfo& info, Volume volume, TextOutput& out) {
    const Activity& activity = *info.activity;
    const auto span = static_cast<std::int64_t>(std::min<std::uint64_t>(saturated(activity.span), INT64_MAX));
    out.put(fmt::format("  {:<24} of {} ({})\n", "activity", time_text(span, info.unit), span_source(activity)));
    for (const ActivityTable& table : tables_of(activity))
        if (table.key != "tracks" || volume == Volume::verbose)
            table_of(table, info.unit).print(volume, out, InfoTable::Empty::headings);
    if (const ActivityTable matrix = matrix_table(activity); !matrix.rows.empty())
        table_of(matrix, info.unit).print(volume, out);
}

void print_intervals(const FileInfo& info, Volume volume, TextOutput& out) {
    const std::vector<IntervalRow> scopes = rows_of(info.intervals->scopes), tracks = rows_of(info.intervals->tracks);
    if (scopes.size() < tracks.size()) {  // otherwise, each track has a scope of its own
        time_table(scopes, Rows::scopes, info.unit).print(volume, out);
        print_durations(scopes, Rows::scopes, info.unit, volume, out);
    }
    time_table(tracks, Rows::tracks, info.unit).print(volume, out);
    print_durations(tracks, Rows::tracks, info.unit, volume, out);
    if (volume == Volume::verbose) attribute_table(info.intervals->tracks).print(volume, out);
}

Json activity_json(const FileInfo& info, JsonIntegers integers) {
    const Activity& activity = *info.activity;
    Json json;
    json["span"] = json_integer(saturated(activity.span), integers);
    json["span_from"] = span_source(activity);
    json["unit"] = info.unit;
    for (const ActivityTable& table : tables_of(activity))
        json[std::string(table.key)] = table_of(table, info.unit).json(integers);
    return json;
}

Json intervals_json(const FileInfo& info, JsonIntegers integers) {
    const IntervalStatistics& intervals = *info.intervals;
    Json json;
    json["unit"] = info.unit;
    json["scopes"] = Json::array();
    for (const IntervalRow& row : rows_of(intervals.scopes))
        json["scopes"].push_back(interval_json(row, Rows::scopes, integers));
    json["tracks"] = Json::array();
    for (const IntervalRow& row : rows_of(intervals.tracks))
        json["tracks"].push_back(interval_json(row, Rows::tracks, integers));
    for (std::size_t i = 0; i < intervals.tracks.size(); ++i)
        json["tracks"][i]["attributes"] = attribute_table(std::span(intervals.tracks).subspan(i, 1)).json(integers);
    return json;
}

}  // namespace hwtrace::cli
