// Tests converting schema objects to text and back.
#include "domain/schema_text.hpp"

#include <doctest/doctest.h>

#include <limits>
#include <set>
#include <string>

namespace schema_text_test {

using namespace hwtrace;

namespace {

constexpr std::uint64_t greatest = std::numeric_limits<std::uint64_t>::max();

/// Returns objects of every kind with every member, and with names that resemble the syntax.
Schema every_object() {
    Schema schema;
    schema.declare(Clock{"", 0});
    schema.declare(Clock{"k1=2:ab", greatest});
    const ScopeId root = schema.declare(Scope{"", none, {}, none});
    schema.declare(Scope{std::string("\0\xFF{}\n", 5), root, "cpu", 1, 0});
    schema.declare(Scope{"s", 3, "~=0:", none, greatest});  // the two scopes contain each other
    schema.declare(Scope{"t", 2, {}, none});
    const EnumId empty = schema.declare(Enum{"", {}});
    const EnumId labels = schema.declare(Enum{"e{", {{0, ""}, {greatest, "}"}, {7, "=3:x"}, {7, "again"}}});
    for (unsigned kind = 0; kind <= static_cast<unsigned>(Track::Kind::native); ++kind) {
        Track track = make_track(static_cast<Track::Kind>(kind), kind % 2 == 0 ? 2 : none, "t" + std::to_string(kind),
                                 TimeBase{TimeBase::Kind(kind % 3), greatest, kind});
        if (kind % 2 == 0) track.native_id = kind;
        for (unsigned type = 0; type <= static_cast<unsigned>(Type::blob); ++type) {
            Field& field = track.fields.emplace_back(Field{std::string(type, '='), Type(type)});
            field.repeated = type % 2 == 0;
            field.width = static_cast<std::uint8_t>(type * 3 + 1);
            field.phase = Phase(type % 4);
            if (field.type == Type::enumeration) field.enumeration = kind % 2 == 0 ? empty : labels;
        }
        track.slots = kind * 1000;
        track.sparse = kind % 3 == 0;
        track.buffer = kind % 3 != 1;
        if (kind % 4 < 2)
            track.properties = {{.name = "p", .type = Type::u8, .role = 1, .pair = 255},
                                {.name = "", .type = Type::enumeration, .enumeration = labels}};
        schema.declare(std::move(track));
    }
    schema.declare(make_track(Track::Kind::notes, none, "", ordinals));
    return schema;
}

}  // namespace

TEST_CASE("every object of a schema round-trips through text") {
    const Schema schema = every_object();
    const std::string text = objects_text(schema);
    Schema back;
    TextCursor at(text);
    REQUIRE(read_objects(at, back));
    CHECK(back.clocks() == schema.clocks());
    CHECK(back.scopes() == schema.scopes());
    CHECK(back.enums() == schema.enums());
    CHECK(back.tracks() == schema.tracks());
    CHECK(objects_text(back) == text);
}

TEST_CASE("the text form of a schema is invalid if it is cut inside an object") {
    const Schema schema = every_object();
    const std::string text = objects_text(schema);
    std::size_t whole = 0;
    for (std::size_t size = 0; size < text.size(); ++size) {
        Schema back;
        TextCursor at(std::string_view(text).substr(0, size));
        if (!read_objects(at, back)) continue;
        ++whole;
        CHECK(objects_text(back) == text.substr(0, size));
    }
    ++whole;  // a text that ends between two scopes that contain each other is not read
    CHECK(whole == schema.clocks().size() + schema.scopes().size() + schema.enums().size() + schema.tracks().size());
}

TEST_CASE("the text form of a schema is invalid if it has missing references or invalid values") {
    for (const char* const text : {"x",
                                   "k",
                                   "k1",
                                   "k=1:a",
                                   "k1=2:a",
                                   "k18446744073709551616=0:",
                                   "s^1=1:a",
                                   "s@0=1:a",
                                   "s=1:as^2=1:b",
                                   "s~=1=1:a",
                                   "e=1:a",
                                   "e{1}=1:a",
                                   "tq",
                                   "tet1/1",
                                   "tet1{}=0:",
                                   "tet1/1^0{}=0:",
                                   "tet1/1{k e0=1:a}=0:",
                                   "tet1/1{ke0=1:a}=0:",
                                   "tet1/1{vw1=1:a}=0:",
                                   "tet1/1{aw65=1:a}=0:",
                                   "tet1/1{ap4=1:a}=0:",
                                   "tgt1/1{}{ar256/1=1:a}=0:",
                                   "tgt1/1{}{ar1=1:a}=0:",
                                   "tet1/1{}{=3:abc",
                                   "tet1/1{}{a=1:a=0:",
                                   "tgt1/1n4294967295{}=0:",
                                   "tyt1/1{}=0:"}) {
        CAPTURE(text);
        Schema back;
        TextCursor at(text);
        CHECK_FALSE(read_objects(at, back));
    }
    Schema back;
    TextCursor at("");
    CHECK(read_objects(at, back));
}

}  // namespace schema_text_test
