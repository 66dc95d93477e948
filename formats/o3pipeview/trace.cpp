#include "trace.hpp"

#include <algorithm>

#include "codec/cut_line.hpp"
#include "codec/line_findings.hpp"
#include "io/error.hpp"

namespace hwtrace::o3pipeview {

namespace {

constexpr std::size_t shown_bytes = 80;  ///< of a line in a finding

std::string shown(std::string_view line) {
    return std::string(line.substr(0, shown_bytes));
}

bool is_of_trace(LineKind kind) noexcept {
    return kind != LineKind::other && kind != LineKind::unknown && kind != LineKind::malformed;
}

/// Returns true if a number follows the word of a line. Pages and sources that mention the form have other text.
bool has_tick(std::string_view line) noexcept {
    if (!line.starts_with(magic)) return false;
    line.remove_prefix(std::min(line.find(':', magic.size()), line.size()));
    const std::size_t at = line.find_first_not_of(": ");
    return at != std::string_view::npos && line[at] >= '0' && line[at] <= '9';
}

/// Returns true if a line of `head` that ends before `head` does is a line of a trace.
bool has_line(std::string_view head) noexcept {
    while (!head.empty()) {
        const std::size_t end = std::min(head.find('\n'), head.size());
        std::string_view line = head.substr(0, end);
        if (line.ends_with('\r')) line.remove_suffix(1);
        // Magic, word and a digit suffice: a reader reports what is wrong with the columns.
        const LineKind kind = parse(line).kind;
        if (is_of_trace(kind) || (kind == LineKind::malformed && has_tick(line))) return true;
        head.remove_prefix(std::min(end + 1, head.size()));
    }
    return false;
}

}  // namespace

bool recognise(std::span<const std::byte> head) {
    std::array<std::byte, 4096> first;
    const std::size_t have = unpack_head(head, first);
    return has_line({reinterpret_cast<const char*>(first.data()), have});
}

Tick Instruction::last() const noexcept {
    return *std::ranges::max_element(ticks);
}

Trace::Trace(Input& input, const Limits& limits, Findings& findings, const std::vector<std::string>& cores)
    : findings_(findings), bytes_((input.seek(0), input), limits), lines_(bytes_, limits.string) {
    for (const std::string& core : cores)
        cores_.add(core);
}

Finding Trace::finding(Check check, std::string expected, std::string got) const {
    Finding finding = line_finding(rule(check), lines_, bytes_);
    finding.expected = std::move(expected);
    finding.got = std::move(got);
    return finding;
}

void Trace::report(Check check, std::string expected, std::string got) {
    findings_.report(finding(check, std::move(expected), std::move(got)));
}

Finding Trace::finding(const Instruction& instruction, Check check, std::string expected, std::string got) const {
    Finding found = finding(check, std::move(expected), std::move(got));
    found.where = "line " + std::to_string(instruction.line);
    if (found.inner_offset) {
        found.inner_offset = instruction.offset;
    } else {
        found.offset = instruction.offset;
        found.length = 1;
    }
    return found;
}

void Trace::report(const Instruction& instruction, Check check, std::string expected, std::string got) {
    findings_.report(finding(instruction, check, std::move(expected), std::move(got)));
}

std::uint32_t Trace::core_of(std::string_view cpu) {
    if (cpu.empty()) cpu = unnamed_core;
    const std::vector<std::string>& names = cores_.names();
    if (last_core_ >= names.size() || names[last_core_] != cpu) last_core_ = cores_.add(cpu);
    return last_core_;
}

bool Trace::is_cut(const Line& line) const {
    if (is_of_trace(line.kind) || (line.kind == LineKind::other && is_known_)) return false;
    constexpr std::array<std::string_view, 11> examples{"1000: system.cpu: O3PipeView:decode:1",
                                                        "O3PipeView:fetch:1:0x1:0:1:x",
                                                        "O3PipeView:thread:1:1",
                                                        "O3PipeView:decode:1",
                                                        "O3PipeView:rename:1",
                                                        "O3PipeView:dispatch:1",
                                                        "O3PipeView:issue:1",
                                                        "O3PipeView:complete:1",
                                                        "O3PipeView:retire:1:store:1",
                                                        "#hwtrace: ticks_per_cycle 1",
                                                        "#hwtrace: ticks_per_second 1"};
    return may_become(lines_.text(), examples, [](std::string_view whole) { return is_of_trace(parse(whole).kind); });
}

void Trace::note_other(const Line& line) {
    switch (line.kind) {
        case LineKind::cycle:
            is_known_ = true;
            if (stated_cycle_ == 0) stated_cycle_ = line.number;
            return;
        case LineKind::rate:
            is_known_ = true;
            if (stated_rate_ == 0) stated_rate_ = line.number;
            return;
        case LineKind::unknown:
            is_known_ = true;
            return report(Check::word_unknown, "fetch, decode, rename, dispatch, issue, complete or retire",
                          shown(lines_.text()));
        case LineKind::malformed:
            is_known_ = true;
            return report(Check::columns_wrong, {}, shown(lines_.text()));
        case LineKind::other:
        case LineKind::fetch:
        case LineKind::thread:
        case LineKind::stage:
        case LineKind::retire:
            if (lines_.text().find_first_not_of(" \t") == std::string_view::npos) return;
            if (other_lines_++ == 0) report(Check::other_lines, {}, shown(lines_.text()));
            return;
    }
}

bool Trace::next_line(Line& line) {
    while (lines_.next()) {
        line = parse(lines_.text());
        if (!lines_.ended()) [[unlikely]] {
            is_cut_ = is_cut(line);
            if (is_cut_) {
                is_known_ = true;
                continue;
            }
            report(Check::line_not_ended);
        }
        const bool is_known = line.kind == LineKind::fetch || line.kind == LineKind::thread ||
                              line.kind == LineKind::stage || line.kind == LineKind::retire;
        if (!is_known) [[unlikely]] {
            note_other(line);
            continue;
        }
        is_known_ = true;
        if (line.has_rest) [[unlikely]]
            report(Check::rest_ignored, {}, shown(lines_.text()));
        if (line.lacks_tick) [[unlikely]]
            report(Check::no_tick, {}, shown(lines_.text()));
        return true;
    }
    return false;
}

void Trace::begin(const Line& line) {
    open_ = {};
    open_.ticks[0] = line.tick;
    open_.pc = line.pc;
    open_.seq = line.seq;
    open_.microop = static_cast<std::uint32_t>(line.number);
    open_.core = core_of(line.cpu);
    open_.offset = lines_.offset();
    open_.line = lines_.number();
    open_label_.assign(line.label);
    stated_ = 0;
    is_open_ = true;
}

void Trace::add_stage(const Line& line) {
    const std::size_t stage = index_of(line.stage);
    const unsigned bit = 1u << stage;
    if ((stated_ & bit) != 0) [[unlikely]]
        report(Check::stated_again, {}, shown(lines_.text()));
    stated_ |= bit;
    open_.ticks[stage] = line.tick;
    if (line.tick != 0 && line.tick < open_.fetch()) [[unlikely]] {
        report(Check::before_fetch, "tick " + std::to_string(open_.fetch()) + " or later", std::to_string(line.tick));
        open_.ticks[stage] = 0;
    }
    if (line.kind != LineKind::retire) return;
    open_.store = line.store;
    if (line.store != 0 && line.store < open_.fetch()) [[unlikely]] {
        report(Check::before_fetch, "tick " + std::to_string(open_.fetch()) + " or later", std::to_string(line.store));
        open_.store = 0;
    }
}

/// Reports an instruction whose ticks decrease.
void Trace::check_order() {
    Tick latest = open_.fetch();
    for (std::size_t stage = 1; stage < stage_count; ++stage) {
        const Tick tick = open_.ticks[stage];
        if (tick == 0) continue;
        if (tick < latest) [[unlikely]] {
            report(Check::out_of_order,
                   std::string(stage_words[stage]).append(" at ").append(std::to_string(latest)).append(" or later"),
                   std::to_string(tick));
            return;
        }
        latest = tick;
    }
}

bool Trace::next(Instruction& instruction) {
    for (Line line; next_line(line);) {
        if (line.kind == LineKind::fetch) {
            const bool gives = is_open_;
            if (gives) {
                report(Check::no_retirement, "a retire line", shown(lines_.text()));
                instruction = open_;
                label_.swap(open_label_);
            }
            begin(line);
            if (gives) return true;
            continue;
        }
        if (!is_open_) [[unlikely]] {
            report(Check::stage_alone, "a fetch line", shown(lines_.text()));
            continue;
        }
        if (line.kind == LineKind::thread) {
            open_.thread = static_cast<std::uint32_t>(line.number);
            continue;
        }
        const bool is_early =
            (line.tick != 0 && line.tick < open_.fetch()) || (line.store != 0 && line.store < open_.fetch());
        if (is_early && !lines_.ended()) {  // a tick without its last digits
            is_cut_ = true;
            continue;
        }
        add_stage(line);
        if (line.kind == LineKind::retire) {
            check_order();
            instruction = open_;
            label_.swap(open_label_);
            is_open_ = false;
            return true;
        }
    }
    if (is_open_ || is_cut_) report(Check::instruction_cut);
    is_open_ = is_cut_ = false;
    // Nothing shows what a compressed trace is that ends before its first line.
    if (bytes_.state() == Unpacked::State::truncated && lines_.number() == 0) is_known_ = true;
    report_packing(bytes_, rule(Check::packing_cut), rule(Check::packing_damaged), findings_);
    return false;
}

}  // namespace hwtrace::o3pipeview
