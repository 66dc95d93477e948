// tests/cli/presentation_test.cpp - tests the progress line, quoting of file names, and CSV for spreadsheets.
#include <doctest/doctest.h>

#include <unistd.h>

#include <array>
#include <string>
#include <string_view>
#include <vector>

#include "cli/progress.hpp"
#include "cli/quantities.hpp"
#include "cli/shell_word.hpp"
#include "cli/terminal.hpp"
#include "domain/csv_safety.hpp"
#include "domain/value_text.hpp"
#include "io/text_output.hpp"

namespace hwtrace::cli::presentation_test {
namespace {

TEST_CASE("a progress line shows bytes, records, output and time left, and fits the terminal") {
    const ProgressState state{25'000'000, 100'000'000, 10, WorkDone{32'100'000, 8'100'000}};
    CHECK(progress_text(state, 120) ==
          "[######..................]  25 %  25.0 of 100.0 MB  3.21 M records/s  8.1 MB written  0:30 left");
    for (const std::size_t width : {200u, 100u, 79u, 60u, 20u, 1u}) {
        CAPTURE(width);
        CHECK(progress_text(state, width).size() <= width);
    }
    CHECK(progress_text(state, 79).find("0:30 left") != std::string::npos);
    CHECK(progress_text({25'000'000, std::nullopt, 10, {}}, 79) == "25.0 MB  2.5 MB/s");
    CHECK(progress_text({1, 2, 0, {}}, 79).find("0:00 left") != std::string::npos);
}

TEST_CASE("lines wider than a terminal are wrapped between words, and numbers stay with their units") {
    CHECK(fitted("one two\n", 7) == "one two\n");
    CHECK(fitted("one two\nthree", 6) == "one\n    two\nthree");
    CHECK(fitted("it took 12 bytes of them\n", 12) == "it took\n    12 bytes\n    of them\n");
    CHECK(fitted("1 2 3 4\n", 5) == "1 2 3\n    4\n");
    CHECK(fitted("0123456789abcdef x\n", 8) == "0123456789abcdef\n    x\n");
    CHECK(fitted("  1      2\n", 8) == "  1  2\n");
    CHECK(fitted("  ab      cd ef\n", 9) == "  ab\n      cd\n      ef\n");
    CHECK(fitted("first make it: hwtrace-index core.zstf\n", 12) ==
          "first make\n    it:\n    hwtrace-index core.zstf\n");
    CHECK(fitted("go on with:  hwtrace-dump a.stf --view lanes\n", 20) ==
          "go on with:  hwtrace-dump a.stf --view lanes\n");
    CHECK(fitted("", 80).empty());
}

TEST_CASE("text output passes whole lines on, whatever its buffer holds") {
    std::array<int, 2> pipe{};
    REQUIRE(::pipe(pipe.data()) == 0);
    TextOutput out(pipe[1], 16);
    std::vector<std::string> seen;
    out.change_lines([&](std::string_view lines) {
        seen.emplace_back(lines);
        return "<" + std::string(lines) + ">";
    });
    out.put("first line\nsecond");
    out.put(" line that needs room");
    out.put("\nend");
    out.flush();
    std::array<char, 100> read{};
    const ssize_t count = ::read(pipe[0], read.data(), read.size());
    std::string whole;
    for (std::size_t i = 0; i < seen.size(); ++i) {
        if (i + 1 < seen.size() && !seen[i].empty()) CHECK(seen[i].back() == '\n');
        whole += seen[i];
    }
    CHECK(whole == "first line\nsecond line that needs room\nend");
    CHECK(std::string_view(read.data(), static_cast<std::size_t>(count)).starts_with("<first line\n"));
    ::close(pipe[0]);
    ::close(pipe[1]);
}

TEST_CASE("sizes and times have units that people read") {
    CHECK(bytes_of_text(5, 999) == "5 of 999 bytes");
    CHECK(bytes_of_text(12'300, 48'100) == "12.3 of 48.1 kB");
    CHECK(bytes_of_text(12'300, 48'100'000) == "0.0 of 48.1 MB");
    CHECK(ratio_text(43'200, 100'000) == "43.2 %");
    CHECK(rate_text(4) == "4.00");
    CHECK(rate_text(4'060'000) == "4.06 M");
    CHECK(rate_text(45'600) == "45.6 k");
    CHECK(rate_text(999'400) == "999 k");
    CHECK(rate_text(999'600) == "1.00 M");
    CHECK(ratio_text(13, 100'000) == "0.013 %");
    CHECK(ratio_text(5, 1'000'000'000) == "less than 0.001 %");
    CHECK(ratio_text(999'499, 100'000) == "999 %");
    CHECK(ratio_text(999'600, 100'000) == "1000 %");
    CHECK(ratio_text(8'700'000, 100'000) == "87 times");
    CHECK(bytes_text(1) == "1 byte");
    CHECK(bytes_text(999) == "999 bytes");
    CHECK(bytes_text(1000) == "1.0 kB");
    CHECK(bytes_text(999'950) == "1.0 MB");
    CHECK(time_text(0, "ps") == "0 ps");
    CHECK(time_text(7000, "ps") == "7 ns");
    CHECK(time_text(56'700'000, "ps") == "56.7 µs");
    CHECK(time_text(-1500, "ps") == "-1.5 ns");
    CHECK(time_text(999'999'999, "ps") == "1 ms");
    CHECK(time_text(1'234'567'890'123, "ps") == "1.23457 s");
    CHECK(time_text(2'000'000'000'000'000'000, "ps") == "2000000 s");
    CHECK(picoseconds_cell(4.5e15) == "4500 s");
    CHECK(picoseconds_cell(56'712'345) == "56.7 µs");
    CHECK(time_text(3152, "cycles") == "3152 cycles");
    CHECK(time_range_text(0, 7000, "ps") == "0 to 7 ns");
    CHECK(time_range_text(500, 7000, "ps") == "500 ps to 7 ns");
    CHECK(time_range_text(5000, 7000, "ps") == "5 to 7 ns");
    CHECK(time_range_text(0, 100, "cycles") == "0 to 100 cycles");
    CHECK(time_text(7, "fs") == "7 fs");
    CHECK(time_text(2500, "ns") == "2.5 µs");
    CHECK(time_text(730, "ticks of 1/100000000000 s") == "7.3 ns");
    CHECK(time_text(3, "ticks of 1/3000000000 s") == "1 ns");
    CHECK(time_text(3, "ticks of 0/0 s") == "3 ticks of 0/0 s");
    CHECK(time_heading("first", "ticks of 1/3000000000 s") == "first");
    CHECK(time_heading("first", "cycles") == "first, cycles");
    CHECK(unit_text("ticks of 1/100000000000 s") == "10 ps");
    CHECK(unit_text("ticks of 1/3000000000 s") == "1/3000000000 s");
    CHECK(unit_text("ticks of 1/32768 s") == "1/32768 s");  // 30.517578125 us
    CHECK(unit_text("ticks of 3/1 s") == "3 s");
    CHECK(unit_text("cycles") == "cycles");
}

TEST_CASE("wrapped text keeps its indentation, and colours take no columns") {
    const auto wrapped = [](std::string_view text, std::size_t column, std::size_t columns) {
        std::string page;
        append_wrapped(text, column, 4, columns, page);
        return page;
    };
    CHECK(wrapped("  one  two three", 0, 10) == "  one  two\n    three\n");
    CHECK(wrapped("one two\n", 6, 10) == "one\n    two\n");
    CHECK(wrapped("", 0, 10) == "\n");
    CHECK(columns_of("\x1b[1;31merror\x1b[0m STF062 \u00b5s") == 15);
    CHECK(columns_of("\x1b[") == 0);
    CHECK(wrapped("\x1b[1;31mone\x1b[0m two", 0, 7) == "\x1b[1;31mone\x1b[0m two\n");
}

TEST_CASE("a file name in advice is one word of a shell, and never controls the terminal") {
    CHECK(shell_word("run/a-1.ftr") == "run/a-1.ftr");
    CHECK(shell_word("-a") == "./-a");
    CHECK(shell_word("it's $x") == "'it'\\''s $x'");
    CHECK(shell_word("\x1b[2J'\\") == "$'\\x1b[2J\\'\\\\'");
}

std::string cell(std::string_view text) {
    TextOutput out(-1);
    append_csv(text, out);
    return std::string(out.text());
}

TEST_CASE("with --csv-safe, no text in CSV is a formula, and numbers stay") {
    CHECK(cell("=1+1") == "=1+1");
    set_csv_safety(true);
    CHECK(cell("=1+1") == "'=1+1");
    CHECK(cell("+x") == "'+x");
    CHECK(cell("-x") == "'-x");
    CHECK(cell("@x") == "'@x");
    CHECK(cell("\tx") == "'\tx");
    CHECK(cell("\rx") == "\"'\rx\"");
    CHECK(cell("=a,b") == "\"'=a,b\"");
    for (const std::string_view text : {"-5", "+2.5e3", "-0", "1=1", "x", "-1e-9"})
        CHECK(cell(text) == text);
    for (const std::string_view text : {"-", "+", "-1-1", "-inf", "- 1", "-1 "})
        CHECK(cell(text).front() == '\'');
    CHECK(cell("") == "\"\"");
    set_csv_safety(false);
}

}  // namespace
}  // namespace hwtrace::cli::presentation_test
