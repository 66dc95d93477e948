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
    if (!lines_.next()) return false;
    const bool is_object = !line_.parse(lines_.text());
    if (is_object && !lines_.ended()) report(Check::line_not_ended);
    return is_object;
}

bool Lines::ends_in_first() {
    const bool is_line_cut = !lines_.ended() && lines_.text().starts_with('{');
    if (is_line_cut) report(Check::line_cut, {}, shown(lines_.text()));
    check_end();
    return is_line_cut || bytes_.state() == Unpacked::State::truncated || bytes_.state() == Unpacked::State::damaged;
}

bool Lines::next() {
    while (lines_.next()) {
        const std::string_view text = lines_.text();
        if (text.find_first_not_of(" \t") == std::string_view::npos) [[unlikely]] {
            report(Check::line_blank);
            continue;
        }
        const auto fault = line_.parse(text);
        if (!lines_.ended()) [[unlikely]]
            report(fault ? Check::line_cut : Check::line_not_ended, {}, fault ? shown(text) : std::string());
        if (!fault) return true;
        if (lines_.ended()) report(Check::no_json, std::string(fault->what), shown(text.substr(fault->at)), fault->at);
    }
    check_end();
    return false;
}

void Lines::check_end() {
    report_packing(bytes_, rule(Check::packing_cut), rule(Check::packing_damaged), findings_);
}

}  // namespace hwtrace::jsonl
