#include "log.hpp"

#include <algorithm>
#include <array>
#include <cstring>

#include "io/error.hpp"

namespace hwtrace::kanata {

namespace {

constexpr std::array gzip_magic{std::byte{0x1F}, std::byte{0x8B}};

bool is_gzip(std::span<const std::byte> head) noexcept {
    return head.size() >= gzip_magic.size() && std::equal(gzip_magic.begin(), gzip_magic.end(), head.begin());
}

std::string_view text_of(std::span<const std::byte> bytes) noexcept {
    return {reinterpret_cast<const char*>(bytes.data()), bytes.size()};
}

std::string_view trimmed(std::string_view text) noexcept {
    text.remove_prefix(std::min(text.find_first_not_of(" \t"), text.size()));
    text.remove_suffix(text.size() - (text.find_last_not_of(" \t") + 1));
    return text;
}

}  // namespace

bool recognise(std::span<const std::byte> head) {
    if (!is_gzip(head)) return text_of(head).starts_with(magic);
    Input memory = Input::memory("head", head);
    GzipSource source(memory);
    std::array<std::byte, magic.size()> first{};
    std::size_t have = 0;
    while (have < first.size()) {
        const std::size_t got = source.read(std::span(first).subspan(have));
        if (got == 0) return false;
        have += got;
    }
    return text_of(first) == magic;
}

Log::Log(Input& input, const Limits& limits, Findings& findings) : limits_(limits), findings_(findings) {
    const bool known = recognise(input.head());
    input.seek(0);
    if (known && is_gzip(input.head())) {
        gzip_.emplace(input);
        window_.emplace(*gzip_);
    } else {
        window_.emplace(input);
    }
    if (!known) {
        report(Check::no_magic, "Kanata, or gzip of it");
        fail(Failure::input, input.name() + ": not a Kanata log");
    }
    read_header();
}

void Log::read_header() {
    if (!fetch_line()) return;
    std::string_view rest = line_.substr(magic.size());
    rest = trimmed(rest);
    version_ = trimmed(rest.substr(0, rest.find('\t')));
    if (version_ != known_version) report(Check::version_unknown, std::string(known_version), version_);
    if (!line_ended_) report(Check::line_not_ended);
}

void Log::report(Check check, std::string expected, std::string got) {
    findings_.report(finding(check, std::move(expected), std::move(got)));
}

Finding Log::finding(Check check, std::string expected, std::string got) const {
    Finding finding{.rule = &rule(check), .expected = std::move(expected), .got = std::move(got)};
    if (number_ != 0) finding.where.append("line ").append(std::to_string(number_));
    finding.offset = offset_;
    if (gzip_) {
        finding.offset = gzip_->file_offset();
        finding.inner_offset = offset_;
    }
    return finding;
}

bool Log::fetch_line() {
    std::span<const std::byte> bytes = window_->peek(1);
    if (bytes.empty()) return false;
    const std::byte* end = nullptr;
    for (std::size_t searched = 0;;) {
        end = static_cast<const std::byte*>(std::memchr(bytes.data() + searched, '\n', bytes.size() - searched));
        if (end != nullptr) break;
        searched = bytes.size();
        check_limit(searched, limits_.string, "a line", "--max-string");
        bytes = window_->peek(2 * searched);
        if (bytes.size() == searched) break;
    }
    const std::size_t size = end != nullptr ? static_cast<std::size_t>(end - bytes.data()) : bytes.size();
    check_limit(size, limits_.string, "a line", "--max-string");
    offset_ = window_->offset();
    ++number_;
    line_ended_ = end != nullptr;
    line_ = text_of(bytes.first(size));
    while (line_.ends_with('\r'))
        line_.remove_suffix(1);
    window_->consume(size + (line_ended_ ? 1 : 0));
    return true;
}

void Log::check_end() {
    if (!gzip_ || (gzip_->state() != GzipSource::State::truncated && gzip_->state() != GzipSource::State::damaged))
        return;
    findings_.report(
        {.rule = &rule(gzip_->state() == GzipSource::State::truncated ? Check::gzip_cut : Check::gzip_damaged),
         .offset = gzip_->file_offset()});
}

void Log::go_to(std::int64_t cycle) {
    if (cycle < cycle_) {
        report(Check::cycle_goes_back, "cycle " + std::to_string(cycle_) + " or later", std::to_string(cycle));
        return;
    }
    cycle_ = cycle;
}

bool Log::is_our_remark() {
    const auto period = stated_clock(line_);
    if (!period || clock_ps_ != 0 || !line_ended_) return false;
    clock_ps_ = *period;
    return true;
}

bool Log::next(Command& command) {
    while (fetch_line()) {
        command = parse(line_);
        if (!line_ended_ && command.action != Action::blank) [[unlikely]] {
            // A prefix of a command that says something else than the command is possible, but then it is told.
            const bool cut = command.action == Action::malformed || command.action == Action::unknown;
            report(cut ? Check::command_cut : Check::line_not_ended, {},
                   cut ? std::string(line_.substr(0, 40)) : std::string{});
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
                    report(Check::columns_wrong, "a cycle up to 2^62", std::string(line_));
                    command.action = Action::malformed;
                    return true;
                }
                go_to(cycle_ + command.cycles);
                continue;
            case Action::remark:
                if (is_our_remark()) continue;
                report(Check::remark, {}, std::string(line_.substr(0, 40)));
                return true;
            case Action::unknown:
                report(Check::command_unknown, "C=, C, I, L, S, E, R or W", std::string(line_.substr(0, 40)));
                return true;
            case Action::malformed:
                report(Check::columns_wrong, {}, std::string(line_.substr(0, 80)));
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
    line_ = {};
    check_end();
    return false;
}

}  // namespace hwtrace::kanata
