// Tests views of hostile records: nothing crashes, and the output is still JSON.
#include <doctest/doctest.h>

#include <limits>
#include <nlohmann/json.hpp>
#include <random>

#include "io/error.hpp"
#include "views/core_trace.hpp"
#include "views/statistics.hpp"

namespace views_hostile_test {

using namespace hwtrace;
using namespace hwtrace::test;
using Json = nlohmann::json;

namespace {

/// A source of random integers. Most are small, so that records refer to each other. Some are extreme.
class Dice {
public:
    explicit Dice(unsigned seed) : random_(seed) {}

    std::uint64_t number(std::uint64_t below) {
        constexpr std::uint64_t edges[] = {
            0, 0xFFFF, 0x1'0000, 0xFFFF'FFFF, std::uint64_t{1} << 63, std::numeric_limits<std::uint64_t>::max()};
        const std::uint64_t roll = random_();
        if (roll % 50 == 0) return edges[roll / 50 % std::size(edges)];
        return roll / 50 % below;
    }
    Tick time(Tick last) {
        constexpr Tick edges[] = {std::numeric_limits<Tick>::min(), -1, 0, std::numeric_limits<Tick>::max()};
        const std::uint64_t roll = random_();
        if (roll % 200 == 0) return edges[roll / 200 % std::size(edges)];
        if (last > 1'000'000'000 || last < 0) last = 0;
        return last + static_cast<Tick>(roll % 3 * 250);
    }

private:
    std::mt19937_64 random_;
};

void throw_dice(Core& core, unsigned seed) {
    Dice dice(seed);
    core.schema.intern("1000: a text");
    core.schema.declare(make_track(Track::Kind::signal, none, "signal", picoseconds,
                                   {Field{"x", Type::f64}, Field{"y", Type::logic}, Field{"y", Type::u8, none, true}}));
    Tick now = 0;
    for (int i = 0; i < 4000; ++i) {
        now = dice.time(now);
        const bool of_lives = dice.number(2) == 0;
        const auto track =
            of_lives ? core.entities : static_cast<TrackId>(dice.number(1000) % core.schema.tracks().size());
        if (core.schema.tracks()[track].kind == Track::Kind::event_type) {
            std::vector<std::uint64_t> cells(dice.number(5) % 5);
            for (std::uint64_t& cell : cells)
                cell = dice.number(8);
            if (track == core.annotate && cells.size() > 1) cells[1] = 0;  // readers deliver only existing strings
            core.batch.event(track, now, cells);
            continue;
        }
        if (core.schema.tracks()[track].kind == Track::Kind::signal) {
            std::vector<Attribute> values(dice.number(4) % 4);
            for (Attribute& value : values) {
                value.field = static_cast<std::uint32_t>(dice.number(3) % 3);
                value.value = value.field == 1 ? 0 : dice.number(8);
            }
            Record& change = core.batch.change(track, now, values, dice.number(4));
            if (dice.number(3) == 0) change.flags |= record_no_value | record_restated;
            continue;
        }
        const auto slot = static_cast<std::uint32_t>(dice.number(8));
        const auto field = static_cast<std::uint16_t>(dice.number(4));
        switch (dice.number(5) % 5) {
            case 0:
                core.batch.clear_slot(track, now, slot);
                break;
            case 1:
                core.batch.add(track, now, slot, field, dice.number(100));
                break;
            case 2:
                core.batch.set_property(track, now, field, dice.number(8));
                break;
            default:
                core.batch.set(track, now, slot, field, dice.number(8));
        }
    }
}

}  // namespace

TEST_CASE("no records make a view crash or write invalid JSON") {
    for (unsigned seed = 0; seed < 12; ++seed) {
        CAPTURE(seed);
        Core core(seed % 3 == 0 ? 0 : seed % 3 == 1 ? 500 : std::numeric_limits<std::uint64_t>::max());
        throw_dice(core, seed);
        for (const ModelView& view : model_views()) {
            CAPTURE(view.name);
            if (view.name == "flamegraph") {  // it needs the symbols of a program
                CHECK_THROWS_AS(show(core.schema, core.batch, view.name, TextForm::text), Error);
                continue;
            }
            for (const TextForm form : {TextForm::text, TextForm::jsonl, TextForm::csv})
                CHECK_FALSE(show(core.schema, core.batch, view.name, form).text.empty());
            CHECK(Json::parse(show(core.schema, core.batch, view.name, TextForm::json).text).contains("schema"));
        }
        ViewOptions options;
        options.interval = seed % 2 == 0 ? 3 : std::numeric_limits<Tick>::max();
        for (const std::string_view view : {"counters", "buffers"})
            CHECK_FALSE(show(core.schema, core.batch, view, TextForm::text, options).text.empty());
    }
}

TEST_CASE("every lifetime is reported once, by views and by statistics") {
    for (unsigned seed = 100; seed < 112; ++seed) {
        CAPTURE(seed);
        Core core;
        throw_dice(core, seed);
        std::uint64_t told[4] = {};
        const auto listener = [&](const Lifetime& life) { ++told[static_cast<std::size_t>(life.status)]; };
        Timeline timeline(core.schema);
        timeline.add(core.batch, listener);
        timeline.finish(listener);
        const LifetimeCounts& counts = timeline.counts().front();
        CHECK(counts.created > 100);
        CHECK(timeline.in_flight() == 0);
        StatisticsMeter meter(core.schema);
        meter.add(core.batch);
        const auto statistics = meter.result();
        REQUIRE(statistics.has_value());
        const LifetimeCounts& counted = statistics->units.at(0).lives;
        CHECK(counted.created == counts.created);
        CHECK(counted.retired == told[0]);
        CHECK(counted.flushed == told[1]);
        CHECK(counted.in_flight == told[2]);
        CHECK(counted.replaced == told[3]);
        CHECK(counted.created == told[0] + told[1] + told[2] + told[3] + counted.not_followed);
    }
}

}  // namespace views_hostile_test
