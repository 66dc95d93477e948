// Tests the C++ interface of the emitter.
#include <doctest/doctest.h>

#include <algorithm>
#include <array>
#include <stdexcept>
#include <string>
#include <vector>

#include "call_log.hpp"
#include "flux_stream.hpp"
#include "hwtrace/flux_emitter.hpp"
#include "support/corpus.hpp"

namespace cpp_test {

using namespace hwtrace::test;
namespace flux = hwtrace::flux_emitter;

namespace {

flux::Handler into(Bytes& received) {
    return [&received](std::span<const std::uint8_t> bytes) {
        received.insert(received.end(), bytes.begin(), bytes.end());
        return bytes.size();
    };
}

TEST_CASE("signals of all types are written from C++, through every packing") {
    for (const flux::Packing packing :
         {flux::Packing::none, flux::Packing::lz4, flux::Packing::fastlz, flux::Packing::zlib, flux::Packing::gzip}) {
        Bytes received;
        {
            flux::Buffer out(8192, into(received));
            flux::Buffer buffer(4096, out, packing);
            flux::Trace trace(buffer, "all types", {.description = "from C++", .id = 5});
            const flux::Scope scope = trace.root().scope("scope", "of everything");
            const flux::Signal number = scope.signal("number", FLUX_INTEGER);
            const flux::Signal text = scope.signal("text", FLUX_TEXT);
            const flux::Signal bus = scope.logic("bus", 8);
            const flux::Signal reals = scope.signal("reals", FLUX_FLOAT_ARRAY);
            const flux::Signal record = scope.signal("record", FLUX_STRUCT);
            const flux::Signal event = scope.signal("event", FLUX_EVENT);
            scope.refer(number, "again");
            trace.open("ns", 100);
            event.name(1, "begin");
            event.name(1, "\\scope\\number", FLUX_ENUM_RELATION_TARGET);
            event.name(1, "note/ff0000/star", FLUX_ENUM_LABEL_STYLE);
            record.member(0, "size", FLUX_MEMBER_INTEGER, "default<df=Hex>");
            const std::array<double, 2> pair{0.5, 0.25};
            const std::array<std::byte, 2> bytes{std::byte{1}, std::byte{2}};
            for (int i = 0; i < 100; ++i) {
                number.write(flux::at(100 + i), -i);
                number.write(flux::after(0), 200U + static_cast<unsigned>(i));
                number.write(flux::after(0), std::uint64_t{1} << 63);
                number.write(flux::tagged(flux::after(0), 9), std::int8_t{-1});
                number.write(flux::after(0), 1.5F);
                number.write(flux::after(0), 2.5);
                text.write(flux::after(0), "text");
                text.write(flux::after(0), std::string("string"));
                text.write(flux::after(0), std::span<const std::byte>(bytes));
                bus.write_logic(flux::after(0), "1x");
                bus.write_none(flux::after(0));
                reals.write_array(flux::after(0), std::span<const double>(pair), true);
                record.write(flux::after(0), {flux_member_integer(0, i), flux_member_characters(1, "abc", 2)});
                event.write_event(flux::after(0), 1);
                event.relate(1, 0, -5);
                event.label(1);
            }
            trace.close(1000);
            out.checked(flux_flush(buffer.get()));
        }
        const FluxStream stream = read_flux(received);
        REQUIRE(stream.samples.size() == 1400);
        CHECK(stream.blocks.empty() == (packing == flux::Packing::none));
        const FluxSample& last = stream.samples.back();
        CHECK(last.trace == 5);
        CHECK(last.position == 199);
        CHECK(stream.samples[0].number() == 0);
        CHECK(stream.samples[1].number() == 200);
        CHECK(stream.samples[2].value == Bytes{0, 0, 0, 0, 0, 0, 0, 0x80, 0});
        CHECK(stream.samples[3].tag == 9);
        CHECK(stream.samples[7].value == Bytes{'s', 't', 'r', 'i', 'n', 'g'});
        CHECK(stream.samples[9].value == Bytes{0x07});
        CHECK(stream.samples[11].nibble == 11);
        CHECK(stream.samples[12].value == Bytes{0, 3, 0, 1, 1, 2, 'a', 'b'});
        CHECK(std::count(stream.tags.begin(), stream.tags.end(), 0x40U) == 100);
    }
}

TEST_CASE("failing calls throw their code, and a handler's own exception is passed on") {
    flux::Buffer small(64);
    CHECK_THROWS_AS(flux::Trace(small, std::string(100, 'x')), flux::Error);
    flux::Buffer buffer(256, [](std::span<const std::uint8_t>) -> std::size_t { throw std::domain_error("full"); });
    flux::Trace trace(buffer, "throws");
    const flux::Signal signal = trace.root().signal("s", FLUX_INTEGER);
    try {
        signal.write(flux::at(1), 1);
        FAIL("it is not open");
    } catch (const flux::Error& error) {
        CHECK(error.result() == FLUX_ERROR_NOT_OPEN);
        CHECK(std::string(error.what()) == "not open");
    }
    trace.open("ns");
    CHECK_THROWS_AS(buffer.flush(), std::domain_error);
    CHECK_THROWS_AS(
        [&] {
            for (int i = 0; i < 1000; ++i)
                signal.write(flux::after(1), i);
        }(),
        std::domain_error);
    CHECK_THROWS_AS(flux::Buffer(4096, std::string("/nowhere/at/all")), flux::Error);
    CHECK_THROWS_AS(buffer.divide(2), flux::Error);
}

TEST_CASE("the layout of impulse 3 is selected in place of a version, and has tags, widths and formats") {
    Bytes received;
    flux::Buffer buffer(4096, into(received));
    flux::Trace trace(buffer, "t", {.version = FLUX_IMPULSE_3, .max_item = 3, .max_entry = 100});
    CHECK(flux_tag_next(trace.get(), "a,b") == FLUX_OK);
    const flux::Scope scope = trace.root().scope("s", "d");
    scope.logic("bus", 12);
    const flux::Signal size = scope.signal("size", FLUX_FLOAT, "default<df=Hex>");
    trace.open("ns");
    size.member(4, "m", FLUX_MEMBER_FLOAT, "default<df=Dec>");
    buffer.flush();
    const std::string head = std::string("\0\1flux\6\0\1t\0\0\3\x64", 14);
    const std::string expected = head + std::string("\0\x10\1\0\1s\1d\3a,b", 12) +   // tags of the scope
                                 std::string("\0\x11\2\1\3bus\0\0\5\x18\0", 13) +    // logic, 12 states
                                 std::string("\0\x11\3\1\4size\0\0\3\1\3hex", 17) +  // a float, shown in hex
                                 std::string("\0\x20\0\2ns\0\0", 8) + std::string("\0\x31\3\4\0\1m\0\0\0\3\1\3dec", 16);
    CHECK(std::string(received.begin(), received.end()) == expected);
    flux_trace other{};
    CHECK(flux_trace_init(&other, 0, FLUX_VERSION_6, 1, 100, nullptr) == FLUX_OK);
    CHECK(flux_tag_next(&other, "a") == FLUX_ERROR_VALUE);  // only impulse 3 has tags
    CHECK(flux_tag_next(nullptr, "a") == FLUX_ERROR_VALUE);
}

TEST_CASE("a ring and a file from C++") {
    flux::Buffer ring(512);
    flux::Trace trace(ring, "ring", {.max_item = 1});
    const flux::Signal signal = trace.root().signal("s", FLUX_INTEGER);
    trace.open("ns");
    ring.divide(3);
    for (int i = 0; i < 1000; ++i)
        signal.write(flux::at(i), i);
    const FluxStream stream = read_flux(Bytes(ring.bytes().begin(), ring.bytes().end()));
    REQUIRE(!stream.samples.empty());
    CHECK(stream.samples.back().number() == 999);
    CHECK(stream.samples.front().number() == stream.samples.front().position);
    ring.clear();

    const TemporaryFolder folder;
    const std::string path = (folder / "f.recTr").string();
    {
        flux::Buffer file(128, path);
        trace.attach(file);
        signal.write(flux::after(1), 5);
        file.deep_flush();
        signal.write(flux::after(1), 6);
    }
    const Bytes written = bytes_of(path);
    CHECK(written.size() == 14);  // the position, which only the ring stated before, and two samples
}

}  // namespace

}  // namespace cpp_test
