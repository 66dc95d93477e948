#include "cli/validate_command.hpp"

#include <fmt/format.h>

#include <unistd.h>
#include <nlohmann/json.hpp>

#include <algorithm>
#include <array>
#include <filesystem>
#include <memory>
#include <optional>
#include <set>
#include <utility>

#include "cli/baseline.hpp"
#include "cli/citations.hpp"
#include "cli/index_file.hpp"
#include "cli/json.hpp"
#include "cli/listed_files.hpp"
#include "cli/ordered_work.hpp"
#include "cli/place.hpp"
#include "cli/process.hpp"
#include "cli/rules_page.hpp"
#include "cli/terminal.hpp"
#include "cli/trace_file.hpp"
#include "cli/validation_report.hpp"
#include "domain/value_text.hpp"
#include "hwtrace/general_rules.hpp"
#include "io/cursor.hpp"
#include "io/descriptor.hpp"
#include "io/error.hpp"
#include "io/named_error.hpp"
#include "io/text_output.hpp"

namespace hwtrace::cli {

namespace {

constexpr std::string_view validate_tool = "hwtrace-validate";

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

/// Returns the id of the rule with the same letters, in any case, and the same number: STF062 for "stf62". Returns an
/// empty string if there is none.
std::string rule_like(FormatList formats, std::string_view id) {
    constexpr std::size_t digits = 3;
    std::string full(id.substr(0, id.find_first_of("0123456789")));
    const std::string_view number = id.substr(full.size());
    if (number.size() < digits) full.append(digits - number.size(), '0');
    full.append(number);
    const Rule* const rule = find_rule(formats, rule_id(full));
    return rule == nullptr ? "" : std::string(rule->id);
}

const Rule& known_rule(FormatList formats, std::string_view id) {
    if (const Rule* rule = find_rule(formats, rule_id(id))) return *rule;
    const std::string meant = rule_like(formats, id);
    fail(Failure::usage, fmt::format("unknown rule {}{}; --list-rules lists all rules", id,
                                     meant.empty() ? "" : fmt::format(" (did you mean {}?)", meant)));
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

Json rule_json(FormatList formats, const Rule& rule) {
    Json json;
    json["id"] = rule.id;
    json["severity"] = name_of(rule.severity);
    json["title"] = rule.title;
    json["paragraph"] = citation_of(formats, rule);
    json["why"] = rule.why;
    return json;
}

Exit list_rules(const CommonOptions& common, bool as_markdown) {
    TextOutput out(STDOUT_FILENO);
    if (as_markdown) {
        out.put(rules_page(common.formats()));
    } else if (common.json()) {
        Json json = json_head("hwtrace-rules/1", validate_tool);
        json["rules"] = Json::array();
        for (const Rule* rule : all_rules(common.formats()))
            json["rules"].push_back(rule_json(common.formats(), *rule));
        out.put(to_pretty_text(json));
    } else {
        std::string text;
        for (const Rule* rule : all_rules(common.formats())) {
            const std::string head = fmt::format("{:<7} {:<8} ", rule->id, name_of(rule->severity));
            text += head;
            append_wrapped(rule->title, head.size(), head.size(), list_columns(), text);
        }
        out.put(text);
    }
    out.flush();
    return Exit::done;
}

Exit explain_rule(const CommonOptions& common, std::string_view id) {
    const Rule& rule = known_rule(common.formats(), id);
    TextOutput out(STDOUT_FILENO);
    if (common.json()) {
        Json json = json_head("hwtrace-rule/1", validate_tool);
        json.update(rule_json(common.formats(), rule));
        out.put(to_pretty_text(json));
    } else {
        const std::string citation = citation_of(common.formats(), rule);
        std::string text;
        const std::string title = fmt::format("{} ({}): {}", rule.id, name_of(rule.severity), rule.title);
        append_wrapped(title, 0, 2, list_columns(), text);
        text += '\n';
        append_wrapped(rule.why, 0, 0, list_columns(), text);
        if (!citation.empty()) {
            text += '\n';
            append_wrapped(fmt::format("See {}.", citation), 0, 0, list_columns(), text);
        }
        out.put(text);
    }
    out.flush();
    return Exit::done;
}

/// Returns true if a file in a folder is a trace by its content or its name. Reports of our own commands are not
/// traces.
bool looks_like_trace(Input& input, const CommonOptions& common) {
    constexpr std::string_view document = "{\"schema\":\"hwtrace-";
    if (common.source_format() != nullptr || sniff_format(common.formats(), input) != nullptr) return true;
    const bool is_document = as_text(input.head(document.size())) == document;
    return !is_document && format_by_extension(common.formats(), input.name()) != nullptr;
}

/// The findings of a file by fingerprint, for baselines.
struct Ledger {
    KnownFindings left{};   ///< listed in the baseline and not found yet
    KnownFindings found{};  ///< all findings, for a new baseline
    bool is_whole = true;   ///< `found` has all findings
};

/// The result for one file.
struct Checked {
    Validation validation;
    Ledger ledger;
    std::string said;      ///< messages to print later
    bool is_trace = true;  ///< false: found in a folder and not a trace
};

class Validator {
public:
    /// `options` and `baseline` must outlive the validator.
    Validator(const ValidateOptions& options, const std::vector<RuleLevel>& levels, const Baseline& baseline,
              unsigned jobs_per_file)
        : options_(options), baseline_(baseline), level_(parse_check_level(options.level)) {
        options_for_all_.formats = options.common.formats();
        options_for_all_.format = options.common.source_format();
        options_for_all_.level = level_;
        options_for_all_.settings = options.common.settings();
        options_for_all_.settings.jobs = jobs_per_file;
        if (options.shard) options_for_all_.shard = parse_shard(*options.shard);
        options_for_all_.findings_per_rule = static_cast<std::size_t>(options.max_findings.value_or(20));
        for (const RuleLevel& level : levels)
            options_for_all_.severities[std::string(level.rule->id)] = level.severity;
        fail_level_ = options.strict ? Severity::warning : Severity::error;
        if (options.fail_on != "error")
            fail_level_ = std::min(fail_level_, parse_severity(options.fail_on, "--fail-on"));
    }

    /// Checks one file. Throws only Failure::usage and Failure::internal.
    Checked validate(const ListedFile& file, Messages& messages, ProgressForm form) const {
        Checked checked;
        Validation& v = checked.validation;
        if (!options_.baseline.empty()) checked.ledger.left = baseline_.of(file.path);
        static_cast<ValidationReport&>(v) = check(file, checked, messages, form);
        v.level = level_;
        v.fail_level = fail_level_;
        v.accepts_incomplete = options_.allow_incomplete;
        v.prints_kept = options_.max_findings.has_value();
        v.becomes_known = writes_baseline();
        v.has_baseline = !options_.baseline.empty();
        v.formats = options_.common.formats();
        if (v.failure) {
            if (!v.fault_is_found) v.exit = exit_of(*v.failure);
        } else if (checked.is_trace && v.findings.total(unknown_format.id) != 0 && !writes_baseline()) {
            v.exit = Exit::input;
        }
        conclude(v);
        return checked;
    }

private:
    bool writes_baseline() const noexcept { return !options_.write_baseline.empty(); }

    bool is_known(const Finding& finding, Ledger& ledger) const {
        const std::string print = fingerprint(finding);
        if (writes_baseline()) ledger.is_whole = add_finding(ledger.found, finding, print) && ledger.is_whole;
        const auto known = ledger.left.find(print);
        if (known == ledger.left.end()) return false;
        if (--known->second.count == 0) ledger.left.erase(known);
        return true;
    }

    void conclude(Validation& v) const {
        v.notes = v.findings.total_at_least(Severity::note);
        v.warnings = v.findings.total_at_least(Severity::warning);
        v.errors = v.findings.total_at_least(Severity::error);
        v.notes -= v.warnings;
        v.warnings -= v.errors;
        for (const auto& [id, count] : v.findings.known())
            v.known += count;
        if (v.fault_is_found) v.accepts_incomplete = false;  // no command can read any part of the file
        if (writes_baseline()) return;                       // a new baseline accepts all findings
        if (v.findings.violations(fail_level_) > 0) v.exit = worse(v.exit, Exit::no);
        // If the baseline lists the early end but not GEN001, records could be read when the baseline was written.
        const bool is_new_loss = v.fault_is_found && v.findings.total(no_records.id) != 0;
        if (v.verdict == Verdict::incomplete && (v.findings.loses_data() || is_new_loss) && !v.accepts_incomplete)
            v.exit = worse(v.exit, Exit::incomplete);
    }

    ValidationReport check(const ListedFile& file, Checked& checked, Messages& messages, ProgressForm form) const {
        const std::string name = file.path == "-" ? "<stdin>" : file.path;
        ValidationOptions options = options_for_all_;
        if (!options_.baseline.empty() || writes_baseline())
            options.is_known = [&](const Finding& finding) { return is_known(finding, checked.ledger); };
        options.note = notes_of(name, messages);
        options.find_index = [&](const Input& input, const Format& format) {
            return index_beside(file.path, input, format, messages);
        };
        std::optional<Progress> progress;
        options.progress = [&](std::uint64_t bytes, std::optional<std::uint64_t> size) {
            if (!progress) progress.emplace(messages, form, name, size);
            (*progress)(bytes);
        };
        try {
            if (!file.fault.empty()) fail(Failure::io, about(name, file.fault));
            Input input = Input::open(file.path);
            checked.is_trace = !file.is_from_folder || looks_like_trace(input, options_.common);
            if (checked.is_trace) {
                static_cast<void>(stated_format(input, options_.common, messages));  // for its note
                return hwtrace::validate(std::move(input), options);
            }
        } catch (const Error& error) {
            return not_validated(name, error, options);
        }
        return {.file = name};
    }

    const ValidateOptions& options_;
    const Baseline& baseline_;
    CheckLevel level_;
    ValidationOptions options_for_all_;
    Severity fail_level_ = Severity::error;
};

/// Counts the files by verdict.
class Tally {
public:
    void add(const Validation& v) {
        ++files_;
        ++(v.verdict ? verdicts_[static_cast<std::size_t>(*v.verdict)] : unchecked_);
    }
    void skip() noexcept { ++skipped_; }
    std::size_t files() const noexcept { return files_; }
    /// Returns "12 files: 10 valid, 1 invalid, 0 incomplete, 1 not checked; 3 are not traces".
    std::string text() const {
        std::string text = fmt::format("{}: {} valid, {} invalid, {} incomplete, {} not checked",
                                       counted(files_, "file"), verdicts_[static_cast<std::size_t>(Verdict::valid)],
                                       verdicts_[static_cast<std::size_t>(Verdict::invalid)],
                                       verdicts_[static_cast<std::size_t>(Verdict::incomplete)], unchecked_);
        if (skipped_ != 0) text += fmt::format("; {}", counted(skipped_, "is not a trace", "are not traces"));
        return text;
    }

private:
    std::array<std::size_t, 3> verdicts_{};
    std::size_t files_ = 0, unchecked_ = 0, skipped_ = 0;
};

/// Returns the files that no output may replace. Reports that an earlier run left in a folder of traces may be
/// replaced.
std::vector<std::optional<Input::Identity>> identities_of(const std::vector<ListedFile>& files,
                                                          const CommonOptions& common) {
    const auto is_read = [&](const ListedFile& file) {
        if (!file.is_from_folder) return true;
        try {
            Input input = Input::open(file.path);
            return looks_like_trace(input, common);
        } catch (const Error&) {  // reported when the file is checked
            return true;
        }
    };
    std::vector<std::optional<Input::Identity>> identities;
    identities.reserve(files.size());
    for (const ListedFile& file : files)
        if (is_read(file)) identities.push_back(Input::identity_of(file.path));
    return identities;
}

/// Throws Failure::usage if two reports, or a report and a baseline, have the same destination.
void refuse_same_file(const ValidateOptions& options, const std::vector<ReportOptions>& reports) {
    std::vector<std::string> paths;
    paths.reserve(reports.size() + 1);
    for (const ReportOptions& report : reports)
        paths.push_back(report.path.empty() ? "-" : report.path);
    if (!options.write_baseline.empty()) paths.push_back(options.write_baseline);
    std::set<std::filesystem::path> places;
    for (const std::string& path : paths) {
        if (places.insert(path == "-" ? std::filesystem::path(path) : place_of(path)).second) continue;
        fail(Failure::usage, path == "-"
                                 ? "only one report, or a baseline, can be written to standard output; name a file for "
                                   "the others"
                                 : path + ": two reports, or a report and a baseline, cannot share a file");
    }
}

std::vector<Report> open_reports(const ValidateOptions& options,
                                 const std::vector<std::optional<Input::Identity>>& inputs, const Messages& messages) {
    std::vector<ReportOptions> wanted;
    for (const std::string& text : options.reports)
        wanted.push_back(parse_report(text));
    if (wanted.empty() && options.write_baseline != "-") wanted.emplace_back();
    refuse_same_file(options, wanted);
    auto untouched = inputs;  // inputs must not be replaced
    if (!options.baseline.empty()) untouched.push_back(Input::identity_of(options.baseline));
    std::vector<Report> reports;
    reports.reserve(wanted.size());
    for (const ReportOptions& report : wanted)
        reports.emplace_back(report, messages.volume(), options.common.colour_on(STDOUT_FILENO),
                             options.common.json_integers(), untouched);
    return reports;
}

/// Returns true if somebody reads a text report and the messages on one terminal.
bool is_beside_messages(const std::vector<Report>& reports) {
    return ::isatty(STDERR_FILENO) != 0 && std::ranges::any_of(reports, &Report::is_text_on_terminal);
}

/// Prints why a file could not be checked to its end. `is_in_report`: a report beside the messages says why a file has
/// no verdict.
void report_fault(const Validation& v, bool is_in_report, Messages& messages) {
    if (v.failure && (v.verdict || !is_in_report)) messages.error(v.file, v.fault);
}

/// Prints a note for each finding of the baseline that was not found although its rule is on.
void report_stale(const Validation& v, const KnownFindings& left, Messages& messages) {
    for (const auto& [print, finding] : left) {
        const Rule* const rule = find_rule(v.formats, finding.rule);
        if (rule == nullptr || v.findings.severity(*rule) == Severity::off) continue;
        messages.note(v.file, fmt::format("--baseline: {} ({}) is listed more often than it was found ({} more); "
                                          "add --write-baseline to update the baseline",
                                          finding.rule, finding.example, finding.count));
    }
}

void write_baseline(const Baseline& baseline, const std::string& path,
                    const std::vector<std::optional<Input::Identity>>& inputs) {
    const std::string text = baseline.text(path);
    if (path == "-") return write_stream(STDOUT_FILENO, as_bytes(text));
    const auto file = open_file_output(path, Existing::replace, inputs);
    file->append(as_bytes(text));
    file->commit();
}

/// Checks all files, several at a time, and adds each to the reports and to `baseline`. Returns nullopt if no file was
/// a trace.
std::optional<Exit> validate_files(const ValidateOptions& options, const std::vector<ListedFile>& files,
                                   Baseline& baseline, std::vector<Report>& reports, Messages& messages) {
    const unsigned jobs = options.common.settings().jobs;
    const auto workers = static_cast<unsigned>(std::min<std::size_t>(jobs, files.size()));
    const bool in_turn = workers <= 1;
    const Baseline known = baseline;
    const bool looks_for_all =
        known.level().empty() || parse_check_level(known.level()) <= parse_check_level(options.level);
    const Validator validator(options, parse_levels(options.common.formats(), options.rules), known,
                              in_turn ? jobs : std::max(1U, jobs / workers));
    const auto check = [&](std::size_t i) {
        if (in_turn) return validator.validate(files[i], messages, options.common.progress());
        std::string said;
        Messages later = messages.into(said);
        Checked checked = validator.validate(files[i], later, ProgressForm::off);
        checked.said = std::move(said);
        return checked;
    };
    const bool is_in_report = is_beside_messages(reports);
    Tally tally;
    Exit result = Exit::done;
    std::uint64_t bytes = 0;
    std::size_t next = 0;
    std::optional<Progress> progress;
    if (!in_turn) progress.emplace(messages, options.common.progress(), counted(files.size(), "file"), std::nullopt);
    work_in_order(files.size(), workers, check, [&](Checked checked) {
        const std::string& path = files[next++].path;
        const Validation& v = checked.validation;
        messages.pass_on(checked.said);
        if (!checked.is_trace) {
            tally.skip();
            messages.detail(path, "is not a trace; not checked");
            return;
        }
        report_fault(v, is_in_report, messages);
        result = worse(result, v.exit);
        tally.add(v);
        messages.status({});  // the report may go to the same terminal
        for (Report& report : reports)
            report.add(v);
        if (looks_for_all) report_stale(v, checked.ledger.left, messages);
        if (!checked.ledger.is_whole)
            messages.note(v.file, "--write-baseline: too many different findings; the baseline lacks some");
        if (!options.write_baseline.empty()) baseline.set(path, std::move(checked.ledger.found));
        bytes += v.size.value_or(0);
        if (progress) (*progress)(bytes);
    });
    progress.reset();
    if (files.size() != 1 || tally.files() == 0) messages.note("", tally.text());
    return tally.files() == 0 ? std::nullopt : std::optional(result);
}

void refuse_with_shard(const ValidateOptions& options) {
    static_cast<void>(parse_shard(*options.shard));  // reports wrong values
    if (options.level == "quick")
        fail(Failure::usage, "--level quick checks no records, so it has no shards; leave out --shard");
    if (!options.write_baseline.empty() || !options.baseline.empty())
        fail(Failure::usage, "a baseline is about the findings of the whole trace; leave out --shard");
}

}  // namespace

Exit validate_command(const ValidateOptions& options) {
    const bool asks_for_rules = options.list_rules || !options.explain.empty();
    const bool checks = !options.inputs.empty() || !options.reports.empty() || !options.write_baseline.empty() ||
                        !options.baseline.empty() || !options.rules.empty();
    if (asks_for_rules && checks)
        fail(Failure::usage,
             "--list-rules and --explain print default rules and check nothing; "
             "leave out files, reports, baselines and --rule");
    if (options.markdown && (!options.list_rules || options.common.json()))
        fail(Failure::usage, "--markdown requires --list-rules and cannot be combined with --json");
    if (options.list_rules) return list_rules(options.common, options.markdown);
    if (!options.explain.empty()) return explain_rule(options.common, options.explain);
    if (options.inputs.empty()) fail(Failure::usage, "a file is needed; try hwtrace-validate --help");
    if (std::ranges::count(options.inputs, "-") > 1) fail(Failure::usage, "standard input can be given only once");
    options.common.refuse_unused(nullptr);
    if (options.shard) refuse_with_shard(options);
    Messages messages = options.common.messages(validate_tool);
    Baseline baseline;
    if (!options.baseline.empty()) baseline = Baseline::read(options.baseline);
    const std::vector<ListedFile> files = listed_files(options.inputs, options.recursive);
    const auto inputs = identities_of(files, options.common);
    std::vector<Report> reports = open_reports(options, inputs, messages);
    const std::optional<Exit> checked = validate_files(options, files, baseline, reports, messages);
    const std::string_view fault = checked ? "" : "no trace was found; nothing was checked";
    if (!checked) messages.error("", fault);
    const Exit result = checked.value_or(Exit::no);
    for (Report& report : reports)
        report.finish(result, fault);
    if (options.write_baseline.empty()) return result;
    baseline.set_level(options.level);
    if (result == Exit::done)
        write_baseline(baseline, options.write_baseline, inputs);
    else
        messages.error("", "--write-baseline: some files could not be checked; no baseline was written");
    return result;
}

}  // namespace hwtrace::cli
