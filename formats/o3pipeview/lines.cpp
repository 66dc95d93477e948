#include "lines.hpp"

#include <algorithm>
#include <limits>

#include "io/number_text.hpp"

namespace hwtrace::o3pipeview {

namespace {

constexpr std::uint64_t most32 = std::numeric_limits<std::uint32_t>::max();
constexpr std::uint64_t most64 = std::numeric_limits<std::uint64_t>::max();

/// Reads the columns of a line, which colons separate. Blanks before a number are skipped.
class Columns {
public:
    explicit Columns(std::string_view rest) noexcept : rest_(rest) {}

    std::string_view word() noexcept {
        const std::string_view column = rest_.substr(0, std::min(rest_.find(':'), rest_.size()));
        rest_.remove_prefix(column.size());
        return column;
    }
    /// Reads a decimal number up to `most`. A missing or invalid number makes good() false.
    std::uint64_t number(std::uint64_t most) noexcept {
        if (!enter()) return 0;
        std::uint64_t value = 0;
        std::size_t at = 0;
        for (; at < rest_.size(); ++at) {
            const auto digit = static_cast<unsigned>(static_cast<unsigned char>(rest_[at])) - '0';
            if (digit > 9) break;
            if (value > (most - digit) / 10) return fail();  // most >= 9, so most - digit does not wrap
            value = value * 10 + digit;
        }
        if (at == 0) return fail();
        rest_.remove_prefix(at);
        return value;
    }
    /// Reads a tick, which may be empty.
    Tick tick(bool& is_empty) noexcept {
        const std::string_view before = rest_;
        if (!enter()) return 0;
        if (rest_.empty() || rest_.front() == ':') {
            is_empty = true;
            return 0;
        }
        rest_ = before;
        return static_cast<Tick>(number(static_cast<std::uint64_t>(most_ticks)));
    }
    /// Reads a hexadecimal number that begins with 0x.
    std::uint64_t address() noexcept {
        if (!enter() || !rest_.starts_with("0x")) return fail();
        rest_.remove_prefix(2);
        std::uint64_t value = 0;
        std::size_t at = 0;
        for (; at < rest_.size(); ++at) {
            const char c = rest_[at];
            const unsigned digit = c >= '0' && c <= '9'   ? static_cast<unsigned>(c - '0')
                                   : c >= 'a' && c <= 'f' ? static_cast<unsigned>(c - 'a') + 10
                                   : c >= 'A' && c <= 'F' ? static_cast<unsigned>(c - 'A') + 10
                                                          : 16;
            if (digit == 16) break;
            if (value >> 60 != 0) return fail();
            value = value << 4 | digit;
        }
        if (at == 0) return fail();
        rest_.remove_prefix(at);
        return value;
    }
    /// Reads the rest of the line, including colons.
    std::string_view remainder() noexcept {
        if (rest_.empty() || rest_.front() != ':') {
            fail();
            return {};
        }
        const std::string_view all = rest_.substr(1);
        rest_ = {};
        return all;
    }
    /// Returns true if the next columns are `name` and another one. Skips `name`.
    bool skip(std::string_view name) noexcept {
        if (rest_.size() < name.size() + 2 || rest_.front() != ':' || rest_.substr(1, name.size()) != name ||
            rest_[name.size() + 1] != ':')
            return false;
        rest_.remove_prefix(name.size() + 1);
        return true;
    }
    /// Returns true if text other than blanks follows. Text directly after a number makes good() false.
    bool finish() noexcept {
        if (!rest_.empty() && rest_.front() != ':' && rest_.front() != ' ' && rest_.front() != '\t') good_ = false;
        return rest_.find_first_not_of(" \t") != std::string_view::npos;
    }
    bool good() const noexcept { return good_; }

private:
    bool enter() noexcept {
        if (!good_ || rest_.empty() || rest_.front() != ':') return good_ = false;
        std::size_t at = 1;
        while (at < rest_.size() && rest_[at] == ' ')
            ++at;
        rest_.remove_prefix(at);
        return true;
    }
    std::uint64_t fail() noexcept {
        good_ = false;
        return 0;
    }

    std::string_view rest_;
    bool good_ = true;
};

/// Returns the name of the CPU in a prefix such as "  1000: system.cpu: ", with which gem5 begins the lines of other
/// debug output. Nullopt: the text is no such prefix.
std::optional<std::string_view> cpu_of(std::string_view prefix) noexcept {
    prefix.remove_prefix(std::min(prefix.find_first_not_of(' '), prefix.size()));
    std::size_t at = 0;
    while (at < prefix.size() && prefix[at] >= '0' && prefix[at] <= '9')
        ++at;
    if (at == 0 || !prefix.substr(at).starts_with(": ") || !prefix.ends_with(": ")) return std::nullopt;
    prefix.remove_prefix(at + 2);
    if (prefix.empty()) return std::string_view();
    prefix.remove_suffix(2);
    constexpr std::size_t longest_name = 256;
    if (prefix.empty() || prefix.size() > longest_name) return std::nullopt;
    for (const char c : prefix)
        if (!((c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '.' || c == '_' ||
              c == '[' || c == ']' || c == '-'))
            return std::nullopt;
    return prefix;
}

Line remark_of(std::string_view line) noexcept {
    Line parsed;
    for (const LineKind kind : {LineKind::cycle, LineKind::rate}) {
        const std::string_view remark = kind == LineKind::cycle ? cycle_remark : rate_remark;
        if (!line.starts_with(remark)) continue;
        const auto number = parse_digits(line.substr(remark.size()));
        if (!number || *number == 0 || *number > static_cast<std::uint64_t>(most_ticks)) continue;
        parsed.kind = kind;
        parsed.number = *number;
    }
    return parsed;
}

}  // namespace

Line parse(std::string_view line) noexcept {
    Line parsed;
    if (!line.starts_with(magic)) [[unlikely]] {
        if (line.starts_with('#')) return remark_of(line);
        const std::size_t at = line.find(magic);
        if (at == std::string_view::npos) return parsed;
        const auto cpu = cpu_of(line.substr(0, at));
        if (!cpu) return parsed;
        parsed.cpu = *cpu;
        line.remove_prefix(at);
    }
    Columns columns(line.substr(magic.size()));
    const std::string_view word = columns.word();
    if (word == "fetch") {
        parsed.kind = LineKind::fetch;
        parsed.tick = columns.tick(parsed.lacks_tick);
        parsed.pc = columns.address();
        parsed.number = columns.number(most32);
        parsed.seq = columns.number(most64);
        parsed.label = columns.remainder();
    } else if (word == "thread") {
        parsed.kind = LineKind::thread;
        parsed.tick = columns.tick(parsed.lacks_tick);
        parsed.number = columns.number(most32);
    } else if (const auto stage = stage_of_word(word)) {
        parsed.kind = *stage == Stage::retire ? LineKind::retire : LineKind::stage;
        parsed.stage = *stage;
        parsed.tick = columns.tick(parsed.lacks_tick);
        if (*stage == Stage::retire && columns.skip("store")) parsed.store = columns.tick(parsed.lacks_tick);
    } else {
        parsed.kind = LineKind::unknown;
        return parsed;
    }
    parsed.has_rest = columns.finish();
    if (!columns.good()) {
        const std::string_view cpu = parsed.cpu;
        parsed = {};
        parsed.kind = LineKind::malformed;
        parsed.cpu = cpu;
    }
    return parsed;
}

}  // namespace hwtrace::o3pipeview
