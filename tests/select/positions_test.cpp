#include "select/positions.hpp"

#include <doctest/doctest.h>

#include "io/error.hpp"

namespace positions_test {

using namespace hwtrace;

TEST_CASE("shards divide the positions of a trace evenly") {
    for (const std::uint64_t positions : {0u, 1u, 2u, 7u, 8u, 9u, 1000u}) {
        for (const std::uint64_t count : {1u, 2u, 3u, 8u, 12u}) {
            CAPTURE(positions);
            CAPTURE(count);
            std::uint64_t end = 0;
            for (std::uint64_t number = 1; number <= count; ++number) {
                const Range range = range_of({number, count}, positions);
                CHECK(range.begin == end);
                CHECK(range.end.has_value() == (number != count));
                end = range.end.value_or(positions);
                CHECK(end - range.begin >= positions / count);
                CHECK(end - range.begin <= positions / count + 1);
            }
            CHECK(end == positions);
        }
    }
}

TEST_CASE("a shard is I/N") {
    CHECK(parse_shard("3/8") == Shard{3, 8});
    CHECK(parse_shard("1/1") == Shard{1, 1});
    for (const char* const text : {"", "3", "0/8", "9/8", "3/", "/8", "3/8/2", "-1/8", "0x3/8", "a/b", "1/0"}) {
        CAPTURE(text);
        CHECK_THROWS_AS(parse_shard(text), Error);
    }
}

}  // namespace positions_test
