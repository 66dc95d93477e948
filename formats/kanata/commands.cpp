#include "commands.hpp"

#include <algorithm>
#include <charconv>
#include <limits>

#include "io/number_text.hpp"

namespace hwtrace::kanata {

namespace {

/// Reads the columns after the command's letter.
class Columns {
public:
    explicit Columns(std::string_view rest) noexcept : rest_(rest) {}

    /// Reads the next column as a number up to `most`. A missing or invalid column makes good() false.
    std::uint64_t number(std::uint64_t most) noexcept {
        if (!enter()) return 0;
        std::uint64_t value = 0;
        std::size_t at = 0;
        for (; at < rest_.size(); ++at) {
            const auto digit = static_cast<unsigned>(static_cast<unsigned char>(rest_[at])) - '0';
            if (digit > 9) break;
            if (value > (most - digit) / 10) {  // most >= 9, so most - digit does not wrap
                good_ = false;
                return 0;
            }
            value = value * 10 + digit;
        }
        if (at == 0) good_ = false;
        rest_.remove_prefix(at);
        return value;
    }
    std::int64_t signed_number() noexcept {
        if (!enter()) return 0;
        std::int64_t value = 0;
        const auto [end, error] = std::from_chars(rest_.data(), rest_.data() + rest_.size(), value);
        if (error != std::errc{} || value > most_cycles || value < -most_cycles) {
            good_ = false;
            return 0;
        }
        rest_.remove_prefix(static_cast<std::size_t>(end - rest_.data()));
        return value;
    }
    /// Reads the next column up to its tab.
    std::string_view name() noexcept {
        if (!enter()) return {};
        const std::string_view column = rest_.substr(0, rest_.find('\t'));
        rest_.remove_prefix(column.size());
        return column;
    }
    /// Reads the rest of the line, including tabs.
    std::string_view remainder() noexcept {
        if (!enter()) return {};
        const std::string_view all = rest_;
        rest_ = {};
        return all;
    }
    bool good() const noexcept { return good_; }
    /// Returns true if text other than blanks follows the last column. Text directly after a number makes good() false.
    bool finish() noexcept {
        if (!rest_.empty() && rest_.front() != '\t' && rest_.front() != ' ') good_ = false;
        return rest_.find_first_not_of(" \t") != std::string_view::npos;
    }

private:
    /// Skips the tab before a column, and blanks before that tab. If there is no tab, returns false and makes good()
    /// false.
    bool enter() noexcept {
        std::size_t at = 0;
        while (at < rest_.size() && rest_[at] == ' ')
            ++at;
        if (!good_ || at == rest_.size() || rest_[at] != '\t') return good_ = false;
        rest_.remove_prefix(at + 1);
        return true;
    }

    std::string_view rest_;
    bool good_ = true;
};

constexpr std::uint64_t most32 = std::numeric_limits<std::uint32_t>::max();
constexpr std::uint64_t most64 = std::numeric_limits<std::uint64_t>::max();

Action action_of(std::string_view word) noexcept {
    if (word.size() == 1) {
        switch (word.front()) {
            case 'C':
                return Action::advance;
            case 'I':
                return Action::begin;
            case 'L':
                return Action::label;
            case 'S':
                return Action::stage_start;
            case 'E':
                return Action::stage_end;
            case 'R':
                return Action::retire;
            case 'W':
                return Action::dependency;
            default:
                return Action::unknown;
        }
    }
    return word == "C=" ? Action::start_cycle : Action::unknown;
}

bool is_blank(char c) noexcept {
    return c == ' ' || c == '\t' || c == '\n' || c == '\r';
}

}  // namespace

Command parse(std::string_view line) noexcept {
    Command command;
    if (line.empty() || std::all_of(line.begin(), line.end(), is_blank)) return command;
    if (line.front() == '#') {
        command.action = Action::remark;
        return command;
    }
    const std::string_view word = line.substr(0, std::min(line.find_first_of("\t "), line.size()));
    command.action = action_of(word);
    Columns columns(line.substr(word.size()));
    switch (command.action) {
        case Action::start_cycle:
        case Action::advance:
            command.cycles = columns.signed_number();
            break;
        case Action::begin:
            command.id = static_cast<std::uint32_t>(columns.number(most32));
            command.number = columns.number(most64);
            command.kind = static_cast<std::uint32_t>(columns.number(most32));
            break;
        case Action::label:
            command.id = static_cast<std::uint32_t>(columns.number(most32));
            command.kind = static_cast<std::uint32_t>(columns.number(most32));
            command.text = columns.remainder();
            break;
        case Action::stage_start:
        case Action::stage_end:
            command.id = static_cast<std::uint32_t>(columns.number(most32));
            command.kind = static_cast<std::uint32_t>(columns.number(most32));
            command.text = columns.name();
            break;
        case Action::retire:
            command.id = static_cast<std::uint32_t>(columns.number(most32));
            command.number = columns.number(most64);
            command.kind = static_cast<std::uint32_t>(columns.number(most32));
            break;
        case Action::dependency:
            command.id = static_cast<std::uint32_t>(columns.number(most32));
            command.number = columns.number(most32);
            command.kind = static_cast<std::uint32_t>(columns.number(most32));
            break;
        case Action::blank:
        case Action::remark:
        case Action::unknown:
        case Action::malformed:
            return command;
    }
    command.has_rest = columns.finish();
    if (!columns.good()) command = Command{.action = Action::malformed};
    return command;
}

std::optional<std::uint64_t> stated_clock(std::string_view line) noexcept {
    if (!line.starts_with(clock_remark)) return std::nullopt;
    line.remove_prefix(clock_remark.size());
    const auto period = parse_decimal<std::uint32_t>(line);
    return period && *period != 0 ? std::optional<std::uint64_t>(*period) : std::nullopt;
}

std::optional<std::uint64_t> label_address(std::string_view text) noexcept {
    text = text.substr(0, static_cast<std::size_t>(std::find_if(text.begin(), text.end(), is_blank) - text.begin()));
    if (text.starts_with("0x") || text.starts_with("0X")) text.remove_prefix(2);
    if (text.ends_with(':')) text.remove_suffix(1);
    if (text.size() < 4 || text.size() > 16) return std::nullopt;
    const auto address = parse_digits(text, 16);
    return address && *address != 0 ? address : std::nullopt;
}

void append_unescaped(std::string_view text, std::string& to) {
    for (std::size_t at = 0; at < text.size();) {
        const std::size_t end = std::min(text.find("\\n", at), text.size());
        to.append(text.substr(at, end - at));
        if (end == text.size()) return;
        to += '\n';
        at = end + 2;
    }
}

}  // namespace hwtrace::kanata
