// Tests that records of every kind carry a number, which copies keep.
#include "codec/record_number.hpp"

#include <doctest/doctest.h>

#include <array>
#include <limits>

namespace record_number_test {

using namespace hwtrace;

TEST_CASE("records of every kind carry a number and keep what they say") {
    Batch plain;
    constexpr std::array<std::uint64_t, 2> cells{3, 4};
    constexpr std::array attributes{Attribute{0, 5}};
    constexpr std::array bytes{std::byte{6}};
    plain.event(0, 1, cells);
    plain.relation(1, 1, cells);
    plain.note(2, 1, "text");
    plain.native(3, 1, bytes);
    plain.interval(4, 1, 7, attributes);
    plain.change(5, 1, attributes, 1);
    plain.set(6, 1, 2, 3, 8);
    plain.set_property(6, 1, 4, 9);
    plain.add(6, 1, 2, 3, 10);
    plain.clear_slot(6, 1, 2);
    plain.operand(10, RegisterClass::integer, OperandRole::source, 11);
    plain.instruction(7, 1, 0x1000).encoding = 0x13;
    NumberedRecords numbered;
    Batch once, twice;
    std::uint64_t number = 0;
    for (const Record& record : plain.records())
        numbered.append(plain, record, number++, once);
    for (const Record& record : once.records())
        twice.copy(once, record, record.track);
    REQUIRE(twice.records().size() == plain.records().size());
    for (std::size_t at = 0; at < plain.records().size(); ++at) {
        const Record &before = plain.records()[at], &after = twice.records()[at];
        CAPTURE(name_of(before.kind));
        CHECK(NumberedRecords::of(twice, after) == at);
        CHECK(after.kind == before.kind);
        CHECK(after.flags == before.flags);
        CHECK(after.field == before.field);
    }
    const std::span<const Record> records = twice.records();
    CHECK(twice.cells(records[0]).back() == 4);
    CHECK(records[4].value == 7);
    CHECK(twice.attributes(records[5]).front() == attributes.front());
    CHECK(records[6].value == 8);
    CHECK(records[10].value == 0x1000);
    CHECK(twice.operands(twice.instruction(records[10])).front().value == 11);
}

TEST_CASE("operations and instructions that a slice has added have no number") {
    Batch added;
    constexpr std::array attributes{Attribute{0, 5}};
    added.set(0, 1, 2, 3, 4);
    added.clear_slot(0, 1, 2);
    added.instruction(1, 1, 0x1000);
    added.change(2, 1, attributes);
    for (const Record& record : added.records())
        CHECK_FALSE(NumberedRecords::of(added, record));
}

TEST_CASE("a number that an operation cannot carry is refused") {
    Batch plain, out;
    plain.set(0, 1, 2, 3, 4);
    constexpr std::uint64_t most = std::numeric_limits<std::uint32_t>::max() - 1;
    NumberedRecords numbered;
    numbered.append(plain, plain.records()[0], most, out);
    CHECK(NumberedRecords::of(out, out.records()[0]) == most);
    CHECK_THROWS_AS(numbered.append(plain, plain.records()[0], most + 1, out), Error);
}

}  // namespace record_number_test
