#include "hwtrace/validation.hpp"

#include <utility>

#include "hwtrace/general_rules.hpp"
#include "hwtrace/identify.hpp"
#include "io/named_error.hpp"
#include "operate/shard_scan.hpp"

namespace hwtrace {

namespace {

ValidationReport report_for(std::string file, const ValidationOptions& options) {
    ValidationReport report;
    report.file = std::move(file);
    report.shard = options.shard;
    report.findings = Findings(options.findings_per_rule);
    for (const auto& [rule, severity] : options.severities)
        report.findings.set_severity(rule, severity);
    if (options.is_known) report.findings.screen(options.is_known);
    return report;
}

void report_no_records(ValidationReport& report, std::uint64_t end) {
    report.findings.report({.rule = &no_records, .offset = end});
}

void check_shard(Input& input, const Settings& settings, const ValidationOptions& options, ValidationReport& report,
                 const ProgressListener& progress) {
    const auto index = options.find_index ? options.find_index(input, *report.format) : nullptr;
    progress(0);
    const ShardCounts counts =
        scan_shard(*options.shard, input, *report.format, settings, index, report.findings, progress);
    report.counts = counts;
    if (counts.is_only && counts.records == 0) report_no_records(report, input.size().value_or(0));
}

void check(Input& input, const Settings& settings, const ValidationOptions& options, ValidationReport& report) {
    report.format = options.format != nullptr ? options.format : identify(input, options.formats, options.note);
    if (report.format == nullptr) {
        report.findings.report(
            {.rule = &unknown_format, .expected = format_names(readable(options.formats)), .got = head_text(input)});
        const std::string why = input.head(1).empty() ? "" : why_not_read(options.formats, input.name());
        if (options.note && !why.empty()) options.note(why);
        return;
    }
    if (needs_spooling(input, *report.format)) input.spool(settings.temporary_folder);
    const auto progress = [&, size = input.size()](std::uint64_t bytes) {
        if (options.progress) options.progress(bytes, size);
    };
    if (options.shard) return check_shard(input, settings, options, report, progress);
    const std::unique_ptr<Reader> reader = report.format->open(input, settings, report.findings);
    if (settings.check == CheckLevel::quick) return;
    progress(0);
    report.counts = scan(*reader, progress);
    if (report.counts.records == 0) report_no_records(report, input.size().value_or(reader->position()));
}

void conclude(ValidationReport& report, bool answered) {
    report.findings.screen(nullptr);  // it may refer to objects of the caller
    const Verdict verdict = report.findings.verdict();
    if (answered || verdict == Verdict::invalid) report.verdict = verdict;
}

/// Returns true if the error is not about the file.
bool is_of_caller(const Error& error) noexcept {
    return error.failure() == Failure::usage || error.failure() == Failure::internal;
}

void end_early(ValidationReport& report, const Error& error) {
    // A finding that explains why the file is unreadable gives the file a verdict.
    report.fault_is_found = error.failure() == Failure::input && report.findings.verdict() != Verdict::valid;
    report.fault = without(report.file, error.what());
    report.failure = error.failure();
    if (report.fault_is_found && report.findings.verdict() == Verdict::incomplete)
        report_no_records(report, report.size.value_or(0));
    conclude(report, report.fault_is_found);
}

}  // namespace

ValidationReport validate(const std::string& path, const ValidationOptions& options) {
    std::optional<Input> input;
    try {
        input = Input::open(path);
    } catch (const Error& error) {
        return not_validated(path, error, options);
    }
    return validate(std::move(*input), options);
}

ValidationReport validate(Input input, const ValidationOptions& options) {
    if (options.shard && options.level == CheckLevel::quick)
        fail(Failure::usage, "level quick reads no records; leave out the shard");
    ValidationReport report = report_for(input.name(), options);
    report.size = input.size();
    Settings settings = options.settings;
    settings.check = options.level;
    try {
        check(input, settings, options, report);
        conclude(report, true);
    } catch (const Error& error) {
        if (is_of_caller(error)) throw;
        end_early(report, error);
    }
    return report;
}

ValidationReport not_validated(std::string file, const Error& error, const ValidationOptions& options) {
    if (is_of_caller(error)) throw error;
    ValidationReport report = report_for(std::move(file), options);
    end_early(report, error);
    return report;
}

}  // namespace hwtrace
