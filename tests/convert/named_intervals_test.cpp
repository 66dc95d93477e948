#include "convert/transforms/named_intervals.hpp"

#include <doctest/doctest.h>

#include <bit>
#include <cstdint>
#include <limits>
#include <vector>

#include "formats.hpp"

namespace named_intervals_test {

using namespace hwtrace;

namespace {

/// Makes names of the intervals of one track and undoes this. Returns the attributes of each interval.
std::vector<std::vector<Attribute>> there_and_back(const std::vector<Field>& fields,
                                                   const std::vector<std::vector<Attribute>>& values, Losses& losses) {
    Schema source;
    source.declare(Scope{"top", none, {}, none});
    const TrackId track = source.declare(make_track(Track::Kind::stream, 0, "values", picoseconds, fields));
    NamedIntervals naming(source, *find_format(formats(), "pccx"), losses);
    IntervalsOfNames reading(naming.schema(), losses);
    Batch in, named, out;
    for (const std::vector<Attribute>& attributes : values)
        in.interval(track, 5, 1, attributes);
    naming.apply(in, named);
    reading.apply(named, out);
    std::vector<std::vector<Attribute>> got;
    for (const Record& record : out.records())
        got.emplace_back(out.attributes(record).begin(), out.attributes(record).end());
    return got;
}

}  // namespace

TEST_CASE("every number reads back from the name of its interval, whatever its field is called") {
    std::vector<std::uint64_t> cells{0, 1, 9, 10, 16, 0x7F, 0x80, 0xFF, 0xFFFF, ~std::uint64_t{0}, 1ull << 63};
    for (const double number :
         {0.1, -0.0, 1e300, 5e-324, std::numeric_limits<double>::infinity(), std::numeric_limits<double>::quiet_NaN()})
        cells.push_back(std::bit_cast<std::uint64_t>(number));
    for (const Type type : {Type::u8, Type::u16, Type::u32, Type::u64, Type::i8, Type::i16, Type::i32, Type::i64,
                            Type::boolean, Type::pointer, Type::time, Type::f64, Type::fixed, Type::ufixed}) {
        for (const char* const name : {"value", "addr", "two words", "a=b", ""}) {
            CAPTURE(name_of(type));
            CAPTURE(name);
            std::vector<std::vector<Attribute>> values;
            for (const std::uint64_t cell : cells)
                values.push_back({Attribute{0, cell}, Attribute{1, 3}});
            Losses losses;
            CHECK(there_and_back({{name, type}, {"other", Type::u8}}, values, losses) == values);
            CHECK(losses.none());
        }
    }
}

TEST_CASE("numbers of any width read back") {
    std::vector<std::vector<Attribute>> values;
    for (const unsigned cell : {0U, 1U, 9U, 10U, 12U, 16U, 255U})
        values.push_back({Attribute{0, cell}});
    for (const unsigned width : {1U, 2U, 8U, 64U}) {
        Field field{"bits", Type::u64};
        field.width = static_cast<std::uint8_t>(width);
        Losses losses;
        CHECK(there_and_back({field}, values, losses) == values);
        CHECK(losses.none());
    }
}

TEST_CASE("a value that does not read back is a loss") {
    Losses losses;
    const std::vector<std::vector<Attribute>> second{{Attribute{1, 7}}};
    CHECK(there_and_back({{"value", Type::u64}, {"value", Type::u64}}, second, losses) != second);
    CHECK(losses.entries().contains({Loss::type_changed, "values"}));
    losses = {};
    const std::vector<std::vector<Attribute>> beyond{{Attribute{0, 1ull << 40}}};
    CHECK(there_and_back({{"value", Type::f32}}, beyond, losses) != beyond);
    CHECK(losses.entries().contains({Loss::type_changed, "values"}));
    losses = {};
    Field bit{"value", Type::i64};
    bit.width = 1;
    const std::vector<std::vector<Attribute>> ten{{Attribute{0, 10}}};
    CHECK(there_and_back({bit}, ten, losses) != ten);
    CHECK(losses.entries().contains({Loss::type_changed, "values"}));
}

}  // namespace named_intervals_test
