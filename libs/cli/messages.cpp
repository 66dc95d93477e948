#include "cli/messages.hpp"

#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <atomic>
#include <cstdio>
#include <cstdlib>

#include "cli/terminal.hpp"
#include "domain/utf8.hpp"

namespace hwtrace::cli {

namespace {

constexpr std::string_view erase_line = "\r\x1b[K";

std::string_view colour_of(Severity severity) noexcept {
    switch (severity) {
        case Severity::error:
            return "\x1b[1;31m";
        case Severity::warning:
            return "\x1b[1;33m";
        case Severity::note:
        case Severity::off:
            return "\x1b[1;36m";
    }
    return {};
}

// Writes to standard error. Ignores errors, because there is no other place to report them.
void write_stderr(std::string_view text) {
    std::fwrite(text.data(), 1, text.size(), stderr);
}

// There is one status line for the process, because a signal handler erases it.
std::atomic<bool> status_is_shown = false;
static_assert(std::atomic<bool>::is_always_lock_free);

}  // namespace

Messages::Messages(std::string_view tool, Volume volume, Colour colour)
    : tool_(tool),
      volume_(volume),
      colour_(colour),
      columns_(is_capable_terminal(STDERR_FILENO) ? columns_of_messages() : std::string::npos) {}

void Messages::error(std::string_view file, std::string_view text) {
    report(file, printable(text));
}

void Messages::note(std::string_view file, std::string_view text) {
    if (volume_ != Volume::quiet) report(file, printable(text));
}

void Messages::detail(std::string_view file, std::string_view text) {
    if (volume_ == Volume::verbose) report(file, printable(text));
}

void Messages::summary(std::string_view file, std::string_view text) {
    if (volume_ == Volume::verbose || (volume_ != Volume::quiet && columns_ != std::string::npos))
        report(file, printable(text));
}

double Messages::seconds() const noexcept {
    return std::chrono::duration<double>(std::chrono::steady_clock::now() - start_).count();
}

void Messages::finding(std::string_view file, const Finding& finding, Severity severity) {
    if (!prints(severity)) return;
    report(file, finding_text(finding, severity, colour_));
    if (volume_ == Volume::verbose) report(file, fmt::format("  {}", finding.rule->why));
}

bool Messages::prints(Severity severity) const noexcept {
    return severity == Severity::error || volume_ == Volume::verbose ||
           (severity == Severity::warning && volume_ != Volume::quiet);
}

Messages Messages::into(std::string& text) const {
    Messages other(*this);
    other.into_ = &text;
    return other;
}

void Messages::pass_on(std::string_view said) {
    if (said.empty()) return;
    status({});
    write_stderr(fitted(said, columns_));
}

void Messages::status(std::string_view text) {
    if (into_ != nullptr) return;
    erase_status();
    if (text.empty()) return;
    status_is_shown = true;  // before it is: a signal may come between
    write_stderr(text);
    std::fflush(stderr);
}

void Messages::report(std::string_view file, std::string_view text) {
    const std::string line =
        file.empty() ? fmt::format("{}: {}\n", tool_, text) : fmt::format("{}: {}: {}\n", tool_, printable(file), text);
    if (into_ != nullptr) {
        into_->append(line);
        return;
    }
    status({});
    write_stderr(fitted(line, columns_));
}

void erase_status() noexcept {
    if (status_is_shown.exchange(false))
        static_cast<void>(!::write(STDERR_FILENO, erase_line.data(), erase_line.size()));
}

std::string printable(std::string_view text) {
    std::string shown;
    for (std::size_t at = 0; at < text.size();) {
        const std::size_t length = utf8_length(text, at);
        const std::string_view character = text.substr(at, std::max<std::size_t>(length, 1));
        const auto first = static_cast<unsigned char>(character.front());
        const bool is_control = first < 0x20 || first == 0x7F ||
                                (first == 0xC2 && length == 2 && static_cast<unsigned char>(character.back()) < 0xA0);
        if (length != 0 && !is_control)
            shown.append(character);
        else
            for (const char byte : character)
                shown += fmt::format("\\x{:02x}", static_cast<unsigned char>(byte));
        at += character.size();
    }
    return shown;
}

std::string finding_text(const Finding& finding, Severity severity, Colour colour) {
    const bool on = colour == Colour::on;
    return fmt::format("{}{}{} {} at {}", on ? colour_of(severity) : "", name_of(severity), on ? "\x1b[0m" : "",
                       finding.rule->id, printable(describe(finding)));
}

std::string painted(std::string_view text, Paint paint, Colour colour) {
    if (colour == Colour::off) return std::string(text);
    const std::string_view code = paint == Paint::red ? "31" : paint == Paint::green ? "32" : "33";
    return fmt::format("\x1b[1;{}m{}\x1b[0m", code, text);
}

bool is_capable_terminal(int descriptor) noexcept {
    const char* const terminal = std::getenv("TERM");
    return ::isatty(descriptor) != 0 && terminal != nullptr && std::string_view(terminal) != "dumb";
}

Colour automatic_colour(int descriptor) noexcept {
    const char* const no_colour = std::getenv("NO_COLOR");
    const bool allowed = no_colour == nullptr || *no_colour == '\0';
    return allowed && is_capable_terminal(descriptor) ? Colour::on : Colour::off;
}

}  // namespace hwtrace::cli
