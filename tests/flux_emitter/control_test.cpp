// Tests control requests: chunks, parameters, whole dialogues, the database.
#include <doctest/doctest.h>

#include <algorithm>
#include <array>
#include <cstring>
#include <random>
#include <string>
#include <vector>

#include "call_log.hpp"
#include "flux_stream.hpp"
#include "hwtrace/flux_control.h"
#include "support/corpus.hpp"

namespace control_test {

using namespace hwtrace::test;

namespace {

/// A viewer whose bytes are delivered in pieces.
struct Viewer {
    Bytes sent;
    std::uint32_t piece = 128;
    std::size_t at = 0;
    flux_result (*on_request)(Viewer&, flux_request*) = nullptr;
    void* user = nullptr;

    flux_listener listener() {
        return {[](void* self, void* bytes, std::uint32_t size, std::uint32_t* got) {
                    auto& viewer = *static_cast<Viewer*>(self);
                    *got = std::min({size, viewer.piece, static_cast<std::uint32_t>(viewer.sent.size() - viewer.at)});
                    std::copy_n(viewer.sent.begin() + static_cast<std::ptrdiff_t>(viewer.at), *got,
                                static_cast<std::uint8_t*>(bytes));
                    viewer.at += *got;
                    return FLUX_OK;
                },
                [](void* self, flux_request* request) {
                    auto& viewer = *static_cast<Viewer*>(self);
                    return viewer.on_request(viewer, request);
                },
                this};
    }
};

std::int64_t integer_of(const flux_request* request, std::uint32_t id) {
    flux_parameter parameter;
    std::int64_t value = 0;
    REQUIRE(flux_find_parameter(request, id, &parameter) == FLUX_OK);
    REQUIRE(flux_parameter_integer(&parameter, &value) == FLUX_OK);
    return value;
}

std::string text_of(const flux_request* request, std::uint32_t id) {
    flux_parameter parameter;
    std::array<char, 32> text{};
    REQUIRE(flux_find_parameter(request, id, &parameter) == FLUX_OK);
    REQUIRE(flux_parameter_text(&parameter, text.data(), text.size()) == FLUX_OK);
    return text.data();
}

/// Declares, opens, writes and closes on request, like the target in the first emitter's example.
flux_result obey(Viewer& viewer, flux_request* request) {
    auto* const trace = static_cast<flux_trace*>(viewer.user);
    flux_result result = FLUX_ERROR_PARSE;
    flux_parameter bytes;
    switch (request->control) {
        case 1:
            result = flux_add_signal(trace, static_cast<std::uint32_t>(integer_of(request, 0)), 0,
                                     text_of(request, 1).c_str(), nullptr,
                                     static_cast<flux_type>(integer_of(request, 2)), nullptr);
            break;
        case 2:
            result = flux_open(trace, 0, text_of(request, 1).c_str(), integer_of(request, 0), 0);
            break;
        case 3:
            REQUIRE(flux_find_parameter(request, 3, &bytes) == FLUX_OK);
            result = flux_write_big_integer(trace, 1, flux_at(integer_of(request, 2)), bytes.bytes, bytes.size, true);
            break;
        case 4:
            result = flux_close(trace, 0, integer_of(request, 0));
            break;
        default:
            break;
    }
    return result == FLUX_OK ? flux_write_answer(trace, request->control, request->message, nullptr, 0) : result;
}

TEST_CASE("a dialogue of the original emitter's example is answered with the same bytes, however it is split") {
    const auto requests = corpus("flux/control/example21.request.bin");
    const auto response = corpus("flux/control/example21.response.recTr");
    if (!requests || !response) return;
    for (const std::uint32_t piece : {1U, 2U, 3U, 5U, 17U, 128U}) {
        CAPTURE(piece);
        Sink sink(4096);
        flux_trace trace;
        REQUIRE(flux_trace_init(&trace, 0, FLUX_VERSION_4, 2, 4096, nullptr) == FLUX_OK);
        REQUIRE(flux_trace_attach(&trace, &sink.buffer) == FLUX_OK);
        REQUIRE(flux_write_head(&trace, "example", "flux example") == FLUX_OK);
        Viewer viewer{bytes_of(*requests), piece, 0, obey, &trace};
        std::array<std::uint8_t, 64> memory{};
        flux_deframer deframer;
        REQUIRE(flux_deframer_init(&deframer, memory.data(), memory.size()) == FLUX_OK);
        const flux_listener listener = viewer.listener();
        std::uint32_t skipped = 9;
        CHECK(flux_listen(&deframer, &listener, &skipped) == FLUX_OK);
        CHECK(skipped == 0);
        flux_flush(&sink.buffer);
        CHECK(sink.received == bytes_of(*response));
    }
}

TEST_CASE("a dialogue ends when it is cut off or when the target ends it") {
    const Bytes request{0x86, 0x00, 0x80, 0x80, 0x02, 0x01, 0x00};
    std::array<std::uint8_t, 8> memory{};
    flux_deframer deframer;
    for (std::size_t size = 0; size <= request.size(); ++size) {
        REQUIRE(flux_deframer_init(&deframer, memory.data(), memory.size()) == FLUX_OK);
        Viewer viewer{Bytes(request.begin(), request.begin() + static_cast<std::ptrdiff_t>(size)), 128, 0,
                      [](Viewer&, flux_request*) { return FLUX_OK; }, nullptr};
        const flux_listener listener = viewer.listener();
        const bool whole = size == 0 || size == request.size();
        CHECK(flux_listen(&deframer, &listener, nullptr) == (whole ? FLUX_OK : FLUX_END));
    }
    Bytes twice = request;
    twice.insert(twice.end(), request.begin(), request.end());
    int answered = 0;
    Viewer viewer{twice, 128, 0,
                  [](Viewer& self, flux_request*) {
                      ++*static_cast<int*>(self.user);
                      return FLUX_EXIT;
                  },
                  &answered};
    REQUIRE(flux_deframer_init(&deframer, memory.data(), memory.size()) == FLUX_OK);
    const flux_listener listener = viewer.listener();
    CHECK(flux_listen(&deframer, &listener, nullptr) == FLUX_OK);
    CHECK(answered == 1);
}

TEST_CASE("entries that are not requests or are too large are skipped, and the dialogue continues") {
    const Bytes good{0x00, 0x80, 0x01, 0x01, 0x00};
    Bytes sent;
    const auto send = [&](const Bytes& entry) {
        Bytes out(entry.size() + entry.size() / 127 + 1);
        std::uint32_t used = 0;
        REQUIRE(flux_frame(entry.data(), static_cast<std::uint32_t>(entry.size()), out.data(),
                           static_cast<std::uint32_t>(out.size()), &used) == FLUX_OK);
        sent.insert(sent.end(), out.begin(), out.begin() + used);
    };
    send(good);
    send({0x00, 0x21, 0x00, 0x00});                                      // a request to close
    send({0x00, 0x80, 0x01});                                            // an incomplete request
    send({0x00, 0x81, 0x01, 0x01, 0x00});                                // an answer
    send({0x00, 0x80, 0x01, 0x01, 0x05});                                // a request that lacks its five members
    send({0x00, 0x80, 0xff, 0xff, 0xff, 0xff, 0xff, 0x01, 0x01, 0x00});  // an id of more than 32 bits
    send(Bytes(300, 0x55));                                              // a request that is too large for the deframer
    sent.push_back(0x80);                                                // an empty chunk
    send(good);
    int answered = 0;
    Viewer viewer{sent, 7, 0,
                  [](Viewer& self, flux_request*) {
                      ++*static_cast<int*>(self.user);
                      return FLUX_OK;
                  },
                  &answered};
    std::array<std::uint8_t, 200> memory{};
    flux_deframer deframer;
    REQUIRE(flux_deframer_init(&deframer, memory.data(), memory.size()) == FLUX_OK);
    const flux_listener listener = viewer.listener();
    std::uint32_t skipped = 0;
    CHECK(flux_listen(&deframer, &listener, &skipped) == FLUX_OK);
    CHECK(answered == 2);
    CHECK(skipped == 6);
}

TEST_CASE("requests are parsed one by one, and a cut request needs more bytes") {
    const auto path = corpus("flux/control/example2x.requests.bin");
    if (!path) return;
    const Bytes all = bytes_of(*path);
    std::size_t at = 0;
    std::int64_t expected = 0;
    for (; at < all.size(); ++expected) {
        flux_request request;
        std::uint32_t used = 0;
        const auto left = static_cast<std::uint32_t>(all.size() - at);
        REQUIRE(flux_parse_request(all.data() + at, left, &request, &used) == FLUX_OK);
        CHECK(request.control == 1);
        CHECK(request.left == 4);
        CHECK(integer_of(&request, 0) == expected);
        CHECK(integer_of(&request, 1) == 5);
        CHECK(text_of(&request, 2) == "haha");
        flux_parameter parameter;
        double real = 0;
        REQUIRE(flux_find_parameter(&request, 3, &parameter) == FLUX_OK);
        REQUIRE(flux_parameter_double(&parameter, &real) == FLUX_OK);
        CHECK(real == doctest::Approx(3.14F));
        for (std::uint32_t size = 0; size < used; ++size) {
            std::uint32_t part = 0;
            const Bytes cut(all.begin() + static_cast<std::ptrdiff_t>(at),
                            all.begin() + static_cast<std::ptrdiff_t>(at + size));
            CHECK(flux_parse_request(cut.data(), size, &request, &part) == (size == 0 ? FLUX_END : FLUX_MORE));
        }
        at += used;
    }
    CHECK(expected > 10);
}

TEST_CASE("parameters can be read only with the type with which they were written") {
    Sink sink(512);
    flux_trace trace;
    REQUIRE(flux_trace_init(&trace, 0, FLUX_VERSION_6, 2, 64, nullptr) == FLUX_OK);
    REQUIRE(flux_trace_attach(&trace, &sink.buffer) == FLUX_OK);
    const std::array<std::int64_t, 9> numbers{0, 1, -1, 127, -128, 128, 1'000'000'007, INT64_MIN, INT64_MAX};
    std::vector<flux_member> members;
    for (std::uint32_t i = 0; i < numbers.size(); ++i)
        members.push_back(flux_member_integer64(i, numbers[i]));
    members.push_back(flux_member_double(100, -0.125));
    members.push_back(flux_member_text(101, "four"));
    members.push_back(flux_member_unsigned64(102, UINT64_MAX));
    REQUIRE(flux_write_request(&trace, 3, 4, members.data(), static_cast<std::uint32_t>(members.size())) == FLUX_OK);
    REQUIRE(flux_flush(&sink.buffer) == FLUX_OK);
    flux_request request;
    std::uint32_t used = 0;
    REQUIRE(flux_parse_request(sink.received.data(), static_cast<std::uint32_t>(sink.received.size()), &request,
                               &used) == FLUX_OK);
    CHECK(used == sink.received.size());
    for (std::uint32_t i = 0; i < numbers.size(); ++i)
        CHECK(integer_of(&request, i) == numbers[i]);
    flux_parameter parameter;
    double real = 0;
    std::int64_t number = 0;
    std::array<char, 5> text{};
    REQUIRE(flux_find_parameter(&request, 100, &parameter) == FLUX_OK);
    CHECK(flux_parameter_double(&parameter, &real) == FLUX_OK);
    CHECK(real == -0.125);
    CHECK(flux_parameter_integer(&parameter, &number) == FLUX_ERROR_VALUE);
    CHECK(flux_parameter_text(&parameter, text.data(), 5) == FLUX_ERROR_VALUE);
    REQUIRE(flux_find_parameter(&request, 101, &parameter) == FLUX_OK);
    CHECK(flux_parameter_text(&parameter, text.data(), 4) == FLUX_ERROR_SIZE);
    CHECK(flux_parameter_text(&parameter, text.data(), 5) == FLUX_OK);
    CHECK(std::string(text.data()) == "four");
    CHECK(flux_parameter_double(&parameter, &real) == FLUX_ERROR_VALUE);
    REQUIRE(flux_find_parameter(&request, 102, &parameter) == FLUX_OK);
    CHECK(flux_parameter_integer(&parameter, &number) == FLUX_ERROR_SIZE);
    CHECK(flux_find_parameter(&request, 103, &parameter) == FLUX_ERROR_NOT_DEFINED);
    std::size_t count = 0;
    while (flux_next_parameter(&request, &parameter) == FLUX_OK)
        ++count;
    CHECK(count == members.size());
    CHECK(flux_next_parameter(&request, &parameter) == FLUX_END);
}

TEST_CASE("entries of any size pass through chunks, and random bytes do no harm") {
    std::mt19937 random(3);
    for (const std::uint32_t size : {1U, 126U, 127U, 128U, 253U, 254U, 255U, 1000U}) {
        Bytes entry(size);
        for (std::uint8_t& byte : entry)
            byte = static_cast<std::uint8_t>(random());
        Bytes chunks(size + (size + 126) / 127);
        std::uint32_t used = 0;
        CHECK(flux_frame(entry.data(), size, chunks.data(), static_cast<std::uint32_t>(chunks.size()) - 1, &used) ==
              FLUX_ERROR_SIZE);
        REQUIRE(flux_frame(entry.data(), size, chunks.data(), static_cast<std::uint32_t>(chunks.size()), &used) ==
                FLUX_OK);
        CHECK(used == chunks.size());
        Bytes memory(size);
        flux_deframer deframer;
        REQUIRE(flux_deframer_init(&deframer, memory.data(), size) == FLUX_OK);
        std::uint32_t taken = 0;
        CHECK(flux_deframe(&deframer, chunks.data(), used, &taken) == FLUX_OK);
        CHECK(taken == used);
        CHECK(deframer.used == size);
        CHECK(memory == entry);
    }
    for (int round = 0; round < 2000; ++round) {
        Bytes noise(random() % 64);
        for (std::uint8_t& byte : noise)
            byte = static_cast<std::uint8_t>(random() % 4 == 0 ? random() : random() % 3 * 0x40);
        if (noise.size() > 1) {
            noise[0] = 0;
            noise[1] = 0x80;
        }
        flux_request request;
        flux_parameter parameter;
        std::uint32_t used = 0;
        if (flux_parse_request(noise.data(), static_cast<std::uint32_t>(noise.size()), &request, &used) != FLUX_OK)
            continue;
        REQUIRE(used <= noise.size());
        while (flux_next_parameter(&request, &parameter) == FLUX_OK)
            REQUIRE(parameter.bytes + parameter.size <= noise.data() + used);
    }
}

/// A database of three signals.
struct Store {
    std::vector<std::uint32_t> asked;
    bool more = false;
};

flux_result describe(void*, flux_trace* trace) {
    for (const auto& [item, name] : {std::pair{1U, "a"}, std::pair{2U, "b"}, std::pair{200U, "c"}})
        if (const flux_result result = flux_add_signal(trace, item, 0, name, nullptr, FLUX_INTEGER, nullptr);
            result != FLUX_OK)
            return result;
    const flux_result result = flux_open(trace, 0, "ns", 0, 0);
    return result == FLUX_OK ? flux_close(trace, 0, 100) : result;
}

flux_result samples(void* user, flux_trace* trace, flux_items items, bool more) {
    auto& store = *static_cast<Store*>(user);
    std::uint32_t item = 0;
    store.more = more;
    store.asked.clear();
    while (flux_next_item(&items, &item) == FLUX_OK)
        store.asked.push_back(item);
    for (std::int64_t position = 10; position <= 30; position += 10)
        for (const std::uint32_t one : store.asked)
            if (const flux_result result = flux_write_integer(trace, one, flux_at(position), position + one);
                result != FLUX_OK)
                return result;
    return FLUX_OK;
}

TEST_CASE("the database answers repeatedly: scheme, items, and samples from position 0") {
    const auto request_of = [](Bytes entry) {
        static Bytes kept;
        kept = std::move(entry);
        flux_request request;
        std::uint32_t used = 0;
        REQUIRE(flux_parse_request(kept.data(), static_cast<std::uint32_t>(kept.size()), &request, &used) == FLUX_OK);
        return request;
    };
    for (const bool several : {false, true}) {
        CAPTURE(several);
        Store store;
        const flux_database database{7, 16, describe, samples, &store};
        std::vector<flux_item> items(201);
        Sink sink(4096);
        flux_trace trace;
        REQUIRE(flux_trace_init(&trace, 0, FLUX_VERSION_6, 200, 64, several ? items.data() : nullptr) == FLUX_OK);
        REQUIRE(flux_trace_attach(&trace, &sink.buffer) == FLUX_OK);
        const auto answer = [&](const flux_request& request) {
            sink.received.clear();
            const flux_result result = flux_answer_database(&database, &trace, &request);
            flux_flush(&sink.buffer);
            return result;
        };
        CHECK(answer(request_of({0x00, 0x80, 0x80, 0x02, 0x01, 0x00})) == FLUX_OK);
        CHECK(sink.received ==
              Bytes{0x00, 0x81, 0x80, 0x02, 0x01, 0x02, 0x00, 0x03, 0x01, 0x07, 0x01, 0x03, 0x01, 0x10});
        for (int round = 0; round < 2; ++round) {
            CHECK(answer(request_of({0x00, 0x80, 0x81, 0x02, 0x02, 0x00})) == FLUX_OK);
            CHECK(read_flux(sink.received).tags == std::vector<unsigned>{0x11, 0x11, 0x11, 0x20, 0x21, 0x81});
            for (int again = 0; again < 2; ++again) {
                CHECK(answer(request_of({0x00, 0x80, 0x82, 0x02, 0x03, 0x01, 0x00, 0x06, 0x03, 0x01, 0xc8, 0x01})) ==
                      FLUX_OK);
                CHECK(store.asked == std::vector<std::uint32_t>{1, 200});
                CHECK(!store.more);
                // The answer has no OPEN, but the test's reader needs one at position 0.
                sink.received.insert(sink.received.begin(), {0x00, 0x20, 0x00, 0x00, 0x00, 0x00});
                const FluxStream stream = read_flux(sink.received);
                REQUIRE(stream.samples.size() == 6);
                for (const FluxSample& sample : stream.samples)
                    CHECK(sample.position + static_cast<std::int64_t>(sample.item) == sample.number());
                CHECK(stream.tags == std::vector<unsigned>{0x20, 0x81});
            }
        }
        CHECK(answer(request_of(
                  {0x00, 0x80, 0x82, 0x02, 0x03, 0x02, 0x00, 0x06, 0x01, 0x02, 0x01, 0x02, 0x01, 0x01})) == FLUX_OK);
        CHECK(store.more);
        CHECK(answer(request_of({0x00, 0x80, 0x82, 0x02, 0x03, 0x01, 0x00, 0x06, 0x01, 0xc8})) == FLUX_ERROR_PARSE);
        CHECK(answer(request_of({0x00, 0x80, 0x03, 0x03, 0x00})) == FLUX_ERROR_NOT_DEFINED);
        CHECK(sink.received.empty());
    }
}

}  // namespace

}  // namespace control_test
