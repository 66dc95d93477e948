#include "views/signal_statistics.hpp"

#include <doctest/doctest.h>

#include <bit>
#include <limits>

namespace signal_statistics_test {

using namespace hwtrace;

namespace {

/// One signal and its statistics.
struct Counted {
    Schema schema;
    TrackId signal;
    Batch batch;
    explicit Counted(std::vector<Field> fields, TimeBase time = picoseconds) {
        const ScopeId top = schema.declare(Scope{"top", none, {}, none});
        signal = schema.declare(make_track(Track::Kind::signal, top, "s", time, std::move(fields)));
    }
    Record& set(Tick time, std::uint64_t value, std::uint32_t field = 0, std::uint64_t mark = 0) {
        return batch.change(signal, time, Attribute{field, value}, mark);
    }
    void end(Tick time) { batch.change(signal, time, std::span<const Attribute>()).flags |= record_no_value; }
    SignalStatistics::OfSignal result() {
        SignalStatisticsMeter meter(schema);
        meter.add(batch);
        return meter.result()->signals.at(0);
    }
    SignalStatistics::Member only() { return result().members.at(0); }
};

Field vector_of(std::uint8_t width) {
    Field field{"value", Type::u64};
    field.width = width;
    return field;
}

std::uint64_t cell(double value) {
    return std::bit_cast<std::uint64_t>(value);
}

}  // namespace

TEST_CASE("changes of a signal are counted, even without values or with marks") {
    Counted trace({Field{"value", Type::i32}});
    trace.set(7, static_cast<std::uint64_t>(-4));
    trace.set(9, 8, 0, change_conflict);
    trace.end(20);
    trace.set(30, 2, 0, 9);
    const SignalStatistics::OfSignal signal = trace.result();
    CHECK(signal.scope == "top");
    CHECK(signal.name == "s");
    CHECK(signal.unit == "ps");
    CHECK(signal.changes == 4);
    CHECK(signal.first == 7);
    CHECK(signal.last == 30);
    CHECK(signal.no_values == 1);
    CHECK(signal.conflicts == 1);
    CHECK(signal.tagged == 1);
    const SignalStatistics::Member& value = signal.members.at(0);
    CHECK(value.types == "i32");
    CHECK(value.values == 3);
    REQUIRE(value.numbers);
    CHECK(!value.numbers->is_real);
    CHECK(static_cast<std::int64_t>(value.numbers->least) == -4);
    CHECK(static_cast<std::int64_t>(value.numbers->greatest) == 8);
    CHECK(value.numbers->mean == 2.0);
    CHECK(!value.toggles);
}

TEST_CASE("large integers are exact, and floating-point statistics ignore NaN") {
    Counted large({Field{"value", Type::u64}});
    large.set(1, std::numeric_limits<std::uint64_t>::max());
    large.set(2, std::numeric_limits<std::uint64_t>::max());
    CHECK(static_cast<std::uint64_t>(large.only().numbers->least) == std::numeric_limits<std::uint64_t>::max());
    CHECK(large.only().numbers->mean == 18446744073709551615.0);

    Counted real({Field{"value", Type::f64}});
    real.set(1, cell(std::numeric_limits<double>::quiet_NaN()));
    real.set(2, cell(0.5));
    real.set(3, cell(-1.5));
    const SignalStatistics::Member value = real.only();
    CHECK(value.values == 3);
    CHECK(value.numbers->is_real);
    CHECK(value.numbers->count == 2);
    CHECK(value.numbers->least_real == -1.5);
    CHECK(value.numbers->greatest_real == 0.5);
    CHECK(value.numbers->mean == -0.5);
}

TEST_CASE("toggles of bits are counted in vectors stored as number or text") {
    Counted trace({vector_of(4), Field{"value", Type::logic}});
    trace.set(1, 0b0000);
    trace.set(2, 0b0110);                          // two bits toggle
    trace.set(3, trace.schema.intern("011X"), 1);  // one bit toggles
    trace.set(4, trace.schema.intern("Z11X"), 1);  // one bit toggles
    trace.set(5, 0b1110);                          // two bits toggle
    trace.end(6);
    trace.set(7, 0b0001);  // no value precedes this one
    const SignalStatistics::Member value = trace.only();
    CHECK(value.types == "u64|logic");
    CHECK(value.values == 6);
    CHECK(value.toggles == 6);
    CHECK(value.numbers->count == 4);
    CHECK(static_cast<int>(value.numbers->greatest) == 0b1110);
    CHECK(trace.result().members.size() == 1);

    Counted truth({Field{"value", Type::boolean}});
    truth.set(1, 1);
    truth.set(2, 0);
    truth.set(3, 0);
    CHECK(truth.only().toggles == 1);
    CHECK(!truth.only().numbers);
}

TEST_CASE("members and elements are counted separately") {
    Counted trace({Field{"a", Type::u8}, Field{"b", Type::i16, none, true}, Field{"c", Type::text}}, ordinals);
    const Attribute both[] = {{0, 5}, {1, 1}, {1, static_cast<std::uint64_t>(-2)}};
    trace.batch.change(trace.signal, 1, both);
    const SignalStatistics::OfSignal signal = trace.result();
    CHECK(signal.unit == "(position)");
    REQUIRE(signal.members.size() == 3);
    CHECK(signal.members[0].values == 1);
    CHECK(signal.members[1].types == "i16[]");
    CHECK(signal.members[1].values == 2);
    CHECK(signal.members[1].numbers->mean == -0.5);
    CHECK(signal.members[2].values == 0);
    CHECK(!signal.members[2].numbers);
}

TEST_CASE("values from before a slice are known and not counted") {
    Counted trace({vector_of(8)});
    trace.set(10, 0xFF).flags |= record_restated;
    trace.set(12, 0xF0);
    const SignalStatistics::OfSignal signal = trace.result();
    CHECK(signal.changes == 1);
    CHECK(signal.first == 12);
    CHECK(signal.members[0].toggles == 4);
    CHECK(signal.members[0].numbers->count == 1);
}

TEST_CASE("a trace without signals has no signal statistics") {
    const Schema schema;
    CHECK(!SignalStatisticsMeter(schema).result());
}

}  // namespace signal_statistics_test
