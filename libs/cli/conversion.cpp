#include "cli/conversion.hpp"

#include <fmt/format.h>

#include <unistd.h>
#include <nlohmann/json.hpp>

#include <algorithm>
#include <filesystem>
#include <set>
#include <string>

#include "cli/json.hpp"
#include "cli/place.hpp"
#include "cli/quantities.hpp"
#include "cli/terminal.hpp"
#include "cli/trace_file.hpp"
#include "domain/utf8.hpp"
#include "domain/value_text.hpp"
#include "hwtrace/identify.hpp"
#include "io/advised_error.hpp"
#include "io/cursor.hpp"
#include "io/error.hpp"
#include "io/http/url.hpp"
#include "io/text_output.hpp"

namespace hwtrace::cli {

namespace {

std::string loss_report_text(const Outcome& outcome, std::string_view tool, JsonIntegers integers) {
    Json json = json_head("hwtrace-losses/1", tool);
    json["from"] = outcome.from;
    json["to"] = outcome.to.name;
    json["records_read"] = json_integer(outcome.counts.records_read, integers);
    json["records_written"] = json_integer(outcome.counts.records_written, integers);
    json["input_complete"] = outcome.effect == Effect::harmless;
    json["losses"] = Json::array();
    for (const auto& [key, entry] : outcome.losses.entries()) {
        Json loss;
        loss["loss"] = name_of(key.first);
        loss["subject"] = key.second;
        loss["count"] = json_integer(entry.count, integers);
        loss["first"] = entry.first;
        json["losses"].push_back(loss);
    }
    json["assumptions"] = outcome.losses.assumptions();
    json["warnings"] = outcome.losses.warnings();
    return to_pretty_text(json);
}

/// Returns at most 100 bytes of a string from the trace, made printable.
std::string shown(std::string_view text) {
    constexpr std::size_t most = 100;
    std::size_t size = 0;
    while (size < text.size() && size < most)
        size += std::max<std::size_t>(utf8_length(text, size), 1);
    return printable(text.substr(0, size)) + (size < text.size() ? "..." : "");
}

/// Returns "field-dropped core0, 3 times, first at 11".
std::string loss_text(const Losses::Key& key, const Losses::Entry& entry) {
    return fmt::format("{} {}, {}, first {}", name_of(key.first), key.second.empty() ? "\"\"" : shown(key.second),
                       counted(entry.count, "time"), shown(entry.first));
}

/// Prints a line for each kind of loss: the subject that loses most, and how much all subjects lose.
void report_loss_sums(const std::string& file, const Losses& losses, Messages& messages) {
    const auto& entries = losses.entries();
    for (auto next = entries.begin(); next != entries.end();) {
        const auto first = next;
        auto most = first;
        std::uint64_t count = 0;
        std::size_t subjects = 0;
        for (; next != entries.end() && next->first.first == first->first.first; ++next, ++subjects) {
            count += next->second.count;
            if (next->second.count > most->second.count) most = next;
        }
        std::string text = "lost: " + loss_text(most->first, most->second);
        if (subjects > 1) text += fmt::format("; of {} such, {}", subjects, counted(count, "time"));
        messages.note(file, text);
    }
    messages.note(file, fmt::format("-v lists all {} losses", entries.size()));
}

void report_losses(const std::string& file, const Losses& losses, Messages& messages) {
    for (const std::string& warning : losses.warnings())
        messages.note(file, fmt::format("warning: {}", warning));
    for (const std::string& assumption : losses.assumptions())
        messages.note(file, fmt::format("assumption: {}", assumption));
    if (losses.entries().size() > most_lines && messages.volume() != Volume::verbose)
        return report_loss_sums(file, losses, messages);
    for (const auto& [key, entry] : losses.entries())
        messages.note(file, "lost: " + loss_text(key, entry));
}

/// Returns what was made of what: bytes, records, time, losses.
std::string summary_text(const Outcome& outcome, const Written& written, double seconds) {
    std::string text = fmt::format("{}: {}", written.name, bytes_text(written.size));
    if (outcome.size && *outcome.size != 0)
        text += fmt::format(" from {} ({})", bytes_text(*outcome.size), ratio_text(written.size, *outcome.size));
    const std::uint64_t read = outcome.counts.records_read;
    text += fmt::format("; {} from {}", counted(outcome.counts.records_written, "record"), read);
    text += fmt::format("; {:.1f} s", seconds);
    if (seconds >= 1) text += fmt::format(", {} records/s", rate_text(static_cast<double>(read) / seconds));
    return text + (outcome.losses.none() && outcome.effect == Effect::harmless ? "; nothing lost" : "");
}

std::string damage_text(Effect effect, const ConversionCounts& counts) {
    const std::string_view what = effect == Effect::incomplete ? "the input ends early"
                                  : effect == Effect::damaged  ? "parts of the input cannot be read"
                                                               : "the input violates its format";
    return fmt::format("{}; {} converted; --allow-incomplete accepts this", what,
                       counted(counts.records_read, "record was", "records were"));
}

}  // namespace

void TargetOptions::add_output_to(CommandLine& line) {
    line.positional_or_option("OUT", "-o,--output", output, output_help);
}

void TargetOptions::add_to(CommandLine& line) {
    line.option("--to", "FORMAT", to, "Format of the output (default: by its extension)");
    line.flag("-f,--force", force, "Replaces the output if it exists");
    line.flag("--explain", explain, "Prints what would be done and what could be lost; writes nothing");
    line.flag("--verify", verify,
              "Reads the output back, checks it like hwtrace-validate, and compares it with the "
              "input before it gets its name");
}

void TargetOptions::add_losses_to(CommandLine& line) {
    line.flag("--allow-loss", allow_loss, "Lost data does not cause exit code 3");
    line.flag("--allow-incomplete", allow_incomplete, "An incomplete input does not cause exit code 3");
    line.flag("--strict", strict, "Writes nothing if data would be lost or the input is incomplete");
    line.option("--loss-report", "FILE", loss_report, "Writes the losses to FILE (replaced) as JSON");
}

const Format& TargetOptions::format(FormatList formats, Messages& messages) const {
    const Format& chosen = any_format(formats, messages);
    if (!chosen.can_write())
        fail(Failure::usage,
             fmt::format("{}: hwtrace reads {}, but does not write it; name another format with --to, such as stf",
                         output.empty() ? "--to" : output, chosen.name));
    return chosen;
}

const Format& TargetOptions::any_format(FormatList formats, Messages& messages) const {
    refuse_url_as_output(output);
    const Format* const by_name = output == "-" ? nullptr : format_by_extension(formats, output);
    if (!to.empty()) {
        const Format& chosen = named_format(formats, to, "--to", writable(formats));
        if (by_name != nullptr && by_name != &chosen)
            messages.note(output,
                          fmt::format("is written as {}, although its name suggests {}", chosen.name, by_name->name));
        return chosen;
    }
    if (by_name != nullptr) return *by_name;
    if (output == "-" || output.empty())
        fail(Failure::usage, fmt::format("name the output format with --to: {}", format_names(writable(formats))));
    fail(Failure::usage, fmt::format("{}: the extension names no known format; name one with --to: {}", output,
                                     format_names(writable(formats))));
}

std::unique_ptr<Output> TargetOptions::open(const Format& format, const Settings& settings, bool reopens,
                                            const std::vector<std::optional<Input::Identity>>& inputs) const {
    if (output == "-") {
        const bool is_text = format.writes.writes_text != nullptr && format.writes.writes_text(settings);
        return open_stdout_output(format.writes.needs_patch || reopens || strict, settings.temporary_folder,
                                  is_text ? Content::text : Content::binary);
    }
    return open_target(format, settings, output, force ? Existing::replace : Existing::refuse, inputs);
}

void TargetOptions::check_outside_output(std::string_view option, const std::string& file) const {
    // An output that is a folder is replaced with everything in it, and a name can end with a slash.
    const std::filesystem::path place = place_of(file), written = place_of(output);
    const std::filesystem::path whole = written.has_filename() ? written : written.parent_path();
    const auto identity = Input::identity_of(output);
    if (place == whole || (identity && identity == Input::identity_of(file)))
        fail(Failure::usage, fmt::format("{} {}: names the output itself", option, file));
    if (std::mismatch(whole.begin(), whole.end(), place.begin(), place.end()).first == whole.end())
        throw AdvisedError(Failure::usage, fmt::format("{} {}: is in the output {}", option, file, output),
                           "name a file outside");
}

void TargetOptions::check_loss_report() const {
    if (!loss_report.empty() && explain)
        fail(Failure::usage, "--explain prints the losses and writes nothing; leave out --loss-report");
    if (!loss_report.empty() && loss_report != "-" && !output.empty())
        check_outside_output("--loss-report", loss_report);
}

void explain(const std::string& file, Plan& plan, const Schema& source, const Format& to, const Settings& settings,
             Losses& losses) {
    const auto nowhere = open_memory_output("<plan>", [](const std::vector<std::byte>&) {});
    to.create(*nowhere, plan.target_schema(source), settings, losses);
    if (plan.part) plan.part->settle_before_records();
    std::string text = printable(file) + "\n";
    const auto line = [&](const std::string& head, const std::string& said) {
        text += head;
        append_wrapped(said, columns_of(head), columns_of(head) + (head == "  " ? 2 : 0), output_columns(), text);
    };
    for (std::size_t i = 0; i < plan.steps.size(); ++i)
        line(fmt::format("  {}. ", i + 1),
             fmt::format("{}: {}", printable(plan.steps[i].name), printable(plan.steps[i].what)));
    const bool none = plan.losses.empty() && losses.none();
    text += none ? "losses: none\n" : "possible losses:\n";
    std::set<std::string> printed;  // tracks with the same name have the same losses
    for (const ExpectedLoss& loss : plan.losses)
        if (std::string said =
                fmt::format("{} {}: {}", name_of(loss.loss), printable(loss.subject), printable(loss.why));
            printed.insert(said).second)
            line("  ", said);
    for (const auto& entry : losses.entries()) {
        const auto& [loss, subject] = entry.first;
        const bool is_foretold = std::ranges::any_of(plan.losses, [&key = entry.first](const ExpectedLoss& expected) {
            return expected.loss == key.first && expected.subject == key.second;
        });
        if (!is_foretold)
            line("  ", fmt::format("{} {}: {}", name_of(loss), printable(subject), printable(entry.second.first)));
    }
    if (!losses.assumptions().empty()) text += "assumptions:\n";
    for (const std::string& assumption : losses.assumptions())
        line("  ", printable(assumption));
    if (!losses.warnings().empty()) text += "warnings:\n";
    for (const std::string& warning : losses.warnings())
        line("  ", printable(warning));
    TextOutput out(STDOUT_FILENO);
    out.put(text);
    out.flush();
}

bool report_verification(const Verification& result, const std::string& file, const std::string& output,
                         Messages& messages) {
    if (!result.not_compared.empty()) messages.note(file, "--verify: not compared, because " + result.not_compared);
    if (result.violation) {
        messages.finding(output, *result.violation, Severity::error);
        messages.error(output, "--verify: the output would violate its format, so it was not written");
        return false;
    }
    if (!result.inherited.empty())
        messages.note(output, "--verify: the output violates its format as the input does: " + result.inherited);
    if (result.difference)
        fail(Failure::internal,
             fmt::format(
                 "{}: the output reads back as a different trace, at line {} of the model: expected '{}', found '{}'",
                 output, result.difference->line, result.difference->expected, result.difference->got));
    if (result.not_compared.empty()) messages.detail(output, "verified: the output reads back as the same trace");
    return true;
}

void write_loss_report(const TargetOptions& options, const Outcome& outcome, std::string_view tool,
                       JsonIntegers integers, const std::vector<std::optional<Input::Identity>>& inputs) {
    if (options.loss_report.empty()) return;
    const std::string text = loss_report_text(outcome, tool, integers);
    if (options.loss_report == "-") {
        TextOutput out(STDOUT_FILENO);
        out.put(text);
        out.flush();
        return;
    }
    const auto report = open_file_output(options.loss_report, Existing::replace, inputs);
    report->append(as_bytes(text));
    report->commit();
}

Exit conclude(const TargetOptions& options, const Outcome& outcome, Output& output, Messages& messages) {
    return conclude(options, outcome, Written{output.name(), output.size(), [&] { output.commit(); }}, messages);
}

Exit conclude(const TargetOptions& options, const Outcome& outcome, const Written& written, Messages& messages) {
    const bool incomplete = outcome.incomplete(options), lossy = outcome.lossy(options);
    const bool refused = outcome.refused(options);
    if (!refused) written.commit();
    report_losses(outcome.file, outcome.losses, messages);
    if (incomplete) messages.error(outcome.file, damage_text(outcome.effect, outcome.counts));
    if (lossy && messages.volume() != Volume::quiet)
        messages.note(outcome.file, "data was lost; --allow-loss accepts this");
    if (refused) messages.error(outcome.file, fmt::format("--strict: {} was not written", written.name));
    if (!refused) messages.summary(outcome.file, summary_text(outcome, written, messages.seconds()));
    return incomplete || lossy ? Exit::incomplete : Exit::done;
}

}  // namespace hwtrace::cli
