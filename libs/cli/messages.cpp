#include "cli/messages.hpp"

#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
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

/// Returns a line as a terminal shows it: words and numbers are not cut. A line with a command is left as it is, so
/// that it can be copied.
std::string shown_line(std::string_view line) {
    constexpr std::size_t margin = 4;
    const std::size_t columns = columns_of_messages();
    if (!is_capable_terminal(STDERR_FILENO) || columns_of(line) <= columns ||
        line.find(": hwtrace-") != std::string_view::npos)
        return std::string(line);
    std::string wrapped;
    append_wrapped(line, 0, margin, columns, wrapped);
    return wrapped;
}

}  // namespace

Messages::Messages(std::string_view tool, Volume volume, Colour colour)
    : tool_(tool), volume_(volume), colour_(colour) {}

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
    if (volume_ == Volume::verbose || (volume_ != Volume::quiet && is_capable_terminal(STDERR_FILENO)))
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
    other.status_shown_ = false;
    return other;
}

void Messages::pass_on(std::string_view said) {
    if (said.empty()) return;
    status({});
    for (std::size_t end = 0; !said.empty(); said.remove_prefix(end)) {
        end = std::min(said.find('\n'), said.size() - 1) + 1;
        write_stderr(shown_line(said.substr(0, end)));
    }
}

void Messages::status(std::string_view text) {
    if (into_ != nullptr || (text.empty() && !status_shown_)) return;
    write_stderr(fmt::format("{}{}", erase_line, text));
    std::fflush(stderr);
    status_shown_ = !text.empty();
}

void Messages::report(std::string_view file, std::string_view text) {
    const std::string line =
        file.empty() ? fmt::format("{}: {}\n", tool_, text) : fmt::format("{}: {}: {}\n", tool_, printable(file), text);
    if (into_ != nullptr) {
        into_->append(line);
        return;
    }
    status({});
    write_stderr(shown_line(line));
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
