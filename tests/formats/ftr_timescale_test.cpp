#include "ftr/timescale.hpp"

#include <doctest/doctest.h>

#include <limits>

namespace ftr_timescale_test {

using namespace hwtrace;
using namespace hwtrace::ftr;

TEST_CASE("ticks at least as long as the file's tick are restored; shorter ticks are reported") {
    constexpr std::uint64_t most = std::numeric_limits<std::int64_t>::max();
    for (const Ratio ticks : {Ratio{1, 1}, Ratio{10'000, 3}, Ratio{4, 3}, Ratio{1'000'000'007, 1'000'000'006},
                              Ratio{1, 3}, Ratio{3, 7}, Ratio{1'000'000, 4'294'967'295}})
        for (std::uint64_t tick = 0, step = 1; tick < most / 10'000; tick += step, step = 1 + step * 3 / 2) {
            CAPTURE(ticks.num);
            CAPTURE(ticks.den);
            CAPTURE(tick);
            bool comes_back = true;
            const std::uint64_t time = whole_ticks(tick, ticks, most, comes_back);
            const std::uint64_t first = first_tick_at(time, ticks, most);
            CHECK(comes_back == (first == tick));
            CHECK((comes_back || ticks.num < ticks.den));
            CHECK(whole_ticks(first, ticks, most, comes_back) == time);  // so a rewritten file has the same times
        }
    bool comes_back = true;
    CHECK(whole_ticks(most, {2, 1}, most, comes_back) == most);
    CHECK_FALSE(comes_back);
}

}  // namespace ftr_timescale_test
