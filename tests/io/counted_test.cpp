#include "io/counted.hpp"

#include <doctest/doctest.h>

namespace counted_test {

using namespace hwtrace;

TEST_CASE("the noun is singular after 1 and plural after 0") {
    CHECK(counted(0, "byte") == "0 bytes");
    CHECK(counted(1, "byte") == "1 byte");
    CHECK(counted(2, "byte") == "2 bytes");
    CHECK(counted(1, "entry", "entries") == "1 entry");
    CHECK(counted(3, "entry", "entries") == "3 entries");
}

}  // namespace counted_test
