#include "cli/validation_report.hpp"

#include <fmt/format.h>
#include <unistd.h>

#include <utility>

#include "cli/json.hpp"
#include "io/cursor.hpp"
#include "io/descriptor.hpp"
#include "io/error.hpp"

namespace hwtrace::cli {

namespace {

constexpr std::string_view tool = "hwtrace-validate";
constexpr std::string_view schema = "hwtrace-validate/1";

std::string counted(std::uint64_t count, std::string_view what) {
    return fmt::format("{} {}{}", count, what, count == 1 ? "" : "s");
}

std::string verdict_line(const Validation& v) {
    if (!v.verdict) return fmt::format("{}: not checked: {}\n", printable(v.file), printable(v.fault));
    return fmt::format("{}: {} ({}, {}, {}; {})\n", printable(v.file), name_of(*v.verdict), counted(v.errors, "error"),
                       counted(v.warnings, "warning"), counted(v.notes, "note"),
                       v.level == CheckLevel::quick ? "records were not looked at" : counted(v.records, "record"));
}

std::string text_of(const Validation& v, Volume volume) {
    std::string text;
    if (volume != Volume::quiet) {
        for (const Finding& finding : v.findings.kept()) {
            text += fmt::format("{}: {}\n", printable(v.file),
                                finding_text(finding, v.findings.severity(*finding.rule), Colour::off));
            if (volume == Volume::verbose) text += fmt::format("{}:   {}\n", printable(v.file), finding.rule->why);
        }
    }
    return text + verdict_line(v);
}

Json finding_json(const Finding& finding, Severity severity, JsonIntegers integers) {
    Json json;
    json["rule"] = finding.rule->id;
    json["severity"] = name_of(severity);
    json["title"] = finding.rule->title;
    json["offset"] = json_integer(finding.offset, integers);
    if (finding.inner_offset) json["inner_offset"] = json_integer(*finding.inner_offset, integers);
    if (finding.ordinal) json["ordinal"] = json_integer(*finding.ordinal, integers);
    if (finding.time) json["time"] = json_integer(*finding.time, integers);
    if (!finding.where.empty()) json["where"] = finding.where;
    if (!finding.expected.empty()) json["expected"] = finding.expected;
    if (!finding.got.empty()) json["found"] = finding.got;
    return json;
}

Json verdict_json(const Validation& v, JsonIntegers integers) {
    Json json;
    json["file"] = v.file;
    json["format"] = v.format.empty() ? Json() : Json(v.format);
    json["verdict"] = v.verdict ? Json(name_of(*v.verdict)) : Json();
    json["level"] = name_of(v.level);
    json["errors"] = json_integer(v.errors, integers);
    json["warnings"] = json_integer(v.warnings, integers);
    json["notes"] = json_integer(v.notes, integers);
    json["records"] = json_integer(v.records, integers);
    if (!v.fault.empty()) json["fault"] = v.fault;
    json["totals"] = Json::object();
    for (const auto& [id, total] : v.findings.totals())
        json["totals"][std::string(id)] = json_integer(total, integers);
    return json;
}

std::string lines_of(const Validation& v, JsonIntegers integers) {
    std::string text;
    for (const Finding& finding : v.findings.kept()) {
        Json line;
        line["type"] = "finding";
        line["file"] = v.file;
        line.update(finding_json(finding, v.findings.severity(*finding.rule), integers));
        text += to_text(line) + "\n";
    }
    Json line;
    line["type"] = "verdict";
    line.update(verdict_json(v, integers));
    return text + to_text(line) + "\n";
}

}  // namespace

ReportOptions parse_report(std::string_view text) {
    const std::size_t equals = text.find('=');
    const std::string_view form = text.substr(0, equals);
    ReportOptions options;
    if (form == "text")
        options.form = ReportForm::text;
    else if (form == "json")
        options.form = ReportForm::json;
    else if (form == "jsonl")
        options.form = ReportForm::jsonl;
    else
        fail(Failure::usage, fmt::format("--report takes text, json or jsonl, each with =FILE or not, not '{}'", text));
    if (equals != std::string_view::npos) {
        options.path = text.substr(equals + 1);
        if (options.path.empty()) fail(Failure::usage, fmt::format("--report {}: the file's name is missing", text));
        if (options.path == "-") options.path.clear();
    }
    return options;
}

struct Report::State {
    ReportForm form;
    Volume volume;
    JsonIntegers integers;
    std::unique_ptr<Output> file;  ///< none: standard output
    Json json;

    void write(std::string_view text) {
        if (file)
            file->append(as_bytes(text));
        else
            write_stream(STDOUT_FILENO, as_bytes(text));
    }
};

Report::Report(const ReportOptions& options, Volume volume, JsonIntegers integers,
               const std::vector<std::optional<Input::Identity>>& inputs)
    : state_(std::make_unique<State>()) {
    state_->form = options.form;
    state_->volume = volume;
    state_->integers = integers;
    if (!options.path.empty()) state_->file = open_file_output(options.path, Existing::replace, inputs);
    if (options.form == ReportForm::json) {
        state_->json = json_head(schema, tool);
        state_->json["files"] = Json::array();
    } else if (options.form == ReportForm::jsonl) {
        state_->write(to_text(json_head(schema, tool)) + "\n");
    }
}

Report::~Report() = default;
Report::Report(Report&&) noexcept = default;

void Report::add(const Validation& validation) {
    switch (state_->form) {
        case ReportForm::text:
            state_->write(text_of(validation, state_->volume));
            break;
        case ReportForm::jsonl:
            state_->write(lines_of(validation, state_->integers));
            break;
        case ReportForm::json: {
            Json json = verdict_json(validation, state_->integers);
            json["findings"] = Json::array();
            for (const Finding& finding : validation.findings.kept())
                json["findings"].push_back(
                    finding_json(finding, validation.findings.severity(*finding.rule), state_->integers));
            state_->json["files"].push_back(std::move(json));
            break;
        }
    }
}

void Report::finish() {
    if (state_->form == ReportForm::json) state_->write(to_pretty_text(state_->json));
    if (state_->file) state_->file->commit();
}

}  // namespace hwtrace::cli
