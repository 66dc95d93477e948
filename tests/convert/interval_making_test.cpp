// Tests that other records become intervals and that the losses are counted.
#include "convert/transforms/interval_making.hpp"

#include <doctest/doctest.h>

#include <array>
#include <string>

#include "codec/losses.hpp"
#include "convert/model_dump.hpp"
#include "io/text_output.hpp"

namespace interval_making_test {

using namespace hwtrace;

namespace {

using Detail = IntervalMaking::Detail;

constexpr TimeBase gigahertz{TimeBase::Kind::cycles, 1, 1'000'000'000};

TrackId declare(Schema& schema, Track::Kind kind, std::string name, std::vector<Field> fields, TimeBase time,
                bool sparse = false) {
    Track track;
    track.kind = kind;
    track.scope = 0;
    track.name = std::move(name);
    track.time = time;
    track.fields = std::move(fields);
    track.sparse = sparse;
    track.slots = kind == Track::Kind::storage ? 4 : 0;
    return schema.declare(std::move(track));
}

/// Returns the model dump of the stage's output for `batch`.
std::string made_of(IntervalMaking& stage, const Batch& batch) {
    TextOutput text(-1, 4096);
    Batch out;
    stage.apply(batch, out);
    dump_records(stage.schema(), out, text);
    for (bool more = true; more;) {
        out.clear();
        more = stage.finish(out);
        dump_records(stage.schema(), out, text);
    }
    return std::string(text.text());
}

std::uint64_t lost(const Losses& losses, Loss loss, const std::string& subject) {
    const auto found = losses.entries().find(Losses::Key{loss, subject});
    return found == losses.entries().end() ? 0 : found->second.count;
}

}  // namespace

TEST_CASE("events and notes become intervals of length 0 with their fields as attributes") {
    Schema schema;
    schema.declare(Scope{"unit", none, {}, none});
    const TrackId event =
        declare(schema, Track::Kind::event_type, "hit",
                {Field{"who", Type::text}, Field{"way", Type::u8}, Field{"row", Type::u8, none, true}}, picoseconds);
    const TrackId note = declare(schema, Track::Kind::notes, "remark", {}, picoseconds);
    const TrackId native = declare(schema, Track::Kind::native, "other.bytes", {}, picoseconds);
    Batch batch;
    batch.event(event, 10, std::array<std::uint64_t, 4>{schema.intern("a"), 3, 7, 8});
    batch.note(note, 11, "text");
    batch.native(native, 12, {});

    Losses losses;
    IntervalMaking stage(schema, gigahertz, {Shape::stream}, Detail::everything, losses);
    CHECK(made_of(stage, batch) ==
          "10 interval unit/hit duration=0 who=\"a\" way=3 row=7 row=8\n"
          "11 interval unit/remark duration=0 note=\"text\"\n");
    CHECK(lost(losses, Loss::type_changed, "hit") == 1);
    CHECK(lost(losses, Loss::part_dropped, "hit") == 0);
    CHECK(lost(losses, Loss::type_changed, "remark") == 1);
    CHECK(lost(losses, Loss::native_dropped, "other.bytes") == 1);
}

TEST_CASE("a slot is an interval from its first set record to its clear record, or to the end of the trace") {
    Schema schema;
    schema.declare(Scope{"unit", none, {}, none});
    const TrackId table = declare(schema, Track::Kind::storage, "queue",
                                  {Field{"value", Type::u32}, Field{"tag", Type::u8}}, picoseconds, true);
    const TrackId dense = declare(schema, Track::Kind::storage, "registers", {Field{"value", Type::u32}}, picoseconds);
    Batch batch;
    batch.set(table, 100, 1, 0, 5);
    batch.set(table, 100, 2, 1, 9);
    batch.add(table, 150, 1, 0, 2);  // 5 is lost; 7 is the slot's last value
    batch.clear_slot(table, 200, 1);
    batch.clear_slot(table, 210, 3);  // the slot is not occupied
    batch.set(table, 220, 1, 0, 1);
    batch.set(dense, 230, 0, 0, 1);
    batch.set(table, 240, 9, 0, 1);  // out of range: the storage has four slots

    Losses losses;
    IntervalMaking stage(schema, gigahertz, {Shape::stream}, Detail::everything, losses);
    CHECK(made_of(stage, batch) ==
          "100 interval unit/queue duration=100 value=0x7 slot=1\n"
          "220 interval unit/queue duration=20 value=0x1 slot=1\n"
          "100 interval unit/queue duration=140 tag=9 slot=2\n");
    CHECK(lost(losses, Loss::type_changed, "queue") == 3);
    CHECK(lost(losses, Loss::part_dropped, "queue") == 1);
    CHECK(lost(losses, Loss::kind_dropped, "queue") == 1);
    CHECK(lost(losses, Loss::kind_dropped, "registers") == 1);
}

TEST_CASE("instructions become intervals of one cycle; intervals are unchanged") {
    Schema schema;
    schema.declare(Scope{"core", none, {}, none});
    const TrackId hart = declare(schema, Track::Kind::hart, "core", {}, ordinals);
    const TrackId stream = declare(schema, Track::Kind::stream, "work", {Field{"name", Type::text}}, gigahertz);
    Batch batch;
    batch.instruction(hart, 0, 0x8000'0000).encoding = 0x13;
    batch.access(0x100, 8, 0, AccessType::read);
    batch.instruction(hart, 1, 0x8000'0004).encoding = 0x3003;
    batch.interval(stream, 5, 7, std::array{Attribute{0, schema.intern("x")}});

    Losses losses;
    IntervalMaking stage(schema, gigahertz, {Shape::stream}, Detail::everything, losses);
    CHECK(stage.schema().tracks()[0].time == gigahertz);
    CHECK(made_of(stage, batch) ==
          "0 interval core/instruction duration=1 pc=0x80000000 inst_bits=0x13 size=0\n"
          "1 interval core/instruction duration=1 pc=0x80000004 inst_bits=0x3003 size=0 access_type=read address=0x100 "
          "access_size=8 data_words=0\n"
          "5 interval core/work duration=7 name=\"x\"\n");
    CHECK(lost(losses, Loss::type_changed, "core") == 2);
    CHECK(lost(losses, Loss::part_dropped, "core") == 0);
    CHECK(lost(losses, Loss::type_changed, "work") == 0);

    Losses others;
    IntervalMaking without(schema, gigahertz, {Shape::stream}, Detail::encoding, others);
    CHECK(made_of(without, batch) ==
          "0 interval core/instruction duration=1 pc=0x80000000 inst_bits=0x13\n"
          "1 interval core/instruction duration=1 pc=0x80000004 inst_bits=0x3003\n"
          "5 interval core/work duration=7 name=\"x\"\n");
    CHECK(lost(others, Loss::part_dropped, "core") == 1);  // the memory access is lost
}

TEST_CASE("if more slots are open at the end than a batch holds, several batches are delivered") {
    Schema schema;
    schema.declare(Scope{"unit", none, {}, none});
    Track track;
    track.kind = Track::Kind::storage;
    track.scope = 0;
    track.name = "table";
    track.time = picoseconds;
    track.fields = {Field{"value", Type::u32}};
    track.slots = 2000;
    track.sparse = true;
    const TrackId table = schema.declare(std::move(track));
    Batch batch;
    for (std::uint32_t slot = 0; slot < 2000; ++slot)
        batch.set(table, slot, slot, 0, slot);
    Losses losses;
    IntervalMaking stage(schema, gigahertz, {Shape::stream}, Detail::everything, losses);
    Batch out;
    stage.apply(batch, out);
    CHECK(out.empty());
    std::size_t intervals = 0;
    for (bool more = true; more; out.clear()) {
        more = stage.finish(out);
        CHECK(out.records().size() <= Batch::target_records);
        intervals += out.records().size();
    }
    CHECK(intervals == 2000);
}

TEST_CASE("an attribute of a slot's interval has the value that the slot stored") {
    Schema schema;
    schema.declare(Scope{"unit", none, {}, none});
    const TrackId table = declare(schema, Track::Kind::storage, "queue",
                                  {Field{"tag", Type::u8}, Field{"offset", Type::i8}}, picoseconds, true);
    Batch batch;
    batch.set(table, 100, 1, 0, 0x103);
    batch.set(table, 100, 1, 1, 0xFF);
    batch.set(table, 100, 2, 0, 0xFF);
    batch.add(table, 150, 2, 0, 3);
    batch.clear_slot(table, 200, 1);
    batch.clear_slot(table, 200, 2);
    Losses losses;
    IntervalMaking stage(schema, gigahertz, {Shape::stream}, Detail::everything, losses);
    CHECK(made_of(stage, batch) ==
          "100 interval unit/queue duration=100 tag=3 offset=-1 slot=1\n"
          "100 interval unit/queue duration=100 tag=2 slot=2\n");
}

TEST_CASE("relations and their texts are kept for a target that supports relations") {
    Schema schema;
    schema.declare(Scope{"unit", none, {}, none});
    const TrackId note = declare(schema, Track::Kind::event_type, "mark", {Field{"n", Type::u8}}, picoseconds);
    const TrackId relation =
        declare(schema, Track::Kind::relation_type, "after",
                {Field{"from", Type::u64}, Field{"to", Type::u64}, Field{"why", Type::text}}, picoseconds);
    Batch batch;
    const std::array<std::uint64_t, 1> number{7};
    const std::array<std::uint64_t, 3> ends{1, 2, schema.intern("a hazard")};
    batch.event(note, 5, number);
    batch.relation(relation, 6, ends);
    Losses losses;
    IntervalMaking stage(schema, gigahertz, {Shape::stream, Shape::relation_type}, Detail::everything, losses);
    CHECK(made_of(stage, batch) ==
          "5 interval unit/mark duration=0 n=7\n"
          "6 relation unit/after from=1 to=2 why=\"a hazard\"\n");
    CHECK_FALSE(losses.entries().contains({Loss::relation_dropped, "after"}));

    Losses others;
    IntervalMaking without(schema, gigahertz, {Shape::stream}, Detail::everything, others);
    CHECK(made_of(without, batch) == "5 interval unit/mark duration=0 n=7\n");
    CHECK(others.entries().contains({Loss::relation_dropped, "after"}));
}

TEST_CASE("declarations that appear while reading are included") {
    Schema schema;
    schema.declare(Scope{"unit", none, {}, none});
    const TrackId early = declare(schema, Track::Kind::stream, "early", {Field{"id", Type::u64}}, ordinals);
    Losses losses;
    IntervalMaking stage(schema, gigahertz, {Shape::stream, Shape::relation_type}, Detail::everything, losses);
    schema.declare(Scope{"late unit", none, {}, none});
    const std::uint32_t said = schema.add_attribute(early, Field{"said", Type::text});
    const TrackId late = declare(schema, Track::Kind::relation_type, "next",
                                 {Field{"from", Type::u64}, Field{"to", Type::u64}}, ordinals);
    Batch batch;
    batch.interval(early, 5, 2, std::array{Attribute{0, 1}, Attribute{said, schema.intern("text")}});
    batch.relation(late, 5, std::array<std::uint64_t, 2>{1, 1});
    CHECK(made_of(stage, batch) ==
          "5 interval unit/early duration=2 id=0x1 said=\"text\"\n"
          "5 relation unit/next from=1 to=1\n");
    CHECK(stage.schema().scopes().size() == 2);
    CHECK(losses.none());
}

}  // namespace interval_making_test
