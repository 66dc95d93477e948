#include "io/cbor.hpp"

#include <doctest/doctest.h>

#include <bit>
#include <cmath>
#include <string>
#include <vector>

#include "io/cursor.hpp"

namespace cbor_test {

using namespace hwtrace;

namespace {

std::vector<std::byte> bytes_of(std::string_view hex) {
    std::vector<std::byte> bytes;
    for (std::size_t i = 0; i + 1 < hex.size(); i += 2)
        bytes.push_back(static_cast<std::byte>(std::stoi(std::string(hex.substr(i, 2)), nullptr, 16)));
    return bytes;
}

CborHead head_of(std::string_view hex) {
    const auto bytes = bytes_of(hex);
    CborCursor cursor(bytes);
    CborHead head;
    REQUIRE(cursor.head(head));
    return head;
}

/// Returns true if the bytes are one complete item.
bool is_item(std::string_view hex, std::uint64_t depth = 64) {
    const auto bytes = bytes_of(hex);
    CborCursor cursor(bytes);
    return cursor.skip(depth) && cursor.at_end();
}

}  // namespace

TEST_CASE("CBOR: the integers of RFC 8949, appendix A, and integers of any width are decoded") {
    struct Row {
        std::string_view hex;
        std::uint64_t magnitude;
        bool negative;
    };
    constexpr Row rows[]{
        {"00", 0, false},
        {"17", 23, false},
        {"1818", 24, false},
        {"1864", 100, false},
        {"1903e8", 1000, false},
        {"1a000f4240", 1'000'000, false},
        {"1b000000e8d4a51000", 1'000'000'000'000, false},
        {"1bffffffffffffffff", ~std::uint64_t{0}, false},
        {"3bffffffffffffffff", ~std::uint64_t{0}, true},
        {"20", 0, true},
        {"29", 9, true},
        {"3863", 99, true},
        {"3903e7", 999, true},
        {"1800", 0, false},
        {"1b0000000000000007", 7, false},
    };
    for (const Row& row : rows) {
        CAPTURE(row.hex);
        const auto bytes = bytes_of(row.hex);
        CborCursor cursor(bytes, 100);
        CborInteger value;
        REQUIRE(cursor.integer(value));
        CHECK(value.magnitude == row.magnitude);
        CHECK(value.negative == row.negative);
        CHECK(cursor.at_end());
        CHECK(cursor.offset() == 100 + bytes.size());
        if (!row.negative) {
            auto padded = bytes;
            padded.resize(padded.size() + 8);
            std::uint64_t fast = 0;
            CHECK(cbor_argument(padded.data(), fast) == bytes.size());
            CHECK(fast == row.magnitude);
        }
    }
}

TEST_CASE("CBOR: the floats of RFC 8949, appendix A, are decoded as doubles") {
    struct Row {
        std::string_view hex;
        double value;
    };
    const Row rows[]{
        {"f90000", 0.0},
        {"f93c00", 1.0},
        {"fb3ff199999999999a", 1.1},
        {"f93e00", 1.5},
        {"f97bff", 65504.0},
        {"fa47c35000", 100000.0},
        {"fa7f7fffff", 3.4028234663852886e+38},
        {"fb7e37e43c8800759c", 1.0e+300},
        {"f90001", 5.960464477539063e-8},
        {"f90400", 0.00006103515625},
        {"f9c400", -4.0},
        {"fbc010666666666666", -4.1},
        {"f97c00", INFINITY},
        {"f9fc00", -INFINITY},
        {"fa7f800000", INFINITY},
        {"fbfff0000000000000", -INFINITY},
    };
    for (const Row& row : rows) {
        CAPTURE(row.hex);
        const CborHead head = head_of(row.hex);
        CHECK(head.is_float());
        CHECK(std::bit_cast<std::uint64_t>(cbor_float(head)) == std::bit_cast<std::uint64_t>(row.value));
    }
    CHECK(std::signbit(cbor_float(head_of("f98000"))));
    CHECK(std::isnan(cbor_float(head_of("f97e00"))));
    // The payload is kept, even in a signalling NaN.
    CHECK(std::bit_cast<std::uint64_t>(cbor_float(head_of("fa7f800001"))) == 0x7FF0'0000'2000'0000);
    CHECK(std::bit_cast<std::uint64_t>(cbor_float(head_of("fbfff0000000000001"))) == 0xFFF0'0000'0000'0001);
    CHECK_FALSE(head_of("f5").is_float());
}

TEST_CASE("CBOR: heads of simple values, tags and other items are decoded") {
    CHECK(head_of("f4").is_boolean());
    CHECK(head_of("f5").info == CborHead::true_info);
    CHECK_FALSE(head_of("f6").is_boolean());
    CHECK(head_of("f8ff").argument == 255);
    CHECK(head_of("c11a514b67b0").major == CborMajor::tag);
    CHECK(head_of("d9d9f7").argument == 55'799);
    CHECK(head_of("5f").indefinite());
    CHECK(head_of("b90101").argument == 257);
}

TEST_CASE("CBOR: strings are read, whole or in pieces") {
    for (const std::string_view hex :
         {"6449455446", "6049455446", "7f62494562544660ff", "7fff", "4401020304", "5f42010243030405ff"}) {
        CAPTURE(hex);
        const auto bytes = bytes_of(hex);
        CborCursor cursor(bytes);
        CborHead head;
        REQUIRE(cursor.peek(head));
        std::vector<std::byte> store;
        std::span<const std::byte> text;
        REQUIRE(cursor.string(head.major, store, text));
        const std::string_view expected = hex == "6449455446" || hex == "7f62494562544660ff" ? "IETF"
                                          : hex == "4401020304"                              ? "\1\2\3\4"
                                          : hex == "5f42010243030405ff"                      ? "\1\2\3\4\5"
                                                                                             : "";
        CHECK(as_text(text) == expected);
        if (hex != "6049455446") CHECK(cursor.at_end());
    }
    for (const std::string_view wrong :
         {"65494554", "5f4101", "5f6101ff", "5f5f4101ffff", "1a", "5bffffffffffffffff00"}) {
        CAPTURE(wrong);
        const auto bytes = bytes_of(wrong);
        CborCursor cursor(bytes);
        std::vector<std::byte> store;
        std::span<const std::byte> text;
        CHECK_FALSE(cursor.string(wrong[0] == '6' ? CborMajor::text : CborMajor::bytes, store, text));
        CHECK(cursor.failed());
    }
}

TEST_CASE("CBOR: containers of definite and indefinite length are iterated alike") {
    for (const std::string_view hex : {"83010203", "9f010203ff", "9800010203", "9b0000000000000003010203"}) {
        CAPTURE(hex);
        const auto bytes = bytes_of(hex);
        CborCursor cursor(bytes);
        CborItems items;
        REQUIRE(cursor.array(items));
        std::uint64_t sum = 0, value = 0;
        while (cursor.more(items)) {
            REQUIRE(cursor.unsigned_integer(value));
            sum += value;
        }
        CHECK_FALSE(cursor.failed());
        CHECK(sum == (hex == "9800010203" ? 0u : 6u));
    }
    const auto bytes = bytes_of("9f01");
    CborCursor cursor(bytes);
    CborItems items;
    std::uint64_t value = 0;
    REQUIRE(cursor.array(items));
    REQUIRE(cursor.more(items));
    REQUIRE(cursor.unsigned_integer(value));
    CHECK_FALSE(cursor.more(items));
    CHECK(cursor.failed());
    CHECK(cursor.fault().at_end);
}

TEST_CASE("CBOR: a fault states place, expected and found item, and ends reading") {
    struct Row {
        std::string_view hex, found;
        bool at_end;
    };
    constexpr Row rows[]{
        {"", "the end", true},
        {"18", "an unsigned integer, cut off by the end, 1 byte before the end", true},
        {"6161", "a text string of 1 byte", false},
        {"9f", "an array of indefinite length", false},
        {"ff", "a break", false},
        {"f5", "true", false},
        {"fa00000000", "a float", false},
        {"1c", "byte 0x1c", false},
        {"24", "a negative integer 4", false},
        {"c6", "a tag 6", false},
    };
    for (const Row& row : rows) {
        CAPTURE(row.hex);
        const auto bytes = bytes_of(row.hex);
        CborCursor cursor(bytes, 7);
        std::uint64_t value = 0;
        CHECK_FALSE(cursor.unsigned_integer(value));
        const CborFault fault = cursor.fault();
        CHECK(fault.offset == 7);
        CHECK(fault.expected == "an unsigned integer");
        CHECK(fault.found == row.found);
        CHECK(fault.at_end == row.at_end);
        CborHead head;
        CHECK_FALSE(cursor.peek(head));
        CHECK_FALSE(cursor.skip(64));
    }
}

TEST_CASE("CBOR: skipping succeeds for well-formed items only (RFC 8949, appendices A and F)") {
    for (const std::string_view item :
         {"00", "f97e00", "c249010000000000000000", "d74401020304",
          "d82076687474703a2f2f7777772e6578616d706c652e636f6d", "80", "8301820203820405", "a0", "a201020304",
          "a26161016162820203", "5f42010243030405ff", "7f657374726561646d696e67ff", "9fff", "9f018202039f0405ffff",
          "bf61610161629f0203ffff", "826161bf61626163ff", "c1fb41d452d9e8200000", "f0", "f8ff"}) {
        CAPTURE(item);
        CHECK(is_item(item));
        for (std::size_t cut = 0; cut < item.size(); cut += 2)
            CHECK_FALSE(is_item(item.substr(0, cut)));
    }
    for (const std::string_view broken : {"1c",
                                          "1f",
                                          "3e",
                                          "5c",
                                          "7d",
                                          "9e",
                                          "bc",
                                          "dc",
                                          "df",
                                          "fc",
                                          "ff",
                                          "81ff",
                                          "8200ff",
                                          "a1ff",
                                          "a100ff",
                                          "5f00ff",
                                          "5f6100ff",
                                          "5f5f4100ffff",
                                          "7f4100ff",
                                          "9fc1ff",
                                          "bf00ff",
                                          "bf00010203bf00ff04ff",
                                          "9fbf000102ffff",
                                          "bfc1ff",
                                          "9b8000000000000000",
                                          "bbffffffffffffffff00",
                                          "bb8000000000000000"}) {
        CAPTURE(broken);
        CHECK_FALSE(is_item(broken));
    }
}

TEST_CASE("CBOR: depth is capped without recursion") {
    std::string nested;
    for (int i = 0; i < 64; ++i)
        nested += "81";
    CHECK(is_item(nested + "00"));
    CHECK_FALSE(is_item("81" + nested + "00"));
    std::string tags;
    for (int i = 0; i < 100'000; ++i)
        tags += "c6";
    CHECK(is_item(tags + "00"));
    CHECK_FALSE(is_item(tags));
}

}  // namespace cbor_test
