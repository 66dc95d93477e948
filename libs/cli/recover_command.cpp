#include "cli/recover_command.hpp"

#include <fmt/format.h>

#include <unistd.h>
#include <nlohmann/json.hpp>

#include <algorithm>
#include <memory>
#include <optional>

#include "cli/process.hpp"
#include "cli/terminal.hpp"
#include "cli/trace_file.hpp"
#include "domain/value_text.hpp"
#include "io/error.hpp"
#include "io/named_error.hpp"
#include "io/text_output.hpp"
#include "operate/recovery.hpp"

namespace hwtrace::cli {

namespace {

constexpr std::string_view recover_tool = "hwtrace-recover";

/// Keeps the lowest offset of a finding about missing or untrusted records.
class FirstDamage {
public:
    void look_at(const Finding& finding) {
        if (finding.rule->effect == Effect::harmless) return;
        byte_ = std::min(byte_.value_or(finding.offset), finding.offset);
    }
    std::optional<std::uint64_t> byte() const noexcept { return byte_; }

private:
    std::optional<std::uint64_t> byte_;
};

std::string bytes_text(const TraceFile& trace, const FirstDamage& damage) {
    const std::uint64_t size = trace.input.size().value_or(0);
    if (!damage.byte() || *damage.byte() >= size) return counted(size, "byte");
    return fmt::format("the first damage is at byte {} of {}", *damage.byte(), size);
}

/// Returns "kept 118 records; the first damage is at byte 660473 of 947310", and what was dropped or lost, if anything.
std::string summary(const Recovery& recovery, const TraceFile& trace, const FirstDamage& damage) {
    std::string text = "kept " + counted(recovery.counts.records_read - recovery.dropped, "record");
    if (recovery.dropped != 0) text += fmt::format(", dropped {}", recovery.dropped);
    if (recovery.missing != 0) text += fmt::format(", {} lost to damage", recovery.missing);
    return fmt::format("{}; {}", text, bytes_text(trace, damage));
}

void explain_recovery(const std::string& file, const Recovery& recovery, const std::string& text) {
    TextOutput out(STDOUT_FILENO);
    fit_to_terminal(out);
    out.put(fmt::format("{}\n  {}\n", printable(file), text));
    for (const auto& [key, entry] : recovery.losses.entries())
        out.put(fmt::format("  {} {}, {}, first {}\n", name_of(key.first), printable(key.second),
                            counted(entry.count, "time"), printable(entry.first)));
    for (const std::string& assumption : recovery.losses.assumptions())
        out.put(fmt::format("  assumption: {}\n", printable(assumption)));
    for (const std::string& warning : recovery.losses.warnings())
        out.put(fmt::format("  warning: {}\n", printable(warning)));
    out.flush();
}

}  // namespace

Exit recover_command(const RecoverOptions& options) {
    Messages messages = options.common.messages(recover_tool);
    if (options.input.empty()) fail(Failure::usage, "an input is needed; try hwtrace-recover --help");
    if (options.target.output.empty() && !options.target.explain)
        fail(Failure::usage, "an output is needed: a file, or - with --to FORMAT; try hwtrace-recover --help");
    options.target.check_loss_report();
    TraceFile trace = open_trace(options.input, options.common, messages);
    const std::string file = trace.name();

    TargetOptions target = options.target;  // the format of the source, unless the name or --to selects another
    const FormatList formats = options.common.formats();
    if (target.to.empty() && (target.output == "-" || format_by_extension(formats, target.output) == nullptr))
        target.to = trace.format->name;
    const Format& to = target.format(formats, messages);
    if (!to.can_read())
        fail(Failure::usage, fmt::format("--to {}: hwtrace cannot read this format, so that it cannot check what is "
                                         "recovered; recover to {}, and convert the result",
                                         to.name, trace.format->name));
    Settings settings = options.common.settings();
    options.common.refuse_unused(&to);
    if (target.verify) check_verifiable(to);
    if (target.output != "-") settings.output_name = target.output;
    settings.source_format = trace.format->name;
    const std::string folder = options.common.temporary_folder();
    const auto identity = trace.input.identity();
    naming(file, [&] { trace.input.spool(folder); });

    Findings findings(findings_shown_per_rule);
    FirstDamage damage;
    findings.listen([&](const Finding& finding) {
        damage.look_at(finding);
        messages.finding(file, finding, findings.severity(*finding.rule));
    });
    Recovery recovery;
    naming(file, [&] {
        Progress progress(messages, options.common.progress(), file, trace.input.size());
        const RecoveryOptions how{
            .settings = settings,
            .make_output = [&]() -> std::unique_ptr<Output> {
                if (!options.target.explain) return target.open(to, settings, true, {identity});
                return open_file_output(fmt::format("{}/hwtrace-recover-{}", folder, ::getpid()), Existing::refuse);
            },
            .progress = [&](std::uint64_t bytes) { progress(bytes); },
            .verify = target.verify && !target.explain,
        };
        recovery = recover(trace.input, *trace.format, to, findings, how);
    });
    report_hidden_findings(findings, file, messages);
    const bool broken = breaks_its_format(findings);
    const std::string text = summary(recovery, trace, damage);
    const auto give_up = [&](const std::string& why) {
        throw Error(Failure::input, about(file, fmt::format("{}; nothing was written", why)));
    };
    if (!recovery.output)
        give_up(fmt::format("the readable records do not form a valid {} trace: {}", to.name, *recovery.fault));
    if (broken && recovery.counts.records_written == 0) give_up("no whole record can be read");
    if (options.target.explain) {
        explain_recovery(file, recovery, text);
        const bool lossy = !recovery.losses.none() && !target.allow_loss;
        return (broken && !target.allow_incomplete) || lossy ? Exit::incomplete : Exit::done;
    }
    const Outcome outcome{file,
                          std::string(trace.format->name),
                          to,
                          recovery.losses,
                          recovery.counts,
                          findings.effect(),
                          broken,
                          trace.input.size()};
    write_loss_report(target, outcome, recover_tool, options.common.json_integers(), {identity});
    if (target.verify && !outcome.refused(target) &&
        !report_verification(recovery.verification, file, recovery.output->name(), messages))
        return Exit::no;
    const Exit exit = conclude(target, outcome, *recovery.output, messages);
    if (broken || !recovery.losses.none())
        messages.note(file, text);
    else
        messages.note(file, fmt::format("no damage found: {}", text));
    return exit;
}

}  // namespace hwtrace::cli
