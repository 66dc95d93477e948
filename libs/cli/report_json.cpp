#include <memory>
#include <utility>

#include "cli/json.hpp"

#include <nlohmann/json.hpp>
#include "cli/report_forms.hpp"

namespace hwtrace::cli {

namespace {

constexpr std::string_view tool = "hwtrace-validate";
constexpr std::string_view report_schema = "hwtrace-validate/1";

Json finding_json(const Validation& v, const Finding& finding, JsonIntegers integers) {
    Json json;
    json["rule"] = finding.rule->id;
    json["severity"] = name_of(v.findings.severity(*finding.rule));
    json["title"] = finding.rule->title;
    json["offset"] = json_integer(finding.offset, integers);
    json["length"] = json_integer(v.length_of(finding), integers);
    if (finding.inner_offset) json["inner_offset"] = json_integer(*finding.inner_offset, integers);
    if (finding.ordinal) json["ordinal"] = json_integer(*finding.ordinal, integers);
    if (finding.time) json["time"] = json_integer(*finding.time, integers);
    if (!finding.where.empty()) json["where"] = finding.where;
    if (!finding.expected.empty()) json["expected"] = finding.expected;
    if (!finding.got.empty()) json["found"] = finding.got;
    return json;
}

Json totals_json(const std::map<std::string_view, std::uint64_t>& totals, JsonIntegers integers) {
    Json json = Json::object();
    for (const auto& [id, total] : totals)
        json[std::string(id)] = json_integer(total, integers);
    return json;
}

Json verdict_json(const Validation& v, JsonIntegers integers) {
    Json json;
    json["file"] = v.file;
    json["format"] = v.format == nullptr ? Json() : Json(v.format->name);
    json["verdict"] = v.verdict ? Json(name_of(*v.verdict)) : Json();
    json["level"] = name_of(v.level);
    if (v.shard) json["shard"] = name_of(*v.shard);
    json["errors"] = json_integer(v.errors, integers);
    json["warnings"] = json_integer(v.warnings, integers);
    json["notes"] = json_integer(v.notes, integers);
    json["records"] = json_integer(v.counts.records, integers);
    if (!v.fault.empty()) json["fault"] = v.fault;
    json["totals"] = totals_json(v.findings.totals(), integers);
    if (v.has_baseline) {
        json["known"] = json_integer(v.known, integers);
        json["known_totals"] = totals_json(v.findings.known(), integers);
    }
    return json;
}

}  // namespace

ReportForm json_form(JsonIntegers integers) {
    const auto report = std::make_shared<Json>(json_head(report_schema, tool));
    (*report)["files"] = Json::array();
    const auto file = [report, integers](const Validation& v) {
        Json json = verdict_json(v, integers);
        json["findings"] = Json::array();
        for (const Finding& finding : v.findings.kept())
            json["findings"].push_back(finding_json(v, finding, integers));
        (*report)["files"].push_back(std::move(json));
        return std::string();
    };
    return {.file = file, .end = [report](Exit, std::string_view) { return to_pretty_text(*report); }};
}

ReportForm jsonl_form(JsonIntegers integers) {
    const auto file = [integers](const Validation& v) {
        std::string text;
        for (const Finding& finding : v.findings.kept()) {
            Json line;
            line["type"] = "finding";
            line["file"] = v.file;
            line.update(finding_json(v, finding, integers));
            text += to_text(line) + "\n";
        }
        Json line;
        line["type"] = "verdict";
        line.update(verdict_json(v, integers));
        return text + to_text(line) + "\n";
    };
    return {.head = to_text(json_head(report_schema, tool)) + "\n", .file = file, .end = [](Exit, std::string_view) {
                return std::string();
            }};
}

}  // namespace hwtrace::cli
