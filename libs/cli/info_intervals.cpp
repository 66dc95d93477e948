#include "cli/info_intervals.hpp"

#include <fmt/format.h>

#include <nlohmann/json.hpp>

#include <array>
#include <span>
#include <utility>
#include <vector>

#include "cli/info_table.hpp"
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

InfoTable table_of(const ActivityTable& table) {
    return {
        {{std::string(table.title), ""},
         {"", "name"},
         {"intervals", "intervals", 12},
         {"busy", "busy", 20},
         {"total", "total", 20},
         {"utilisation", "", 11},
         {"", "utilisation_percent"}},
        table.rows,
        [](const ActivityRow& row) {
            const InfoValue part = row.share ? InfoValue(static_cast<double>(*row.share) / 100) : InfoValue(nullptr);
            return std::vector<InfoValue>{
                shown_name(row.name), row.name, row.busy.intervals, saturated(row.busy.busy), saturated(row.busy.total),
                percent(row.share),   part};
        }};
}

/// Returns a table of intervals. `names` are the first columns, and `names_of(row)` their values.
template <typename Rows, typename NamesOf>
InfoTable interval_table(std::vector<InfoColumn> names, const std::string& unit, const Rows& rows, NamesOf&& names_of) {
    names.insert(names.end(), {{"intervals", "intervals"},
                               {fmt::format("first, {}", unit), "first"},
                               {"last end", "last_end"},
                               {"shortest", "shortest"},
                               {"median", ""},
                               {"", "median"},
                               {"", "median_exact"},
                               {"longest", "longest"}});
    return {std::move(names), rows, [&](const auto& row) {
                const IntervalSummary& summary = row.summary;
                std::vector<InfoValue> cells = names_of(row);
                cells.emplace_back(summary.count);
                if (summary.count == 0) {
                    cells.resize(cells.size() + 7);
                    if (!summary.exact_median) cells[cells.size() - 4] = "~-";
                    return cells;
                }
                cells.insert(cells.end(), {saturated(summary.first), saturated(summary.last), summary.shortest,
                                           (summary.exact_median ? "" : "~") + std::to_string(summary.median),
                                           summary.median, summary.exact_median, summary.longest});
                return cells;
            }};
}

InfoTable scope_intervals(const FileInfo& info) {
    return interval_table({{"intervals by scope", ""}, {"", "name"}}, info.unit, info.intervals->scopes,
                          [](const IntervalStatistics::OfScope& scope) {
                              return std::vector<InfoValue>{shown_name(scope.name), scope.name};
                          });
}

InfoTable track_intervals(const FileInfo& info) {
    return interval_table(
        {{"intervals by track", ""}, {"", "scope"}, {"", "name"}}, info.unit, info.intervals->tracks,
        [](const IntervalStatistics::OfTrack& track) {
            return std::vector<InfoValue>{full_name(track.scope, track.name), track.scope, track.name};
        });
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
    out.put(fmt::format("  {:<24} of {} {} ({})\n", "activity", saturated(activity.span), info.unit,
                        span_source(activity)));
    for (const ActivityTable& table : tables_of(activity))
        if (table.key != "tracks" || volume == Volume::verbose)
            table_of(table).print(volume, out, InfoTable::Empty::headings);
    if (const ActivityTable matrix = matrix_table(activity); !matrix.rows.empty()) table_of(matrix).print(volume, out);
}

void print_intervals(const FileInfo& info, Volume volume, TextOutput& out) {
    scope_intervals(info).print(volume, out);
    track_intervals(info).print(volume, out);
    if (volume == Volume::verbose) attribute_table(info.intervals->tracks).print(volume, out);
}

Json activity_json(const FileInfo& info, JsonIntegers integers) {
    const Activity& activity = *info.activity;
    Json json;
    json["span"] = json_integer(saturated(activity.span), integers);
    json["span_from"] = span_source(activity);
    json["unit"] = info.unit;
    for (const ActivityTable& table : tables_of(activity))
        json[std::string(table.key)] = table_of(table).json(integers);
    return json;
}

Json intervals_json(const FileInfo& info, JsonIntegers integers) {
    Json json;
    json["unit"] = info.unit;
    json["scopes"] = scope_intervals(info).json(integers);
    Json& tracks = json["tracks"] = track_intervals(info).json(integers);
    for (std::size_t i = 0; i < tracks.size(); ++i)
        tracks[i]["attributes"] = attribute_table(std::span(info.intervals->tracks).subspan(i, 1)).json(integers);
    return json;
}

}  // namespace hwtrace::cli
