// Laws of the timelines that Perfetto opens: they show every record of every trace, and slices nest.
#include <doctest/doctest.h>

#include <algorithm>
#include <cstdint>
#include <map>
#include <memory>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include <protozero/pbf_reader.hpp>

#include "codec/writer.hpp"
#include "domain/timeline.hpp"
#include "formats.hpp"
#include "laws/law_support.hpp"

namespace picture_laws {

using namespace hwtrace;
using namespace hwtrace::test;

namespace {

/// What a timeline contains.
struct Drawn {
    std::uint64_t slices = 0, instants = 0, counts = 0, flows = 0;
    std::uint64_t arguments = 0;  ///< values; each element of an array counts
    bool is_sound = true;         ///< every item has a known row and a name, and the slices of a row nest
};

/// A slice begins or ends.
struct Edge {
    std::uint64_t time;
    bool begins;
};

std::uint64_t values_in(protozero::pbf_reader annotation) {
    std::uint64_t values = 0;
    while (annotation.next()) {
        values += annotation.tag() >= 2 && annotation.tag() != 10 ? 1 : 0;
        annotation.skip();
    }
    return values;
}

/// Reads a file of Perfetto by the numbers in its own schema.
Drawn read_timeline(const Bytes& file) {
    Drawn drawn;
    std::set<std::uint64_t> rows, names, origins;
    std::map<std::uint64_t, std::vector<Edge>> edges;
    protozero::pbf_reader trace(reinterpret_cast<const char*>(file.data()), file.size());
    while (trace.next(1)) {
        protozero::pbf_reader packet = trace.get_message();
        std::uint64_t time = 0;
        while (packet.next()) {
            if (packet.tag() == 8) {
                time = packet.get_uint64();
            } else if (packet.tag() == 12) {
                protozero::pbf_reader data = packet.get_message();
                while (data.next()) {
                    protozero::pbf_reader entry = data.get_message();
                    while (entry.next(1))
                        names.insert(entry.get_uint64());
                }
            } else if (packet.tag() == 60) {
                protozero::pbf_reader row = packet.get_message();
                while (row.next()) {
                    if (row.tag() == 1)
                        drawn.is_sound = rows.insert(row.get_uint64()).second && drawn.is_sound;
                    else if (row.tag() == 5)
                        drawn.is_sound = rows.contains(row.get_uint64()) && drawn.is_sound;
                    else
                        row.skip();
                }
            } else if (packet.tag() == 11) {
                protozero::pbf_reader event = packet.get_message();
                std::int32_t type = 0;
                std::uint64_t row = 0;
                bool is_named = false;
                while (event.next()) {
                    switch (event.tag()) {
                        case 4:
                            drawn.arguments += values_in(event.get_message());
                            break;
                        case 9:
                            type = event.get_enum();
                            break;
                        case 10:
                            is_named = names.contains(event.get_uint64());
                            break;
                        case 11:
                            row = event.get_uint64();
                            break;
                        case 23:
                            is_named = true;
                            event.skip();
                            break;
                        case 47:
                            ++drawn.flows;
                            event.skip();
                            break;
                        default:
                            event.skip();
                    }
                }
                drawn.is_sound = drawn.is_sound && rows.contains(row) && (is_named || type == 2 || type == 4);
                if (type == 1 || type == 2) edges[row].push_back({time, type == 1});
                drawn.slices += type == 1 ? 1 : 0;
                drawn.instants += type == 3 ? 1 : 0;
                drawn.counts += type == 4 ? 1 : 0;
            } else {
                packet.skip();
            }
        }
    }
    for (auto& [row, list] : edges) {
        std::ranges::stable_sort(list, {}, &Edge::time);
        std::uint64_t open = 0;
        for (const Edge& edge : list) {
            drawn.is_sound = drawn.is_sound && (edge.begins || open != 0);
            open += edge.begins ? 1 : std::uint64_t(-1);
        }
        drawn.is_sound = drawn.is_sound && open == 0;
    }
    return drawn;
}

/// What a timeline must contain at least, counted from the records that its writer gets.
struct Expected : Drawn {
    bool is_exact = true;  ///< no shape that is drawn as several items
};
Expected expected;

bool is_number(const Field& field) {
    constexpr std::string_view addresses[] = {"pc",       "addr",       "address", "target", "data",
                                              "value",    "encoding",   "opcode",  "id",     "field",
                                              "features", "attributes", "word"};
    return !field.repeated && !holds_text(field.type) && field.type != Type::enumeration &&
           field.type != Type::pointer && field.width == 0 &&
           std::ranges::find(addresses, field.name) == std::end(addresses);
}

/// Counts records.
class Counter final : public Writer {
public:
    explicit Counter(const Schema& schema) : schema_(schema) {
        expected = {};
        expected.is_exact = catalogues_of(schema).empty();
        if (!schema.metadata().empty()) ++expected.instants;
        expected.arguments += schema.metadata().size();
    }
    void write(const Batch& batch) override {
        for (const Record& record : batch.records())
            count(batch, record);
    }
    void finish() override {}

private:
    void count(const Batch& batch, const Record& record) {
        switch (record.kind) {
            case Kind::event:
                ++expected.instants;
                expected.arguments += batch.cells(record).size();
                break;
            case Kind::note:
                ++expected.instants;
                break;
            case Kind::interval:
                ++expected.slices;
                expected.arguments += batch.attributes(record).size();
                break;
            case Kind::change:
                count_change(batch, record);
                break;
            case Kind::native:
                break;
            case Kind::relation:
            case Kind::instruction:
            case Kind::set:
            case Kind::add:
            case Kind::clear:
                expected.is_exact = false;
        }
    }
    void count_change(const Batch& batch, const Record& record) {
        if ((record.flags & record_no_value) != 0) return;
        const Track& track = schema_.tracks()[record.track];
        std::uint32_t last = none;
        for (const Attribute& value : batch.attributes(record)) {
            const Field& field = track.fields[value.field];
            if (is_number(field))
                ++expected.counts;
            else if (!field.repeated || value.field != last)
                ++expected.slices;
            last = value.field;
        }
    }

    const Schema& schema_;
};

Format counting() {
    Format format = *find_format(targets(), "perfetto");
    format.make_writer = [](Output&, const Schema& schema, const Settings&, Losses&) -> std::unique_ptr<Writer> {
        return std::make_unique<Counter>(schema);
    };
    return format;
}

}  // namespace

TEST_CASE("a timeline shows every record of every trace; its slices nest, and its losses were foretold") {
    const Format& perfetto = *find_format(targets(), "perfetto");
    const Format& chrome = *find_format(targets(), "chrome");
    const Format counted = counting();
    std::size_t exact = 0, with_flows = 0;
    for (const Sample& sample : good_samples()) {
        CAPTURE(sample.name);
        convert_bytes(sample.content.bytes, *sample.format, counted);
        const Rewritten timeline = convert_bytes(sample.content.bytes, *sample.format, perfetto);
        CHECK(timeline.unexpected() == std::vector<std::string>{});
        const Drawn drawn = read_timeline(timeline.bytes);
        CHECK(drawn.is_sound);
        if (expected.is_exact) {
            ++exact;
            CHECK(drawn.slices == expected.slices);
            CHECK(drawn.instants == expected.instants);
            CHECK(drawn.counts == expected.counts);
            CHECK(drawn.arguments == expected.arguments);
        } else {
            CHECK(drawn.slices >= expected.slices);
        }
        with_flows += drawn.flows != 0 ? 1 : 0;
        const Rewritten json = convert_bytes(sample.content.bytes, *sample.format, chrome);
        CHECK(json.unexpected() == std::vector<std::string>{});
        CHECK(json.losses.entries().size() == timeline.losses.entries().size());
    }
    CHECK(exact >= at_least(150));
    CHECK(with_flows >= at_least(10));
}

}  // namespace picture_laws
