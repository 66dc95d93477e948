#include "model/schema_additions.hpp"

#include <doctest/doctest.h>

#include <algorithm>
#include <string>

namespace schema_additions_test {

using namespace hwtrace;

namespace {

template <typename Entry, typename Same>
bool same_log(const std::vector<Entry>& a, const std::vector<Entry>& b, Same same) {
    return std::equal(a.begin(), a.end(), b.begin(), b.end(), same);
}

/// Checks that both schemas are equal, including the logs of what was added.
void check_equal(const Schema& a, const Schema& b) {
    CHECK(a.clocks() == b.clocks());
    CHECK(a.scopes() == b.scopes());
    CHECK(a.enums() == b.enums());
    CHECK(a.tracks() == b.tracks());
    CHECK(a.metadata() == b.metadata());
    CHECK(same_log(a.added_labels(), b.added_labels(),
                   [](const auto& x, const auto& y) { return x.enumeration == y.enumeration && x.index == y.index; }));
    CHECK(same_log(a.added_attributes(), b.added_attributes(),
                   [](const auto& x, const auto& y) { return x.track == y.track && x.index == y.index; }));
    REQUIRE(a.string_count() == b.string_count());
    for (StringId id = 0; id < a.string_count(); ++id) {
        CHECK(a.text(id) == b.text(id));
        CHECK(a.find_text(a.text(id)) == b.find_text(a.text(id)));
    }
}

Field field(std::string name, bool repeated = false) {
    Field made;
    made.name = std::move(name);
    made.repeated = repeated;
    return made;
}

/// Adds something; what it is depends on `step`.
void grow(Schema& schema, unsigned step) {
    const std::string name = "n" + std::to_string(step);
    const auto last_track = [&] { return static_cast<TrackId>(schema.tracks().size() - 1); };
    switch (step % 9) {
        case 0:
            schema.declare(make_track(Track::Kind::stream, none, name, {}, {field("a"), field("b", step % 2 == 0)}));
            break;
        case 1:
            schema.declare(Enum{name, {{1, "one"}}});
            break;
        case 2:
            schema.add_attribute(last_track(), field(name, step % 4 == 0));
            break;
        case 3:
            schema.add_label(static_cast<EnumId>(schema.enums().size() - 1), {step, name});
            break;
        case 4:
            schema.intern(name);
            break;
        case 5:
            schema.append("the same");
            break;
        case 6:
            schema.describe("key", name);
            break;
        case 7:
            schema.add_attribute(0, field(name));
            schema.add_label(0, {step, name});
            break;
        default:
            schema.declare(Scope{name, none, {}, none});
            schema.declare(Clock{name, step});
    }
}

}  // namespace

TEST_CASE("a copy that receives all additions equals the schema, wherever the additions are divided") {
    for (unsigned steps_each = 1; steps_each < 40; steps_each += 3) {
        CAPTURE(steps_each);
        Schema schema;
        schema.declare(make_track(Track::Kind::signal, none, "first", {}));
        schema.declare(Enum{"first", {}});
        Schema copy = schema;
        SchemaFollower follower(schema);
        SchemaAdditions additions;
        for (unsigned step = 0; step < 200; ++step) {
            grow(schema, step);
            if (step % steps_each != 0) continue;
            follower.collect(additions);
            additions.apply(copy);
            check_equal(copy, schema);
        }
        follower.collect(additions);
        additions.apply(copy);
        check_equal(copy, schema);
        follower.collect(additions);  // nothing is new
        additions.apply(copy);
        check_equal(copy, schema);
    }
}

}  // namespace schema_additions_test
