#include "model/record.hpp"

#include <doctest/doctest.h>

#include <array>
#include <string>
#include <vector>

namespace record_test {

using namespace hwtrace;

namespace {

std::vector<std::uint64_t> values(std::span<const std::uint64_t> cells) {
    return {cells.begin(), cells.end()};
}

/// Appends an instruction with two registers, one of them a vector, and two accesses: 5 parts.
Instruction& push_instruction(Batch& batch, std::uint64_t pc) {
    batch.operand(5, RegisterClass::integer, OperandRole::source, 0x55);
    const std::array<std::uint64_t, 2> words{1, 2};
    batch.vector_operand(3, OperandRole::destination, words);
    batch.access(0x1000, 8, 0, AccessType::read);
    batch.access_data(0xAA);
    batch.access(0x2000, 16, 7, AccessType::write);
    batch.access_data(0xBB);
    batch.access_data(0xCC);
    Instruction& instruction = batch.instruction(0, 4, pc);
    instruction.encoding = 0x13;
    instruction.size = 4;
    return instruction;
}

}  // namespace

TEST_CASE("an instruction owns the operands and accesses appended since the previous instruction") {
    Batch batch;
    push_instruction(batch, 0x100);
    batch.operand(6, RegisterClass::csr, OperandRole::state, 1);
    CHECK(batch.open_operands() == 1);
    CHECK(batch.open_accesses() == 0);
    batch.instruction(0, 5, 0x104);
    CHECK(batch.open_operands() == 0);

    REQUIRE(batch.records().size() == 2);
    const Instruction& first = batch.instruction(batch.records()[0]);
    const Instruction& second = batch.instruction(batch.records()[1]);
    REQUIRE(batch.operands(first).size() == 2);
    REQUIRE(batch.accesses(first).size() == 2);
    CHECK(batch.operands(first)[0].value == 0x55);
    CHECK(values(batch.cells(batch.operands(first)[1].words)) == std::vector<std::uint64_t>{1, 2});
    CHECK(values(batch.cells(batch.accesses(first)[1].data)) == std::vector<std::uint64_t>{0xBB, 0xCC});
    CHECK(batch.operands(second).size() == 1);
    CHECK(batch.accesses(second).empty());
    CHECK(second.size == 0);
    CHECK_FALSE(second.has_target);
}

TEST_CASE("the words of an access stay together when other cells are appended in between") {
    Batch batch;
    batch.access(0x1000, 24, 0, AccessType::read);
    batch.access_data(1);
    const std::array<std::uint64_t, 2> cells{8, 9};
    batch.event(1, 0, cells);
    batch.access_data(2);
    batch.access_data(3);
    batch.instruction(0, 0, 0);
    const Instruction& instruction = batch.instruction(batch.records()[1]);
    CHECK(values(batch.cells(batch.accesses(instruction)[0].data)) == std::vector<std::uint64_t>{1, 2, 3});
    CHECK(values(batch.cells(batch.records()[0])) == std::vector<std::uint64_t>{8, 9});
}

TEST_CASE("open operands and accesses can be dropped") {
    Batch batch;
    push_instruction(batch, 0x100);
    batch.operand(1, RegisterClass::integer, OperandRole::source, 1);
    batch.access(1, 1, 0, AccessType::write);
    REQUIRE(batch.open_operand_list().size() == 1);
    REQUIRE(batch.open_access_list().size() == 1);
    batch.drop_open_parts();
    batch.instruction(0, 1, 0x104);
    CHECK(batch.operands(batch.instruction(batch.records()[1])).empty());
    CHECK(batch.operands(batch.instruction(batch.records()[0])).size() == 2);
}

TEST_CASE("a cleared batch is empty and can be filled again") {
    Batch batch;
    for (int round = 0; round < 3; ++round) {
        batch.clear();
        CHECK(batch.empty());
        while (!batch.full())
            push_instruction(batch, 0x100);
        CHECK(batch.records().size() == Batch::target_records);
        CHECK(batch.operands(batch.instruction(batch.records().front())).front().value == 0x55);
        CHECK(batch.accesses(batch.instruction(batch.records().back())).back().attributes == 7);
    }
}

TEST_CASE("a copied record equals the original, on another track") {
    Batch source;
    const std::array<std::uint64_t, 3> cells{1, 2, 3};
    source.event(1, 10, cells).flags = record_first_of_frame;
    source.note(2, 11, "a note");
    const std::array<std::byte, 2> raw{std::byte{1}, std::byte{0}};
    source.native(3, 12, raw);
    Instruction& instruction = push_instruction(source, 0x100);
    instruction.has_target = true;
    instruction.target = 0x80;
    const std::array<Part, 5> order{Part::access, Part::target, Part::operand, Part::operand, Part::access};
    source.set_order(instruction, order);
    source.set(4, 13, 7, 1, 0x99);
    source.set_property(4, 13, 2, 0x98);
    source.add(4, 14, 0, 0, 1);
    source.clear_slot(4, 15, 7);
    source.interval(5, 16, 100);

    Batch copy;
    const std::array<std::uint64_t, 1> before{0};
    copy.event(0, 0, before);  // makes all indexes of the copy differ from the original's
    for (const Record& record : source.records())
        copy.copy(source, record, record.track + 10);

    REQUIRE(copy.records().size() == source.records().size() + 1);
    for (std::size_t i = 0; i < source.records().size(); ++i) {
        const Record& a = source.records()[i];
        const Record& b = copy.records()[i + 1];
        CAPTURE(i);
        CHECK(b.kind == a.kind);
        CHECK(b.flags == a.flags);
        CHECK(b.field == a.field);
        CHECK(b.track == a.track + 10);
        CHECK(b.time == a.time);
        CHECK(b.value == a.value);
    }
    CHECK(values(copy.cells(copy.records()[1])) == std::vector<std::uint64_t>{1, 2, 3});
    CHECK(copy.text(copy.records()[2]) == "a note");
    CHECK(copy.bytes(copy.records()[3]).size() == 2);
    const Instruction& copied = copy.instruction(copy.records()[4]);
    CHECK(copied.encoding == 0x13);
    CHECK(copied.has_target);
    CHECK(copied.target == 0x80);
    CHECK(std::vector<Part>(copy.order(copied).begin(), copy.order(copied).end()) ==
          std::vector<Part>(order.begin(), order.end()));
    CHECK(values(copy.cells(copy.operands(copied)[1].words)) == std::vector<std::uint64_t>{1, 2});
    CHECK(copy.accesses(copied)[1].attributes == 7);
    CHECK(copy.records()[5].ref == 7);
    CHECK(copy.records()[8].ref == 7);
}

TEST_CASE("an event of a given width is zero until it is filled") {
    Batch batch;
    const std::array<std::uint64_t, 4> dirt{~0ull, ~0ull, ~0ull, ~0ull};
    batch.event(0, 0, dirt);
    batch.clear();
    const Record& event = batch.event(0, 0, 3u);
    CHECK(values(batch.cells(event)) == std::vector<std::uint64_t>{0, 0, 0});
    batch.mutable_cells(event)[2] = 9;
    CHECK(values(batch.cells(batch.records()[0])) == std::vector<std::uint64_t>{0, 0, 9});
}

TEST_CASE("appending to reserved room does not move existing records") {
    Batch batch;
    batch.clear_slot(1, 5, 2);
    batch.reserve(100);
    const Record* const first = batch.records().data();
    for (std::uint32_t i = 1; i < 100; ++i)
        batch.clear_slot(1, 5, i);
    CHECK(batch.records().data() == first);
    CHECK(batch.records()[0].ref == 2);
    CHECK(batch.records()[99].ref == 99);
    batch.mutable_records()[0].flags = record_first_of_frame;
    CHECK(batch.records()[0].flags == record_first_of_frame);
}

}  // namespace record_test
