// tests/domain/shards_test.cpp - what shards save of coverage, slots, sums, lengths and counts gives those of the
// whole.
#include <doctest/doctest.h>

#include <algorithm>
#include <array>
#include <bit>
#include <cmath>
#include <cstdint>
#include <functional>
#include <limits>
#include <optional>
#include <random>
#include <set>
#include <span>
#include <string>
#include <string_view>
#include <tuple>
#include <utility>
#include <vector>

#include "domain/distinct_counter.hpp"
#include "domain/exact_sum.hpp"
#include "domain/hot_code.hpp"
#include "domain/length_summary.hpp"
#include "domain/occupancy_touches.hpp"
#include "domain/saved_schema.hpp"
#include "domain/stretches.hpp"
#include "domain/time_bins.hpp"
#include "io/base64.hpp"
#include "io/saved_state.hpp"
#include "model/schema.hpp"

namespace hwtrace::shards_test {
namespace {

/// Writes with `save` and reads with `load`, which must read everything.
void carry(const std::function<void(StateOut&)>& save, const std::function<void(StateIn&)>& load) {
    Appender bytes;
    StateOut out(bytes);
    save(out);
    Cursor cursor(bytes.span());
    StateIn in(cursor, Limits{});
    load(in);
    CHECK(in.at_end());
}

struct Pair {
    std::uint64_t a = 0;
    std::int64_t b = 0;

    static auto members(auto& self) { return std::tie(self.a, self.b); }
    friend bool operator==(const Pair&, const Pair&) = default;
};

TEST_CASE("values of a structure come back as they were, and forged ones are refused") {
    constexpr auto least = std::numeric_limits<std::int64_t>::min();
    const std::vector<Pair> pairs{{0, 0}, {~std::uint64_t{0}, least}, {1, -1}};
    const std::array<std::optional<std::string>, 2> texts{std::nullopt, std::string("a\0b", 3)};
    const std::pair<saved::Wide, saved::UnsignedWide> wide{-(saved::Wide{1} << 90), saved::UnsignedWide{7} << 64};
    carry([&](StateOut& out) { out(pairs, texts, true, wide.first, wide.second, std::uint16_t{65535}); },
          [&](StateIn& in) {
              CHECK(in.get<std::vector<Pair>>() == pairs);
              CHECK((in.get<std::array<std::optional<std::string>, 2>>() == texts));
              CHECK(in.get<bool>());
              CHECK((in.get<saved::Wide>() == wide.first));
              CHECK((in.get<saved::UnsignedWide>() == wide.second));
              CHECK(in.get<std::uint16_t>() == 65535);
          });
    const auto refuses = [](std::vector<unsigned> numbers, auto&& read) {
        std::vector<std::byte> bytes;
        for (const unsigned number : numbers)
            bytes.push_back(static_cast<std::byte>(number));
        Cursor cursor(bytes);
        StateIn in(cursor, Limits{});
        CHECK_THROWS_AS(read(in), Error);
    };
    refuses({2}, [](StateIn& in) { in.get<bool>(); });
    refuses({0x80, 0x80, 0x04}, [](StateIn& in) { in.get<std::uint16_t>(); });
    refuses({9, 'a'}, [](StateIn& in) { in.get<std::string>(); });
    refuses({2, 1}, [](StateIn& in) { in.count(); });
    refuses({3}, [](StateIn& in) { in.below(3); });
    refuses({}, [](StateIn& in) { in.get<std::uint64_t>(); });
}

TEST_CASE("bytes in base64 come back, and other texts are refused") {
    std::vector<std::byte> bytes;
    for (unsigned size = 0; size < 40; ++size) {
        CHECK(bytes_of_base64(base64_of(bytes)) == bytes);
        bytes.push_back(static_cast<std::byte>(size * 37 + 200));
    }
    CHECK(base64_of(std::as_bytes(std::span("Man", 3))) == "TWFu");
    CHECK(base64_of(std::as_bytes(std::span("Ma", 2))) == "TWE=");
    for (const std::string_view text : {"A", "====", "A===", "AA=A", "A-AA", "AAAA="})
        CHECK_FALSE(bytes_of_base64(text).has_value());
}

TEST_CASE("the coverage of shards is that of all intervals, in any order") {
    std::mt19937 random(1);
    for (int turn = 0; turn < 300; ++turn) {
        std::vector<std::pair<int, int>> intervals;
        const int count = 1 + static_cast<int>(random() % 60);
        for (int i = 0; i < count; ++i) {
            const int begin = static_cast<int>(random() % 200);
            intervals.emplace_back(begin, begin + static_cast<int>(random() % (random() % 5 == 0 ? 90 : 6)));
        }
        std::set<int> covered;
        for (const auto& [begin, end] : intervals)
            for (int at = begin; at < end; ++at)
                covered.insert(at);
        const std::size_t shards = 1 + random() % 6;
        Coverage whole;
        for (std::size_t shard = 0; shard < shards; ++shard) {
            std::vector<std::pair<int, int>> some(
                intervals.begin() + static_cast<std::ptrdiff_t>(intervals.size() * shard / shards),
                intervals.begin() + static_cast<std::ptrdiff_t>(intervals.size() * (shard + 1) / shards));
            std::ranges::sort(some);
            Coverage part;
            for (const auto& [begin, end] : some)
                part.add(begin, end);
            carry([&](StateOut& out) { part.save(out); }, [&](StateIn& in) { whole.add(in); });
        }
        CHECK(whole.exact());
        CHECK(static_cast<std::size_t>(whole.busy()) == covered.size());
    }
}

TEST_CASE("coverage keeps its borders only, and says if that does not suffice") {
    Coverage first, second, whole;
    for (int i = 0; i < 20'000; ++i)
        first.add(10 * i, 10 * i + 4);
    first.add(199'995, 500'000);
    for (int i = 0; i < 50'000; ++i)
        second.add(200'000 + 10 * i, 200'000 + 10 * i + 4);
    Appender bytes;
    StateOut out(bytes);
    first.save(out);
    CHECK(bytes.size() < 100'000);
    carry([&](StateOut& to) { first.save(to); }, [&](StateIn& in) { whole.add(in); });
    CHECK(static_cast<std::int64_t>(whole.busy()) == 20'000 * 4 + 1 + 500'000 - 199'995 - 1 - 0);
    carry([&](StateOut& to) { second.save(to); }, [&](StateIn& in) { whole.add(in); });
    CHECK_FALSE(whole.exact());  // the long interval ends among settled ones
}

TEST_CASE("touched slots give the occupancy of the whole") {
    std::mt19937 random(2);
    for (int turn = 0; turn < 300; ++turn) {
        constexpr std::uint32_t slots = 70;
        const std::uint32_t used = 1 + static_cast<std::uint32_t>(random() % slots);
        Occupancy whole(slots), joined(slots);
        for (int shard = 0; shard < 4; ++shard) {
            OccupancyTouches touches(slots);
            for (std::uint64_t left = random() % 120; left > 0; --left) {
                const auto slot = static_cast<std::uint32_t>(random() % used);
                if (random() % 2 == 0) {
                    whole.fill(slot);
                    touches.fill(slot);
                } else {
                    whole.free(slot);
                    touches.free(slot);
                }
            }
            carry([&](StateOut& out) { touches.save(out); }, [&](StateIn& in) { OccupancyTouches::apply(in, joined); });
            CHECK(joined.occupied() == whole.occupied());
            CHECK(joined.highest() == whole.highest());
            CHECK(joined.used() == whole.used());
        }
    }
}

TEST_CASE("sums of floating-point numbers do not depend on their order") {
    std::mt19937_64 random(3);
    std::vector<double> values;
    for (int i = 0; i < 2000; ++i) {
        const double value = std::bit_cast<double>(random());
        if (std::isfinite(value)) values.push_back(value * 0.5);
    }
    for (const double value : std::vector(values))
        values.push_back(-value);
    values.push_back(0.1);
    values.push_back(5e-324);
    std::ranges::shuffle(values, random);
    ExactSum whole, joined;
    std::array<ExactSum, 3> parts;
    for (std::size_t i = 0; i < values.size(); ++i) {
        whole.add(values[i]);
        parts[i * 3 / values.size()].add(values[i]);
    }
    for (const ExactSum& part : parts)
        carry([&](StateOut& out) { part.save(out); }, [&](StateIn& in) { joined.add(in); });
    CHECK(static_cast<double>(whole.value()) == 0.1);
    CHECK(whole.value() == joined.value());
    ExactSum small;
    for (const double value : {1e308, 1e308, -3.5, 1e-300})
        small.add(value);
    CHECK(small.value() == 2 * static_cast<long double>(1e308));
    small.add(-HUGE_VAL);
    CHECK(small.value() == -HUGE_VALL);
    small.add(HUGE_VAL);
    CHECK(std::isnan(small.value()));
}

TEST_CASE("different numbers in shards are counted as in the whole, sampled or not") {
    std::mt19937_64 random(4);
    for (const std::uint64_t count : {1000u, 300'000u, 900'000u}) {
        CAPTURE(count);
        DistinctCounter whole, joined;
        std::array<DistinctCounter, 3> parts;
        for (std::uint64_t i = 0; i < count; ++i) {
            const std::uint64_t number = random() % (count + count / 2);
            whole.add(number);
            parts[i * 3 / count].add(number);
        }
        for (const DistinctCounter& part : parts)
            carry([&](StateOut& out) { part.save(out); }, [&](StateIn& in) { joined.add(in); });
        CHECK(joined.count() == whole.count());
        CHECK(joined.exact() == whole.exact());
    }
}

TEST_CASE("lengths in shards give the percentiles of the whole, in classes or not") {
    std::mt19937_64 random(5);
    for (const std::uint64_t most : {10u, 3000u, 100'000u}) {
        CAPTURE(most);
        LengthMeter whole, joined;
        std::array<LengthMeter, 4> parts;
        for (std::size_t i = 0; i < 20'000; ++i) {
            const std::uint64_t length = random() % most * (random() % 3);
            whole.add(length);
            parts[i * 4 / 20'000].add(length);
        }
        for (const LengthMeter& part : parts)
            carry([&](StateOut& out) { part.save(out); }, [&](StateIn& in) { joined.add(in); });
        const LengthSummary is = joined.summary(), wanted = whole.summary();
        CHECK(is.count == wanted.count);
        CHECK(is.least == wanted.least);
        CHECK(is.greatest == wanted.greatest);
        CHECK((is.total == wanted.total));
        CHECK(is.precision == wanted.precision);
        CHECK(std::array{is.median, is.p90, is.p99} == std::array{wanted.median, wanted.p90, wanted.p99});
    }
}

TEST_CASE("a schema comes back, and a longer one extends it") {
    Schema schema, restored, longer;
    const auto clock = schema.declare(Clock{"clk", 500});
    const auto root = schema.declare(Scope{"root", none, "", clock});
    const auto scope = schema.declare(Scope{"core", root, "cpu"});
    const auto names = schema.declare(Enum{"names", {{1, "one"}, {7, "seven"}}});
    Track track = make_track(Track::Kind::storage, scope, "table", picoseconds, {{"a", Type::enumeration, names}});
    track.slots = 12;
    track.sparse = true;
    schema.declare(track);
    schema.describe("key", "value");
    for (Schema* const to : {&restored, &longer})
        carry([&](StateOut& out) { save_schema(schema, out); }, [&](StateIn& in) { restore_schema(in, *to); });
    CHECK(restored.tracks() == schema.tracks());
    CHECK(restored.scopes() == schema.scopes());
    CHECK(restored.enums() == schema.enums());
    CHECK(restored.clocks() == schema.clocks());
    CHECK(restored.metadata() == schema.metadata());
    longer.declare(make_track(Track::Kind::notes, none, "notes", ordinals));
    longer.add_label(names, {9, "nine"});
    CHECK(extends(longer, schema));
    CHECK_FALSE(extends(schema, longer));
}

}  // namespace
}  // namespace hwtrace::shards_test
