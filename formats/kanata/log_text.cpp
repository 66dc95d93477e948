#include "log_text.hpp"

#include <algorithm>
#include <array>
#include <charconv>
#include <cstring>

#include "commands.hpp"

namespace hwtrace::kanata {

namespace {

constexpr std::size_t most_digits = 20;

}  // namespace

void LogText::column(std::uint64_t value) {
    if (value < 10) {
        std::byte* const place = text_.grow(2);
        place[0] = std::byte{'\t'};
        place[1] = static_cast<std::byte>('0' + value);
        return;
    }
    std::array<char, most_digits + 1> digits;
    digits[0] = '\t';
    char* const end = std::to_chars(digits.data() + 1, digits.data() + digits.size(), value).ptr;
    text_.text({digits.data(), static_cast<std::size_t>(end - digits.data())});
}

void LogText::header(std::string_view version, std::string_view remark) {
    text_.text(magic);
    if (!version.empty() || !remark.empty()) column_text(version);
    if (!remark.empty()) column_text(remark);
    text_.le('\n');
}

void LogText::line(std::string_view text) {
    if (text_.size() >= piece) flush();
    text_.text(text);
    text_.le('\n');
}

void LogText::start_cycle(std::int64_t cycle) {
    text_.text("C=\t");
    text_.text(std::to_string(cycle));
    text_.le('\n');
}

void LogText::advance(std::int64_t cycles) {
    command('C');
    column(static_cast<std::uint64_t>(cycles));
    text_.le('\n');
}

void LogText::begin(std::uint32_t id, std::uint64_t simulator_id, std::uint64_t thread) {
    command('I');
    column(id);
    column(simulator_id);
    column(thread);
    text_.le('\n');
}

void LogText::label(std::uint32_t id, std::uint64_t type, std::string_view text) {
    command('L');
    column(id);
    column(type);
    text_.le('\t');
    for (std::size_t at = 0; at < text.size();) {
        const std::size_t end = std::min(text.find('\n', at), text.size());
        text_.text(text.substr(at, end - at));
        if (end == text.size()) break;
        text_.text("\\n");
        at = end + 1;
    }
    text_.le('\n');
}

void LogText::stage(char letter, std::uint32_t id, std::uint64_t lane, std::string_view name) {
    command(letter);
    column(id);
    column(lane);
    column_text(name);
    text_.le('\n');
}

void LogText::retire(std::uint32_t id, std::uint64_t retire_id, std::uint64_t type) {
    command('R');
    column(id);
    column(retire_id);
    column(type);
    text_.le('\n');
}

void LogText::dependency(std::uint32_t consumer, std::uint32_t producer, std::uint64_t type) {
    command('W');
    column(consumer);
    column(producer);
    column(type);
    text_.le('\n');
}

void LogText::flush() {
    output_.write(text_.span());
    text_.clear();
}

void LogText::finish() {
    flush();
    output_.finish();
}

}  // namespace hwtrace::kanata
