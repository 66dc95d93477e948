// Tests how Perfetto's timelines draw intervals and the relations between them.
#include <memory>
#include <string>
#include <vector>

#include <doctest/doctest.h>

#include "domain/conventions.hpp"
#include "io/output.hpp"
#include "perfetto/interval_drawer.hpp"
#include "perfetto/json_drawing.hpp"

namespace perfetto_intervals_test {

using namespace hwtrace;
using namespace hwtrace::perfetto;

TEST_CASE("perfetto: relations beyond the limit are losses, and all others are drawn") {
    Schema schema;
    const TimeBase ns{TimeBase::Kind::seconds, 1, 1'000'000'000};
    const TrackId read =
        schema.declare(make_track(Track::Kind::stream, none, "read", ns, {{std::string(conventions::interval_id)}}));
    const TrackId after = schema.declare(make_track(Track::Kind::relation_type, none, "after", ns, {{"from"}, {"to"}}));
    Batch batch;
    constexpr std::uint64_t intervals = 4, most = 2;
    for (std::uint64_t id = 1; id <= intervals; ++id) {
        const Attribute number{0, id};
        batch.interval(read, static_cast<Tick>(id), 1, {&number, 1});
        const std::uint64_t ends[] = {id, id - 1};
        if (id > 1) batch.relation(after, static_cast<Tick>(id), ends);
    }

    std::string text;
    const auto output = open_memory_output("timeline", [&](std::vector<std::byte> bytes) {
        text.assign(reinterpret_cast<const char*>(bytes.data()), bytes.size());
    });
    const std::unique_ptr<Drawing> drawing = draw_json(*output, "test");
    Losses losses;
    Timelines timelines(schema, *drawing, Unit(), losses);
    IntervalDrawer drawer(timelines, ".", most);
    for (const Record& record : batch.records())
        record.kind == Kind::relation ? drawer.relate(batch, record) : drawer.draw(batch, record);
    drawer.finish();
    drawing->finish();
    output->commit();

    REQUIRE(losses.entries().size() == 1);
    const auto& [key, entry] = *losses.entries().begin();
    CHECK(key == Losses::Key{Loss::relation_dropped, "after"});
    CHECK(entry.count == intervals - 1 - most);
    CHECK(entry.first == "arrows are drawn for 2 relations; not from 4 to 3");
    std::size_t arrows = 0;
    for (std::size_t at = 0; (at = text.find("\"ph\":\"s\"", at)) != std::string::npos; ++at)
        ++arrows;
    CHECK(arrows == most);
}

}  // namespace perfetto_intervals_test
