// tests/io/text_lines_test.cpp - tests reading text line by line, joining lines, and the limit on their length.
#include "io/text_lines.hpp"

#include <doctest/doctest.h>

#include <string>

#include "io/error.hpp"

namespace hwtrace::text_lines_test {
namespace {

std::span<const std::byte> bytes_of(std::string_view text) {
    return {reinterpret_cast<const std::byte*>(text.data()), text.size()};
}

TEST_CASE("a line ends in LF, and carriage returns before the LF are removed") {
    const std::string text = "one\r\n\ntwo\r\r\nthree";
    Input input = Input::memory("text", bytes_of(text));
    TextLines lines(input, 100);
    CHECK(lines.number() == 0);
    REQUIRE(lines.next());
    CHECK(lines.text() == "one");
    CHECK(lines.offset() == 0);
    CHECK(lines.behind(4) == "\ntwo");
    CHECK(lines.text() == "one");
    REQUIRE(lines.next());
    CHECK(lines.text() == "");
    CHECK(lines.offset() == 5);
    CHECK(lines.behind(2) == "tw");
    REQUIRE(lines.next());
    CHECK(lines.text() == "two");
    CHECK(lines.ended());
    REQUIRE(lines.next());
    CHECK(lines.text() == "three");
    CHECK(lines.number() == 4);
    CHECK_FALSE(lines.ended());
    CHECK(lines.behind(10) == "");
    CHECK_FALSE(lines.next());
}

TEST_CASE("a line can be joined with the next one") {
    const std::string text = "one\r\ntwo\nthree\n";
    Input input = Input::memory("text", bytes_of(text));
    TextLines lines(input, 100);
    REQUIRE(lines.next());
    lines.join();
    CHECK(lines.text() == "one\r\ntwo");
    CHECK(lines.number() == 1);
    CHECK(lines.behind(3) == "thr");
    REQUIRE(lines.next());
    CHECK(lines.text() == "three");
    CHECK(lines.number() == 3);
}

TEST_CASE("lines longer than the window are complete, and lines above the limit are refused") {
    const std::string line(1'500'000, 'x');
    const std::string text = line + "\nend\n";
    Input input = Input::memory("text", bytes_of(text));
    TextLines lines(input, 2'000'000);
    REQUIRE(lines.next());
    CHECK(lines.text() == line);
    CHECK(lines.behind(3) == "end");
    CHECK(lines.text() == line);
    Input again = Input::memory("text", bytes_of(text));
    TextLines short_ones(again, 1'000'000);
    CHECK_THROWS_AS(short_ones.next(), Error);
}

}  // namespace
}  // namespace hwtrace::text_lines_test
