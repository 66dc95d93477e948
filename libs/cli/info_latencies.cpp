#include "cli/info_latencies.hpp"

#include <fmt/format.h>

#include <nlohmann/json.hpp>

#include <algorithm>
#include <utility>
#include <vector>

#include "cli/info_lengths.hpp"
#include "cli/info_table.hpp"
#include "domain/value_text.hpp"

namespace hwtrace::cli {

namespace {

std::string hundredths(std::uint64_t value) {
    return fmt::format("{}.{:02}", value / 100, value % 100);
}

/// Returns 10^6 operations per second as "0.307 TOPS".
std::string tops_text(std::uint64_t mops) {
    const std::uint64_t rounded = mops / 1000 + (mops % 1000 >= 500 ? 1 : 0);
    return fmt::format("{}.{:03} TOPS", rounded / 1000, rounded % 1000);
}

std::string window_text(std::uint64_t width, const std::string& unit) {
    return ticks_cell(static_cast<double>(width), unit).value_or(fmt::format("{} {}", width, unit));
}

void print_arrivals(const FileInfo& info, Volume volume, TextOutput& out) {
    const auto name_of = [](const Arrivals::OfTrack& track) { return full_name(track.scope, track.name); };
    print_lengths(
        "time between begins", info.unit, info.arrivals->tracks, name_of,
        [](const Arrivals::OfTrack& track) -> const LengthSummary& { return track.gaps; }, volume, out);
    // The window is a column only if tracks have different units of time.
    std::vector<std::uint64_t> widths;
    for (const Arrivals::OfTrack& track : info.arrivals->tracks)
        widths.push_back(track.throughput ? track.throughput->width : widths.empty() ? 0 : widths.front());
    const bool one_width = std::ranges::all_of(widths, [&](std::uint64_t width) { return width == widths.front(); });
    const std::string unit = info.unit;
    InfoTable({{one_width ? "begins per window of " + window_text(widths.front(), unit) : "begins per window", {}},
               {one_width ? std::string() : time_heading("window", unit), {}},
               {"begins", {}},
               {"windows", {}},
               {"most", {}},
               {"mean", {}}},
              info.arrivals->tracks,
              [&](const Arrivals::OfTrack& track) {
                  const auto& rate = track.throughput;
                  std::vector<InfoValue> cells{name_of(track), rate ? time_cell(rate->width, unit) : InfoValue(),
                                               track.begins};
                  if (rate) {
                      const double mean = static_cast<double>(track.begins) / static_cast<double>(rate->windows);
                      cells.insert(cells.end(), {rate->windows, rate->most, fmt::format("{:.3f}", mean)});
                  }
                  cells.resize(6);
                  return cells;
              })
        .print(volume, out);
}

std::string name_of(const RelationLatencies::OfPair& pair) {
    return fmt::format("{}: {} -> {}", name_text(pair.relation), full_name(pair.from_scope, pair.from),
                       full_name(pair.to_scope, pair.to));
}

void print_relations(const FileInfo& info, Volume volume, TextOutput& out) {
    const RelationLatencies& relations = *info.relations;
    print_lengths(
        "begin to end of relations", info.unit, relations.pairs, name_of,
        [](const RelationLatencies::OfPair& pair) -> const LengthSummary& { return pair.latency; }, volume, out);
    const auto note = [&](std::uint64_t count, std::string_view why) {
        if (count != 0) out.put(fmt::format("    not measured: {}{}\n", counted(count, "relation"), why));
    };
    std::uint64_t backwards = 0;
    for (const RelationLatencies::OfPair& pair : relations.pairs)
        backwards += pair.backwards;
    note(backwards, " whose second interval ends before the first one begins");
    note(relations.unmatched, " to intervals that are missing or more than 500,000 intervals away");
    note(relations.other_units, " between different units of time");
    note(relations.omitted, " of pairs beyond the first 256");
}

void print_names(const FileInfo& info, Volume volume, TextOutput& out) {
    print_lengths(
        "durations by name", info.unit, info.names->names,
        [](const DurationsByName::OfName& name) { return name_text(name.type) + " " + name.name; },
        [](const DurationsByName::OfName& name) -> const LengthSummary& { return name.durations; }, volume, out);
    if (info.names->omitted != 0)
        out.put(fmt::format("    and {} with other names\n", counted(info.names->omitted, "interval")));
}

void print_roofline(const Roofline& roofline, const std::string& unit, TextOutput& out) {
    const auto line = [&](std::string_view key, std::string_view value) {
        out.put(fmt::format("    {:<22}  {}\n", key, value));
    };
    out.put("  roofline inputs\n");
    if (!roofline.peak_tops.empty()) line("peak, header", name_text(roofline.peak_tops) + " TOPS");
    if (const auto mops = roofline.array_mops())
        line("peak of one array", fmt::format("{} ({} x {} at {} MHz)", tops_text(*mops), roofline.rows,
                                              roofline.columns, roofline.clock_mhz));
    line("matrix work", fmt::format("{} {} in {}", roofline.compute, unit, roofline.span));
    line("memory traffic", fmt::format("{} {} reading, {} writing", roofline.reads, unit, roofline.writes));
    if (const auto balance = roofline.balance())
        line("matrix work / traffic", fmt::format("{} (the trace states no bytes)", hundredths(*balance)));
    if (const auto mops = roofline.attained_mops()) line("attained, at most", tops_text(*mops));
}

Json arrivals_json(const FileInfo& info, JsonIntegers integers) {
    Json json;
    json["unit"] = info.unit;
    json["tracks"] = Json::array();
    for (const Arrivals::OfTrack& track : info.arrivals->tracks) {
        Json entry;
        entry["scope"] = track.scope;
        entry["name"] = track.name;
        entry["begins"] = json_integer(track.begins, integers);
        entry["gaps"] = Json::object();
        append_lengths(track.gaps, {}, integers, entry["gaps"]);
        if (track.throughput) {
            entry["window"] = json_integer(track.throughput->width, integers);
            entry["windows"] = json_integer(track.throughput->windows, integers);
            entry["most_per_window"] = json_integer(track.throughput->most, integers);
            entry["mean_per_window"] =
                static_cast<double>(track.begins) / static_cast<double>(track.throughput->windows);
        }
        json["tracks"].push_back(std::move(entry));
    }
    return json;
}

Json relations_json(const FileInfo& info, JsonIntegers integers) {
    const RelationLatencies& relations = *info.relations;
    Json json;
    json["unit"] = info.unit;
    json["pairs"] = Json::array();
    for (const RelationLatencies::OfPair& pair : relations.pairs) {
        Json entry;
        entry["name"] = pair.relation;
        entry["from_scope"] = pair.from_scope;
        entry["from"] = pair.from;
        entry["to_scope"] = pair.to_scope;
        entry["to"] = pair.to;
        entry["count"] = json_integer(pair.latency.count + pair.backwards, integers);
        entry["backwards"] = json_integer(pair.backwards, integers);
        append_lengths(pair.latency, {}, integers, entry);
        json["pairs"].push_back(std::move(entry));
    }
    json["unmatched"] = json_integer(relations.unmatched, integers);
    json["other_units"] = json_integer(relations.other_units, integers);
    json["omitted"] = json_integer(relations.omitted, integers);
    return json;
}

Json names_json(const FileInfo& info, JsonIntegers integers) {
    Json json;
    json["unit"] = info.unit;
    json["names"] = Json::array();
    for (const DurationsByName::OfName& name : info.names->names) {
        Json entry;
        entry["type"] = name.type;
        entry["name"] = name.name;
        entry["intervals"] = json_integer(name.durations.count, integers);
        append_lengths(name.durations, {"shortest", "longest"}, integers, entry);
        json["names"].push_back(std::move(entry));
    }
    json["omitted"] = json_integer(info.names->omitted, integers);
    return json;
}

Json roofline_json(const Roofline& roofline, const std::string& unit, JsonIntegers integers) {
    Json json;
    json["peak_tops"] = roofline.peak_tops.empty() ? Json() : Json(roofline.peak_tops);
    json["rows"] = json_integer(roofline.rows, integers);
    json["columns"] = json_integer(roofline.columns, integers);
    json["clock_mhz"] = json_integer(roofline.clock_mhz, integers);
    json["unit"] = unit;
    json["compute"] = json_integer(roofline.compute, integers);
    json["reads"] = json_integer(roofline.reads, integers);
    json["writes"] = json_integer(roofline.writes, integers);
    json["span"] = json_integer(roofline.span, integers);
    const auto array = roofline.array_mops(), attained = roofline.attained_mops(), balance = roofline.balance();
    json["array_tops"] = array ? Json(static_cast<double>(*array) / 1e6) : Json();
    json["attained_tops_at_most"] = attained ? Json(static_cast<double>(*attained) / 1e6) : Json();
    json["compute_per_traffic"] = balance ? Json(static_cast<double>(*balance) / 100) : Json();
    return json;
}

}  // namespace

void print_latencies(const FileInfo& info, Volume volume, TextOutput& out) {
    if (info.arrivals) print_arrivals(info, volume, out);
    if (info.relations) print_relations(info, volume, out);
    if (info.names) print_names(info, volume, out);
    if (info.roofline) print_roofline(*info.roofline, info.unit, out);
}

void append_latencies(const FileInfo& info, JsonIntegers integers, Json& json) {
    if (info.arrivals) json["arrivals"] = arrivals_json(info, integers);
    if (info.relations) json["relations"] = relations_json(info, integers);
    if (info.names) json["names"] = names_json(info, integers);
    if (info.roofline) json["roofline"] = roofline_json(*info.roofline, info.unit, integers);
}

void print_stages(const Statistics::Unit& unit, Volume volume, TextOutput& out) {
    const StageLatencies& latencies = unit.latencies;
    std::vector<StageLatencies::Stage> rows;
    if (latencies.lifetimes.count != 0) rows.push_back({"begin to end", latencies.lifetimes});
    for (const StageLatencies::Stage& stage : latencies.stages)
        rows.push_back({shown_name(stage.name), stage.cycles});
    print_lengths(
        "stage", "cycles", rows, [](const StageLatencies::Stage& stage) { return stage.name; },
        [](const StageLatencies::Stage& stage) -> const LengthSummary& { return stage.cycles; }, volume, out);
    InfoTable({{"reason to wait", {}}, {"times", {}}}, latencies.reasons, [](const StageLatencies::Reason& reason) {
        return std::vector<InfoValue>{fmt::format("{} {}", reason.what, reason.name), reason.times};
    }).print(volume, out);
}

void append_stages(const StageLatencies& latencies, JsonIntegers integers, Json& json) {
    if (latencies.lifetimes.count != 0) append_lengths(latencies.lifetimes, {}, integers, json["lifetimes"]);
    json["stages"] = Json::array();
    for (const StageLatencies::Stage& stage : latencies.stages) {
        Json entry;
        entry["name"] = stage.name;
        entry["count"] = json_integer(stage.cycles.count, integers);
        append_lengths(stage.cycles, {}, integers, entry);
        json["stages"].push_back(std::move(entry));
    }
    json["reasons"] = Json::array();
    for (const StageLatencies::Reason& reason : latencies.reasons)
        json["reasons"].push_back(
            {{"what", reason.what}, {"name", reason.name}, {"times", json_integer(reason.times, integers)}});
}

}  // namespace hwtrace::cli
