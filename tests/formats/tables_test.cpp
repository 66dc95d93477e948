// tests/formats/tables_test.cpp - tests of Parquet's encodings against bytes of its specification, and of written
// tables against a reader of our own.
#include <doctest/doctest.h>

#include <bit>
#include <cmath>
#include <cstdint>
#include <limits>
#include <memory>
#include <random>
#include <string>
#include <vector>

#include "codec/writer.hpp"
#include "formats.hpp"
#include "formats/parquet_reader.hpp"
#include "io/cursor.hpp"
#include "io/error.hpp"
#include "io/output_folder.hpp"
#include "support/corpus.hpp"
#include "tables/cell_dictionary.hpp"
#include "tables/parquet_encodings.hpp"
#include "tables/parquet_wire.hpp"

namespace hwtrace::tables_test {
namespace {

std::string hex(const Appender& bytes) {
    std::string text;
    for (const std::byte byte : bytes.span()) {
        constexpr const char* digits = "0123456789abcdef";
        text += digits[std::to_integer<unsigned>(byte) >> 4];
        text += digits[std::to_integer<unsigned>(byte) & 15];
    }
    return text;
}

template <typename Write>
std::string hex_of(Write&& write) {
    Appender out;
    write(out);
    return hex(out);
}

using Numbers = std::vector<std::uint64_t>;

}  // namespace

TEST_CASE("runs and packed groups are those of Parquet's specification") {
    const auto hybrid = [](const std::vector<std::uint32_t>& numbers, unsigned width) {
        return hex_of([&](Appender& out) { tables::append_hybrid(numbers, width, out); });
    };
    CHECK(hybrid({0, 1, 2, 3, 4, 5, 6, 7}, 3) == "0388c6fa");  // the example of Encodings.md
    CHECK(hybrid(std::vector<std::uint32_t>(100, 5), 3) == "c80105");
    CHECK(hybrid(std::vector<std::uint32_t>(8, 300), 9) == "102c01");
    CHECK(hybrid({1, 0, 1}, 1) == "0305");
    // The run fills the group before it: 1 0 + six 1, then a run of eight.
    std::vector<std::uint32_t> mixed{1, 0};
    mixed.insert(mixed.end(), 14, 1);
    CHECK(hybrid(mixed, 1) == "03fd1001");
    CHECK(hybrid({}, 1).empty());
    CHECK(hex_of([](Appender& out) { tables::append_run(1, 3, 1, out); }) == "0601");
}

TEST_CASE("differences are those of Parquet's specification") {
    const auto deltas = [](const Numbers& numbers) {
        return hex_of([&](Appender& out) { tables::append_deltas(numbers, out); });
    };
    CHECK(deltas({1, 2, 3, 4, 5}) ==
          "800104"
          "05"
          "02"
          "02"
          "00000000");
    CHECK(deltas({7, 5, 3, 1, 2, 3, 4, 5}) ==
          "800104"
          "08"
          "0e"
          "03"
          "02000000"
          "c03f000000000000");
    CHECK(deltas({}) == "8001040000");
    CHECK(deltas({9}) == "8001040112");
    // Differences wrap around.
    CHECK(deltas({0, std::uint64_t(-1)}) ==
          "80010402"
          "00"
          "01"
          "00000000");
    const Numbers wide{0, std::uint64_t{1} << 63, 1};
    CHECK(tables::delta_size(wide) >= deltas(wide).size() / 2 - 16);
}

TEST_CASE("bytes of numbers are stored apart, and bits side by side") {
    const Numbers floats{0xDDCCBBAA, 0x33221100, 0xD6C5B4A3};  // the example of Encodings.md
    CHECK(hex_of([&](Appender& out) { tables::append_split(floats, 4, out); }) == "aa00a3bb11b4cc22c5dd33d6");
    CHECK(hex_of([](Appender& out) { tables::append_bits(Numbers{1, 0, 1, 1, 0, 0, 0, 0, 1}, out); }) == "0d01");
    CHECK(hex_of([](Appender& out) { tables::append_plain(Numbers{0x0102030405060708}, 8, out); }) ==
          "0807060504030201");
    CHECK(hex_of([](Appender& out) { tables::append_plain(Numbers{std::uint64_t(-2)}, 4, out); }) == "feffffff");
}

TEST_CASE("structures are those of Thrift's compact protocol") {
    const std::string written = hex_of([](Appender& out) {
        tables::ThriftWriter thrift(out);
        thrift.i32(1, -1);  // delta 1, type 5, zigzag
        thrift.boolean(2, true);
        thrift.text(20, "ab");  // a step of more than 15
        thrift.begin(21);
        thrift.i8(1, 8);
        thrift.end();
        thrift.list_of_i32(22, 2);
        thrift.i32_element(1);
        thrift.i32_element(64);
        thrift.end();
    });
    CHECK(written ==
          "1501"
          "11"
          "0828"
          "026162"
          "1c"
          "1308"
          "00"
          "19"
          "25"
          "02"
          "8001"
          "00");
    CHECK(hex_of([](Appender& out) { tables::ThriftWriter(out).list_of_structures(1, 15); }) == "19fc0f");
}

TEST_CASE("random numbers survive each encoding") {
    std::mt19937_64 random(1);
    for (int round = 0; round < 300; ++round) {
        Numbers numbers(random() % 700);
        const unsigned bits = static_cast<unsigned>(random() % 64) + 1;
        for (std::uint64_t& number : numbers)
            number = random() % 4 == 0 && &number != numbers.data() ? *(&number - 1) : random() >> (64 - bits);
        tables::CellDictionary dictionary;
        REQUIRE(dictionary.number(numbers, numbers.size()));
        for (std::size_t i = 0; i < numbers.size(); ++i)
            REQUIRE(dictionary.distinct()[dictionary.numbers()[i]] == numbers[i]);
        if (dictionary.distinct().size() > 1) CHECK_FALSE(dictionary.number(numbers, dictionary.distinct().size() - 1));
    }
}

}  // namespace hwtrace::tables_test
