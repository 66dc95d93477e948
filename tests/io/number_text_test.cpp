#include "io/number_text.hpp"

#include <doctest/doctest.h>

namespace number_text_test {

using namespace hwtrace;

TEST_CASE("a number must be the whole string and fit into 64 bits") {
    CHECK(parse_digits("0") == 0);
    CHECK(parse_digits("18446744073709551615") == ~std::uint64_t{0});
    CHECK(parse_digits("ff", 16) == 0xFF);
    CHECK(parse_number("16") == 16);
    CHECK(parse_number("0x10") == 16);
    CHECK(parse_hexadecimal("0xffffffffffffffff") == ~std::uint64_t{0});
    for (const char* const text :
         {"", " 1", "1 ", "+1", "-1", "1K", "0x", "0x-1", "0x0x1", "18446744073709551616", "ff"}) {
        CAPTURE(text);
        CHECK_FALSE(parse_digits(text).has_value());
        CHECK_FALSE(parse_number(text).has_value());
        CHECK_FALSE(parse_hexadecimal(text).has_value());
    }
    CHECK_FALSE(parse_hexadecimal("10").has_value());
}

}  // namespace number_text_test
