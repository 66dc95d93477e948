// tests/views/shards_test.cpp - random traces: the statistics of shards, which divide them anywhere, give those of the
// whole trace.
#include <doctest/doctest.h>

#include <algorithm>
#include <array>
#include <cstdint>
#include <map>
#include <memory>
#include <random>
#include <string>
#include <utility>
#include <vector>

#include "domain/conventions.hpp"
#include "io/saved_state.hpp"
#include "views/activity.hpp"
#include "views/arrivals.hpp"
#include "views/core_trace.hpp"
#include "views/instruction_profile.hpp"
#include "views/relation_latencies.hpp"
#include "views/statistics.hpp"

namespace hwtrace::views_shards_test {
namespace {

using namespace hwtrace::test;

/// Appends a list of numbers to a text.
template <typename... Numbers>
void put(std::string& text, const Numbers&... numbers) {
    (text.append(std::to_string(numbers)).append(" "), ...);
    text += '\n';
}

void put(std::string& text, const LengthSummary& lengths) {
    put(text, lengths.count, lengths.least, lengths.greatest, static_cast<std::uint64_t>(lengths.total), lengths.median,
        lengths.p90, lengths.p99);
}

/// Adds what `shard` saves to `whole`.
template <typename Meter>
void carry(const Meter& shard, Meter& whole) {
    Appender bytes;
    StateOut out(bytes);
    shard.save(out);
    Cursor cursor(bytes.span());
    StateIn in(cursor, Limits{});
    whole.add(in);
    CHECK(in.at_end());
}

/// Returns the places that divide `count` records into shards, some of which are empty.
std::vector<std::size_t> borders(std::size_t count, std::mt19937& random) {
    std::vector<std::size_t> places{0, count};
    for (std::size_t left = 1 + random() % 6; left > 0; --left)
        places.push_back(random() % (count + 1));
    std::ranges::sort(places);
    return places;
}

Batch slice(const Batch& batch, std::size_t begin, std::size_t end) {
    Batch part;
    for (std::size_t i = begin; i < end; ++i) {
        const Record& record = batch.records()[i];
        part.copy(batch, record, record.track).flags = record.flags;
    }
    return part;
}

std::string text_of(const std::optional<Statistics>& statistics) {
    std::string text;
    for (const Statistics::Table& table : statistics->tables)
        put(text, table.sets, table.clears, table.adds, table.property_sets, table.out_of_range, table.slots_used,
            table.highest_occupancy);
    for (const Statistics::Event& event : statistics->events)
        put(text, event.count, event.first, event.last);
    for (const Statistics::Counter& counter : statistics->counters)
        put(text, counter.value);
    for (const Statistics::Unit& unit : statistics->units) {
        put(text, unit.lives.created, unit.lives.retired, unit.lives.flushed, unit.lives.replaced, unit.lives.in_flight,
            unit.lives.unattached, unit.first_cycle.value_or(-1), unit.last_cycle.value_or(-1));
        put(text, unit.latencies.lifetimes);
        for (const StageLatencies::Stage& stage : unit.latencies.stages) {
            text += stage.name;
            put(text, stage.cycles);
        }
        for (const StageLatencies::Reason& reason : unit.latencies.reasons) {
            text.append(reason.what).append(reason.name);
            put(text, reason.times);
        }
    }
    return text;
}

/// Appends random records about entities, most of which make sense.
void append_pipeline(Core& core, std::mt19937& random) {
    Tick time = 0;
    const std::uint32_t slots = 1 + static_cast<std::uint32_t>(random() % 6);
    const std::uint64_t ids = 2 + random() % 30;
    std::uint64_t next = 0;
    for (std::size_t left = random() % 250; left > 0; --left) {
        if (random() % 3 != 0) time += static_cast<Tick>(random() % 3 * 500);
        const auto slot = static_cast<std::uint32_t>(random() % slots);
        const std::uint64_t id = random() % ids;
        switch (random() % 14) {
            case 0:
            case 1:
                core.create(time, slot, random() % 4 == 0 ? id : next++ % ids);
                break;
            case 2:
                core.batch.clear_slot(core.entities, time, slot);
                break;
            case 3:
                core.say(core.flush, time, {id, random() % 3});
                break;
            case 4:
                core.say(core.dependency, time, {random() % ids, id, random() % 3});
                break;
            case 5:
                core.say(core.lane_stage, time, {id, random() % 3, random() % 4});
                break;
            case 6:
                core.say(core.stage_end, time, {id, random() % 3, 0});
                break;
            case 7:
                core.say(core.retire, time, {id, 1, 0});
                break;
            case 8:
                core.batch.add(core.committed, time, 0, 0, random() % 5);
                break;
            case 9:
                core.batch.set(core.rob, time, slot % 5, 0, id);
                break;
            case 10:
                core.batch.clear_slot(core.rob, time, slot % 5);
                break;
            case 11:
                core.batch.set(core.committed, time, 0, 0, random() % 100);
                break;
            default:
                core.say(core.stage, time, {id, random() % 4});
        }
    }
}

/// The contents of the catalogue after some records, as Earlier::counted restates them.
struct Restated {
    std::map<std::uint32_t, std::uint64_t> ids;

    void follow(const Core& core, const Record& record) {
        if (record.track != core.entities) return;
        if (record.kind == Kind::clear) ids.erase(record.ref);
        if (record.kind == Kind::set && record.field == 0) ids[record.ref] = record.value;
    }
    void append(const Core& core, Tick time, Batch& batch) const {
        for (const auto& [slot, id] : ids)
            batch.set(core.entities, time, slot, 0, id).flags |= record_restated;
    }
};

}  // namespace

TEST_CASE("statistics of random pipelines and tables in shards are those of the whole") {
    std::mt19937 random(11);
    for (int turn = 0; turn < 1500; ++turn) {
        CAPTURE(turn);
        Core core;
        append_pipeline(core, random);
        HistogramBudget budget, joined_budget;
        StatisticsMeter whole(core.schema, &budget), joined(core.schema, &joined_budget);
        whole.add(core.batch);
        const std::vector<std::size_t> places = borders(core.batch.records().size(), random);
        Restated restated;
        for (std::size_t i = 1; i < places.size(); ++i) {
            HistogramBudget of_shard;
            StatisticsMeter meter(core.schema, &of_shard);
            meter.begin_shard();
            Batch batch;
            if (places[i - 1] < core.batch.records().size())
                restated.append(core, core.batch.records()[places[i - 1]].time, batch);
            for (std::size_t at = places[i - 1]; at < places[i]; ++at)
                restated.follow(core, core.batch.records()[at]);
            meter.add(batch);
            meter.add(slice(core.batch, places[i - 1], places[i]));
            carry(meter, joined);
        }
        CHECK(joined.not_reduced().empty());
        const std::string wanted = text_of(whole.result());
        REQUIRE(text_of(joined.result()) == wanted);
    }
}

TEST_CASE("activity, arrivals and relations of random intervals in shards are those of the whole") {
    std::mt19937 random(12);
    for (int turn = 0; turn < 1500; ++turn) {
        CAPTURE(turn);
        Schema schema;
        const ScopeId scope = schema.declare(Scope{"unit", none, {}, none});
        std::vector<TrackId> tracks;
        for (const char* const name : {"a", "b", "c"})
            tracks.push_back(schema.declare(make_track(Track::Kind::stream, scope, name, picoseconds,
                                                       {{std::string(conventions::interval_id), Type::u64}})));
        const TrackId related = schema.declare(make_track(Track::Kind::relation_type, none, "causes", picoseconds,
                                                          {{"from", Type::u64}, {"to", Type::u64}}));
        Batch batch;
        Tick time = static_cast<Tick>(random() % 1000) - 500;
        std::uint64_t next = 0;
        const std::uint64_t reuse = random() % 2 == 0 ? 10 : 1000;
        for (std::size_t left = 1 + random() % 120; left > 0; --left) {
            if (random() % 3 == 0) {
                const std::array<std::uint64_t, 2> ends{(next + 2 - random() % 12) % reuse, next % reuse};
                batch.relation(related, time, ends);
                continue;
            }
            time += static_cast<Tick>(random() % 20);
            const Attribute id{0, next++ % reuse};
            batch.interval(tracks[random() % tracks.size()], time, random() % (random() % 9 == 0 ? 400 : 20),
                           std::span(&id, 1));
        }
        const auto text = [&](const ActivityMeter& activity, const ArrivalMeter& arrivals,
                              RelationLatencyMeter& relations) {
            std::string made;
            if (const auto result = activity.result()) {
                for (const auto& track : result->tracks)
                    put(made, track.busy.intervals, static_cast<std::int64_t>(track.busy.busy),
                        static_cast<std::int64_t>(track.busy.total));
                for (const auto& of_scope : result->scopes)
                    put(made, of_scope.busy.intervals, static_cast<std::int64_t>(of_scope.busy.busy));
                put(made, static_cast<std::int64_t>(result->span));
            }
            if (const auto result = arrivals.result())
                for (const Arrivals::OfTrack& track : result->tracks) {
                    put(made, track.begins, track.throughput->width, track.throughput->windows, track.throughput->most);
                    put(made, track.gaps);
                }
            if (const auto result = relations.result()) {
                put(made, result->unmatched, result->other_units, result->omitted);
                for (const RelationLatencies::OfPair& pair : result->pairs) {
                    made.append(pair.from).append(pair.to);
                    put(made, pair.backwards);
                    put(made, pair.latency);
                }
            }
            return made;
        };
        HistogramBudget budget;
        ActivityMeter whole_activity(schema), activity(schema);
        ArrivalMeter whole_arrivals(schema, budget), arrivals(schema, budget);
        RelationLatencyMeter whole_relations(schema, budget), relations(schema, budget);
        whole_activity.add(batch);
        whole_arrivals.add(batch);
        whole_relations.add(batch);
        const std::vector<std::size_t> places = borders(batch.records().size(), random);
        for (std::size_t i = 1; i < places.size(); ++i) {
            const Batch part = slice(batch, places[i - 1], places[i]);
            ActivityMeter of_activity(schema);
            ArrivalMeter of_arrivals(schema, budget);
            RelationLatencyMeter of_relations(schema, budget);
            of_activity.begin_shard();
            of_arrivals.begin_shard();
            of_relations.begin_shard();
            of_activity.add(part);
            of_arrivals.add(part);
            of_relations.add(part);
            carry(of_activity, activity);
            carry(of_arrivals, arrivals);
            carry(of_relations, relations);
        }
        const std::string wanted = text(whole_activity, whole_arrivals, whole_relations);
        REQUIRE(text(activity, arrivals, relations) == wanted);
        CHECK(activity.not_reduced().empty());
        CHECK(arrivals.not_reduced().empty());
        CHECK(relations.not_reduced().empty());
    }
}

TEST_CASE("the profile of random code in shards is that of the whole") {
    std::mt19937 random(13);
    for (int turn = 0; turn < 800; ++turn) {
        CAPTURE(turn);
        Schema schema;
        const TrackId hart = schema.declare(make_track(Track::Kind::hart, none, "hart", ordinals));
        Batch batch;
        std::uint64_t pc = 0x1000;
        for (std::size_t left = random() % 150; left > 0; --left) {
            Instruction& made = batch.instruction(hart, 0, pc);
            made.size = 4;
            made.encoding = static_cast<std::uint32_t>(random() % 3);
            pc += 4;
            if (random() % 4 == 0) {
                made.has_target = true;
                made.target = pc = 0x1000 + random() % 20 * 4;
            } else if (random() % 9 == 0) {
                pc = 0x1000 + random() % 20 * 4;  // an interrupt
            }
        }
        const auto text = [](InstructionProfileMeter& meter) {
            std::string made;
            const auto result = meter.result();
            if (!result) return made;
            for (const auto& one : result->pcs)
                put(made, one.pc, one.encoding, one.executions);
            for (const auto& block : result->blocks)
                put(made, block.begin, block.end, block.executions, block.instructions);
            for (const auto& branch : result->branches) {
                put(made, branch.pc, branch.taken, branch.not_taken, branch.other_targets);
                for (const auto& target : branch.targets)
                    put(made, target.pc, target.times);
            }
            return made;
        };
        InstructionProfileMeter whole(schema, ReuseMode::skipped), joined(schema, ReuseMode::skipped);
        whole.add(batch);
        const std::vector<std::size_t> places = borders(batch.records().size(), random);
        for (std::size_t i = 1; i < places.size(); ++i) {
            InstructionProfileMeter meter(schema, ReuseMode::skipped);
            meter.begin_shard();
            meter.add(slice(batch, places[i - 1], places[i]));
            carry(meter, joined);
        }
        CHECK(joined.not_reduced().empty());
        const std::string wanted = text(whole);
        REQUIRE(text(joined) == wanted);
    }
}

}  // namespace hwtrace::views_shards_test
