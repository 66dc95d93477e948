#include "model/schema.hpp"

#include <doctest/doctest.h>

#include <stdexcept>
#include <string>
#include <string_view>
#include <vector>

namespace schema_test {

using namespace hwtrace;

TEST_CASE("ids are indexes in order of declaration") {
    Schema schema;
    CHECK(schema.declare(Scope{"/", none, {}, none}) == 0);
    CHECK(schema.declare(Scope{"core0", 0, "cpu", none}) == 1);
    CHECK(schema.declare(Clock{"clk", 500}) == 0);
    CHECK(schema.declare(Enum{"stage", {{0, "fetch"}, {7, "commit"}}}) == 0);
    Track track;
    track.name = "first";
    CHECK(schema.declare(track) == 0);
    track.name = "second";
    CHECK(schema.declare(track) == 1);
    CHECK(schema.scopes()[1].protocol == "cpu");
    CHECK(schema.tracks()[1].name == "second");
}

TEST_CASE("references stay valid while a schema grows") {
    Schema schema;
    schema.declare(Scope{"first", none, {}, none});
    const Scope& first = schema.scopes()[0];
    const std::string_view text = schema.text(schema.intern("kept"));
    for (int i = 0; i < 10'000; ++i) {
        schema.declare(Scope{"later", 0, {}, none});
        schema.intern("text " + std::to_string(i));
    }
    CHECK(first.name == "first");
    CHECK(text == "kept");
    CHECK(schema.intern("kept") == 0);
}

TEST_CASE("equal texts are interned once; appended texts each get a new index") {
    Schema schema;
    const StringId a = schema.intern("a");
    CHECK(schema.intern("b") != a);
    CHECK(schema.intern("a") == a);
    const StringId again = schema.append("a");
    CHECK(again != a);
    CHECK(schema.text(again) == "a");
    CHECK(schema.intern("a") == a);
    CHECK(schema.intern(std::string_view("a\0b", 3)) != a);
    CHECK(schema.string_count() == 4);
    CHECK_THROWS_AS(schema.text(4), std::out_of_range);
}

TEST_CASE("many texts at once get the same ids as one after the other") {
    std::vector<std::string> texts;
    for (int i = 0; i < 1000; ++i)
        texts.push_back("text " + std::to_string(i * i % 700));
    Schema one_by_one, at_once;
    std::vector<StringId> expected, ids{7};
    for (const std::string& text : texts)
        expected.push_back(one_by_one.intern(text));
    at_once.intern(std::vector<std::string_view>(texts.begin(), texts.end()), ids);
    CHECK(ids == expected);
    CHECK(at_once.string_count() == one_by_one.string_count());
    at_once.intern({}, ids);
    CHECK(ids.empty());
    CHECK(at_once.intern(texts.front()) == expected.front());
}

TEST_CASE("metadata keeps its order and repeated keys; a look-up finds the first entry with the key") {
    Schema schema;
    schema.describe("stf.comment", "one");
    schema.describe("stf.isa", "1");
    schema.describe("stf.comment", "two");
    REQUIRE(schema.metadata().size() == 3);
    CHECK(schema.metadata()[2].value == "two");
    REQUIRE(schema.metadata("stf.comment") != nullptr);
    CHECK(*schema.metadata("stf.comment") == "one");
    CHECK(schema.metadata("stf.vlen") == nullptr);
}

TEST_CASE("tracks are found by kind and name") {
    Schema schema;
    Track track;
    track.kind = Track::Kind::event_type;
    track.name = "x";
    schema.declare(track);
    track.kind = Track::Kind::storage;
    schema.declare(track);
    CHECK(schema.find_track(Track::Kind::storage, "x") == 1);
    CHECK(schema.find_track(Track::Kind::event_type, "x") == 0);
    CHECK(schema.find_track(Track::Kind::hart, "x") == none);
}

TEST_CASE("the trailing repeated fields of an event form its row") {
    Track track;
    track.fields = {{"a", Type::u8}, {"b", Type::u8}, {"c", Type::u8, none, true}, {"d", Type::u8, none, true}};
    CHECK(track.fixed_fields() == 2);
    track.fields = {{"c", Type::u8, none, true}};
    CHECK(track.fixed_fields() == 0);
    track.fields.clear();
    CHECK(track.fixed_fields() == 0);
}

TEST_CASE("all fields after a repeated one are repeated, except in signals") {
    const std::vector<Field> fields{{"id", Type::u64}, {"beats", Type::u64, none, true}, {"channel", Type::text}};
    for (const Track::Kind kind : {Track::Kind::event_type, Track::Kind::relation_type, Track::Kind::stream}) {
        CAPTURE(name_of(kind));
        Schema schema;
        const TrackId id = schema.declare(make_track(kind, none, "dma", picoseconds, fields));
        CHECK(schema.tracks()[id].fixed_fields() == 1);
        CHECK_FALSE(schema.tracks()[id].fields[0].repeated);
        CHECK(schema.tracks()[id].fields[2].repeated);
        CHECK(schema.add_attribute(id, {"retries", Type::u8}) == 3);
        CHECK(schema.tracks()[id].fields[3].repeated);
    }
    Schema schema;
    const TrackId signal = schema.declare(make_track(Track::Kind::signal, none, "level", picoseconds, fields));
    schema.add_attribute(signal, {"owner", Type::text});
    CHECK(schema.tracks()[signal].fields[1].repeated);
    CHECK_FALSE(schema.tracks()[signal].fields[2].repeated);
    CHECK_FALSE(schema.tracks()[signal].fields[3].repeated);
}

TEST_CASE("an enum's label is found by value, not by position") {
    const Enum stages{"stage", {{4, "four"}, {0, "zero"}}};
    REQUIRE(stages.label(4) != nullptr);
    CHECK(*stages.label(4) == "four");
    CHECK(*stages.label(0) == "zero");
    CHECK(stages.label(1) == nullptr);
}

TEST_CASE("labels added to an enum are found, however many there are") {
    Schema schema;
    schema.declare(Enum{"other", {}});
    const EnumId id = schema.declare(Enum{"state", {{9, "first"}, {9, "never seen"}}});
    for (std::uint64_t value = 100; value < 1'000; ++value) {
        schema.add_label(id, {value, std::to_string(value)});
        REQUIRE(schema.label(id, value) != nullptr);
        REQUIRE(schema.label(id, 100) != nullptr);
        CHECK(*schema.label(id, value) == std::to_string(value));
        CHECK(*schema.label(id, 100) == "100");
        CHECK(*schema.label(id, 9) == "first");
        CHECK(schema.label(id, value + 1) == nullptr);
    }
    CHECK(schema.label(0, 9) == nullptr);
    CHECK(schema.label(none, 9) == nullptr);
    CHECK(schema.added_labels().size() == 900);
    CHECK(schema.enums()[id].values[schema.added_labels().back().index].name == "999");

    const EnumId many = schema.declare(Enum{"many", schema.enums()[id].values});
    CHECK(*schema.label(many, 9) == "first");
    CHECK(*schema.label(many, 500) == "500");
}

}  // namespace schema_test
