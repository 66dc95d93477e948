#include "cli/convert_command.hpp"

#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <filesystem>
#include <memory>
#include <utility>

#include "cli/json.hpp"
#include "cli/process.hpp"
#include "cli/trace_file.hpp"
#include "codec/utf8.hpp"
#include "io/cursor.hpp"
#include "io/error.hpp"
#include "io/number_text.hpp"
#include "io/output.hpp"
#include "io/text_output.hpp"
#include "pipeline/convert.hpp"
#include "pipeline/position_count.hpp"
#include "pipeline/prescan.hpp"
#include "pipeline/verify.hpp"

namespace hwtrace::cli {

namespace {

constexpr std::string_view tool = "hwtrace-convert";

const Format& target_format(const ConvertOptions& options, Messages& messages) {
    const FormatList formats = options.common.formats();
    const Format* const by_name = options.output == "-" ? nullptr : format_by_extension(formats, options.output);
    if (!options.to.empty()) {
        const Format& chosen = named_format(formats, options.to, "--to");
        if (by_name != nullptr && by_name != &chosen)
            messages.note(options.output,
                          fmt::format("is written as {}, its name says {}", chosen.name, by_name->name));
        return chosen;
    }
    if (by_name != nullptr) return *by_name;
    if (options.output == "-" || options.output.empty())
        fail(Failure::usage, fmt::format("say with --to which format to write: {}", format_names(formats)));
    fail(Failure::usage, fmt::format("{}: its name does not tell the format; say it with --to: {}", options.output,
                                     format_names(formats)));
}

TimeModel time_model(const ConvertOptions& options) {
    TimeModel time;
    if (!options.clock.empty()) time.period_ps = parse_clock(options.clock);
    if (!options.ipc.empty()) time.instructions_per_cycle = parse_ipc(options.ipc);
    return time;
}

/// The range of --last: the trace is read once to count, and stands at its beginning again.
Range last_range(std::uint64_t count, TraceFile& trace, const Format& to, const Choices& choices) {
    trace.input.spool(choices.settings.temporary_folder);
    Findings told_later(0);
    Losses none_yet;
    PreparedSource source(trace.input, *trace.format, to, choices.settings, told_later, choices.criteria.records);
    Plan raising = make_raising_plan(source.schema(), to, choices, none_yet);
    const std::uint64_t positions = count_positions(source.reader(), raising, trace.format->reads.kinds);
    trace.input.seek(0);
    return last_positions(count, positions);
}

void print_plan(const std::string& file, const Plan& plan, const Losses& losses) {
    TextOutput out(STDOUT_FILENO);
    out.put(fmt::format("{}\n", file));
    for (std::size_t i = 0; i < plan.steps.size(); ++i)
        out.put(fmt::format("  {}. {}: {}\n", i + 1, plan.steps[i].name, plan.steps[i].what));
    const bool none = plan.losses.empty() && losses.none();
    out.put(none ? "losses: none\n" : "losses that can happen:\n");
    for (const ExpectedLoss& loss : plan.losses)
        out.put(fmt::format("  {} {}: {}\n", name_of(loss.loss), loss.subject, loss.why));
    for (const auto& [key, entry] : losses.entries())
        out.put(fmt::format("  {} {}: {}\n", name_of(key.first), key.second, entry.first));
    if (!losses.assumptions().empty()) out.put("assumptions:\n");
    for (const std::string& assumption : losses.assumptions())
        out.put(fmt::format("  {}\n", assumption));
    out.flush();
}

std::string loss_report_text(const TraceFile& trace, const Format& to, const Losses& losses, Effect effect,
                             const ConversionCounts& counts, JsonIntegers integers) {
    Json json = json_head("hwtrace-losses/1", tool);
    json["from"] = trace.format->name;
    json["to"] = to.name;
    json["records_read"] = json_integer(counts.records_read, integers);
    json["records_written"] = json_integer(counts.records_written, integers);
    json["input_complete"] = effect == Effect::harmless;
    json["losses"] = Json::array();
    for (const auto& [key, entry] : losses.entries()) {
        Json loss;
        loss["loss"] = name_of(key.first);
        loss["subject"] = key.second;
        loss["count"] = json_integer(entry.count, integers);
        loss["first"] = entry.first;
        json["losses"].push_back(loss);
    }
    json["assumptions"] = losses.assumptions();
    return to_pretty_text(json);
}

/// The report must not take the place of the trace. Throws Failure::usage.
void check_loss_report(const ConvertOptions& options) {
    namespace fs = std::filesystem;
    if (options.loss_report.empty() || options.output.empty()) return;
    const auto place = [](const std::string& path) {
        std::error_code unknown;
        const fs::path whole = fs::weakly_canonical(fs::absolute(path, unknown), unknown);
        return unknown ? fs::path(path) : whole;
    };
    if (place(options.loss_report) == place(options.output))
        fail(Failure::usage, fmt::format("--loss-report {}: that is the output itself", options.loss_report));
}

void write_loss_report(const ConvertOptions& options, const std::optional<Input::Identity>& input,
                       const std::string& text) {
    if (options.loss_report == "-") {
        TextOutput out(STDOUT_FILENO);
        out.put(text);
        out.flush();
        return;
    }
    const auto report = open_file_output(options.loss_report, Existing::replace, input);
    report->append(as_bytes(text));
    report->commit();
}

/// As much of a text of the trace as a line of a message has room for.
std::string shown(std::string_view text) {
    constexpr std::size_t most = 100;
    std::size_t size = 0;
    while (size < text.size() && size < most)
        size += std::max<std::size_t>(utf8_length(text, size), 1);
    return printable(text.substr(0, size)) + (size < text.size() ? "..." : "");
}

void say_losses(const std::string& file, const Losses& losses, Messages& messages) {
    for (const std::string& assumption : losses.assumptions())
        messages.note(file, fmt::format("assumption: {}", assumption));
    for (const auto& [key, entry] : losses.entries())
        messages.note(file, fmt::format("lost: {} {}, {} {}, first {}", name_of(key.first),
                                        key.second.empty() ? "\"\"" : shown(key.second), entry.count,
                                        entry.count == 1 ? "time" : "times", shown(entry.first)));
}

void verify_output(TraceFile& trace, Output& output, const Format& to, const Choices& choices, const Losses& losses,
                   Effect source, Messages& messages) {
    if (!losses.none()) {
        messages.note(trace.name(), "--verify: not compared, because data was lost");
        return;
    }
    if (!can_verify(to, choices, source)) {
        const Option* const restating = choices.settings.restating(to.options);
        messages.note(trace.name(),
                      source == Effect::damaged ? "--verify: not compared, because parts of the input cannot be read"
                      : restating != nullptr
                          ? fmt::format("--verify: not compared, because --{} asks for another trace", restating->key)
                          : fmt::format("--verify: not compared, because a part is numbered anew in {}", to.name));
        return;
    }
    std::optional<Input> written = output.reopen();
    if (!written) fail(Failure::internal, "the output cannot be read back");
    const auto difference = verify_conversion(trace.input, *trace.format, *written, to, choices);
    if (!difference) {
        messages.detail(output.name(), "verified: reading it back gives the same trace");
        return;
    }
    fail(Failure::internal,
         fmt::format("{}: reading it back gives another trace, at line {} of the model: expected '{}', found '{}'",
                     output.name(), difference->line, difference->expected, difference->got));
}

std::string damage_text(Effect effect, const ConversionCounts& counts) {
    const std::string_view what = effect == Effect::incomplete ? "the input ends early"
                                  : effect == Effect::damaged  ? "parts of the input cannot be read"
                                                               : "the input breaks its format";
    return fmt::format("{}; {} records were converted; --allow-incomplete accepts this", what, counts.records_read);
}

}  // namespace

Exit convert_command(const ConvertOptions& options) {
    Messages messages = options.common.messages(tool);
    if (options.input.empty()) fail(Failure::usage, "an input is needed; try hwtrace-convert --help");
    if (options.output.empty() && !options.explain)
        fail(Failure::usage, "an output is needed; try hwtrace-convert --help");
    check_loss_report(options);
    const Format& to = target_format(options, messages);
    Settings settings = options.common.settings();
    options.common.refuse_unused(&to);
    if (options.output != "-") settings.output_name = options.output;
    const std::optional<std::uint64_t> last = options.part.last_count();

    TraceFile trace = open_trace(options.input, options.common, messages);
    settings.source_format = trace.format->name;
    Choices choices{time_model(options), options.part.chosen_range(), settings, options.part.criteria()};
    const std::string file = trace.name();
    const auto identity = trace.input.identity();
    std::unique_ptr<Output> output;
    if (!options.explain) {
        const Existing existing = options.force ? Existing::replace : Existing::refuse;
        output = options.output == "-" ? open_stdout_output(to.writes.needs_patch || options.verify || options.strict,
                                                            options.common.temporary_folder())
                                       : open_file_output(options.output, existing, identity);
    }
    if (needs_spooling(trace) || (options.verify && !options.explain)) {
        trace.input.spool(options.common.temporary_folder());
    }

    Findings findings(findings_shown_per_rule);
    say_findings(findings, file, messages);
    Losses losses;
    ConversionCounts counts;
    naming(file, [&] {
        if (last) choices.range = last_range(*last, trace, to, choices);
        PreparedSource source(trace.input, *trace.format, to, settings, findings, choices.criteria.records);
        Plan plan = make_plan(source.schema(), source.format(), to, choices, losses);
        if (options.explain) {
            // What the schema alone costs the writer knows when it is created.
            const auto nowhere = open_memory_output("<plan>", [](const std::vector<std::byte>&) {});
            to.create(*nowhere, plan.target_schema(source.schema()), settings, losses);
            print_plan(file, plan, losses);
            return;
        }
        const std::unique_ptr<Writer> writer =
            to.create(*output, plan.target_schema(source.schema()), settings, losses);
        Progress progress(messages, options.common.progress(), file, trace.input.size());
        if (!plan.gives_time && (!options.clock.empty() || !options.ipc.empty()))
            messages.note(file, "--clock and --ipc change nothing here: no time is made up in this conversion");
        counts = convert(source.reader(), plan, *writer, [&](std::uint64_t bytes) { progress(bytes); });
    });
    if (options.explain) return Exit::done;

    const bool incomplete = breaks_its_format(findings) && !options.allow_incomplete;
    const bool lossy = !losses.none() && !options.allow_loss;
    const bool refused = options.strict && (incomplete || lossy);
    if (options.verify && !refused) verify_output(trace, *output, to, choices, losses, findings.effect(), messages);
    if (!options.loss_report.empty())
        write_loss_report(
            options, identity,
            loss_report_text(trace, to, losses, findings.effect(), counts, options.common.json_integers()));
    if (!refused) output->commit();

    say_hidden_findings(findings, file, messages);
    say_losses(file, losses, messages);
    if (incomplete) messages.error(file, damage_text(findings.effect(), counts));
    if (lossy && messages.volume() != Volume::quiet) messages.note(file, "data was lost; --allow-loss accepts this");
    if (refused) messages.error(file, fmt::format("--strict: {} was not written", output->name()));
    if (counts.records_written == 0) {
        if (options.part.range)
            messages.note(file,
                          fmt::format("nothing is in the range {}; the output holds no records", *options.part.range));
        else if (last == 0)
            messages.note(file, "--last 0 is nothing; the output holds no records");
        else if (choices.criteria.any() && counts.records_read != 0)
            messages.note(file, "nothing was selected; the output holds no records");
    }
    messages.detail(file, fmt::format("{} records read, {} written, {} bytes", counts.records_read,
                                      counts.records_written, output->size()));
    return incomplete || lossy ? Exit::incomplete : Exit::done;
}

std::uint64_t parse_clock(std::string_view text) {
    const auto reject = [&](std::string_view why) {
        fail(Failure::usage,
             fmt::format("--clock takes a frequency or a period, such as 1GHz or 500ps, not '{}'{}", text, why));
    };
    if (const auto period = parse_time_ps(text)) {
        if (*period == 0) reject("");
        return *period;
    }
    struct Unit {
        std::string_view name;
        std::uint64_t hertz;
    };
    constexpr std::array units{Unit{"GHz", 1'000'000'000}, Unit{"MHz", 1'000'000}, Unit{"kHz", 1'000}, Unit{"Hz", 1}};
    for (const Unit& unit : units) {
        if (!text.ends_with(unit.name)) continue;
        const std::string_view number = text.substr(0, text.size() - unit.name.size());
        const std::size_t point = std::min(number.find('.'), number.size());
        const std::string_view fraction = number.substr(std::min(point + 1, number.size()));
        std::string digits(number.substr(0, point));
        digits.append(fraction);
        const auto value = parse_digits(digits);
        if (!value || *value == 0 || fraction.size() > 9) break;
        // period = 10^12 / (value * hertz / 10^fraction), in whole picoseconds
        std::uint64_t scale = 1;
        for (std::size_t i = 0; i < fraction.size(); ++i)
            scale *= 10;
        const Ratio frequency = Ratio{unit.hertz, scale}.reduced();
        __extension__ using Wide = unsigned __int128;
        const Wide hertz = static_cast<Wide>(*value) * frequency.num;
        const Wide picoseconds = static_cast<Wide>(picoseconds_per_second) * frequency.den;
        if (hertz > picoseconds || picoseconds % hertz != 0 || picoseconds / hertz > UINT64_MAX)
            reject(": its period is not a whole number of picoseconds; name the period itself");
        return static_cast<std::uint64_t>(picoseconds / hertz);
    }
    reject("");
    return 0;
}

Ratio parse_ipc(std::string_view text) {
    const std::size_t slash = text.find('/');
    const auto num = parse_count(text.substr(0, slash));
    const auto den =
        slash == std::string_view::npos ? std::optional<std::uint64_t>(1) : parse_count(text.substr(slash + 1));
    if (!num || !den || *num == 0 || *den == 0)
        fail(Failure::usage,
             fmt::format("--ipc takes N or N/M instructions per cycle, such as 2 or 3/4, not '{}'", text));
    return Ratio{*num, *den}.reduced();
}

}  // namespace hwtrace::cli
