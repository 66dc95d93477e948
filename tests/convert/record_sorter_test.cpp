#include "codec/record_sorter.hpp"

#include <doctest/doctest.h>

#include <algorithm>
#include <array>
#include <limits>
#include <random>
#include <sstream>
#include <string>

#include "convert/time_sort.hpp"
#include "domain/conventions.hpp"
#include "io/error.hpp"

namespace record_sorter_test {

using namespace hwtrace;

namespace {

std::string text_of(const Batch& batch, const Record& record) {
    std::ostringstream text;
    text << name_of(record.kind) << ' ' << int{record.flags} << ' ' << record.field << ' ' << record.track << ' '
         << record.time << ' ' << record.value;
    switch (record.kind) {
        case Kind::event:
        case Kind::relation:
            for (const std::uint64_t cell : batch.cells(record))
                text << " " << cell;
            break;
        case Kind::interval:
        case Kind::change:
            for (const Attribute& attribute : batch.attributes(record))
                text << " " << attribute.field << "=" << attribute.value;
            break;
        case Kind::note:
        case Kind::native:
            text << " '" << batch.text(record) << "'";
            break;
        case Kind::instruction: {
            const Instruction& instruction = batch.instruction(record);
            text << " " << instruction.encoding << " " << instruction.target << " " << instruction.has_target << " "
                 << int{instruction.size};
            for (const Operand& operand : batch.operands(instruction)) {
                text << " " << name_of(operand.role) << name_of(operand.register_class) << operand.number << "="
                     << operand.value;
                for (const std::uint64_t word : batch.cells(operand.words))
                    text << "," << word;
            }
            for (const Access& access : batch.accesses(instruction)) {
                text << " " << name_of(access.type) << access.address << " " << access.size << " " << access.attributes;
                for (const std::uint64_t word : batch.cells(access.data))
                    text << "," << word;
            }
            for (const Part part : batch.order(instruction))
                text << " " << static_cast<int>(part);
            break;
        }
        default:
            text << " " << record.ref;
            break;
    }
    return text.str();
}

void append_random_instruction(std::mt19937_64& random, TrackId track, Tick time, Batch& batch) {
    const std::vector<std::uint64_t> words(random() % 3, random());
    if (random() % 2 == 0)
        batch.operand(static_cast<std::uint16_t>(random() % 4096), RegisterClass::csr, OperandRole::destination,
                      random());
    if (random() % 2 == 0) batch.vector_operand(7, OperandRole::source, words);
    for (std::uint64_t left = random() % 3; left != 0; --left) {
        batch.access(random(), static_cast<std::uint16_t>(random()), static_cast<std::uint16_t>(random()),
                     random() % 2 == 0 ? AccessType::read : AccessType::write);
        for (const std::uint64_t word : words)
            batch.access_data(word);
    }
    Instruction& instruction = batch.instruction(track, time, random());
    instruction.encoding = random();
    instruction.size = random() % 2 == 0 ? 2 : 4;
    instruction.has_target = random() % 2 == 0;
    instruction.target = random();
    const Part order[] = {Part::access, Part::operand};
    if (random() % 2 == 0) batch.set_order(instruction, order);
}

/// Appends a random record of any kind.
void append_random(std::mt19937_64& random, Batch& batch) {
    const auto track = static_cast<TrackId>(random() % 5);
    const auto time = static_cast<Tick>(random() % 1000);
    const std::string text(random() % 40, static_cast<char>('a' + random() % 26));
    switch (random() % 11) {
        case 10:
            append_random_instruction(random, track, time, batch);
            break;
        case 0: {
            const std::vector<std::uint64_t> cells(random() % 6, random());
            batch.event(track, time, cells).flags = record_first_of_frame;
            break;
        }
        case 8: {
            const std::vector<std::uint64_t> cells(2 + random() % 3, random());
            batch.relation(track, time, cells);
            break;
        }
        case 9: {
            const std::vector<Attribute> values(random() % 4, Attribute{2, random()});
            batch.change(track, time, values, random() % 3).flags = values.empty() ? record_no_value : 0;
            break;
        }
        case 1:
            batch.set(track, time, static_cast<std::uint32_t>(random() % 9), 3, random());
            break;
        case 2:
            batch.set_property(track, time, 2, random());
            break;
        case 3:
            batch.add(track, time, 1, 1, random());
            break;
        case 4:
            batch.clear_slot(track, time, 7);
            break;
        case 5:
            batch.note(track, time, text);
            break;
        case 6:
            batch.native(track, time, std::as_bytes(std::span(text)));
            break;
        default: {
            const std::vector<Attribute> attributes(random() % 4, Attribute{1, random()});
            batch.interval(track, time, random(), attributes);
            break;
        }
    }
}

struct Sorted {
    std::vector<std::string> records;
    std::uint64_t spilled = 0;
    std::size_t early = 0;  // number of records delivered before all were added
};

void append_delivered(const Batch& out, const std::vector<RecordSorter::Place>& places, Sorted& sorted) {
    REQUIRE(places.size() == out.records().size());
    for (std::size_t i = 0; i < places.size(); ++i)
        sorted.records.push_back(std::to_string(places[i].key) + " " + std::to_string(places[i].tag) + " " +
                                 text_of(out, out.records()[i]));
}

void give_rest(RecordSorter& sorter, Sorted& sorted) {
    Batch out;
    std::vector<RecordSorter::Place> places;
    for (bool more = true; more;) {
        out.clear();
        places.clear();
        more = sorter.give(out, places);
        append_delivered(out, places, sorted);
    }
    sorted.spilled = sorter.spilled_bytes();
}

/// Returns the sorter's output for records with these keys, as "key tag record". The tag is the position.
Sorted sorted(const Batch& batch, const std::vector<std::uint64_t>& keys, std::size_t run_bytes) {
    RecordSorter sorter("/tmp", run_bytes);
    for (std::size_t i = 0; i < keys.size(); ++i)
        sorter.add(keys[i], i, batch, batch.records()[i]);
    Sorted sorted;
    give_rest(sorter, sorted);
    return sorted;
}

/// Does the same, but delivers records as soon as possible. No key is lower than an earlier one by more than
/// `lateness`.
Sorted sorted_early(const Batch& batch, const std::vector<std::uint64_t>& keys, std::uint64_t lateness,
                    std::size_t run_bytes) {
    RecordSorter sorter("/tmp", run_bytes);
    Sorted sorted;
    std::uint64_t latest = 0;
    Batch out;
    std::vector<RecordSorter::Place> places;
    for (std::size_t i = 0; i < keys.size(); ++i) {
        sorter.add(keys[i], i, batch, batch.records()[i]);
        latest = std::max(latest, keys[i]);
        if (i % 100 != 99) continue;
        sorter.promise(latest - std::min(latest, lateness));
        out.clear();
        places.clear();
        const bool any = sorter.give_early(out, places, 200);
        CHECK(any == !places.empty());
        append_delivered(out, places, sorted);
    }
    sorted.early = sorted.records.size();
    give_rest(sorter, sorted);
    return sorted;
}

std::vector<std::string> expected(const Batch& batch, const std::vector<std::uint64_t>& keys) {
    std::vector<std::size_t> order(keys.size());
    for (std::size_t i = 0; i < order.size(); ++i)
        order[i] = i;
    std::stable_sort(order.begin(), order.end(), [&](std::size_t a, std::size_t b) { return keys[a] < keys[b]; });
    std::vector<std::string> lines;
    for (const std::size_t i : order)
        lines.push_back(std::to_string(keys[i]) + " " + std::to_string(i) + " " + text_of(batch, batch.records()[i]));
    return lines;
}

}  // namespace

TEST_CASE("records are sorted stably, in memory and through the file") {
    std::mt19937_64 random(7);
    for (const std::uint64_t largest : {std::uint64_t{3}, std::uint64_t{5000}, ~std::uint64_t{0}}) {
        Batch batch;
        std::vector<std::uint64_t> keys;
        for (int i = 0; i < 3000; ++i) {
            append_random(random, batch);
            keys.push_back(largest == ~std::uint64_t{0} ? random() : random() % (largest + 1));
        }
        const std::vector<std::string> right = expected(batch, keys);
        for (const std::size_t run : {std::size_t{64} << 20, std::size_t{50'000}, std::size_t{1'000}, std::size_t{1}}) {
            CAPTURE(largest);
            CAPTURE(run);
            const Sorted got = sorted(batch, keys, run);
            CHECK(got.records == right);
            CHECK((got.spilled != 0) == (run < (std::size_t{1} << 20)));
        }
    }
}

TEST_CASE("sorted records stay sorted, and an empty sorter delivers no records") {
    Batch batch;
    std::vector<std::uint64_t> keys;
    for (std::uint64_t i = 0; i < 1200; ++i) {
        batch.interval(0, static_cast<Tick>(i), i);
        keys.push_back(i / 3);
    }
    CHECK(sorted(batch, keys, 64u << 20).records == expected(batch, keys));
    CHECK(sorted(batch, keys, 4000).records == expected(batch, keys));
    CHECK(sorted(Batch{}, {}, 1000).records.empty());
}

TEST_CASE("records are delivered early if their lateness is known, in memory and through the file") {
    std::mt19937_64 random(11);
    for (const std::uint64_t lateness :
         {std::uint64_t{0}, std::uint64_t{40}, std::uint64_t{3000}, std::uint64_t{70'000}, ~std::uint64_t{0}}) {
        Batch batch;
        std::vector<std::uint64_t> keys;
        std::uint64_t latest = 0;
        for (int i = 0; i < 30'000; ++i) {
            append_random(random, batch);
            const std::uint64_t next = latest + random() % 4;
            keys.push_back(random() % 3 != 0 || lateness == 0 ? next
                                                              : next - random() % (std::min(next, lateness) + 1));
            latest = std::max(latest, next);
        }
        const std::vector<std::string> right = expected(batch, keys);
        for (const std::size_t run : {RecordSorter::default_run_bytes, std::size_t{1'200'000}, std::size_t{50'000}}) {
            CAPTURE(lateness);
            CAPTURE(run);
            const Sorted got = sorted_early(batch, keys, lateness, run);
            CHECK(got.records == right);
            const bool holds_all = lateness > 40'000;
            if (run == RecordSorter::default_run_bytes) {
                CHECK((got.early != 0) == !holds_all);
                CHECK(got.spilled == 0);
            } else if (holds_all || run == 50'000) {  // half a run is less than a step
                CHECK(got.spilled != 0);
            } else {
                CHECK(got.early > 10'000);
                CHECK(got.spilled == 0);
            }
        }
    }
}

TEST_CASE("records far in the future wait in memory without keeping the others") {
    std::mt19937_64 random(12);
    Batch batch;
    std::vector<std::uint64_t> keys;
    for (std::uint64_t i = 0; i < 40'000; ++i) {
        append_random(random, batch);
        keys.push_back(i % 1000 == 0 ? 1'000'000 + i : i / 2);
    }
    RecordSorter sorter("/tmp", 2'000'000);
    Sorted got;
    Batch out;
    std::vector<RecordSorter::Place> places;
    for (std::size_t i = 0; i < keys.size(); ++i) {
        sorter.add(keys[i], i, batch, batch.records()[i]);
        sorter.promise(i / 2);  // unlike a lateness, this ignores the far future
        if (i % 50 != 0) continue;
        out.clear();
        places.clear();
        sorter.give_early(out, places, 200);
        append_delivered(out, places, got);
    }
    CHECK(got.records.size() > 30'000);
    give_rest(sorter, got);
    CHECK(got.spilled == 0);
    CHECK(got.records == expected(batch, keys));
}

TEST_CASE("a record that breaks a promise is refused only if it can no longer be delivered in order") {
    RecordSorter sorter("/tmp");
    Batch batch, out;
    batch.interval(0, 0, 0);
    const Record& record = batch.records().front();
    std::vector<RecordSorter::Place> places;
    for (std::uint64_t key = 0; key < 4096; ++key)
        sorter.add(key, 0, batch, record);
    sorter.promise(3000);
    sorter.promise(1000);                // cannot withdraw the first
    sorter.add(2000, 1, batch, record);  // nothing was delivered yet
    CHECK(sorter.give_early(out, places, 200));
    CHECK(places.size() == 200);
    CHECK(places.front().key == 0);
    sorter.add(3000, 2, batch, record);
    try {
        sorter.add(2999, 3, batch, record);
        FAIL("a record was accepted that has to precede delivered records");
    } catch (const Error& error) {
        CHECK(error.failure() == Failure::input);
        CHECK(std::string(error.what()).find("changes while it is read") != std::string::npos);
    }
    std::size_t count = places.size();
    std::uint64_t last = places.back().key;
    for (bool more = true; more;) {
        out.clear();
        places.clear();
        more = sorter.give(out, places);
        for (const RecordSorter::Place& place : places) {
            CHECK(place.key >= last);
            last = place.key;
            ++count;
        }
    }
    CHECK(count == 4098);
}

TEST_CASE("sorting by time with a known lateness delivers the same records, most of them before the end") {
    std::mt19937_64 random(13);
    Schema schema;
    TimeSort late(schema, "/tmp"), early(schema, "/tmp");
    early.expect_lateness(1000);
    std::vector<Tick> times, got;
    Batch in, out;
    const auto take = [&] {
        for (const Record& record : out.records())
            got.push_back(record.time);
        out.clear();
    };
    for (Tick now = -5000; now < 15'000; ++now) {
        times.push_back(now - static_cast<Tick>(random() % 1001));
        in.set(0, times.back(), static_cast<std::uint32_t>(times.size()), 0, 0);
        if (!in.full()) continue;
        late.apply(in, out);
        CHECK(out.empty());
        early.apply(in, out);
        take();
        in.clear();
    }
    late.apply(in, out);
    early.apply(in, out);
    CHECK(got.size() > 12'000);
    for (bool more = true; more; take())
        more = early.finish(out);
    std::vector<Tick> at_end;
    got.swap(at_end);
    for (bool more = true; more; take())
        more = late.finish(out);
    CHECK(at_end == got);
    std::ranges::sort(times);
    CHECK(got == times);
}

TEST_CASE("a record larger than every window is restored completely") {
    Batch batch;
    const std::string large(3u << 20, 'x');
    batch.note(1, 5, large);
    batch.interval(0, 1, 2);
    batch.note(1, 5, large + "y");
    CHECK(sorted(batch, {3, 2, 1}, 100).records == expected(batch, {3, 2, 1}));
}

TEST_CASE("instructions are refused, and the message for a missing folder names the folder and the option") {
    Batch batch;
    batch.instruction(0, 0, 0x1000);
    batch.interval(0, 1, 2);
    RecordSorter sorter("/nowhere/at/all", 1);
    CHECK_THROWS_AS(sorter.add(0, 0, batch, batch.records()[0]), Error);
    try {
        sorter.add(0, 0, batch, batch.records()[1]);
        FAIL("a run was spilled to a missing folder");
    } catch (const Error& error) {
        CHECK(error.failure() == Failure::io);
        CHECK(std::string(error.what()).find("/nowhere/at/all") != std::string::npos);
        CHECK(std::string(error.what()).find("--tmpdir") != std::string::npos);
    }
}

TEST_CASE("sorting by time is stable, puts negative times first, and adds no frames") {
    for (const bool framed : {false, true}) {
        Schema schema;
        TimeSort sort(schema, "/tmp");
        Batch in, nothing, out;
        const std::vector<Tick> times{5, -3, 5, std::numeric_limits<Tick>::max(), -3, 0};
        for (std::size_t i = 0; i < times.size(); ++i)
            in.set(0, times[i], static_cast<std::uint32_t>(i), 0, 0).flags = framed ? record_first_of_frame : 0;
        sort.apply(in, nothing);
        CHECK(nothing.empty());
        CHECK_FALSE(sort.finish(out));
        std::vector<std::uint32_t> order, firsts;
        for (const Record& record : out.records()) {
            order.push_back(record.ref);
            firsts.push_back(record.flags);
        }
        CHECK(order == std::vector<std::uint32_t>{1, 4, 5, 0, 2, 3});
        CHECK(firsts == (framed ? std::vector<std::uint32_t>{1, 0, 1, 1, 0, 1} : std::vector<std::uint32_t>(6, 0)));
    }
}

TEST_CASE(
    "intervals that begin after the last Tick come last, in the order of their exact start times, also through files") {
    constexpr Tick last = std::numeric_limits<Tick>::max();
    constexpr std::uint64_t beyond = std::uint64_t{1} << 63;
    Schema schema;
    Track track;
    track.kind = Track::Kind::stream;
    track.name = "MAC_COMPUTE";
    const TrackId stream = schema.declare(track);
    const auto exact = schema.add_attribute(stream, {std::string(conventions::start_cycle), Type::u64});
    for (const std::size_t run : {RecordSorter::default_run_bytes, std::size_t{1}}) {
        for (const bool only_late : {false, true}) {
            TimeSort sort(schema, "/tmp", run);
            Batch in, nothing;
            const auto late = [&](std::uint64_t begin, std::uint64_t number) {
                in.interval(stream, last, number, std::array{Attribute{exact, begin}}).flags = record_first_of_frame;
            };
            late(~std::uint64_t{0}, 1);
            late(beyond + 1, 2);
            if (!only_late) in.interval(stream, last, 3);
            late(beyond, 4);
            if (!only_late) in.interval(stream, -5, 5);
            late(beyond + 1, 6);
            sort.apply(in, nothing);
            std::vector<std::uint64_t> order;
            std::vector<unsigned> firsts;
            Batch out;
            for (bool more = true; more;) {
                out.clear();
                more = sort.finish(out);
                for (const Record& record : out.records()) {
                    order.push_back(record.value);
                    firsts.push_back(record.flags);
                }
            }
            std::vector<std::uint64_t> right{4, 2, 6, 1};
            std::vector<unsigned> right_firsts{1, 1, 0, 1};
            if (!only_late) {
                right.insert(right.begin(), {5, 3});
                right_firsts.insert(right_firsts.begin(), {1, 1});
            }
            CHECK(order == right);
            CHECK(firsts == right_firsts);
        }
    }
}

}  // namespace record_sorter_test
