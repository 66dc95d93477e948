// Tests how Perfetto's messages are encoded, and how arrows are found.
#include <algorithm>
#include <random>
#include <string>
#include <vector>

#include <doctest/doctest.h>
#include <protozero/pbf_reader.hpp>

#include "perfetto/id_places.hpp"
#include "perfetto/protobuf.hpp"

namespace perfetto_encoding_test {

using namespace hwtrace;
using namespace hwtrace::perfetto;

protozero::pbf_reader reader_of(const std::vector<std::byte>& bytes, const std::byte* end) {
    return {reinterpret_cast<const char*>(bytes.data()), static_cast<std::size_t>(end - bytes.data())};
}

TEST_CASE("perfetto: an independent reader of Protocol Buffers reads every kind of field") {
    const std::vector<std::uint64_t> numbers{0, 1, 127, 128, 16383, 16384, std::uint64_t{1} << 32, ~std::uint64_t{0}};
    const std::vector<FieldNumber> fields{1, 15, 16, 2047, 2048, (1u << 29) - 1};
    std::vector<std::byte> bytes(2 * longest_number * numbers.size() * fields.size() + 100);
    std::byte* at = bytes.data();
    for (const FieldNumber field : fields)
        for (const std::uint64_t number : numbers) {
            const std::byte* const begin = at;
            at = put_number(at, field, number);
            CHECK(at - begin <= static_cast<std::ptrdiff_t>(longest_number));
            at = put_fixed64(at, field, number);
        }
    at = put_real(at, 3, -0.125);
    at = put_text(at, 4, "");
    at = put_text(at, 4, std::string("a\0b", 3));
    protozero::pbf_reader in = reader_of(bytes, at);
    for (const FieldNumber field : fields)
        for (const std::uint64_t number : numbers) {
            REQUIRE(in.next(field, protozero::pbf_wire_type::varint));
            CHECK(in.get_uint64() == number);
            REQUIRE(in.next(field, protozero::pbf_wire_type::fixed64));
            CHECK(in.get_fixed64() == number);
        }
    REQUIRE(in.next(3));
    CHECK(in.get_double() == -0.125);
    REQUIRE(in.next(4));
    CHECK(in.get_string().empty());
    REQUIRE(in.next(4));
    CHECK(in.get_string() == std::string("a\0b", 3));
    CHECK_FALSE(in.next());
}

TEST_CASE("perfetto: lengths of nested messages, of one byte to four") {
    for (const std::size_t size : {0, 1, 120, 122, 123, 124, 125, 126, 127, 128, 129, 16380, 16383, 16384, 2097152}) {
        const std::string text(size, 'x');
        std::vector<std::byte> bytes(size + 100);
        std::byte* at = put_number(bytes.data(), 1, 5);
        at = put_message(at, 20, [&](std::byte* outer) {
            outer = put_message(outer, 2, [&](std::byte* inner) { return put_text(inner, 3, text); });
            return put_number(outer, 4, 6);
        });
        at = put_number(at, 1, 7);
        CAPTURE(size);
        protozero::pbf_reader in = reader_of(bytes, at);
        REQUIRE(in.next(1));
        CHECK(in.get_uint64() == 5);
        REQUIRE(in.next(20));
        protozero::pbf_reader outer = in.get_message();
        REQUIRE(outer.next(2));
        protozero::pbf_reader inner = outer.get_message();
        REQUIRE(inner.next(3));
        CHECK(inner.get_string() == text);
        CHECK_FALSE(inner.next());
        REQUIRE(outer.next(4));
        CHECK(outer.get_uint64() == 6);
        CHECK_FALSE(outer.next());
        REQUIRE(in.next(1));
        CHECK(in.get_uint64() == 7);
        CHECK_FALSE(in.next());
    }
}

TEST_CASE("perfetto: ids are found where a search from the first one finds them") {
    std::mt19937_64 random(20);
    for (int round = 0; round < 400; ++round) {
        // Dense, sparse and clustered ids, with both ends of the range.
        const std::uint64_t range = std::uint64_t{1} << random() % 64;
        std::vector<std::uint64_t> ids(random() % 50);
        for (std::uint64_t& id : ids)
            id = random() % 8 == 0 ? random() : round % 3 == 0 ? ~(random() % range) : random() % range;
        if (round % 5 == 0) ids.insert(ids.end(), {0, ~std::uint64_t{0}});
        std::ranges::sort(ids);
        const auto id_at = [&](std::size_t i) { return ids[i]; };
        const IdPlaces places(ids.size(), id_at);
        std::vector<std::uint64_t> wanted = ids;
        for (const std::uint64_t id : ids) {
            wanted.push_back(id + 1);
            wanted.push_back(id - 1);
        }
        wanted.insert(wanted.end(), {0, 1, random(), ~std::uint64_t{0}});
        for (const std::uint64_t id : wanted) {
            const auto first = static_cast<std::size_t>(std::ranges::find(ids, id) - ids.begin());
            const std::size_t found = places.find(id, id_at);
            CAPTURE(id);
            if (first != ids.size())
                CHECK(found == first);
            else
                CHECK((found == ids.size() || ids[found] != id));
        }
    }
}

}  // namespace perfetto_encoding_test
