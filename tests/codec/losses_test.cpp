#include "codec/losses.hpp"

#include <doctest/doctest.h>

#include <string>
#include <vector>

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

TEST_CASE("losses that two threads count are the same as those that one thread counts") {
    // What is counted in each step: by the first thread, then by the second one.
    struct Counted {
        unsigned step;
        bool is_second;
        std::string name;
        bool is_unused;
    };
    const std::vector<Counted> work{{0, false, "a", true}, {0, true, "b", false}, {1, true, "a", true},
                                    {2, true, "a", false}, {2, true, "c", false}, {3, false, "a", false},
                                    {3, false, "c", true}, {3, false, "d", true}, {3, true, "d", true}};
    Losses alone, first, second;
    unsigned number = 0;
    for (const Counted& one : work) {
        const std::string example = "example " + std::to_string(number++);
        const Subject subject = one.is_unused ? Subject::unused(one.name) : Subject(one.name);
        Losses& own = one.is_second ? second : first;
        own.at_step(one.step);
        for (Losses* const losses : {&alone, &own}) {
            losses->count(Loss::field_dropped, subject, [&] { return example; });
            losses->assume(one.name);
            losses->warn(example);
        }
    }
    first.merge(second);
    REQUIRE(first.entries().size() == alone.entries().size());
    for (const auto& [key, entry] : alone.entries()) {
        const std::string subject = key.second;
        CAPTURE(subject);
        const Losses::Entry& merged = first.entries().at(key);
        CHECK(merged.count == entry.count);
        CHECK(merged.unused == entry.unused);
        CHECK(merged.first == entry.first);
    }
    CHECK(first.assumptions() == alone.assumptions());
    CHECK(first.warnings() == alone.warnings());
}

}  // namespace losses_test
