// tests/io/cursor_test.cpp - tests fields at and around the end of a span, LEB128, and byte order.
#include "io/cursor.hpp"

#include <doctest/doctest.h>

#include <array>
#include <vector>

#include "io/appender.hpp"
#include "io/limits.hpp"

namespace hwtrace::cursor_test {
namespace {

std::vector<std::byte> bytes(std::initializer_list<unsigned> values) {
    std::vector<std::byte> result;
    for (const unsigned value : values)
        result.push_back(static_cast<std::byte>(value));
    return result;
}

TEST_CASE("fields are little-endian") {
    const auto data = bytes({0x01, 0x02, 0x03, 0x04, 0x05, 0x06, 0x07, 0xF8, 0xFE});
    Cursor cursor(data);
    CHECK(cursor.le<std::uint16_t>() == 0x0201);
    CHECK(cursor.le<std::uint32_t>() == 0x06050403);
    CHECK(cursor.le<std::int16_t>() == static_cast<std::int16_t>(0xF807));
    CHECK(cursor.le<std::int8_t>() == -2);
    CHECK(cursor.at_end());
}

TEST_CASE("the error for a read past the end states the offset, the bytes needed and the bytes left") {
    const auto data = bytes({1, 2, 3, 4, 5});
    for (std::size_t size = 0; size <= 5; ++size) {
        CAPTURE(size);
        Cursor cursor{std::span(data).first(size), 1000};
        if (size < 4) {
            try {
                cursor.le<std::uint32_t>();
                FAIL("nothing was thrown");
            } catch (const Truncated& error) {
                CHECK(error.failure() == Failure::input);
                CHECK(error.offset() == 1000);
                CHECK(error.needed() == 4);
                CHECK(error.left() == size);
                CHECK(cursor.offset() == 1000);  // nothing was consumed
            }
        } else {
            CHECK(cursor.le<std::uint32_t>() == 0x04030201);
            CHECK(cursor.offset() == 1004);
            CHECK(cursor.left() == size - 4);
        }
    }
}

TEST_CASE("take stops exactly at the end") {
    const auto data = bytes({1, 2, 3});
    Cursor cursor(data, 7);
    CHECK(cursor.take(0).empty());
    CHECK_THROWS_AS(cursor.take(4), Truncated);
    CHECK(cursor.take(3).size() == 3);
    CHECK_THROWS_AS(cursor.skip(1), Truncated);
    CHECK_THROWS_AS(cursor.take(static_cast<std::size_t>(-1)), Truncated);
    CHECK(cursor.offset() == 10);
}

TEST_CASE("LEB128 round-trips") {
    Appender out;
    const std::array<std::uint64_t, 9> values{0, 1, 127, 128, 16383, 16384, 0xFFFF'FFFF, 1ull << 63, ~0ull};
    for (const std::uint64_t value : values)
        out.leb128(value);
    Cursor cursor(out.span());
    for (const std::uint64_t value : values)
        CHECK(cursor.leb128() == value);
    CHECK(cursor.at_end());
}

TEST_CASE("LEB128 accepts padding, but neither an eleventh byte nor a 65th bit") {
    const auto padded = bytes({0x85, 0x80, 0x80, 0x00});
    CHECK(Cursor(padded).leb128() == 5);
    const auto padded_to_ten = bytes({0x85, 0x80, 0x80, 0x80, 0x80, 0x80, 0x80, 0x80, 0x80, 0x00});
    CHECK(Cursor(padded_to_ten).leb128() == 5);
    const auto eleven = bytes({0x85, 0x80, 0x80, 0x80, 0x80, 0x80, 0x80, 0x80, 0x80, 0x80, 0x00});
    CHECK_THROWS_AS(Cursor(eleven).leb128(), Error);
    const auto bit_64 = bytes({0x80, 0x80, 0x80, 0x80, 0x80, 0x80, 0x80, 0x80, 0x80, 0x02});
    CHECK_THROWS_AS(Cursor(bit_64).leb128(), Error);
    const auto cut = bytes({0x80, 0x80});
    CHECK_THROWS_AS(Cursor(cut).leb128(), Truncated);
    CHECK_THROWS_AS(Cursor(std::span<const std::byte>()).leb128(), Truncated);
}

TEST_CASE("an appender keeps its bytes when it grows, is padded or is patched") {
    Appender out;
    std::vector<std::byte> expected;
    for (unsigned i = 0; i < 5000; ++i) {
        out.le(static_cast<std::uint8_t>(i));
        expected.push_back(static_cast<std::byte>(i));
    }
    CHECK(std::equal(expected.begin(), expected.end(), out.span().begin(), out.span().end()));
    out.pad_to(4096);
    CHECK(out.size() == 8192);
    out.pad_to(4096);
    CHECK(out.size() == 8192);
    out.patch<std::uint32_t>(8188, 0xA1B2C3D4);
    CHECK(load_le<std::uint32_t>(out.data() + 8188) == 0xA1B2C3D4);
    out.shrink(8192 - 3);
    CHECK(out.size() == 3);
    out.bytes(out.span().first(0));
    out.text("ab");
    CHECK(as_text(out.span().subspan(3)) == "ab");
    out.clear();
    CHECK(out.empty());
}

TEST_CASE("a value above a limit is refused, and the message names value, limit and option") {
    CHECK_NOTHROW(check_limit(10, 10, "a string", "--max-string"));
    try {
        check_limit(11, 10, "a string", "--max-string");
        FAIL("nothing was thrown");
    } catch (const Error& error) {
        CHECK(error.failure() == Failure::limit);
        const std::string message = error.what();
        for (const char* part : {"a string", "11", "10", "--max-string"})
            CHECK_MESSAGE(message.find(part) != std::string::npos, message);
    }
    CHECK_NOTHROW(check_limit(~0ull, Limits::unlimited().block, "a block", "--max-block"));
}

}  // namespace
}  // namespace hwtrace::cursor_test
