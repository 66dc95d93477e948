#include "log.hpp"

#include <algorithm>
#include <array>

#include "codec/cut_line.hpp"
#include "codec/line_findings.hpp"
#include "io/appender.hpp"
#include "io/cursor.hpp"
#include "io/error.hpp"

namespace hwtrace::kanata {

namespace {

std::string_view trimmed(std::string_view text) noexcept {
    text.remove_prefix(std::min(text.find_first_not_of(" \t"), text.size()));
    text.remove_suffix(text.size() - (text.find_last_not_of(" \t") + 1));
    return text;
}

/// Returns true if `line`, which is not a command, may be the beginning of a command.
bool may_become_command(std::string_view line) {
    constexpr std::array<std::string_view, 8> commands{"C=\t1",      "C\t1",       "I\t1\t1\t1", "L\t1\t1\tx",
                                                       "S\t1\t1\tx", "E\t1\t1\tx", "R\t1\t1\t1", "W\t1\t1\t1"};
    return may_become(line, commands, [](std::string_view whole) {
        const Action action = parse(whole).action;
        return action != Action::malformed && action != Action::unknown;
    });
}

}  // namespace

bool recognise(std::span<const std::byte> head) {
    std::array<std::byte, magic.size()> first{};
    const std::size_t have = unpack_head(head, first);
    return std::string_view(reinterpret_cast<const char*>(first.data()), have) == magic;
}

Log::Log(Input& input, const Limits& limits, Findings& findings)
    : findings_(findings), bytes_((input.seek(0), input), limits), lines_(bytes_, limits.string) {
    if (report_cut_beginning(magic, lines_, bytes_, rule(Check::command_cut), rule(Check::packing_cut),
                             rule(Check::packing_damaged), findings_))
        fail(Failure::input, input.name() + ": the log ends inside the word Kanata");
    if (lines_.behind(magic.size()) != magic) {
        report(Check::no_magic, "Kanata, plain or compressed");
        fail(Failure::input, input.name() + ": not a Kanata log");
    }
    read_header();
}

void Log::read_header() {
    if (!lines_.next()) return;
    std::string_view rest = lines_.text().substr(magic.size());
    if (const std::size_t remark = rest.find(clock_remark);
        remark != 0 && remark < rest.size() && lines_.ended() && rest[remark - 1] == '\t') {
        clock_ps_ = stated_clock(rest.substr(remark)).value_or(0);
        rest = rest.substr(0, remark);
    }
    rest = trimmed(rest);
    version_ = trimmed(rest.substr(0, rest.find('\t')));
    if (version_ != known_version) report(Check::version_unknown, std::string(known_version), version_);
    if (!lines_.ended()) report(Check::line_not_ended);
}

void Log::report(Check check, std::string expected, std::string got) {
    findings_.report(finding(check, std::move(expected), std::move(got)));
}

Finding Log::finding(Check check, std::string expected, std::string got) const {
    Finding finding = line_finding(rule(check), lines_, bytes_);
    finding.expected = std::move(expected);
    finding.got = std::move(got);
    return finding;
}

void Log::save_place(Appender& out) const {
    lines_.save_place(bytes_, out);
    for (const std::int64_t cycle : {cycle_, first_cycle_})
        out.le(cycle);
    out.le(static_cast<std::uint8_t>(started_ ? 1 : 0));
    out.leb128(clock_ps_);
}

bool Log::restore_place(Cursor& in) {
    if (!lines_.restore_place(bytes_, in)) return false;
    cycle_ = in.le<std::int64_t>();
    first_cycle_ = in.le<std::int64_t>();
    started_ = in.le<std::uint8_t>() != 0;
    clock_ps_ = in.leb128();
    return true;
}

void Log::check_end() {
    report_packing(bytes_, rule(Check::packing_cut), rule(Check::packing_damaged), findings_);
}

void Log::go_to(std::int64_t cycle) {
    if (cycle < cycle_) {
        report(Check::cycle_goes_back, "cycle " + std::to_string(cycle_) + " or later", std::to_string(cycle));
        return;
    }
    cycle_ = cycle;
}

bool Log::is_our_remark() {
    const auto period = stated_clock(line());
    if (!period || clock_ps_ != 0 || !lines_.ended()) return false;
    clock_ps_ = *period;
    return true;
}

bool Log::next(Command& command) {
    while (lines_.next()) {
        command = parse(line());
        if (!lines_.ended() && command.action != Action::blank) [[unlikely]] {
            // A cut command may still be a valid command with another meaning; line_not_ended reports that case.
            const bool is_wrong = command.action == Action::malformed || command.action == Action::unknown;
            const bool cut = is_wrong && may_become_command(line());
            report(cut ? Check::command_cut : Check::line_not_ended, {},
                   cut ? std::string(line().substr(0, 40)) : std::string{});
            if (cut) continue;
        }
        if (command.has_rest) [[unlikely]]
            report(Check::rest_ignored);
        switch (command.action) {
            case Action::blank:
                continue;
            case Action::start_cycle:
                if (!started_) {
                    started_ = true;
                    cycle_ = first_cycle_ = command.cycles;
                } else {
                    go_to(command.cycles);
                }
                continue;
            case Action::advance:
                started_ = true;
                if (command.cycles > most_cycles - cycle_) {
                    report(Check::columns_wrong, "a cycle up to 2^62", std::string(line()));
                    command.action = Action::malformed;
                    return true;
                }
                go_to(cycle_ + command.cycles);
                continue;
            case Action::remark:
                if (is_our_remark()) continue;
                report(Check::remark, {}, std::string(line().substr(0, 40)));
                return true;
            case Action::unknown:
                report(Check::command_unknown, "C=, C, I, L, S, E, R or W", std::string(line().substr(0, 40)));
                return true;
            case Action::malformed:
                report(Check::columns_wrong, {}, std::string(line().substr(0, 80)));
                return true;
            case Action::begin:
            case Action::label:
            case Action::stage_start:
            case Action::stage_end:
            case Action::retire:
            case Action::dependency:
                started_ = true;
                return true;
        }
    }
    check_end();
    return false;
}

}  // namespace hwtrace::kanata
