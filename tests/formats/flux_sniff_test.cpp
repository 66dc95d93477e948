// Tests which beginnings identify a flux stream: a HEAD, a switch before a HEAD, or blocks of a plausible size.
#include <doctest/doctest.h>

#include "formats/flux_support.hpp"
#include "support/hex.hpp"

namespace flux_sniff_test {

using namespace hwtrace;
using namespace hwtrace::test;

namespace {

bool begins_flux(const char* text) {
    const std::vector<std::byte> bytes = assemble(text, {}).bytes;
    return flux_format.sniff(bytes);
}

}  // namespace

TEST_CASE("a flux stream begins with a HEAD: its magic, or any readable word with a known version") {
    CHECK(begins_flux("00 01 'flux' 04"));
    CHECK(begins_flux("00 01 'flux' 07"));
    CHECK(begins_flux("00 01 'abcd' 06"));
    for (const char* const other : {"", "00", "00 01 'flux'", "01 01 'flux' 04", "00 06 'flux' 04", "00 01 'abcd' 05",
                                    "00 01 'abc' 01 04", "00 01 'abc' 7f 06"}) {
        CAPTURE(other);
        CHECK_FALSE(begins_flux(other));
    }
}

TEST_CASE("a flux stream may begin with a switch to a trace if its HEAD follows") {
    CHECK(begins_flux("00 04 01 00 01 'flux' 06"));
    CHECK(begins_flux("00 04 81 01 00 01 'flux' 04"));
    for (const char* const other : {"00 04", "00 04 81 82", "00 04 01 00 01", "00 04 01 00 10 'flux' 06",
                                    "00 04 01 01 01 'flux' 06", "00 04 01 00 01 'abcd' 05"}) {
        CAPTURE(other);
        CHECK_FALSE(begins_flux(other));
    }
}

TEST_CASE("a flux stream may begin with a block of plausible sizes") {
    CHECK(begins_flux("00 05 00 40 20"));
    CHECK(begins_flux("00 05 03 40 8801"));  // 64 bytes, packed to 136
    CHECK(begins_flux("00 05 02 a010 02"));  // 2080 bytes, packed to 2
    for (const char* const other : {"00 05", "00 05 04 40 20", "00 05 00 00 20", "00 05 00 40 00", "00 05 03 40 8901",
                                    "00 05 02 a010 01", "00 05 00 80", "00 05 00"}) {
        CAPTURE(other);
        CHECK_FALSE(begins_flux(other));
    }
}

}  // namespace flux_sniff_test
