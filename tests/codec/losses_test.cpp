#include "codec/losses.hpp"

#include <doctest/doctest.h>

namespace losses_test {

using namespace hwtrace;

TEST_CASE("losses are counted by code and subject, and the first example is kept") {
    Losses losses;
    CHECK(losses.none());
    int described = 0;
    for (int i = 0; i < 3; ++i) {
        losses.count(Loss::kind_dropped, "stf.event", [&] {
            ++described;
            return "instruction " + std::to_string(i);
        });
    }
    losses.count(
        Loss::kind_dropped, "stf.comment", [] { return std::string("text"); }, 5);
    losses.count(Loss::value_narrowed, "stf.event", [] { return std::string("wide"); });
    CHECK_FALSE(losses.none());
    CHECK(described == 1);
    REQUIRE(losses.entries().size() == 3);
    const auto& event = losses.entries().at({Loss::kind_dropped, "stf.event"});
    CHECK(event.count == 3);
    CHECK(event.first == "instruction 0");
    CHECK(losses.entries().at({Loss::kind_dropped, "stf.comment"}).count == 5);
}

TEST_CASE("assumptions are not losses, and each one is listed once") {
    Losses losses;
    losses.assume("a clock of 1 ns");
    losses.assume("version 1.6");
    losses.assume("a clock of 1 ns");
    CHECK(losses.none());
    REQUIRE(losses.assumptions().size() == 2);
    CHECK(losses.assumptions()[0] == "a clock of 1 ns");
}

}  // namespace losses_test
