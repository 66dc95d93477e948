#include <doctest/doctest.h>

#include <limits>

#include "codec/reader.hpp"

namespace facts_test {

using namespace hwtrace;

TEST_CASE("the type of a fact decides whether it is a number or a text, not how it looks") {
    const Facts facts{{"version", "6"}, {"chunks", 24u}, {"exponent", -12}, {"lines", std::size_t{0}}};
    CHECK(std::holds_alternative<std::string>(facts[0].value));
    CHECK(std::get<std::uint64_t>(facts[1].value) == 24);
    CHECK(std::get<std::int64_t>(facts[2].value) == -12);
    CHECK(std::get<std::uint64_t>(facts[3].value) == 0);
    CHECK(facts[0] == Fact("version", "6"));
    CHECK_FALSE(facts[0] == Fact("version", 6u));
}

TEST_CASE("every value of a fact can be printed as text") {
    CHECK(text_of(Fact("version", "6")) == "6");
    CHECK(text_of(Fact("chunks", 24u)) == "24");
    CHECK(text_of(Fact("exponent", std::numeric_limits<std::int64_t>::min())) == "-9223372036854775808");
    CHECK(text_of(Fact("cycles", std::numeric_limits<std::uint64_t>::max())) == "18446744073709551615");
}

}  // namespace facts_test
