// Places of lines, in plain text and in gzip.
#include <doctest/doctest.h>

#include <span>
#include <string>
#include <vector>

#include "io/appender.hpp"
#include "io/compression.hpp"
#include "io/cursor.hpp"
#include "io/error.hpp"
#include "io/text_lines.hpp"
#include "io/unpacked.hpp"

namespace text_place_test {

using namespace hwtrace;

namespace {

constexpr std::uint64_t most = 1000;

std::string line_of(unsigned number) {
    return "line " + std::to_string(number * number % 9973) + " of many";
}

std::string text() {
    std::string text;
    for (unsigned number = 1; number <= 200'000; ++number)
        text.append(line_of(number)).append("\n");
    return text;
}

/// Saves the place behind line `number` of `file`, and reads on there. Returns the next line; empty if there is no
/// place.
std::string read_on(std::span<const std::byte> file, unsigned number) {
    Appender place;
    {
        Input input = Input::memory("file", file);
        Unpacked bytes(input, Limits{});
        TextLines lines(bytes, most);
        lines.behind(100);  // a reader looks at the first bytes before it is known whether places are needed
        if (!bytes.keep_places()) return {};
        for (unsigned i = 0; i < number; ++i)
            REQUIRE(lines.next());
        lines.save_place(bytes, place);
    }
    Input input = Input::memory("file", file);
    Unpacked bytes(input, Limits{});
    TextLines lines(bytes, most);
    lines.behind(100);
    Cursor in(place.span());
    REQUIRE(lines.restore_place(bytes, in));
    CHECK(in.at_end());
    REQUIRE(lines.next());
    CHECK(lines.number() == number + 1);
    return std::string(lines.text());
}

}  // namespace

TEST_CASE("a text is read on at a saved place, also in gzip") {
    const std::string whole = text();
    const std::span<const std::byte> plain = std::as_bytes(std::span(whole));
    Appender packed;
    deflate_whole(plain, Deflate::gzip, packed);
    for (const unsigned number : {0u, 1u, 70'000u, 199'999u}) {
        CAPTURE(number);
        CHECK(read_on(plain, number) == line_of(number + 1));
        CHECK(read_on(packed.span(), number) == line_of(number + 1));
    }
}

TEST_CASE("a place behind the end is refused, not taken for the end") {
    const std::string line = line_of(1) + "\n";
    Appender place;
    for (const std::uint64_t number : {2 * line.size(), std::size_t{1}, std::size_t{0}})
        place.leb128(number);
    Input input = Input::memory("file", std::as_bytes(std::span(line)));
    Unpacked bytes(input, Limits{});
    TextLines lines(bytes, most);
    Cursor in(place.span());
    CHECK_THROWS_AS(lines.restore_place(bytes, in), Error);
}

TEST_CASE("other compression has no places") {
    const std::string whole = text();
    Appender packed;
    ZstdBlock zstd;
    zstd.compress(std::as_bytes(std::span(whole)), packed);
    CHECK(read_on(packed.span(), 1).empty());
}

}  // namespace text_place_test
