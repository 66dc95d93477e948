#include "domain/time_bins.hpp"

#include <doctest/doctest.h>

#include <limits>
#include <numeric>
#include <random>
#include <vector>

namespace time_bins_test {

using namespace hwtrace;

constexpr Tick earliest = std::numeric_limits<Tick>::min();
constexpr Tick latest = std::numeric_limits<Tick>::max();

std::uint64_t busy_sum(const BusyBins& bins) {
    const std::vector<BusyTotal> totals = bins.totals();
    return std::accumulate(totals.begin(), totals.end(), std::uint64_t{0},
                           [](std::uint64_t sum, const BusyTotal& total) { return sum + total.busy; });
}

TEST_CASE("time bins: a short trace has bins of one tick") {
    BusyBins bins(8);
    CHECK(bins.empty());
    CHECK(bins.totals().empty());
    bins.add(10, 3);
    bins.add(12, 2);
    bins.add(11, 0);  // an interval without a duration is a point
    CHECK(bins.range() == BinRange{0, 10, 4});
    const std::vector<BusyTotal> totals = bins.totals();
    CHECK(totals[0].busy == 1);
    CHECK(totals[1].busy == 1);
    CHECK(totals[2].busy == 2);
    CHECK(totals[3].busy == 1);
    CHECK(totals[0].begins == 1);
    CHECK(totals[1].begins == 1);
    CHECK(totals[2].begins == 1);
}

TEST_CASE("time bins: the width doubles until the bins suffice, and bins begin at multiples of their width") {
    BusyBins bins(4);
    bins.add(3, 1);
    bins.add(6, 1);
    CHECK(bins.range() == BinRange{0, 3, 4});
    bins.add_points(7);  // five ticks: 3 to 7
    CHECK(bins.range() == BinRange{1, 1, 3});
    CHECK(bins.range().begin_of(0) == 2);
    CHECK(bins.range().begin_of(3) == 8);
    bins.add_points(-1);
    CHECK(bins.range() == BinRange{2, -1, 3});
    CHECK(bins.totals()[0].begins == 1);
    CHECK(bins.totals()[2].busy == 1);
}

TEST_CASE("time bins: the sums are those of counting every tick, in any order of times") {
    for (unsigned seed = 0; seed < 200; ++seed) {
        std::mt19937 random(seed);
        const auto below = [&](std::uint64_t most) { return static_cast<Tick>(random() % most); };
        constexpr Tick offset = 700;
        std::vector<std::uint64_t> busy(2000), begins(2000);
        BusyBins bins(2 + seed % 40);
        const std::uint64_t spread = 1 + random() % 1200;
        for (int i = 0; i < 40; ++i) {
            const Tick begin = below(spread) - below(600);
            const auto duration = static_cast<std::uint64_t>(below(1 + random() % 200));
            bins.add(begin, duration);
            ++begins[static_cast<std::size_t>(begin + offset)];
            for (std::uint64_t at = 0; at < duration; ++at)
                ++busy[static_cast<std::size_t>(begin + offset) + at];
        }
        for (const unsigned more : {0U, 1U, 3U}) {
            const BinRange range = coarsened(bins.range(), bins.range().shift + more);
            const std::vector<BusyTotal> totals = bins.totals(range);
            REQUIRE(totals.size() == range.count);
            for (std::size_t i = 0; i < range.count; ++i) {
                BusyTotal expected;
                for (Tick tick = range.begin_of(i); tick < range.begin_of(i + 1); ++tick) {
                    const auto place = static_cast<std::size_t>(tick + offset);
                    if (place >= busy.size()) continue;
                    expected.busy += busy[place];
                    expected.begins += begins[place];
                }
                REQUIRE(totals[i].busy == expected.busy);
                REQUIRE(totals[i].begins == expected.begins);
            }
        }
    }
}

TEST_CASE("time bins: times at both ends of the range of a tick need no wider numbers") {
    BusyBins bins(16);
    bins.add(latest, 5);  // begins at the last tick, so that its end is cut off
    bins.add(latest - 3, std::numeric_limits<std::uint64_t>::max());
    CHECK(busy_sum(bins) == 3);
    bins.add(earliest, std::numeric_limits<std::uint64_t>::max());
    CHECK(bins.range().shift == 60);
    CHECK(bins.range().count == 16);
    CHECK(bins.range().begin_of(0) == earliest);
    CHECK(bins.range().begin_of(16) == latest);
    const std::vector<BusyTotal> totals = bins.totals();
    CHECK(totals[7].busy == bins.range().width());
    CHECK(totals[15].busy == bins.range().width() - 1 + 3);
    for (int i = 0; i < 100; ++i)
        bins.add(earliest, std::numeric_limits<std::uint64_t>::max());
    CHECK(bins.totals()[7].busy == std::numeric_limits<std::uint64_t>::max());  // the sum is beyond 64 bits
}

TEST_CASE("time bins: two rows are brought to one range") {
    BusyBins one(8), other(8);
    one.add(100, 2);
    other.add(40, 30);
    const BinRange range = joined(one.range(), other.range(), 8);
    CHECK(range == BinRange{3, 5, 8});
    CHECK(one.totals(range)[7].busy == 2);
    CHECK(other.totals(range)[0].busy == 8);
    CHECK(other.totals(range)[3].busy == 6);
    CHECK(joined({}, one.range(), 8) == one.range());
    CHECK(joined({}, {}, 8).count == 0);
}

TEST_CASE("time bins: a bin of values has the least, the greatest and the last one") {
    ValueBins<std::int64_t> bins(4);
    for (Tick time = 0; time < 16; ++time)
        bins.at(time).take(time % 5 - 2);
    REQUIRE(bins.range() == BinRange{2, 0, 4});
    CHECK(bins.bins()[0].changes == 4);
    CHECK(bins.bins()[1].least == -2);
    CHECK(bins.bins()[1].greatest == 2);
    CHECK(bins.bins()[1].last == 0);
    bins.at(100).take(9);
    CHECK(bins.bins().back().last == 9);
    CHECK(bins.bins()[0].changes == 16);
    CHECK(bins.bins()[1].changes == 0);
}

TEST_CASE("time bins: a value that ended stays ended when bins are joined") {
    ValueBins<std::int64_t> bins(4);
    bins.at(0).take(5);
    bins.at(1).end();
    bins.at(3).take(7);
    CHECK(bins.bins()[1].ended);
    CHECK_FALSE(bins.bins()[3].ended);
    bins.at(6).end();  // two ticks a bin
    REQUIRE(bins.range() == BinRange{1, 0, 4});
    CHECK(bins.bins()[0].ended);
    CHECK_FALSE(bins.bins()[1].ended);
    CHECK(bins.bins()[3].ended);
    CHECK(bins.bins()[3].changes == 0);
    bins.at(15).take(1);  // four ticks a bin
    CHECK_FALSE(bins.bins()[0].ended);
    CHECK(bins.bins()[0].last == 7);
    CHECK(bins.bins()[1].ended);
}

}  // namespace time_bins_test
