#include "trace_text.hpp"

#include <algorithm>
#include <array>
#include <charconv>

namespace hwtrace::o3pipeview {

void TraceText::decimal(std::uint64_t value) {
    std::array<char, 20> digits;
    char* const end = std::to_chars(digits.data(), digits.data() + digits.size(), value).ptr;
    text_.text({digits.data(), static_cast<std::size_t>(end - digits.data())});
}

/// Writes 0x and at least eight digits, as gem5 does.
void TraceText::address(std::uint64_t value) {
    constexpr std::size_t least_digits = 8;
    std::array<char, 16> digits;
    char* const end = std::to_chars(digits.data(), digits.data() + digits.size(), value, 16).ptr;
    const auto size = static_cast<std::size_t>(end - digits.data());
    text_.text("0x");
    text_.text(std::string_view("00000000").substr(std::min(size, least_digits)));
    text_.text({digits.data(), size});
}

void TraceText::begin_line(Tick tick, std::string_view cpu, std::string_view word) {
    if (!cpu.empty()) {
        decimal(static_cast<std::uint64_t>(tick));
        text_.text(": ");
        text_.text(cpu);
        text_.text(": ");
    }
    text_.text(magic);
    text_.text(word);
    text_.le(':');
}

void TraceText::instruction(const Instruction& instruction, std::string_view label, std::string_view cpu) {
    if (text_.size() >= piece) flush();
    const Tick fetch = instruction.fetch();
    begin_line(fetch, cpu, stage_words[0]);
    decimal(static_cast<std::uint64_t>(fetch));
    text_.le(':');
    address(instruction.pc);
    text_.le(':');
    decimal(instruction.microop);
    text_.le(':');
    decimal(instruction.seq);
    text_.le(':');
    text_.text(label);
    text_.le('\n');
    if (instruction.thread != 0) {
        begin_line(fetch, cpu, "thread");
        decimal(static_cast<std::uint64_t>(fetch));
        text_.le(':');
        decimal(instruction.thread);
        text_.le('\n');
    }
    for (std::size_t stage = 1; stage < stage_count; ++stage) {
        begin_line(fetch, cpu, stage_words[stage]);
        decimal(static_cast<std::uint64_t>(instruction.ticks[stage]));
        if (stage == index_of(Stage::retire)) {
            text_.text(":store:");
            decimal(static_cast<std::uint64_t>(instruction.store));
        }
        text_.le('\n');
    }
}

void TraceText::remark(std::string_view name, std::uint64_t number) {
    text_.text(name);
    decimal(number);
    text_.le('\n');
}

void TraceText::flush() {
    output_.write(text_.span());
    text_.clear();
}

void TraceText::finish() {
    flush();
    output_.finish();
}

}  // namespace hwtrace::o3pipeview
