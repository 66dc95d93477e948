#include "cli/validate_command.hpp"

#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <memory>
#include <optional>
#include <utility>

#include "cli/general_rules.hpp"
#include "cli/json.hpp"
#include "cli/process.hpp"
#include "cli/trace_file.hpp"
#include "cli/validation_report.hpp"
#include "io/error.hpp"
#include "io/text_output.hpp"
#include "pipeline/scan.hpp"

namespace hwtrace::cli {

namespace {

constexpr std::string_view tool = "hwtrace-validate";

struct RuleLevel {
    const Rule* rule;
    Severity severity;
};

Severity parse_severity(std::string_view text, std::string_view option) {
    for (const Severity severity : {Severity::off, Severity::note, Severity::warning, Severity::error})
        if (text == name_of(severity)) return severity;
    fail(Failure::usage, fmt::format("{} takes error, warning, note or off, not '{}'", option, text));
}

CheckLevel parse_check_level(std::string_view text) {
    for (const CheckLevel level : {CheckLevel::quick, CheckLevel::structure, CheckLevel::full, CheckLevel::semantic})
        if (text == name_of(level)) return level;
    fail(Failure::usage, fmt::format("--level takes quick, structure, full or semantic, not '{}'", text));
}

const Rule& known_rule(FormatList formats, std::string_view id) {
    if (const Rule* rule = find_rule(formats, id)) return *rule;
    fail(Failure::usage, fmt::format("there is no rule {}; --list-rules lists them", id));
}

/// "formats/stf/", where the paragraph is one of the README of the format that has the rule.
std::string folder_of(FormatList formats, const Rule& rule) {
    if (!rule.paragraph.starts_with("README.md")) return {};
    for (const Format* const format : formats)
        for (const Rule& known : format->rules)
            if (known.id == rule.id) return fmt::format("formats/{}/", format->name);
    return {};
}

std::vector<RuleLevel> parse_levels(FormatList formats, const std::vector<std::string>& texts) {
    std::vector<RuleLevel> levels;
    for (const std::string& text : texts) {
        const std::size_t equals = text.find('=');
        if (equals == std::string::npos)
            fail(Failure::usage, fmt::format("--rule takes ID=LEVEL, such as GEN001=off, not '{}'", text));
        levels.push_back({&known_rule(formats, std::string_view(text).substr(0, equals)),
                          parse_severity(std::string_view(text).substr(equals + 1), "--rule " + text)});
    }
    return levels;
}

Json rule_json(const Rule& rule) {
    Json json;
    json["id"] = rule.id;
    json["severity"] = name_of(rule.severity);
    json["title"] = rule.title;
    json["paragraph"] = rule.paragraph;
    json["why"] = rule.why;
    return json;
}

Exit list_rules(const CommonOptions& common) {
    TextOutput out(STDOUT_FILENO);
    if (common.json()) {
        Json json = json_head("hwtrace-rules/1", tool);
        json["rules"] = Json::array();
        for (const Rule* rule : all_rules(common.formats()))
            json["rules"].push_back(rule_json(*rule));
        out.put(to_pretty_text(json));
    } else {
        for (const Rule* rule : all_rules(common.formats()))
            out.put(fmt::format("{:<7} {:<8} {}\n", rule->id, name_of(rule->severity), rule->title));
    }
    out.flush();
    return Exit::done;
}

Exit explain_rule(const CommonOptions& common, std::string_view id) {
    const Rule& rule = known_rule(common.formats(), id);
    TextOutput out(STDOUT_FILENO);
    if (common.json()) {
        Json json = json_head("hwtrace-rule/1", tool);
        json.update(rule_json(rule));
        out.put(to_pretty_text(json));
    } else {
        out.put(fmt::format("{} ({}): {}\n\n{}\n\nSee {}{}.\n", rule.id, name_of(rule.severity), rule.title, rule.why,
                            folder_of(common.formats(), rule), rule.paragraph));
    }
    out.flush();
    return Exit::done;
}

class Validator {
public:
    Validator(const ValidateOptions& options, std::vector<RuleLevel> levels, Messages& messages)
        : options_(options), levels_(std::move(levels)), settings_(options.common.settings()), messages_(messages) {
        settings_.check = parse_check_level(options.level);
        fail_level_ = options.strict ? Severity::warning : Severity::error;
        if (options.fail_on != "error")
            fail_level_ = std::min(fail_level_, parse_severity(options.fail_on, "--fail-on"));
    }

    /// Looks at one file and makes `result` worse where it has to.
    Validation validate(const std::string& path, Exit& result) const {
        Validation v;
        v.file = path == "-" ? "<stdin>" : path;
        v.level = settings_.check;
        v.findings = Findings(static_cast<std::size_t>(options_.max_findings));
        for (const RuleLevel& level : levels_)
            v.findings.set_severity(level.rule->id, level.severity);
        Exit exit = Exit::done;
        bool answered = true;
        try {
            exit = check(path, v);
        } catch (const Error& error) {
            if (error.failure() == Failure::usage || error.failure() == Failure::internal) throw;
            // What makes a file unreadable has been reported as a finding: then the answer is no, not a failure.
            answered = error.failure() == Failure::input && v.findings.verdict() != Verdict::valid;
            if (!answered) exit = exit_of(error.failure());
            v.fault = without(v.file, error.what());
            messages_.error(v.file, v.fault);
        }
        v.notes = v.findings.total_at_least(Severity::note);
        v.warnings = v.findings.total_at_least(Severity::warning);
        v.errors = v.findings.total_at_least(Severity::error);
        v.notes -= v.warnings;
        v.warnings -= v.errors;
        if (answered || v.findings.verdict() == Verdict::invalid) v.verdict = v.findings.verdict();
        if (v.findings.violations(fail_level_) > 0) exit = worse(exit, Exit::no);
        if (v.verdict == Verdict::incomplete && !options_.allow_incomplete) exit = worse(exit, Exit::incomplete);
        result = worse(result, exit);
        return v;
    }

private:
    Exit check(const std::string& path, Validation& v) const {
        Input input = Input::open(path);
        const FormatList formats = options_.common.formats();
        const Format* const format = identify(input, options_.common, messages_);
        if (format == nullptr) {
            v.findings.report({.rule = &unknown_format, .expected = format_names(formats), .got = head_text(input)});
            return Exit::input;
        }
        v.format = format->name;
        TraceFile trace{std::move(input), format};
        if (needs_spooling(trace)) trace.input.spool(options_.common.temporary_folder());
        const std::unique_ptr<Reader> reader = format->open(trace.input, settings_, v.findings);
        if (settings_.check == CheckLevel::quick) return Exit::done;
        Progress progress(messages_, options_.common.progress(), v.file, trace.input.size());
        v.records = scan(*reader, [&](std::uint64_t bytes) { progress(bytes); }).records;
        if (v.records == 0) v.findings.report({.rule = &no_records, .offset = trace.input.size().value_or(0)});
        return Exit::done;
    }

    const ValidateOptions& options_;
    std::vector<RuleLevel> levels_;
    Settings settings_;
    Severity fail_level_ = Severity::error;
    Messages& messages_;
};

std::vector<Report> open_reports(const ValidateOptions& options, const Messages& messages) {
    std::vector<ReportOptions> wanted;
    for (const std::string& text : options.reports)
        wanted.push_back(parse_report(text));
    if (wanted.empty()) wanted.emplace_back();
    if (std::count_if(wanted.begin(), wanted.end(), [](const ReportOptions& r) { return r.path.empty(); }) > 1)
        fail(Failure::usage, "--report: only one report can go to standard output; name a file for the others");
    std::vector<std::optional<Input::Identity>> identities;
    for (const std::string& path : options.inputs)
        identities.push_back(Input::identity_of(path));
    std::vector<Report> reports;
    for (const ReportOptions& report : wanted)
        reports.emplace_back(report, messages.volume(), options.common.json_integers(), identities);
    return reports;
}

}  // namespace

Exit validate_command(const ValidateOptions& options) {
    if (options.list_rules) return list_rules(options.common);
    if (!options.explain.empty()) return explain_rule(options.common, options.explain);
    if (options.inputs.empty()) fail(Failure::usage, "a file is needed; try hwtrace-validate --help");
    options.common.refuse_unused(nullptr);
    Messages messages = options.common.messages(tool);
    const Validator validator(options, parse_levels(options.common.formats(), options.rules), messages);
    std::vector<Report> reports = open_reports(options, messages);
    Exit result = Exit::done;
    for (const std::string& path : options.inputs) {
        const Validation validation = validator.validate(path, result);
        for (Report& report : reports)
            report.add(validation);
    }
    for (Report& report : reports)
        report.finish();
    return result;
}

}  // namespace hwtrace::cli
