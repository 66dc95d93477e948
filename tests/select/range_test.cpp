#include "select/range.hpp"

#include <doctest/doctest.h>

#include "io/error.hpp"

namespace range_test {

using namespace hwtrace;

namespace {

Range of(Range::Unit unit, std::uint64_t begin, std::optional<std::uint64_t> end) {
    return {unit, begin, end};
}

}  // namespace

TEST_CASE("a range is two positions, two cycles or two times; each bound may be omitted") {
    CHECK(parse_range("#100:#200") == of(Range::Unit::record, 100, 200));
    CHECK(parse_range("100#:200#") == of(Range::Unit::record, 100, 200));
    CHECK(parse_range("#7:") == of(Range::Unit::record, 7, std::nullopt));
    CHECK(parse_range("1000cyc:") == of(Range::Unit::cycle, 1000, std::nullopt));
    CHECK(parse_range(":18446744073709551615cyc") == of(Range::Unit::cycle, 0, UINT64_MAX));
    CHECK(parse_range("5cyc:5cyc") == of(Range::Unit::cycle, 5, 5));
    CHECK(parse_range(":500ns") == of(Range::Unit::time_ps, 0, 500'000));
    CHECK(parse_range("10us:2ms") == of(Range::Unit::time_ps, 10'000'000, 2'000'000'000));
    CHECK(parse_range("1ps:1s") == of(Range::Unit::time_ps, 1, 1'000'000'000'000));
}

TEST_CASE("an invalid range is a usage error, and the message quotes the argument") {
    for (const char* text : {"",
                             ":",
                             "#1",
                             "#1#:#2#",
                             "5cyc",
                             "1:2",
                             "#1:2",
                             "1cyc:#2",
                             "1ns:2cyc",
                             "#2:#1",
                             "2us:1us",
                             "cyc:2cyc",
                             "#:#1",
                             "-1cyc:2cyc",
                             "1 cyc:2cyc",
                             "#1:#2:#3",
                             "1ns:2ns:",
                             "0x1cyc:",
                             "1.5us:",
                             "18446744073709551616cyc:",
                             "99999999999s:",
                             "#1K:"}) {
        CAPTURE(text);
        try {
            parse_range(text);
            FAIL("accepted");
        } catch (const Error& error) {
            CHECK(error.failure() == Failure::usage);
            CHECK(std::string(error.what()).starts_with(std::string("--range ") + text));
        }
    }
}

}  // namespace range_test
