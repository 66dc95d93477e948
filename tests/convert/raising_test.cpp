#include <doctest/doctest.h>

#include <array>
#include <random>

#include "convert/transforms/instruction_lowering.hpp"
#include "support/instruction_support.hpp"

namespace raising_test {

using namespace hwtrace;
using namespace hwtrace::test;

namespace {

using Lines = std::vector<std::string>;

/// Appends groups that contain every item a group can have.
void fill(Trace& trace, Batch& batch) {
    const auto end = [&](Tick index, std::uint64_t pc, std::uint64_t encoding, std::uint8_t size) -> Instruction& {
        Instruction& instruction = batch.instruction(trace.hart, index, pc);
        instruction.encoding = encoding;
        instruction.size = size;
        return instruction;
    };
    for (std::uint16_t i = 0; i < 33; ++i)
        batch.operand(i, RegisterClass::integer, OperandRole::state, i * 0x0101'0101'0101ull);
    end(0, 0xFFFF'FFFF'FFFF'FFFC, 0x13, 4);

    batch.note(trace.notes, 1, "quote \" backslash \\ newline \n tab \t");
    batch.note(trace.notes, 1, std::string_view("\0\xFF\x01 odd bytes \xC3", 15));
    batch.note(trace.notes, 1, "");
    const std::array<std::byte, 4> raw{std::byte{0}, std::byte{0xFF}, std::byte{0x5A}, std::byte{9}};
    batch.native(trace.native, 1, raw);
    const std::array<std::uint64_t, 2> named{200, trace.schema.intern("a name")};
    batch.event(trace.text_event, 1, named);
    const std::array<std::uint64_t, 2> named_again{201, trace.schema.intern("another name")};
    batch.event(trace.text_event, 1, named_again);
    batch.operand(1, RegisterClass::integer, OperandRole::source, 1);
    batch.operand(1, RegisterClass::integer, OperandRole::destination, 2);
    batch.operand(31, RegisterClass::floating, OperandRole::destination, ~0ull);
    batch.operand(0xFFF, RegisterClass::csr, OperandRole::source, 3);
    const std::array<std::uint64_t, 2> words{0x1111, 0x2222};
    batch.vector_operand(7, OperandRole::source, words);
    batch.vector_operand(7, OperandRole::destination, words);
    batch.access(0xFFFF'FFFF'FFFF'FFFF, 65535, 65535, AccessType::invalid);
    batch.access(0x10, 8, 0, AccessType::read);
    batch.access_data(0);
    batch.access(0x20, 32, 0, AccessType::write);
    for (std::uint64_t word = 1; word <= 4; ++word)
        batch.access_data(word);
    Instruction& second = end(1, 0, 0x4501, 2);
    second.has_target = true;
    second.target = 0;
    using enum Part;
    const std::array<Part, 16> order{record,  access,  record,  operand, record, target, record, operand,
                                     operand, operand, operand, operand, access, record, access, record};
    batch.set_order(second, order);

    for (const std::size_t rows : {std::size_t{0}, std::size_t{1}, std::size_t{255}}) {
        std::vector<std::uint64_t> cells{rows};
        for (std::size_t i = 0; i < rows; ++i)
            cells.push_back(i * 3);
        batch.event(trace.event, 2, cells);
        std::vector<std::uint64_t> walk{rows};
        for (std::size_t i = 0; i < 2 * rows; ++i)
            walk.push_back(i + 7);
        batch.event(trace.walk, 2, walk);
    }
    end(2, 0x1000, 0xFFFF'FFFF, 4);
    end(3, 0x1004, 0x4501, 4);  // a size that the encoding does not imply
    batch.note(trace.notes, 4, "behind the last instruction");
    const std::array<std::uint64_t, 3> last{1, 2, 3};
    batch.event(trace.event, 4, last);
}

}  // namespace

TEST_CASE("lowered records are raised to the identical records") {
    Trace trace;
    Batch batch;
    fill(trace, batch);
    const Lines original = lines_of(trace.schema, batch);
    for (const Ratio per_cycle : {Ratio{1, 1}, Ratio{2, 1}, Ratio{3, 2}, Ratio{1, 7}, Ratio{8192, 1}}) {
        CAPTURE(per_cycle.num);
        CAPTURE(per_cycle.den);
        Losses losses;
        CHECK(there_and_back(trace, batch, 750, per_cycle, losses) == original);
        CHECK(losses.none());
    }
}

TEST_CASE("the raised schema equals the lowered one") {
    Trace trace;
    Losses losses;
    const InstructionLowering lowering(trace.schema, trace.hart, 1000, {1, 1}, losses);
    const InstructionRaising raising(lowering.schema(), losses);
    CHECK(raising.schema().tracks() == trace.schema.tracks());
    CHECK(raising.schema().scopes() == trace.schema.scopes());
    CHECK(raising.schema().metadata() == trace.schema.metadata());
    CHECK(raising.schema().clocks().empty());
}

TEST_CASE("a trace may be divided into batches anywhere") {
    Trace trace;
    Batch batch;
    fill(trace, batch);
    Losses losses;
    InstructionLowering lowering(trace.schema, trace.hart, 1000, {1, 1}, losses);
    Batch whole;
    lowering.apply(batch, whole);
    lowering.finish(whole);

    for (const std::size_t piece : {std::size_t{1}, std::size_t{2}, std::size_t{7}, std::size_t{1000}}) {
        CAPTURE(piece);
        std::vector<Batch> pieces;
        for (std::size_t i = 0; i < whole.records().size(); ++i) {
            if (i % piece == 0) pieces.emplace_back();
            pieces.back().copy(whole, whole.records()[i], whole.records()[i].track);
        }
        std::vector<const Batch*> batches;
        for (const Batch& b : pieces)
            batches.push_back(&b);
        InstructionRaising raising(lowering.schema(), losses);
        CHECK(lines_after(raising, batches) == lines_of(trace.schema, batch));
    }
    CHECK(losses.none());
}

TEST_CASE("items that another tool added are counted and have no other effect") {
    Trace trace;
    Batch batch;
    fill(trace, batch);
    Losses losses;
    InstructionLowering lowering(trace.schema, trace.hart, 1000, {1, 1}, losses);
    Batch whole;
    lowering.apply(batch, whole);
    lowering.finish(whole);
    const TrackId annotate = lowering.schema().find_track(Track::Kind::event_type, "annotate");
    Batch more;
    for (const Record& record : whole.records()) {
        more.copy(whole, record, record.track);
        if (record.kind == Kind::clear) {
            const std::array<std::uint64_t, 2> cells{0, 0};
            more.event(annotate, record.time, cells);
        }
    }
    Losses raised;
    InstructionRaising raising(lowering.schema(), raised);
    CHECK(lines_after(raising, {&more}) == lines_of(trace.schema, batch));
    REQUIRE(raised.entries().size() == 1);
    CHECK(raised.entries().at({Loss::kind_dropped, "annotate"}).count == 4);
}

TEST_CASE("lost rows, parts and commits do not affect later records") {
    Trace trace;
    Batch batch;
    fill(trace, batch);
    Losses losses;
    InstructionLowering lowering(trace.schema, trace.hart, 1000, {1, 1}, losses);
    Batch whole;
    lowering.apply(batch, whole);
    lowering.finish(whole);
    const std::size_t instructions = 4;

    // If any single record is missing, at most one instruction is lost, and nothing crashes.
    for (std::size_t missing = 0; missing < whole.records().size(); ++missing) {
        Batch cut;
        for (std::size_t i = 0; i < whole.records().size(); ++i)
            if (i != missing) cut.copy(whole, whole.records()[i], whole.records()[i].track);
        Losses raised;
        InstructionRaising raising(lowering.schema(), raised);
        const Lines lines = lines_after(raising, {&cut});
        const std::size_t left = with(lines, " instruction core0").size();
        CAPTURE(missing);
        CHECK(left >= instructions - 1);
        CHECK(left <= instructions);
    }

    // The records are in random order, and some are repeated.
    std::mt19937 random(7);
    for (int round = 0; round < 50; ++round) {
        Batch mixed;
        std::size_t commits = 0;
        const TrackId committed = lowering.schema().find_track(Track::Kind::storage, "committed_insns");
        for (std::size_t i = 0; i < whole.records().size(); ++i) {
            const Record& record = whole.records()[random() % whole.records().size()];
            mixed.copy(whole, record, record.track);
            commits += record.track == committed ? 1u : 0u;
        }
        Losses raised;
        InstructionRaising raising(lowering.schema(), raised);
        CHECK(with(lines_after(raising, {&mixed}), " instruction core0").size() == commits);
    }
}

TEST_CASE("an event with fewer rows than its row count states ends at the next other record") {
    Trace trace;
    Losses losses;
    InstructionLowering lowering(trace.schema, trace.hart, 1000, {1, 1}, losses);
    const Schema& schema = lowering.schema();
    const TrackId event = schema.find_track(Track::Kind::event_type, "stf.event");
    const TrackId row = schema.find_track(Track::Kind::event_type, "stf.event.row");
    const TrackId committed = schema.find_track(Track::Kind::storage, "committed_insns");
    Batch crafted;
    const std::array<std::uint64_t, 2> head{8, ~0ull};
    const std::array<std::uint64_t, 1> field{5};
    crafted.event(row, 0, field);  // the event of these fields is missing
    crafted.event(event, 0, head);
    crafted.event(row, 0, field);
    crafted.add(committed, 0, 0, 0, 1);
    crafted.event(event, 0, head);
    InstructionRaising raising(schema, losses);
    const Lines lines = lines_after(raising, {&crafted});
    CHECK(with(lines, "stf.event") ==
          Lines{"0 event core0/stf.event id=0x8 field[0]=0x5", "1 event core0/stf.event id=0x8"});
}

namespace {

/// Lowers a trace, raises the result, and returns the losses. `edit` is called for each lowered record and appends the
/// records to raise.
template <typename Edit>
Losses raised_losses(Edit edit) {
    Trace trace;
    Batch batch;
    fill(trace, batch);
    Losses losses;
    InstructionLowering lowering(trace.schema, trace.hart, 1000, {1, 1}, losses);
    Batch whole;
    lowering.apply(batch, whole);
    lowering.finish(whole);
    Batch edited;
    for (const Record& record : whole.records())
        edit(lowering.schema().tracks()[record.track].name, whole, record, edited);
    InstructionRaising raising(lowering.schema(), losses);
    lines_after(raising, {&edited});
    return losses;
}

std::vector<std::string> subjects(const Losses& losses) {
    std::vector<std::string> texts;
    for (const auto& [key, entry] : losses.entries())
        texts.push_back(std::string(name_of(key.first)) + ' ' + key.second);
    return texts;
}

/// Returns the losses if every record of `track`, or only each set record of one field, is dropped.
Losses without(std::string_view track, std::uint16_t field = 0xFFFF) {
    return raised_losses([&](std::string_view name, const Batch& in, const Record& record, Batch& out) {
        const bool is_field = field == 0xFFFF || (record.kind == Kind::set && record.field == field);
        if (name != track || !is_field) out.copy(in, record, record.track);
    });
}

/// Returns the losses if `change` is applied to each record of `track`.
template <typename Change>
Losses with_changed(std::string_view track, Change change) {
    return raised_losses([&](std::string_view name, const Batch& in, const Record& record, Batch& out) {
        Record& copy = out.copy(in, record, record.track);
        if (name == track) change(copy, out);
    });
}

}  // namespace

TEST_CASE("records that another tool removed from a lowered trace are counted") {
    using Names = std::vector<std::string>;
    CHECK(subjects(without("entities", 1)) == Names{"part-dropped entities"});
    CHECK(subjects(without("entities", 2)) == Names{"part-dropped entities"});
    CHECK(subjects(without("committed_insns")).back() == "part-dropped instruction");
    CHECK(subjects(without("memory_access")).front() == "kind-dropped memory_data");
    CHECK(subjects(without("memory_data")) == Names{"part-dropped memory_access"});
    CHECK(subjects(without("branch")) == Names{"part-dropped taken_branches"});
    CHECK(subjects(without("loads")) == Names{"part-dropped loads"});
    CHECK(subjects(without("v", 0)).front() == "kind-dropped v");
}

TEST_CASE("records that another tool changed in a lowered trace are counted") {
    using Names = std::vector<std::string>;
    const auto doubled = [](std::string_view track) {
        return raised_losses([&](std::string_view name, const Batch& in, const Record& record, Batch& out) {
            out.copy(in, record, record.track);
            if (name == track) out.copy(in, record, record.track);
        });
    };
    CHECK(subjects(doubled("branch")) == Names{"kind-dropped branch"});
    CHECK(subjects(doubled("stage_transition")) == Names{"kind-dropped stage_transition"});
    CHECK(subjects(doubled("instruction_order")) == Names{"kind-dropped instruction_order"});
    CHECK(subjects(doubled("stores")) == Names{"part-dropped stores"});
    const auto value = [](std::uint64_t v) { return [v](Record& record, Batch&) { record.value = v; }; };
    CHECK(subjects(with_changed("committed_insns", value(5))) == Names{"kind-dropped committed_insns"});
    CHECK(subjects(with_changed("x", [](Record& record, Batch&) { record.ref = 60'000; })) == Names{"kind-dropped x"});
    CHECK(subjects(with_changed("memory_access", [](Record& record, Batch& out) {
              out.mutable_cells(record)[1] = 9;
          })).front() == "kind-dropped memory_access");
    CHECK(subjects(with_changed("committed_insns", [](Record& record, Batch&) { record.kind = Kind::set; })).back() ==
          "part-dropped instruction");
}

TEST_CASE("records that wait for an instruction take bounded memory") {
    Trace trace;
    Losses losses;
    InstructionLowering lowering(trace.schema, trace.hart, 1000, {1, 1}, losses);
    InstructionRaising raising(lowering.schema(), losses);
    Batch notes;
    for (int i = 0; i < 10'000; ++i)
        notes.note(trace.notes, 0, "a note");
    Batch lowered, raised;
    lowering.apply(notes, lowered);
    raising.apply(lowered, raised);
    CHECK(raised.records().size() > 8'000);
    raising.finish(raised);
    CHECK(raised.records().size() == 10'000);
    CHECK(losses.none());
}

TEST_CASE("parts of a lost instruction are not raised into the next one") {
    Trace trace;
    Batch batch;
    batch.instruction(trace.hart, 0, 0x1000).encoding = 0x13;
    batch.note(trace.notes, 1, "of a lost one");
    batch.note(trace.notes, 1, "of the same");
    batch.note(trace.notes, 4, "of the next");
    batch.instruction(trace.hart, 4, 0x1010).encoding = 0x13;
    batch.note(trace.notes, 5, "at the end");
    Losses losses;
    const auto notes = with(there_and_back(trace, batch, 1000, {1, 1}, losses), " note ");
    REQUIRE(notes.size() == 2);
    CHECK(notes[0].find("of the next") != std::string::npos);
    CHECK(notes[1].find("at the end") != std::string::npos);
    REQUIRE(losses.entries().size() == 1);
    CHECK(losses.entries().begin()->first.second == "records of lost instructions");
    CHECK(losses.entries().begin()->second.count == 2);
}

TEST_CASE("records of a lost instruction beyond the limit are passed on and reported") {
    Trace trace;
    Batch batch;
    batch.instruction(trace.hart, 0, 0x1000).encoding = 0x13;
    for (int i = 0; i < 10'000; ++i)
        batch.note(trace.notes, 1, "of a lost one");
    batch.note(trace.notes, 4, "of the next");
    batch.instruction(trace.hart, 4, 0x1010).encoding = 0x13;
    Losses losses;
    const auto notes = with(there_and_back(trace, batch, 1000, {1, 1}, losses), " note ");
    std::uint64_t told = 0;
    for (const auto& [key, entry] : losses.entries()) {
        CHECK(key.second == "records of lost instructions");
        told += entry.count;
    }
    CHECK(told == 10'000);
    const auto moved = losses.entries().find({Loss::order_changed, "records of lost instructions"});
    REQUIRE(moved != losses.entries().end());
    CHECK(moved->second.count == notes.size() - 1);
    CHECK(moved->second.first == "they now belong to instruction 1");
}

}  // namespace raising_test
