#include "domain/reuse_distances.hpp"

#include <doctest/doctest.h>

#include <algorithm>
#include <bit>
#include <random>
#include <set>
#include <vector>

#include "domain/distinct_counter.hpp"

namespace reuse_distances_test {

using namespace hwtrace;

namespace {

/// The lines in order of their latest reference, the latest first.
struct NaiveList {
    std::vector<std::uint64_t> lines;
    std::array<std::uint64_t, ReuseDistances::buckets> counts{};
    std::uint64_t first_uses = 0;

    void add(std::uint64_t line) {
        const auto known = std::ranges::find(lines, line);
        if (known == lines.end()) {
            ++first_uses;
        } else {
            ++counts[static_cast<std::size_t>(std::bit_width(static_cast<std::uint64_t>(known - lines.begin())))];
            lines.erase(known);
        }
        lines.insert(lines.begin(), line);
    }
};

}  // namespace

TEST_CASE("reuse distances are those of a list of the latest lines") {
    for (std::uint64_t seed = 1; seed <= 20; ++seed) {
        CAPTURE(seed);
        std::mt19937_64 random(seed);
        ReuseDistances distances(256);  // times are renumbered after 1024 references
        NaiveList list;
        const std::uint64_t near = 1 + random() % 40, far = 256 - near;
        for (std::size_t i = 0; i < 6000; ++i) {
            const std::uint64_t line = random() % 4 != 0 ? random() % near : near + random() % far;
            distances.add(line * 0x1'0000'0001);
            list.add(line);
        }
        CHECK(distances.sampled() == 1);
        CHECK(distances.references() == 6000);
        CHECK(distances.first_uses() == list.first_uses);
        CHECK(distances.counts() == list.counts);
    }
}

TEST_CASE("with more lines than are followed, a sample gives nearly the same histogram") {
    for (std::uint64_t seed = 1; seed <= 20; ++seed) {
        CAPTURE(seed);
        std::mt19937_64 random(seed);
        ReuseDistances distances(1024), all(1 << 14);
        for (std::size_t i = 0; i < 100'000; ++i) {
            const std::uint64_t line = random() % 4096;
            distances.add(line);
            all.add(line);
        }
        CHECK(distances.sampled() >= 4);
        CHECK(all.sampled() == 1);
        CHECK(distances.references() == 100'000);
        // A random line of 4096: most distances are from 1024 to 16383.
        const auto share = [](const ReuseDistances& some, std::size_t bucket) {
            return static_cast<double>(some.counts()[bucket]) / 100'000;
        };
        for (const std::size_t bucket : {11u, 12u})
            CHECK(share(distances, bucket) == doctest::Approx(share(all, bucket)).epsilon(0.25));
    }
}

TEST_CASE("different numbers are counted exactly up to 262,144, and then within 1 %") {
    for (std::uint64_t seed = 1; seed <= 5; ++seed) {
        CAPTURE(seed);
        std::mt19937_64 random(seed);
        DistinctCounter counter;
        std::set<std::uint64_t> different;
        for (std::size_t i = 0; i < 50'000; ++i) {
            const std::uint64_t number = random() % 30'000 * 64;
            counter.add(number);
            different.insert(number);
        }
        CHECK(counter.exact());
        CHECK(counter.count() == different.size());
    }
    for (const std::uint64_t count : {262'144u, 300'000u, 1'000'000u, 3'000'000u}) {
        CAPTURE(count);
        DistinctCounter counter;
        for (std::uint64_t number = 0; number < count; ++number)
            counter.add(number * 4096);
        CHECK(counter.exact() == (count <= 262'144));
        CHECK(static_cast<double>(counter.count()) == doctest::Approx(static_cast<double>(count)).epsilon(0.01));
    }
}

}  // namespace reuse_distances_test
