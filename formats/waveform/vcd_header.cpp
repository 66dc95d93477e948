#include "vcd_header.hpp"

#include <algorithm>
#include <array>
#include <optional>
#include <utility>

#include "io/number_text.hpp"
#include "names.hpp"

namespace hwtrace::waveform {
namespace {

constexpr std::string_view end_word = "$end";
constexpr std::array<std::string_view, 11> keywords{"$timezero",       "$date",      "$version", "$comment",
                                                    "$timescale",      "$scope",     "$upscope", "$var",
                                                    "$enddefinitions", "$attrbegin", "$attrend"};

struct Unit {
    std::string_view name;
    int exponent;
};
constexpr std::array<Unit, 6> units{{{"s", 0}, {"ms", -3}, {"us", -6}, {"ns", -9}, {"ps", -12}, {"fs", -15}}};

std::optional<int> exponent_of(std::string_view text) noexcept {
    const std::size_t digits = std::min(text.find_first_not_of("0123456789"), text.size());
    const std::string_view number = text.substr(0, digits);
    const auto zeros = number == "1" ? 0 : number == "10" ? 1 : number == "100" ? 2 : -1;
    if (zeros < 0) return std::nullopt;
    for (const Unit& unit : units)
        if (text.substr(digits) == unit.name) return unit.exponent + zeros;
    return std::nullopt;
}

Variable::Kind kind_of(std::string_view type) noexcept {
    if (type == "real" || type == "realtime" || type == "real_parameter" || type == "shortreal")
        return Variable::Kind::real;
    if (type == "string") return Variable::Kind::text;
    if (type == "event") return Variable::Kind::event;
    if (type == "byte" || type == "shortint" || type == "int" || type == "longint") return Variable::Kind::integer;
    return Variable::Kind::bits;
}

}  // namespace

std::uint32_t Codes::add(std::string_view code, std::uint32_t signal) {
    next_.resize(std::size_t{signal} + 1, no_number);
    const std::uint64_t number = number_of(code);
    std::uint32_t* place = nullptr;
    if (number < most_dense) {
        if (number >= dense_.size()) dense_.resize(static_cast<std::size_t>(number) + 1, no_number);
        place = &dense_[static_cast<std::size_t>(number)];
    } else {
        place = &sparse_.try_emplace(std::string(code), no_number).first->second;
    }
    if (*place == no_number) return *place = signal;
    next_[signal] = next_[*place];
    next_[*place] = signal;
    return *place;
}

void VcdFindings::report_at(std::uint64_t offset, std::uint64_t length, VcdCheck check, std::string expected,
                            std::string got) const {
    constexpr std::size_t shown = 80;
    const bool concerns_end =
        check == VcdCheck::header_cut || check == VcdCheck::change_cut || check == VcdCheck::word_not_ended;
    const bool is_packing_at_fault =
        bytes_.state() == Unpacked::State::truncated || bytes_.state() == Unpacked::State::damaged;
    if (concerns_end && is_packing_at_fault) return;  // report_packing() tells what happened
    Finding finding{.rule = &rule(check), .offset = offset, .length = std::max<std::uint64_t>(length, 1)};
    if (bytes_.packing() != Packing::plain) {
        finding.inner_offset = offset;
        finding.offset = 0;
        finding.length = std::max<std::uint64_t>(bytes_.file_offset(), 1);
    }
    finding.expected = std::move(expected);
    finding.got = std::move(got.size() > shown ? got.erase(shown) : got);
    findings_.report(std::move(finding));
}

VcdHeader::Result VcdHeader::read() {
    bool is_first = true;
    while (words_.next()) {
        std::string keyword(words_.word());
        begin_ = words_.offset();
        if (is_first && begin_ == 0 && keyword.starts_with(byte_order_mark)) {
            keyword.erase(0, byte_order_mark.size());
            if (keyword.empty()) continue;
        }
        const bool is_known = std::ranges::find(keywords, keyword) != keywords.end();
        if (is_first && !is_known) {
            const bool may_be_cut = !words_.is_ended() && std::ranges::any_of(keywords, [&](std::string_view known) {
                return known.starts_with(keyword);
            });
            findings_.report(may_be_cut ? VcdCheck::header_cut : VcdCheck::no_magic, "$date, $timescale, $scope, ...",
                             keyword);
            return may_be_cut ? Result::cut : Result::no_magic;
        }
        is_first = false;
        const bool is_end = keyword == "$enddefinitions";
        if (!collect()) {
            if (is_end) return Result::complete;  // readers do not need its $end
            break;
        }
        if (is_end) {
            if (!has_timescale_) findings_.report_at(begin_, keyword.size(), VcdCheck::timescale_missing, {}, {});
            return Result::complete;
        }
        if (!is_known || !read_command(keyword))
            findings_.report_at(begin_, keyword.size(), VcdCheck::command_unknown, {}, keyword);
    }
    if (is_first) {
        findings_.report_at(0, 1, VcdCheck::no_magic, "$date, $timescale, $scope, ...", "an empty file");
        return Result::no_magic;
    }
    findings_.report_at(words_.offset(), words_.word().size(), VcdCheck::header_cut, "$enddefinitions",
                        "the end of the file");
    return Result::cut;
}

bool VcdHeader::collect() {
    constexpr std::size_t most_parts = 1u << 16;
    parts_.clear();
    while (words_.next()) {
        if (words_.word() == end_word) return true;
        if (parts_.size() < most_parts) parts_.emplace_back(words_.word());
    }
    return false;
}

bool VcdHeader::read_command(std::string_view keyword) {
    if (keyword == "$date") {
        describe("vcd.date");
    } else if (keyword == "$version") {
        describe("vcd.version");
    } else if (keyword == "$comment") {
        describe("vcd.comment");
    } else if (keyword == "$timezero") {
        describe("vcd.timezero");
    } else if (keyword == "$timescale") {
        read_timescale();
    } else if (keyword == "$scope") {
        read_scope();
    } else if (keyword == "$var") {
        read_variable();
    } else if (keyword == "$upscope") {
        if (scope_ == none)
            findings_.report_at(begin_, keyword.size(), VcdCheck::scope_not_open, {}, {});
        else
            scope_ = schema_.scopes()[scope_].parent;
    }
    return true;
}

void VcdHeader::describe(std::string_view key) {
    std::string value;
    for (const std::string& part : parts_)
        value.append(value.empty() ? "" : " ").append(part);
    schema_.describe(std::string(key), std::move(value));
}

void VcdHeader::read_timescale() {
    std::string text;
    for (const std::string& part : parts_)
        text += part;
    has_timescale_ = true;
    if (const std::optional<int> exponent = exponent_of(text)) return tracks_.set_timescale(*exponent);
    findings_.report_at(begin_, 10, VcdCheck::timescale_wrong, "1 ns, 10 ps, ...", text);
}

void VcdHeader::read_scope() {
    if (parts_.size() < 2)
        findings_.report_at(begin_, 6, VcdCheck::declaration_wrong, "a type and a name", std::to_string(parts_.size()));
    std::string name;
    for (std::size_t at = 1; at < parts_.size(); ++at)
        name += parts_[at];
    scope_ = tracks_.declare_scope(scope_, read_name(name));
}

void VcdHeader::read_variable() {
    const auto size = parts_.size() < 4 ? std::nullopt : parse_decimal<std::uint32_t>(parts_[1]);
    if (!size) {
        std::string got;
        for (const std::string& part : parts_)
            got.append(got.empty() ? "" : " ").append(part);
        return findings_.report_at(begin_, 4, VcdCheck::declaration_wrong, "a type, a size, a code and a name", got);
    }
    std::string name;
    for (std::size_t at = 3; at < parts_.size(); ++at)
        name += parts_[at];
    constexpr std::uint32_t widest = 1u << 24;
    if (*size > widest)
        return findings_.report_at(begin_, 4, VcdCheck::declaration_wrong, "at most 2^24 bits", parts_[1]);
    const Variable::Kind kind = kind_of(parts_[0]);
    if (*size == 0 && (kind == Variable::Kind::bits || kind == Variable::Kind::integer))
        findings_.report_at(begin_, 4, VcdCheck::declaration_wrong, "at least 1 bit", parts_[1]);
    const std::uint32_t signal = tracks_.declare(scope_, {kind, *size, read_name(name)});
    const std::uint32_t first = codes_.add(parts_[2], signal);
    if (tracks_.kind(first) != tracks_.kind(signal) || tracks_.width(first) != tracks_.width(signal))
        findings_.report_at(begin_, 4, VcdCheck::redeclared, std::to_string(tracks_.width(first)) + " bits", parts_[1]);
}

}  // namespace hwtrace::waveform
