#include "lines.hpp"

#include <algorithm>

namespace hwtrace::jsonl {

std::string shown(std::string_view text) {
    constexpr std::size_t most = 60;
    return std::string(text.substr(0, most));
}

Lines::Lines(Input& input, const Limits& limits, Findings& findings)
    : findings_(findings), bytes_(input, limits), lines_(bytes_, limits.record, "--max-record"), line_(limits.depth) {}

void Lines::report(Check check, std::string expected, std::string got, std::size_t at) {
    Finding finding{.rule = &rule(check), .expected = std::move(expected), .got = std::move(got)};
    if (lines_.number() != 0) finding.where.append("line ").append(std::to_string(lines_.number()));
    finding.offset = lines_.offset() + at;
    if (packing() != Packing::plain) {
        finding.inner_offset = finding.offset;
        finding.offset = bytes_.file_offset();
    }
    findings_.report(std::move(finding));
}

bool Lines::first() {
    if (!lines_.next()) return false;
    const bool is_object = !line_.parse(lines_.text());
    if (is_object && !lines_.ended()) report(Check::line_not_ended);
    return is_object;
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
    const bool is_cut = bytes_.state() == Unpacked::State::truncated;
    if (!is_cut && bytes_.state() != Unpacked::State::damaged) return;
    bytes_.check_memory();
    findings_.report({.rule = &rule(is_cut ? Check::packing_cut : Check::packing_damaged),
                      .offset = bytes_.file_offset(),
                      .where = std::string(name_of(packing()))});
}

}  // namespace hwtrace::jsonl
