#include "codec/schema_state.hpp"

#include <doctest/doctest.h>

#include <vector>

#include "io/error.hpp"

namespace schema_state_test {

using namespace hwtrace;

namespace {

using Bytes = std::vector<std::byte>;

/// Returns a schema with every kind of object.
Schema everything() {
    Schema schema;
    schema.declare(Clock{"core", 500});
    schema.declare(Scope{"soc", none, "cpu", 0, 7});
    schema.declare(Scope{"core0", 0, "", none, std::nullopt});
    schema.declare(Enum{"state", {{0, "idle"}, {9, "busy"}}});
    Track track = make_track(Track::Kind::storage, 1, "queue", {TimeBase::Kind::cycles, 1, 2'000'000'000},
                             {{.name = "state", .type = Type::enumeration, .enumeration = 0, .phase = Phase::end}});
    track.properties = {{.name = "head", .type = Type::u8, .role = 1, .pair = 3, .width = 5}};
    track.slots = 12;
    track.sparse = true;
    track.native_id = 0xFFFF'FFFF'FFFF'FFFF;
    schema.declare(track);
    schema.declare(make_track(Track::Kind::stream, none, "bus", ordinals));
    schema.describe("a.key", std::string("a\0value", 7));
    return schema;
}

Bytes bytes_of(const Schema& schema) {
    TraceOutline outline;
    outline.time_ordered = true;
    outline.lateness = 12;
    outline.shapes = {Shape::stream, Shape::storage};
    Appender out;
    append_outline(outline, schema, out);
    return {out.span().begin(), out.span().end()};
}

TraceOutline outline_of(const Bytes& bytes) {
    Cursor in(bytes);
    TraceOutline outline = restore_outline(in);
    CHECK(in.at_end());
    return outline;
}

}  // namespace

TEST_CASE("an outline gives back all objects of the schema") {
    const Schema schema = everything();
    const TraceOutline outline = outline_of(bytes_of(schema));
    CHECK(outline.time_ordered);
    CHECK(outline.lateness == 12);
    CHECK(outline.shapes.has(Shape::storage));
    CHECK_FALSE(outline.shapes.has(Shape::signal));
    CHECK(outline.schema.clocks() == schema.clocks());
    CHECK(outline.schema.scopes() == schema.scopes());
    CHECK(outline.schema.enums() == schema.enums());
    CHECK(outline.schema.tracks() == schema.tracks());
    CHECK(outline.schema.metadata() == schema.metadata());
}

TEST_CASE("bytes that are no outline are refused") {
    const Bytes whole = bytes_of(everything());
    for (std::size_t at = 0; at < whole.size(); ++at) {
        CAPTURE(at);
        Cursor cut{std::span(whole).first(at)};
        CHECK_THROWS_AS(restore_outline(cut), Error);
        Bytes changed = whole;
        changed[at] ^= std::byte{0xFF};
        Cursor in(changed);
        try {
            restore_outline(in);  // throws only Error
        } catch (const Error&) {
            continue;
        }
    }
}

TEST_CASE("a schema grows towards a complete one") {
    Schema growing = everything();
    Schema complete = outline_of(bytes_of(growing)).schema;
    complete.add_attribute(1, {.name = "address", .type = Type::u64});
    complete.add_label(0, {3, "stalled"});
    complete.declare(make_track(Track::Kind::signal, 0, "level", picoseconds));
    growing.intern("text");
    SchemaCompletion completion(growing, complete);
    CHECK(completion.follow());
    CHECK(complete.text(static_cast<StringId>(complete.string_count() - 1)) == "text");
    growing.add_attribute(1, {.name = "address", .type = Type::u64});
    growing.add_label(0, {3, "stalled"});
    growing.declare(make_track(Track::Kind::signal, 0, "level", picoseconds));
    CHECK(completion.follow());
    growing.add_attribute(1, {.name = "size", .type = Type::u64});
    CHECK_FALSE(completion.follow());
}

TEST_CASE("a schema that grows otherwise is noticed") {
    Schema growing = everything();
    Schema complete = outline_of(bytes_of(growing)).schema;
    complete.declare(make_track(Track::Kind::signal, 0, "level", picoseconds));
    SchemaCompletion completion(growing, complete);
    CHECK(completion.follow());
    growing.declare(make_track(Track::Kind::signal, 0, "other", picoseconds));
    CHECK_FALSE(completion.follow());
}

}  // namespace schema_state_test
