#include "lines.hpp"

#include <algorithm>

#include "codec/line_findings.hpp"

namespace hwtrace::jsonl {

std::string shown(std::string_view text) {
    constexpr std::size_t most = 60;
    return std::string(text.substr(0, most));
}

Lines::Lines(Input& input, const Limits& limits, Findings& findings)
    : findings_(findings), bytes_(input, limits), lines_(bytes_, limits.record, "--max-record"), line_(limits.depth) {}

void Lines::report(Check check, std::string expected, std::string got, std::size_t at) {
    Finding finding = line_finding(rule(check), lines_, bytes_, at);
    finding.expected = std::move(expected);
    finding.got = std::move(got);
    findings_.report(std::move(finding));
}

bool Lines::first() {
    may_go_on_ = true;
    if (!lines_.next()) return false;
    const auto fault = line_.parse(lines_.text());
    may_go_on_ = !lines_.ended() && fault && fault->may_go_on;
    if (!fault) check_object();
    return !fault;
}

std::string_view Lines::end_in_first() {
    const bool has_text = !lines_.text().empty();
    if (may_go_on_ && has_text) report(Check::line_cut, {}, shown(lines_.text()));
    check_end();
    if (has_text && !may_go_on_) return {};
    if (bytes_.state() == Unpacked::State::damaged) return "the file is damaged inside its first line";
    return has_text || bytes_.state() == Unpacked::State::truncated ? "the file ends inside its first line"
                                                                    : std::string_view{};
}

bool Lines::next() {
    while (lines_.next()) {
        const std::string_view text = lines_.text();
        if (text.find_first_not_of(" \t") == std::string_view::npos) [[unlikely]] {
            report(Check::line_blank);
            continue;
        }
        const auto fault = line_.parse(text);
        if (!fault) [[likely]] {
            check_object();
            return true;
        }
        if (!lines_.ended() && fault->may_go_on)
            report(Check::line_cut, {}, shown(text));
        else
            report(Check::no_json, std::string(fault->what), shown(text.substr(fault->at)), fault->at);
    }
    check_end();
    return false;
}

void Lines::check_object() {
    if (line_.repeat()) [[unlikely]]
        report(Check::member_repeated, {}, shown(line_.repeat()->name), line_.repeat()->at);
    if (!lines_.ended()) [[unlikely]]
        report(Check::line_not_ended);
}

void Lines::check_end() {
    report_packing(bytes_, rule(Check::packing_cut), rule(Check::packing_damaged), findings_);
}

}  // namespace hwtrace::jsonl
