#include "log.hpp"

#include <algorithm>
#include <array>
#include <string_view>
#include <utility>
#include <vector>

#include "codec/line_findings.hpp"
#include "codec/resumable.hpp"
#include "io/appender.hpp"
#include "io/cursor.hpp"
#include "io/error.hpp"
#include "scan.hpp"

namespace hwtrace::commitlog {

namespace {

constexpr std::size_t head_size = 4096;          // bytes that recognise a log
constexpr std::size_t look_ahead_size = 65'536;  // bytes that the survey looks at
constexpr std::size_t shown = 80;                // characters of a line in a finding

/// Removes the first line, with its line end, from `text`. Returns false if no line is left that has ended.
bool take_line(std::string_view& text, std::string_view& line) {
    const std::size_t end = text.find('\n');
    if (end == std::string_view::npos) return false;
    line = text.substr(0, end);
    while (line.ends_with('\r'))
        line.remove_suffix(1);
    text.remove_prefix(end + 1);
    return true;
}

bool is_text(std::string_view text) noexcept {
    constexpr char escape = 0x1B;
    return std::ranges::none_of(text, [](char c) {
        const auto byte = static_cast<unsigned char>(c);
        return (byte < ' ' && c != '\t' && c != '\n' && c != '\r' && c != escape) || byte == 0x7F;
    });
}

/// Returns true if the text begins as the files of other text formats do: JSON, VCD, Kanata and transaction logs. A log
/// that begins with such output of its program needs --from.
bool begins_otherwise(std::string_view text) noexcept {
    constexpr std::array<std::string_view, 6> words{"{", "$", "#", "Kanata", "scv_tr_", "tx_"};
    text.remove_prefix(std::min(text.find_first_not_of(" \t\r\n"), text.size()));
    return std::ranges::any_of(words, [&](std::string_view word) { return text.starts_with(word); });
}

/// Returns true if a whole line is an instruction with as many digits as simulators print. Other text, such as the
/// frames of a stack ("1 0x7ffd18 (0x10)"), has any number of digits.
bool is_certain(const Line& line, Dialect dialect) noexcept {
    if (!line.is_instruction() || line.has_console) return false;
    if (dialect == Dialect::rocket) return true;  // the digits depend on the core; no other text looks like it
    const bool is_short = (line.encoding & 3) != 3;
    return (line.pc_digits == 8 || line.pc_digits == 16) && line.encoding_digits % 4 == 0 &&
           line.encoding_digits >= (is_short ? 4 : 8);
}

/// Returns true if an incomplete line may be the beginning of a line of a log.
bool may_begin_line(std::string_view text) noexcept {
    constexpr std::string_view core = "core ", first_letters = "0123456789C[xfvmh";
    if (text.empty()) return false;
    if (first_letters.find(text.front()) != std::string_view::npos) return true;
    return text.find(core) != std::string_view::npos || core.starts_with(text);
}

Survey survey_of(std::string_view text) {
    Survey survey;
    LineParser parser;
    Line line;
    bool knows_width = false;
    for (std::string_view next; take_line(text, next);) {
        parser.parse(next, line);
        if (line.is_instruction() && !survey.has_instruction) {
            survey.has_instruction = true;
            survey.is_rv64 = line.pc_digits > 8;
        }
        if (line.is_instruction() && std::ranges::find(survey.harts, line.hart) == survey.harts.end())
            survey.harts.push_back(line.hart);
        for (const Written& written : line.registers) {
            // CVA6 prints the pc of RV32 with 16 digits.
            if (!knows_width && written.register_class == RegisterClass::integer) {
                survey.is_rv64 = survey.is_rv64 && written.digits > 8;
                knows_width = true;
            }
            if (survey.vector_bits == 0 && !written.wide.empty()) survey.vector_bits = 4 * written.wide.size();
        }
    }
    survey.dialect = parser.dialect();
    return survey;
}

/// Returns the length in bits of the vector register whose value begins at the front of `text`: "v8  0x00ff…". Returns
/// 0 for any other text, such as the operands of an instruction.
std::uint64_t vector_bits_at(std::string_view text) noexcept {
    Scan scan(text);
    std::uint64_t number = 0;
    std::string_view digits;
    if (!scan.take('v') || !scan.decimal(number)) return 0;
    scan.blanks();
    return scan.hex(number, digits) && is_vector_value(digits) ? 4 * digits.size() : 0;
}

/// Searches a seekable, plain file for the first value of a vector register, because the header of an STF trace states
/// its length. The search takes a small part of the time of reading the lines.
std::uint64_t find_vector_bits(const Input& input) {
    constexpr std::size_t block = 1u << 16, overlap = most_vector_digits + 64;
    std::vector<std::byte> buffer(block + overlap);
    for (std::uint64_t offset = 0;; offset += block) {
        const std::size_t size = input.read_at(offset, buffer);
        const std::string_view text(reinterpret_cast<const char*>(buffer.data()), size);
        for (std::size_t at = text.find('v', 1); at <= block; at = text.find('v', at + 1)) {
            if (text[at - 1] != ' ') continue;
            if (const std::uint64_t bits = vector_bits_at(text.substr(at))) return bits;
        }
        if (size < buffer.size()) return 0;
    }
}

}  // namespace

bool recognise(std::span<const std::byte> head) {
    std::array<std::byte, head_size> first{};
    const std::size_t have = unpack_head(head, first);
    std::string_view text(reinterpret_cast<const char*>(first.data()), have);
    if (text.empty() || static_cast<unsigned char>(text.front()) >= 0x80 || begins_otherwise(text)) return false;
    LineParser parser;
    Line line;
    std::size_t of_log = 0, foreign = 0;  // lines from the first instruction on
    for (std::string_view next; take_line(text, next) && is_text(next);) {
        parser.parse(next, line);
        if (of_log == 0 && !is_certain(line, parser.dialect())) continue;
        if (line.kind == LineKind::foreign)
            ++foreign;
        else if (line.kind != LineKind::malformed && !next.empty())
            ++of_log;
    }
    // Pages, sources and messages that quote a line of a log have other lines, too.
    return of_log > foreign;
}

bool is_too_young(const Input& input) {
    std::array<std::byte, head_size> bytes{};
    const std::size_t have = input.read_at(0, bytes);
    const std::string_view text(reinterpret_cast<const char*>(bytes.data()), have);
    if (have == bytes.size() || recognise(std::span(bytes).first(have))) return false;
    return is_text(text) && !begins_otherwise(text) && may_begin_line(text);
}

std::size_t Log::GrowingFile::read(std::span<std::byte> into) {
    while (true) {
        const std::size_t count = input_.read(into);
        if (count != 0 || !settings_.wait_for_growth()) return count;
    }
}

Log::Log(Input& input, const Settings& settings, Findings& findings)
    : input_(input),
      findings_(findings),
      bytes_(input, settings.limits),
      growing_(input, settings),
      is_growing_(settings.wait_for_growth != nullptr && input.seekable() && bytes_.packing() == Packing::plain),
      lines_(is_growing_ ? static_cast<Source&>(growing_) : bytes_, settings.limits.string) {
    const std::uint64_t there = is_growing_ ? input.size().value_or(0) : look_ahead_size;
    const std::string_view text =
        lines_.behind(static_cast<std::size_t>(std::min<std::uint64_t>(there, look_ahead_size)));
    survey_ = survey_of(text);
    if (const auto known = survey_in(settings)) {
        survey_.vector_bits = read_survey(*known, [](Cursor& in) {
            const std::uint64_t bits = in.leb128();
            if (bits > 4 * most_vector_digits) fail(Failure::input, "the survey states impossible vectors");
            return bits;
        });
    } else if (survey_.vector_bits == 0 && !is_growing_ && input.seekable() && bytes_.packing() == Packing::plain)
        survey_.vector_bits = find_vector_bits(input);
    if (survey_.has_instruction || text.size() >= look_ahead_size) return;
    report_packing(bytes_, rule(Check::packing_cut), rule(Check::packing_damaged), findings_);
    report(Check::no_instruction,
           "a line such as 'core   0: 3 0x0000000080000000 (0x00000297) x5  0x0000000080000000'");
    fail(Failure::input, input.name() + ": no line is an instruction of a commit log");
}

bool Log::next(Line& line) {
    while (lines_.next()) {
        if (!lines_.ended()) [[unlikely]] {
            if (may_begin_line(lines_.text()))
                report(Check::line_cut, {}, std::string(lines_.text().substr(0, shown)));
            else
                count(Check::foreign_lines);
            break;
        }
        parser_.parse(lines_.text(), line);
        if (line.has_console) [[unlikely]]
            count(Check::foreign_lines);
        switch (line.kind) {
            case LineKind::foreign:
                count(Check::foreign_lines);
                continue;
            case LineKind::malformed:
                report(Check::line_malformed, {}, std::string(lines_.text().substr(0, shown)));
                continue;
            case LineKind::symbol:
            case LineKind::silent:
                continue;
            case LineKind::fetched:
            case LineKind::committed:
                met_ = true;
                [[fallthrough]];
            case LineKind::effect:
            case LineKind::trap:
            case LineKind::value:
            case LineKind::repeats:
                last_ = {lines_.offset(), lines_.text().size(), lines_.number()};
                return true;
        }
    }
    at_end_ = true;
    return false;
}

void Log::save_place(Appender& out) const {
    lines_.save_place(bytes_, out);
    for (const std::uint64_t number : {last_.offset, last_.size, last_.number})
        out.leb128(number);
    out.leb128(foreign());
}

bool Log::restore_place(Cursor& in) {
    if (is_growing_ || !lines_.restore_place(bytes_, in)) return false;
    for (std::uint64_t* const number : {&last_.offset, &last_.size, &last_.number})
        *number = in.leb128();
    foreign_before_ = in.leb128();
    met_ = true;
    parser_.settle(survey_.dialect);
    return true;
}

bool Log::would_wait() {
    if (!is_growing_ || input_.position() < input_.size().value_or(0)) return false;
    const std::uint64_t line_end = lines_.offset() + lines_.text().size() + (lines_.ended() ? 1 : 0);
    const std::uint64_t left = input_.position() - std::min(input_.position(), line_end);
    return lines_.behind(static_cast<std::size_t>(left)).find('\n') == std::string_view::npos;
}

void Log::finish() {
    for (std::size_t code = 0; code < tallies_.size(); ++code) {
        Tally& tally = tallies_[code];
        if (tally.total == 0) continue;
        if (tally.total > 1)
            tally.first.got +=
                (tally.first.got.empty() ? "the first of " : ", the first of ") + std::to_string(tally.total);
        findings_.report(std::move(tally.first));
    }
    report_packing(bytes_, rule(Check::packing_cut), rule(Check::packing_damaged), findings_);
    if (!met_) report(Check::no_instruction);
}

Finding Log::finding(Check check, std::string expected, std::string got) const {
    Finding finding = line_finding(rule(check), lines_, bytes_);
    finding.expected = std::move(expected);
    finding.got = std::move(got);
    if (!at_end_ || last_.number == 0) return finding;
    finding.where = "line " + std::to_string(last_.number);
    if (finding.inner_offset) {
        finding.inner_offset = last_.offset;
    } else {
        finding.offset = last_.offset;
        finding.length = std::max<std::uint64_t>(last_.size, 1);
    }
    return finding;
}

void Log::report(Check check, std::string expected, std::string got) {
    findings_.report(finding(check, std::move(expected), std::move(got)));
}

void Log::count(Check check) {
    Tally& tally = tallies_[static_cast<std::size_t>(check)];
    if (tally.total++ != 0) return;
    const std::string text(lines_.text().substr(0, shown));
    tally.first = finding(check, {}, text.empty() ? text : '\'' + text + '\'');
}

}  // namespace hwtrace::commitlog
