#include "cli/diff_report.hpp"

#include <fmt/format.h>

#include <nlohmann/json.hpp>

#include <algorithm>

#include "domain/length_summary.hpp"
#include "domain/value_text.hpp"
#include "views/signal_statistics.hpp"

namespace hwtrace::cli {

namespace {

constexpr std::array<std::string_view, 2> names{"A", "B"};

std::string track_name(const CommonTrack& track) {
    return fmt::format("{} {}", name_of(track.kind), name_text(track.path));
}

/// Returns the counts as in "3 equal, 1 different, 2 only in A".
std::string counts_text(const TrackCounts& counts) {
    std::string text = fmt::format("{} equal", counts.equal);
    if (counts.different != 0) text += fmt::format(", {} different", counts.different);
    for (const std::size_t side : both_sides)
        if (counts.only[side] != 0) text += fmt::format(", {} only in {}", counts.only[side], names[side]);
    return text;
}

/// Returns at most 200 bytes of a string, made printable.
std::string shortened(const std::string& text) {
    constexpr std::size_t most = 200;
    return text.size() <= most ? printable(text) : printable(text.substr(0, most)) + "...";
}

/// Returns the mark "<" of A or ">" of B and a text, in the colour of the side.
std::string of_side(std::size_t side, const std::string& text, Colour colour) {
    return painted((side == 0 ? "< " : "> ") + text, side == 0 ? Paint::red : Paint::green, colour);
}

void append_schema(const std::vector<SchemaDifference>& differences, Colour colour, std::string& text) {
    for (const SchemaDifference& difference : differences) {
        text += fmt::format("{} {}", difference.what, difference.subject);
        const auto& values = difference.values;
        if (values[0] && values[1]) {
            text += fmt::format(" differs\n  {}\n  {}\n", of_side(0, shortened(*values[0]), colour),
                                of_side(1, shortened(*values[1]), colour));
            continue;
        }
        const std::size_t side = values[0] ? 0 : 1;
        text += fmt::format(" is only in {}", names[side]);
        if (!values[side]->empty()) text += "\n  " + of_side(side, shortened(*values[side]), colour);
        text += "\n";
    }
}

std::string what_of(const Difference& difference) {
    if (difference.missing) return fmt::format("only in {}", names[1 - *difference.missing]);
    return fmt::format("{}", fmt::join(difference.parts, ", "));
}

void append_difference(const ShownDifference& shown, const Comparison& comparison, std::string_view title,
                       Colour colour, std::string& text) {
    const Difference& difference = shown.difference;
    text += fmt::format("{}in {}: {}\n", title, track_name(comparison.tracks[difference.track]), what_of(difference));
    for (const std::size_t side : both_sides) {
        for (const ShownRecord& record : shown.records[side]) {
            const bool meant = difference.missing != side && record.position == difference.position[side];
            const std::string line = fmt::format("{}#{} {}", names[side], record.position, record.line);
            text += fmt::format("  {}\n", meant ? of_side(side, line, colour) : "  " + line);
        }
    }
}

std::string last_line(const DiffReport& report, const TrackCounts& totals, Colour colour) {
    std::string text = fmt::format("{}: {}", verdict_text(report.equal, colour), counts_text(totals));
    const std::size_t others = report.comparison.schema.size();
    if (others != 0) text += fmt::format(", {} outside the records", counted(others, "difference"));
    return text + "\n";
}

/// Returns the number of records that a trace that ends early has in common with the other one.
std::uint64_t whole_records(const Comparison& comparison, std::size_t side) {
    return comparison.records[side] - comparison.totals().only[side];
}

/// Returns the digits of a number without its sign.
std::string decimal(WideTick number) {
    return decimal_text(number < 0 ? WideSum{0} - static_cast<WideSum>(number) : static_cast<WideSum>(number));
}

Json counts_json(const TrackCounts& counts, JsonIntegers integers) {
    Json json;
    json["equal"] = json_integer(counts.equal, integers);
    json["different"] = json_integer(counts.different, integers);
    json["only_in_a"] = json_integer(counts.only[0], integers);
    json["only_in_b"] = json_integer(counts.only[1], integers);
    return json;
}

Json record_json(const ShownDifference& shown, std::size_t side, JsonIntegers integers) {
    const auto& position = shown.difference.position[side];
    if (shown.difference.missing == side || !position) return nullptr;
    Json json;
    json["position"] = json_integer(*position, integers);
    const auto same = [&](const ShownRecord& record) { return record.position == *position; };
    const auto found = std::ranges::find_if(shown.records[side], same);
    if (found != shown.records[side].end()) json["record"] = found->line;
    return json;
}

}  // namespace

std::string verdict_text(bool equal, Colour colour) {
    return equal ? painted("equal", Paint::green, colour) : painted("different", Paint::red, colour);
}

std::string diff_text(const DiffReport& report, bool all_tracks, Colour colour) {
    const Comparison& comparison = report.comparison;
    std::string text;
    for (const std::size_t side : both_sides)
        text += fmt::format("{}: {} ({}), {}\n", names[side], printable(report.files[side]), report.formats[side],
                            counted(comparison.records[side], "record"));
    for (const TimeShift& shift : comparison.shifts)
        text += fmt::format("B is {} {} {} than A; this offset was removed\n", decimal(shift.ticks),
                            unit_of(shift.base), shift.ticks < 0 ? "earlier" : "later");
    append_schema(comparison.schema, colour, text);
    const TrackCounts totals = comparison.totals();
    if (const auto side = comparison.ends_early) {
        text += fmt::format("{} ends after record {}: {} of {} follow{}\n", names[*side],
                            whole_records(comparison, *side), counted(totals.only[1 - *side], "record"),
                            names[1 - *side], totals.only[1 - *side] == 1 ? "s" : "");
        return text + last_line(report, totals, colour);
    }
    for (std::size_t i = 0; i < report.differences.size(); ++i)
        append_difference(report.differences[i], comparison, i == 0 ? "first difference, " : "", colour, text);
    const std::uint64_t differences = totals.different + totals.only[0] + totals.only[1];
    if (differences > report.differences.size())
        text += fmt::format("{} more (--max-differences)\n", differences - report.differences.size());
    for (std::size_t i = 0; i < comparison.tracks.size(); ++i)
        if (all_tracks || !comparison.counts[i].same())
            text += fmt::format("{}: {}\n", track_name(comparison.tracks[i]), counts_text(comparison.counts[i]));
    return text + last_line(report, totals, colour);
}

std::string diff_json(const DiffReport& report, JsonIntegers integers) {
    const Comparison& comparison = report.comparison;
    Json json = json_head("hwtrace-diff/1", "hwtrace-diff");
    json["equal"] = report.equal;
    for (const std::size_t side : both_sides) {
        Json& trace = json[side == 0 ? "a" : "b"];
        trace["file"] = report.files[side];
        trace["format"] = report.formats[side];
        trace["records"] = json_integer(comparison.records[side], integers);
        trace["complete"] = report.complete[side];
    }
    if (comparison.has_offset) {
        json["constant_offset"] = *comparison.has_offset;
        json["shifts"] = Json::array();
        for (const TimeShift& shift : comparison.shifts)
            json["shifts"].push_back(
                {{"unit", unit_of(shift.base)}, {"ticks", (shift.ticks < 0 ? "-" : "") + decimal(shift.ticks)}});
    }
    if (const auto side = comparison.ends_early) {
        json["ends_early"]["trace"] = *side == 0 ? "a" : "b";
        json["ends_early"]["after_record"] = json_integer(whole_records(comparison, *side), integers);
    }
    json["counts"] = counts_json(comparison.totals(), integers);
    json["schema_differences"] = Json::array();
    for (const SchemaDifference& difference : comparison.schema) {
        Json entry;
        entry["what"] = difference.what;
        entry["subject"] = difference.subject;
        entry["a"] = difference.values[0] ? Json(*difference.values[0]) : Json(nullptr);
        entry["b"] = difference.values[1] ? Json(*difference.values[1]) : Json(nullptr);
        json["schema_differences"].push_back(entry);
    }
    json["differences"] = Json::array();
    for (const ShownDifference& shown : report.differences) {
        Json entry;
        entry["kind"] = name_of(comparison.tracks[shown.difference.track].kind);
        entry["track"] = comparison.tracks[shown.difference.track].path;
        entry["parts"] = shown.difference.parts;
        entry["a"] = record_json(shown, 0, integers);
        entry["b"] = record_json(shown, 1, integers);
        json["differences"].push_back(entry);
    }
    json["tracks"] = Json::array();
    for (std::size_t i = 0; i < comparison.tracks.size(); ++i) {
        Json entry;
        entry["kind"] = name_of(comparison.tracks[i].kind);
        entry["track"] = comparison.tracks[i].path;
        entry.update(counts_json(comparison.counts[i], integers));
        json["tracks"].push_back(entry);
    }
    return to_pretty_text(json);
}

}  // namespace hwtrace::cli
