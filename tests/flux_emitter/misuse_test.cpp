// Tests that invalid calls return a code, write no byte, move no position and access no memory out of bounds. Also
// tests features that the first emitter lacks.
#include <doctest/doctest.h>

#include <algorithm>
#include <array>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "call_log.hpp"
#include "flux_stream.hpp"
#include "hwtrace/flux_emitter_hosted.h"

namespace misuse_test {

using namespace hwtrace::test;

namespace {

constexpr flux_when now{0, true, 0};

/// A trace with a table of items: scope 1 has signals 2 and 3, the root has signal 4.
struct Fixture {
    explicit Fixture(std::uint8_t version = FLUX_VERSION_6, std::uint32_t size = 4096) : sink(size) {
        REQUIRE(flux_trace_init(&trace, 0, version, 5, 64, items.data()) == FLUX_OK);
        REQUIRE(flux_trace_attach(&trace, &sink.buffer) == FLUX_OK);
        REQUIRE(flux_write_head(&trace, "misuse", nullptr) == FLUX_OK);
        REQUIRE(flux_add_scope(&trace, 1, 0, "scope", nullptr) == FLUX_OK);
        REQUIRE(flux_add_signals(&trace, 2, 3, 1, "in", nullptr, FLUX_INTEGER, nullptr) == FLUX_OK);
        REQUIRE(flux_add_signal(&trace, 4, 0, "out", nullptr, FLUX_INTEGER, nullptr) == FLUX_OK);
    }
    /// Returns the bytes written since the last call.
    Bytes written() {
        flux_flush(&sink.buffer);
        return std::exchange(sink.received, {});
    }

    std::array<flux_item, 6> items{};
    Sink sink;
    flux_trace trace{};
};

/// Calls every function that writes an entry.
std::vector<flux_result> write_everything(flux_trace* trace, std::uint32_t item) {
    const std::uint8_t byte = 1;
    const std::int32_t number = 1;
    const flux_array array{&number, 1, FLUX_INT32, false};
    const flux_member member = flux_member_integer(0, 1);
    return {
        flux_write_none(trace, item, now),
        flux_write_event(trace, item, now, 1),
        flux_write_integer(trace, item, now, 1),
        flux_write_unsigned(trace, item, now, 1),
        flux_write_big_integer(trace, item, now, &byte, 1, true),
        flux_write_float(trace, item, now, 1),
        flux_write_double(trace, item, now, 1),
        flux_write_text(trace, item, now, "x"),
        flux_write_characters(trace, item, now, "x", 1),
        flux_write_binary(trace, item, now, &byte, 1),
        flux_write_states(trace, item, now, 0, 1, &byte, 1),
        flux_write_logic(trace, item, now, '0', 1, "1"),
        flux_write_array(trace, item, now, &array),
        flux_write_struct(trace, item, now, &member, 1),
        flux_define_enum(trace, item, FLUX_ENUM_GLOBAL, "x", 1),
        flux_define_member(trace, item, 0, FLUX_NO_PARENT, "x", FLUX_MEMBER_INTEGER, nullptr),
        flux_define_index(trace, item, 0, "x"),
        flux_write_relation(trace, item, FLUX_DELTA, 1, 1, 0, 0),
        flux_write_label(trace, item, 1, 0, 0),
    };
}

void check_all(const std::vector<flux_result>& results, flux_result expected) {
    for (std::size_t i = 0; i < results.size(); ++i) {
        CAPTURE(i);
        CHECK(results[i] == expected);
    }
}

TEST_CASE("calls without a trace, a buffer or memory have no effect") {
    check_all(write_everything(nullptr, 1), FLUX_ERROR_VALUE);
    CHECK(flux_write_head(nullptr, "x", "x") == FLUX_ERROR_VALUE);
    CHECK(flux_write_sync_head(nullptr, "x", "x") == FLUX_ERROR_VALUE);
    CHECK(flux_write_derived_head(nullptr, "abcd", "x", "x") == FLUX_ERROR_VALUE);
    CHECK(flux_add_scope(nullptr, 1, 0, "x", "x") == FLUX_ERROR_VALUE);
    CHECK(flux_add_signal(nullptr, 1, 0, "x", "x", FLUX_LOGIC, "x") == FLUX_ERROR_VALUE);
    CHECK(flux_add_signals(nullptr, 1, 2, 0, "x", "x", FLUX_LOGIC, "x") == FLUX_ERROR_VALUE);
    CHECK(flux_add_reference(nullptr, 1, 0, "x", "x") == FLUX_ERROR_VALUE);
    CHECK(flux_add_scattered(nullptr, 1, 0, "x", "x", FLUX_LOGIC, "x", 0, 1) == FLUX_ERROR_VALUE);
    CHECK(flux_add_scattered_reference(nullptr, 1, 0, "x", "x", 0, 1) == FLUX_ERROR_VALUE);
    CHECK(flux_set_default_domain(nullptr, "ns") == FLUX_ERROR_VALUE);
    CHECK(flux_open(nullptr, 0, "ns", 0, 0) == FLUX_ERROR_VALUE);
    CHECK(flux_repeat_open(nullptr, 0, "ns", 0) == FLUX_ERROR_VALUE);
    CHECK(flux_close(nullptr, 0, 0) == FLUX_ERROR_VALUE);
    CHECK(flux_restart(nullptr) == FLUX_ERROR_VALUE);
    CHECK(flux_set_current(nullptr, 0, 0) == FLUX_ERROR_VALUE);
    CHECK(flux_write_request(nullptr, 0, 0, nullptr, 0) == FLUX_ERROR_VALUE);
    CHECK(flux_write_answer(nullptr, 0, 0, nullptr, 0) == FLUX_ERROR_VALUE);
    CHECK(flux_trace_attach(nullptr, nullptr) == FLUX_ERROR_VALUE);
    CHECK(flux_trace_init(nullptr, 0, 6, 1, 64, nullptr) == FLUX_ERROR_VALUE);

    Fixture fixture;
    REQUIRE(flux_open(&fixture.trace, 0, "ns", 0, 0) == FLUX_OK);
    fixture.written();
    REQUIRE(flux_trace_attach(&fixture.trace, nullptr) == FLUX_OK);
    check_all(write_everything(&fixture.trace, 2), FLUX_ERROR_NO_BUFFER);
    CHECK(flux_write_head(&fixture.trace, "x", "x") == FLUX_ERROR_NO_BUFFER);
    CHECK(flux_add_signal(&fixture.trace, 5, 0, "x", "x", FLUX_LOGIC, "x") == FLUX_ERROR_NO_BUFFER);
    CHECK(flux_set_default_domain(&fixture.trace, "ns") == FLUX_ERROR_NO_BUFFER);
    CHECK(flux_close(&fixture.trace, 0, 0) == FLUX_ERROR_NO_BUFFER);
    CHECK(flux_set_current(&fixture.trace, 0, 10) == FLUX_ERROR_NO_BUFFER);
    CHECK(flux_write_request(&fixture.trace, 0, 0, nullptr, 0) == FLUX_ERROR_NO_BUFFER);
    flux_buffer nothing{};
    CHECK(flux_trace_attach(&fixture.trace, &nothing) == FLUX_ERROR_NO_BUFFER);
    CHECK(flux_flush(&nothing) == FLUX_ERROR_NO_BUFFER);
    CHECK(flux_flush(nullptr) == FLUX_ERROR_NO_BUFFER);
    CHECK(flux_deep_flush(nullptr) == FLUX_ERROR_NO_BUFFER);
    CHECK(flux_buffer_clear(nullptr) == FLUX_ERROR_NO_BUFFER);
    std::uint32_t size = 7;
    CHECK(flux_buffer_bytes(nullptr, &size) == nullptr);
    CHECK(size == 0);
    CHECK(flux_buffer_bytes(&fixture.sink.buffer, nullptr) == nullptr);
    CHECK(fixture.written().empty());
}

TEST_CASE("ids of undefined items, wrong items and items that are not open are rejected") {
    Fixture fixture;
    flux_trace* const trace = &fixture.trace;
    fixture.written();
    check_all(write_everything(trace, 2), FLUX_ERROR_NOT_OPEN);
    REQUIRE(flux_open(trace, 1, "ns", 0, 0) == FLUX_OK);
    fixture.written();
    check_all(write_everything(trace, 0), FLUX_ERROR_ID);
    check_all(write_everything(trace, 6), FLUX_ERROR_ID);
    check_all(write_everything(trace, UINT32_MAX), FLUX_ERROR_ID);
    check_all(write_everything(trace, 1), FLUX_ERROR_NOT_DEFINED);
    check_all(write_everything(trace, 5), FLUX_ERROR_NOT_DEFINED);
    check_all(write_everything(trace, 4), FLUX_ERROR_NOT_OPEN);
    CHECK(flux_open(trace, 1, "ns", 0, 0) == FLUX_ERROR_OPEN);
    CHECK(flux_open(trace, 2, "ns", 0, 0) == FLUX_ERROR_OPEN);
    CHECK(flux_open(trace, 0, "ns", 0, 0) == FLUX_ERROR_CHILD_OPEN);
    CHECK(flux_open(trace, 5, "ns", 0, 0) == FLUX_ERROR_NOT_DEFINED);
    CHECK(flux_open(trace, 6, "ns", 0, 0) == FLUX_ERROR_ID);
    CHECK(flux_close(trace, 2, 0) == FLUX_ERROR_NOT_OPEN);
    CHECK(flux_close(trace, 0, 0) == FLUX_ERROR_NOT_OPEN);
    CHECK(flux_close(trace, 6, 0) == FLUX_ERROR_ID);
    CHECK(flux_repeat_open(trace, 1, "ns", 0) == FLUX_ERROR_OPENING);
    CHECK(flux_add_scope(trace, 0, 0, "x", nullptr) == FLUX_ERROR_ID);
    CHECK(flux_add_scope(trace, 6, 0, "x", nullptr) == FLUX_ERROR_ID);
    CHECK(flux_add_scope(trace, 1, 0, "x", nullptr) == FLUX_ERROR_DEFINED);
    CHECK(flux_add_signals(trace, 4, 5, 0, "x", nullptr, FLUX_LOGIC, nullptr) == FLUX_ERROR_DEFINED);
    CHECK(flux_add_signals(trace, 5, 4, 0, "x", nullptr, FLUX_LOGIC, nullptr) == FLUX_ERROR_ID);
    CHECK(flux_add_signal(trace, 5, 4, "x", nullptr, FLUX_LOGIC, nullptr) == FLUX_ERROR_PARENT);
    CHECK(flux_add_signal(trace, 5, 5, "x", nullptr, FLUX_LOGIC, nullptr) == FLUX_ERROR_PARENT);
    CHECK(flux_add_signal(trace, 5, 77, "x", nullptr, FLUX_LOGIC, nullptr) == FLUX_ERROR_PARENT);
    CHECK(flux_add_signal(trace, 5, 0, "x", nullptr, static_cast<flux_type>(12), nullptr) == FLUX_ERROR_VALUE);
    CHECK(flux_add_reference(trace, 1, 0, "x", nullptr) == FLUX_ERROR_NOT_DEFINED);
    CHECK(flux_add_scattered(trace, 5, 0, "x", nullptr, FLUX_LOGIC, nullptr, 2, 1) == FLUX_ERROR_VALUE);
    CHECK(flux_write_derived_head(trace, "abc", "x", nullptr) == FLUX_ERROR_VALUE);
    CHECK(flux_write_derived_head(trace, nullptr, "x", nullptr) == FLUX_ERROR_VALUE);
    CHECK(fixture.written().empty());
    // A signal defined in an open scope is open.
    REQUIRE(flux_add_signal(trace, 5, 1, "late", nullptr, FLUX_INTEGER, nullptr) == FLUX_OK);
    CHECK(flux_write_integer(trace, 5, now, 1) == FLUX_OK);
}

TEST_CASE("unreadable values are rejected") {
    Fixture fixture;
    flux_trace* const trace = &fixture.trace;
    REQUIRE(flux_open(trace, 0, "ns", 0, 0) == FLUX_OK);
    fixture.written();
    const std::array<std::uint8_t, 3> states{0, 1, 16};
    const std::int32_t number = 1;
    CHECK(flux_write_states(trace, 2, now, 0, 0, states.data(), 3) == FLUX_ERROR_VALUE);
    CHECK(flux_write_states(trace, 2, now, 16, 0, states.data(), 2) == FLUX_ERROR_VALUE);
    CHECK(flux_write_states(trace, 2, now, 0, 1, states.data(), 2) == FLUX_ERROR_SIZE);
    CHECK(flux_write_states(trace, 2, now, 0, 0, nullptr, 2) == FLUX_ERROR_VALUE);
    CHECK(flux_write_binary(trace, 2, now, nullptr, 2) == FLUX_ERROR_VALUE);
    CHECK(flux_write_binary(trace, 2, now, states.data(), UINT32_MAX) == FLUX_ERROR_SIZE);
    CHECK(flux_write_big_integer(trace, 2, now, nullptr, 2, true) == FLUX_ERROR_VALUE);
    CHECK(flux_write_array(trace, 2, now, nullptr) == FLUX_ERROR_VALUE);
    flux_array array{nullptr, 2, FLUX_INT32, false};
    CHECK(flux_write_array(trace, 2, now, &array) == FLUX_ERROR_VALUE);
    array = {&number, UINT32_MAX, FLUX_FLOAT32, false};
    CHECK(flux_write_array(trace, 2, now, &array) == FLUX_ERROR_SIZE);
    CHECK(flux_write_struct(trace, 2, now, nullptr, 1) == FLUX_ERROR_VALUE);
    for (const int type : {0, 5, 14, 15, 0x13, 0x23}) {
        flux_member member = flux_member_integer(0, 1);
        member.type = static_cast<std::uint8_t>(type);
        CHECK(flux_write_struct(trace, 2, now, &member, 1) == FLUX_ERROR_VALUE);
        if (type != 0)
            CHECK(flux_define_member(trace, 2, 0, FLUX_NO_PARENT, "x", static_cast<std::uint8_t>(type), nullptr) ==
                  FLUX_ERROR_VALUE);
    }
    flux_member member = flux_member_integer(0, 1);
    member.width = 3;
    CHECK(flux_write_struct(trace, 2, now, &member, 1) == FLUX_ERROR_SIZE);
    member = flux_member_binary(0, nullptr, 3);
    CHECK(flux_write_struct(trace, 2, now, &member, 1) == FLUX_ERROR_VALUE);
    member = flux_member_array(0, nullptr);
    CHECK(flux_write_struct(trace, 2, now, &member, 1) == FLUX_ERROR_VALUE);
    array = {&number, 1, FLUX_INT32, false};
    member = flux_member_array(0, &array);
    member.type = FLUX_MEMBER_FLOAT_ARRAY;
    CHECK(flux_write_struct(trace, 2, now, &member, 1) == FLUX_ERROR_VALUE);
    flux_member loop = flux_member_struct(0, nullptr, 1);
    loop.value.bytes = &loop;
    CHECK(flux_write_struct(trace, 2, now, &loop, 1) == FLUX_ERROR_VALUE);
    CHECK(flux_write_label(trace, 2, 0, 1, 0) == FLUX_ERROR_VALUE);
    CHECK(flux_define_member(trace, 2, 0, -2, "x", 1, nullptr) == FLUX_ERROR_VALUE);
    CHECK(flux_write_integer(trace, 2, flux_at(-1), 0) == FLUX_ERROR_POSITION);
    CHECK(flux_write_integer(trace, 2, flux_after(-1), 0) == FLUX_ERROR_POSITION);
    CHECK(flux_set_current(trace, 2, -1) == FLUX_ERROR_POSITION);
    CHECK(fixture.written().empty());
}

TEST_CASE("version 4 has no tags, dynamic arrays, text arrays, nested structs or types of relations") {
    Fixture fixture(FLUX_VERSION_4);
    flux_trace* const trace = &fixture.trace;
    REQUIRE(flux_open(trace, 0, "ns", 0, 0) == FLUX_OK);
    fixture.written();
    const char* const text = "x";
    const std::int32_t number = 1;
    const flux_array texts{&text, 1, FLUX_TEXTS, false};
    const flux_array dynamic{&number, 1, FLUX_INT32, true};
    const flux_array fixed{&number, 1, FLUX_INT32, false};
    const flux_member inner = flux_member_integer(0, 1);
    CHECK(flux_write_integer(trace, 2, flux_tagged(now, 2), 1) == FLUX_ERROR_VALUE);
    CHECK(flux_write_array(trace, 2, now, &texts) == FLUX_ERROR_VALUE);
    CHECK(flux_write_array(trace, 2, now, &dynamic) == FLUX_ERROR_VALUE);
    for (const flux_member& member : {flux_member_struct(0, &inner, 1), flux_member_array(0, &fixed),
                                      flux_member_flags(inner, FLUX_MEMBER_UNTIL_CHANGE)})
        CHECK(flux_write_struct(trace, 2, now, &member, 1) == FLUX_ERROR_VALUE);
    CHECK(flux_define_member(trace, 2, 0, 1, "x", FLUX_MEMBER_TEXT, nullptr) == FLUX_ERROR_VALUE);
    CHECK(flux_define_member(trace, 2, 0, FLUX_NO_PARENT, "x", FLUX_MEMBER_STRUCT, nullptr) == FLUX_ERROR_VALUE);
    CHECK(flux_write_relation(trace, 2, FLUX_POSITION, 0, 0, 0, 0) == FLUX_ERROR_VALUE);
    CHECK(flux_write_relation(trace, 2, FLUX_DELTA, 0, 0, 0, 1) == FLUX_ERROR_VALUE);
    CHECK(fixture.written().empty());
    CHECK(flux_write_integer(trace, 2, flux_tagged(now, 1), 1) == FLUX_OK);
    CHECK(flux_write_label(trace, 2, 1, 2, 3) == FLUX_OK);
}

TEST_CASE("invalid buffers and traces are rejected") {
    std::array<std::uint8_t, 64> memory{};
    flux_buffer buffer;
    flux_trace trace;
    CHECK(flux_buffer_init(nullptr, memory.data(), 64, nullptr) == FLUX_ERROR_VALUE);
    CHECK(flux_buffer_init(&buffer, nullptr, 64, nullptr) == FLUX_ERROR_VALUE);
    CHECK(flux_buffer_init(&buffer, memory.data(), 15, nullptr) == FLUX_ERROR_SIZE);
    CHECK(flux_buffer_init(&buffer, memory.data(), UINT32_MAX, nullptr) == FLUX_ERROR_SIZE);
    CHECK(flux_buffer_custom(&buffer, nullptr, nullptr) == FLUX_ERROR_VALUE);
    CHECK(flux_buffer_custom(nullptr, nullptr, nullptr) == FLUX_ERROR_VALUE);
    const std::array<flux_handler, 4> empty{flux_copy_into(nullptr), flux_pack_into(nullptr), flux_write_to(nullptr),
                                            flux_handler{nullptr, nullptr, nullptr}};
    for (const flux_handler& handler : empty)
        CHECK(flux_buffer_init(&buffer, memory.data(), 64, &handler) == FLUX_ERROR_VALUE);
    // Two buffers that write into each other.
    std::array<std::uint8_t, 64> other_memory{};
    flux_buffer other;
    REQUIRE(flux_buffer_init(&buffer, memory.data(), 64, nullptr) == FLUX_OK);
    const flux_handler to_buffer = flux_copy_into(&buffer);
    REQUIRE(flux_buffer_init(&other, other_memory.data(), 64, &to_buffer) == FLUX_OK);
    const flux_handler to_other = flux_copy_into(&other);
    CHECK(flux_buffer_init(&buffer, memory.data(), 64, &to_other) == FLUX_ERROR_BUFFER_USED);
    CHECK(flux_buffer_init(&buffer, memory.data(), 64, &to_buffer) == FLUX_ERROR_BUFFER_USED);
    CHECK(flux_buffer_divide(nullptr, 1) == FLUX_ERROR_VALUE);
    CHECK(flux_buffer_divide(&other, 1) == FLUX_ERROR_COMMAND);
    CHECK(flux_buffer_divide(&buffer, 0) == FLUX_ERROR_SIZE);
    CHECK(flux_buffer_divide(&buffer, 3) == FLUX_ERROR_SIZE);
    CHECK(flux_buffer_divide(&buffer, 2) == FLUX_OK);
    CHECK(flux_buffer_divide(&buffer, 2) == FLUX_ERROR_COMMAND);
    std::vector<std::uint8_t> large(200'000);
    REQUIRE(flux_buffer_init(&buffer, large.data(), 200'000, nullptr) == FLUX_OK);
    CHECK(flux_buffer_divide(&buffer, 3) == FLUX_ERROR_SIZE);
    CHECK(flux_buffer_divide(&buffer, 4) == FLUX_OK);
    CHECK(flux_trace_init(&trace, 0, 5, 1, 64, nullptr) == FLUX_ERROR_VALUE);
    CHECK(flux_trace_init(&trace, 0, 6, 0, 64, nullptr) == FLUX_ERROR_ID);
    CHECK(flux_trace_init(&trace, 0, 6, FLUX_MAX_ITEM + 1, 64, nullptr) == FLUX_ERROR_ID);
    CHECK(flux_trace_attach(&trace, &buffer) == FLUX_OK);
    CHECK(flux_write_integer(&trace, 1, now, 1) == FLUX_ERROR_ID);
    flux_fastlz fastlz{nullptr, 13, 0};
    CHECK(flux_fastlz_compress(&fastlz, memory.data(), 64, large.data(), 200) == UINT32_MAX);
    CHECK(flux_deflate_create(FLUX_LZ4, 1) == nullptr);
    CHECK(flux_deflate_create(FLUX_ZLIB, 10) == nullptr);
    flux_deflate_free(nullptr);
    CHECK(flux_deflate_compress(nullptr, memory.data(), 64, large.data(), 200) == UINT32_MAX);
    for (int result = -22; result <= 1; ++result)
        CHECK(std::string(flux_result_text(static_cast<flux_result>(result))).size() > 3);
}

TEST_CASE("calls write a whole entry or nothing, in a buffer of any size") {
    for (std::uint32_t size = 16; size < 250; ++size) {
        for (const bool ring : {false, true}) {
            CAPTURE(size);
            CAPTURE(ring);
            const auto memory = std::make_unique<std::uint8_t[]>(size);
            flux_buffer buffer;
            REQUIRE(flux_buffer_init(&buffer, memory.get(), size, nullptr) == FLUX_OK);
            flux_trace trace;
            REQUIRE(flux_trace_init(&trace, 300, FLUX_VERSION_6, 8, 64, nullptr) == FLUX_OK);
            REQUIRE(flux_trace_attach(&trace, &buffer) == FLUX_OK);
            flux_write_head(&trace, "sizes", "of all kinds");
            flux_add_signal(&trace, 1, 0, "i", nullptr, FLUX_INTEGER, nullptr);
            if (flux_open(&trace, 0, "ns", 0, 0) != FLUX_OK) continue;
            if (ring && flux_buffer_divide(&buffer, 1 + size % 3) != FLUX_OK) continue;
            for (int round = 0; round < 4; ++round) {
                write_everything(&trace, 1);
                flux_write_integer(&trace, 1, flux_after(INT64_MAX / 8), 1);
                flux_set_current(&trace, 1, INT64_MAX / 2);
                flux_set_default_domain(&trace, "a domain");
            }
            std::uint32_t held = 0;
            const std::uint8_t* const bytes = flux_buffer_bytes(&buffer, &held);
            REQUIRE(held <= size);
            CHECK_NOTHROW(read_flux(Bytes(bytes, bytes + held)));
        }
    }
}

TEST_CASE("if a delta needs more than 32 bits, the position is stated instead") {
    for (const std::uint8_t version : std::array<std::uint8_t, 2>{FLUX_VERSION_4, FLUX_VERSION_6}) {
        Fixture fixture(version);
        flux_trace* const trace = &fixture.trace;
        REQUIRE(flux_open(trace, 1, "ns", -5, 0) == FLUX_OK);
        REQUIRE(flux_open(trace, 4, "Hz", 0, 0) == FLUX_OK);
        const std::vector<std::int64_t> positions{-5,        UINT32_MAX - 5LL,       2LL * UINT32_MAX - 4,
                                                  1LL << 60, INT64_MAX - UINT32_MAX, INT64_MAX};
        for (const std::int64_t position : positions)
            REQUIRE(flux_write_integer(trace, 3, flux_at(position), 1) == FLUX_OK);
        CHECK(flux_write_integer(trace, 3, flux_after(1), 1) == FLUX_ERROR_POSITION);
        REQUIRE(flux_write_integer(trace, 4, flux_after(1LL << 40), 1) == FLUX_OK);
        REQUIRE(flux_close(trace, 1, 0) == FLUX_OK);
        const FluxStream stream = read_flux(fixture.written());
        REQUIRE(stream.samples.size() == positions.size() + 1);
        for (std::size_t i = 0; i < positions.size(); ++i)
            CHECK(stream.samples[i].position == positions[i]);
        CHECK(stream.samples.back().position == 1LL << 40);
        CHECK(std::count(stream.tags.begin(), stream.tags.end(), 0x23U) == 4);  // two of the distances fit in 32 bits
    }
}

TEST_CASE("closed items are opened again, alone or together") {
    Fixture fixture;
    flux_trace* const trace = &fixture.trace;
    for (int round = 0; round < 3; ++round) {
        REQUIRE(flux_open(trace, 1, "ns", round * 100, 0) == FLUX_OK);
        REQUIRE(flux_write_integer(trace, 2, flux_after(7), round) == FLUX_OK);
        REQUIRE(flux_close(trace, 1, round * 100 + 50) == FLUX_OK);
        CHECK(flux_write_integer(trace, 2, flux_after(7), round) == FLUX_ERROR_NOT_OPEN);
    }
    REQUIRE(flux_open(trace, 0, "us", 1000, 0) == FLUX_OK);
    REQUIRE(flux_write_integer(trace, 2, flux_after(1), 3) == FLUX_OK);
    REQUIRE(flux_write_integer(trace, 4, flux_after(1), 4) == FLUX_OK);
    REQUIRE(flux_close(trace, 0, 1000) == FLUX_OK);
    const FluxStream stream = read_flux(fixture.written());
    const std::vector<std::int64_t> expected{7, 107, 207, 1001, 1002};
    REQUIRE(stream.samples.size() == expected.size());
    for (std::size_t i = 0; i < expected.size(); ++i)
        CHECK(stream.samples[i].position == expected[i]);
}

TEST_CASE("after a sync head, definitions and opens are repeated, and positions continue") {
    Fixture fixture;
    flux_trace* const trace = &fixture.trace;
    REQUIRE(flux_open(trace, 1, "ns", 100, 0) == FLUX_OK);
    REQUIRE(flux_write_integer(trace, 2, flux_at(130), 1) == FLUX_OK);
    const Bytes before = fixture.written();
    REQUIRE(flux_write_sync_head(trace, "misuse", nullptr) == FLUX_OK);
    REQUIRE(flux_add_scope(trace, 1, 0, "scope", nullptr) == FLUX_OK);
    REQUIRE(flux_add_signals(trace, 2, 3, 1, "in", nullptr, FLUX_INTEGER, nullptr) == FLUX_OK);
    CHECK(flux_add_scope(trace, 4, 0, "was a signal", nullptr) == FLUX_ERROR_DEFINED);
    CHECK(flux_open(trace, 1, "ns", 100, 0) == FLUX_ERROR_OPEN);
    CHECK(flux_repeat_open(trace, 2, "ns", 0) == FLUX_ERROR_NOT_OPEN);
    REQUIRE(flux_repeat_open(trace, 1, "ns", 0) == FLUX_OK);
    REQUIRE(flux_write_integer(trace, 3, flux_after(5), 2) == FLUX_OK);
    const FluxStream joined = read_flux(fixture.written());
    REQUIRE(joined.samples.size() == 1);
    CHECK(joined.samples[0].position == 135);
}

}  // namespace

}  // namespace misuse_test
