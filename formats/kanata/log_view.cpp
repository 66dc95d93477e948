// formats/kanata/log_view.cpp - the view "log": one line per command, with its cycle.
#include <optional>

#include "codec.hpp"
#include "codec/line_findings.hpp"
#include "domain/value_text.hpp"
#include "log.hpp"

namespace hwtrace::kanata {
namespace {

constexpr std::size_t cycle_width = 10;

void append_cycle(std::int64_t cycle, TextOutput& out) {
    const std::string digits = std::to_string(cycle);
    for (std::size_t at = digits.size(); at < cycle_width; ++at)
        out.put(' ');
    out.put(digits);
    out.put(' ');
}

void append_number(std::string_view name, std::uint64_t value, TextOutput& out) {
    out.put(name);
    out.decimal(value);
}

void append_text(std::string_view text, TextOutput& out) {
    std::string unescaped;
    append_unescaped(text, unescaped);
    append_quoted(unescaped, out);
}

void append_command(const Log& log, const Command& command, TextOutput& out) {
    switch (command.action) {
        case Action::begin:
            append_number("begin ", command.id, out);
            append_number(" simulator_id=", command.number, out);
            append_number(" thread_id=", command.kind, out);
            break;
        case Action::label:
            append_number("label ", command.id, out);
            append_number(" type=", command.kind, out);
            out.put(' ');
            append_text(command.text, out);
            break;
        case Action::stage_start:
        case Action::stage_end:
            append_number(command.action == Action::stage_start ? "stage " : "end ", command.id, out);
            append_number(" lane=", command.kind, out);
            out.put(' ');
            append_quoted(command.text, out);
            break;
        case Action::retire:
            append_number(command.kind == 0 ? "retire " : "flush ", command.id, out);
            append_number(" retire_id=", command.number, out);
            if (command.kind > 1) append_number(" type=", command.kind, out);
            break;
        case Action::dependency:
            append_number("dependency ", command.id, out);
            append_number(" on ", command.number, out);
            append_number(" type=", command.kind, out);
            break;
        case Action::remark:
        case Action::unknown:
        case Action::malformed:
        case Action::blank:
        case Action::start_cycle:
        case Action::advance:
            out.put("line ");
            append_quoted(log.line(), out);
            break;
    }
}

void show(Input& input, TextOutput& out, const Settings& settings, Findings& findings) {
    const std::optional<ChosenRows> chosen = ChosenRows::of(input, settings, open_rows);
    Log log(input, settings.limits, findings);
    LogRows rows(settings.limits);
    out.put("kanata ");
    append_quoted(log.version(), out);
    out.put('\n');
    for (Command command; log.next(command);) {
        if (chosen && !chosen->has(rows.next(command, log))) continue;
        append_cycle(log.cycle(), out);
        append_command(log, command, out);
        out.put('\n');
    }
}

}  // namespace

void render_log(Input& input, TextOutput& out, const Settings& settings, Findings& findings) {
    input.spool(settings.temporary_folder);
    show_and_check([&](Findings& unsaid) { show(input, out, settings, unsaid); },
                   [&] { return open_reader(input, settings, findings); });
}

}  // namespace hwtrace::kanata
