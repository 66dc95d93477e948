// Compares IdSet with the standard library's set.
#include "model/id_set.hpp"

#include <doctest/doctest.h>

#include <limits>
#include <random>
#include <set>

namespace id_set_test {

using namespace hwtrace;

TEST_CASE("a set of ids holds exactly the inserted ones, dense or sparse") {
    std::mt19937_64 random(7);
    for (const unsigned shift : {0u, 20u, 40u, 50u, 56u}) {
        CAPTURE(shift);
        IdSet set;
        std::set<std::uint64_t> wanted;
        CHECK_FALSE(set.contains(0));
        for (int i = 0; i < 5000; ++i) {
            const std::uint64_t id = random() >> shift;
            CHECK(set.insert(id) == wanted.insert(id).second);
        }
        for (const std::uint64_t edge : {std::uint64_t{0}, std::numeric_limits<std::uint64_t>::max()}) {
            CHECK(set.contains(edge) == wanted.contains(edge));
            set.insert(edge);
            wanted.insert(edge);
        }
        std::size_t right = 0;
        for (const std::uint64_t id : wanted)
            for (const std::uint64_t near : {id - 1, id, id + 1, id + 64})
                right += set.contains(near) == wanted.contains(near) ? 1 : 0;
        CHECK(right == 4 * wanted.size());
    }
}

TEST_CASE("dense ids take less than a byte each") {
    IdSet set;
    for (std::uint64_t id = 1; id <= 100'000; ++id)
        set.insert(id * 7 % 100'003);
    CHECK(set.bytes() < 100'000);
}

}  // namespace id_set_test
