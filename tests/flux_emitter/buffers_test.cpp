// Tests buffers, handlers, rings, and several traces in one stream.
#include <doctest/doctest.h>

#include <algorithm>
#include <array>
#include <cstring>
#include <functional>
#include <memory>
#include <random>
#include <span>
#include <string>
#include <vector>

#include "call_log.hpp"
#include "flux_stream.hpp"
#include "hwtrace/flux_emitter_hosted.h"
#include "io/fastlz.hpp"

namespace buffers_test {

using namespace hwtrace::test;

namespace {

/// An open trace that has one integer signal.
struct Counter {
    Counter(std::uint32_t id, flux_buffer& buffer, std::uint8_t version = FLUX_VERSION_6) {
        REQUIRE(flux_trace_init(&trace, id, version, 4, 64, nullptr) == FLUX_OK);
        REQUIRE(flux_trace_attach(&trace, &buffer) == FLUX_OK);
        REQUIRE(flux_write_head(&trace, "count", nullptr) == FLUX_OK);
        REQUIRE(flux_add_signal(&trace, 1, 0, "n", nullptr, FLUX_INTEGER, nullptr) == FLUX_OK);
        REQUIRE(flux_open(&trace, 0, "ns", 0, 0) == FLUX_OK);
    }
    flux_trace trace{};
};

/// Memory of exactly `size` bytes. A sanitizer detects any access outside it.
struct Memory {
    explicit Memory(std::uint32_t count) : bytes(std::make_unique<std::uint8_t[]>(count)), size(count) {}
    std::unique_ptr<std::uint8_t[]> bytes;
    std::uint32_t size;
};

Bytes held_by(const flux_buffer& buffer) {
    std::uint32_t size = 0;
    const std::uint8_t* const bytes = flux_buffer_bytes(&buffer, &size);
    return Bytes(bytes, bytes + size);
}

TEST_CASE("2 KiB are enough for a long trace") {
    Memory memory(2048);
    Bytes received;
    flux_handler handler{[](void* user, const flux_chunk* chunk, std::uint32_t* taken) {
                             auto& all = *static_cast<Bytes*>(user);
                             all.insert(all.end(), chunk->bytes, chunk->bytes + chunk->size);
                             *taken = chunk->size;
                             return FLUX_OK;
                         },
                         &received, nullptr};
    flux_buffer buffer;
    REQUIRE(flux_buffer_init(&buffer, memory.bytes.get(), memory.size, &handler) == FLUX_OK);
    Counter counter(0, buffer);
    for (std::int64_t i = 0; i < 10'000; ++i)
        REQUIRE(flux_write_integer(&counter.trace, 1, flux_at(i * 3), i * i) == FLUX_OK);
    REQUIRE(flux_close(&counter.trace, 0, 30'000) == FLUX_OK);
    REQUIRE(flux_flush(&buffer) == FLUX_OK);
    const FluxStream stream = read_flux(received);
    REQUIRE(stream.samples.size() == 10'000);
    for (std::size_t i = 0; i < stream.samples.size(); ++i) {
        REQUIRE(stream.samples[i].position == static_cast<std::int64_t>(i * 3));
        REQUIRE(stream.samples[i].number() == static_cast<std::int64_t>(i * i));
    }
    CHECK(stream.tags.back() == 0x21);
}

TEST_CASE("a ring holds the newest samples in order at any time, even after a hundred laps") {
    for (const std::uint32_t sections : {1U, 3U, 4U, 16U}) {
        CAPTURE(sections);
        Memory memory(1024);
        flux_buffer buffer;
        REQUIRE(flux_buffer_init(&buffer, memory.bytes.get(), memory.size, nullptr) == FLUX_OK);
        Counter counter(0, buffer);
        REQUIRE(flux_buffer_divide(&buffer, sections) == FLUX_OK);
        CHECK(flux_flush(&buffer) == FLUX_ERROR_COMMAND);
        std::size_t shortest = 1'000'000;
        for (std::int64_t i = 0; i < 30'000; ++i) {
            REQUIRE(flux_write_integer(&counter.trace, 1, flux_at(i * 7), i) == FLUX_OK);
            if (i % 97 != 0 && i > 1000) continue;
            const FluxStream stream = read_flux(held_by(buffer));
            REQUIRE(!stream.samples.empty());
            REQUIRE(stream.samples.back().number() == i);
            for (std::size_t k = 0; k < stream.samples.size(); ++k) {
                const std::int64_t number = i - static_cast<std::int64_t>(stream.samples.size() - 1 - k);
                REQUIRE(stream.samples[k].number() == number);
                REQUIRE(stream.samples[k].position == number * 7);
            }
            if (i > 1000) shortest = std::min(shortest, stream.samples.size());
        }
        CHECK(buffer.lap / sections >= 100);
        if (sections > 1) CHECK(shortest >= 100 / sections * (sections - 1));
    }
}

TEST_CASE("a cleared ring continues with its first section") {
    Memory memory(512);
    flux_buffer buffer;
    REQUIRE(flux_buffer_init(&buffer, memory.bytes.get(), memory.size, nullptr) == FLUX_OK);
    Counter counter(0, buffer);
    REQUIRE(flux_buffer_divide(&buffer, 3) == FLUX_OK);
    for (std::int64_t i = 0; i < 500; ++i)
        REQUIRE(flux_write_integer(&counter.trace, 1, flux_at(i), i) == FLUX_OK);
    REQUIRE(flux_buffer_clear(&buffer) == FLUX_OK);
    CHECK(read_flux(held_by(buffer)).samples.empty());
    REQUIRE(flux_write_integer(&counter.trace, 1, flux_after(5), -1) == FLUX_OK);
    const FluxStream stream = read_flux(held_by(buffer));
    REQUIRE(stream.samples.size() == 1);
    CHECK(stream.samples[0].position == 504);
}

TEST_CASE("each section of a ring states the position of every signal with a sample in it") {
    Memory memory(700);
    flux_buffer buffer;
    REQUIRE(flux_buffer_init(&buffer, memory.bytes.get(), memory.size, nullptr) == FLUX_OK);
    flux_trace trace;
    std::array<flux_item, 3> items{};
    REQUIRE(flux_trace_init(&trace, 9, FLUX_VERSION_6, 2, 64, items.data()) == FLUX_OK);
    REQUIRE(flux_trace_attach(&trace, &buffer) == FLUX_OK);
    REQUIRE(flux_write_head(&trace, "two domains", nullptr) == FLUX_OK);
    REQUIRE(flux_add_signal(&trace, 1, 0, "time", nullptr, FLUX_INTEGER, nullptr) == FLUX_OK);
    REQUIRE(flux_add_signal(&trace, 2, 0, "frequency", nullptr, FLUX_INTEGER, nullptr) == FLUX_OK);
    REQUIRE(flux_open(&trace, 1, "ns", -50, 0) == FLUX_OK);
    REQUIRE(flux_open(&trace, 2, "Hz", 1000, 0) == FLUX_OK);
    REQUIRE(flux_buffer_divide(&buffer, 5) == FLUX_OK);
    for (std::int64_t i = 0; i < 3000; ++i) {
        REQUIRE(flux_write_integer(&trace, 1, flux_after(i % 3), i) == FLUX_OK);
        if (i % 4 == 0) REQUIRE(flux_write_integer(&trace, 2, flux_at(1000 + i), i) == FLUX_OK);
        if (i % 53 != 0) continue;
        for (const FluxSample& sample : read_flux(held_by(buffer)).samples) {
            const std::int64_t n = sample.number();
            REQUIRE(sample.position == (sample.item == 2 ? 1000 + n
                                                         : -50 + n / 3 * 3 +
                                                               (n % 3 == 0   ? 0
                                                                : n % 3 == 1 ? 1
                                                                             : 3)));
        }
    }
}

/// Checks the positions of two traces that write increasing values in turns.
void check_interleaved(const FluxStream& stream, std::size_t samples) {
    REQUIRE(stream.samples.size() == samples);
    std::array<std::int64_t, 2> next{0, 0};
    for (const FluxSample& sample : stream.samples) {
        REQUIRE((sample.trace == 0 || sample.trace == 300));
        std::int64_t& expected = next[sample.trace == 0 ? 0 : 1];
        REQUIRE(sample.number() == expected);
        REQUIRE(sample.position == expected * (sample.trace == 0 ? 10 : 1000));
        ++expected;
    }
}

void write_interleaved(flux_trace& first, flux_trace& second) {
    for (std::int64_t i = 0; i < 1000; ++i) {
        REQUIRE(flux_write_integer(&first, 1, flux_at(i * 10), i) == FLUX_OK);
        if (i % 5 < 3) continue;
        REQUIRE(flux_write_integer(&second, 1, flux_at(i / 5 * 2000 + (i % 5 - 3) * 1000), i / 5 * 2 + i % 5 - 3) ==
                FLUX_OK);
    }
}

TEST_CASE("two traces share a buffer: the stream states the trace of each entry with as few switches as possible") {
    Sink sink(4096);
    Counter first(0, sink.buffer);
    Counter second(300, sink.buffer);
    write_interleaved(first.trace, second.trace);
    REQUIRE(flux_flush(&sink.buffer) == FLUX_OK);
    const FluxStream stream = read_flux(sink.received);
    check_interleaved(stream, 1400);
    CHECK(stream.switches.size() == 800);  // each round of seven samples has four switches
}

TEST_CASE("two traces with separate buffers write into a common one, plain and packed") {
    for (const bool packed : {false, true}) {
        CAPTURE(packed);
        Sink sink(8192);
        std::vector<std::uint32_t> table(1u << 10);
        flux_fastlz fastlz{table.data(), 10, 0};
        flux_packer packer{&sink.buffer, FLUX_FASTLZ, flux_fastlz_compress, &fastlz};
        const flux_handler handler = packed ? flux_pack_into(&packer) : flux_copy_into(&sink.buffer);
        Memory small(200);
        Memory large(1000);
        flux_buffer one;
        flux_buffer other;
        REQUIRE(flux_buffer_init(&one, small.bytes.get(), small.size, &handler) == FLUX_OK);
        REQUIRE(flux_buffer_init(&other, large.bytes.get(), large.size, &handler) == FLUX_OK);
        Counter first(0, one);
        Counter second(300, other);
        write_interleaved(first.trace, second.trace);
        REQUIRE(flux_deep_flush(&one) == FLUX_OK);
        REQUIRE(flux_deep_flush(&other) == FLUX_OK);
        const FluxStream stream = read_flux(sink.received);
        check_interleaved(stream, 1400);
        CHECK(packed == !stream.blocks.empty());
        CHECK(stream.switches.size() < 20);
    }
}

TEST_CASE("traces that share a ring are identified in each of its sections") {
    Memory memory(900);
    flux_buffer buffer;
    REQUIRE(flux_buffer_init(&buffer, memory.bytes.get(), memory.size, nullptr) == FLUX_OK);
    Counter first(0, buffer);
    Counter second(300, buffer);
    REQUIRE(flux_buffer_divide(&buffer, 6) == FLUX_OK);
    for (std::int64_t i = 0; i < 4000; ++i) {
        REQUIRE(flux_write_integer(&first.trace, 1, flux_at(i * 10), i) == FLUX_OK);
        if (i % 30 == 7) REQUIRE(flux_write_integer(&second.trace, 1, flux_at(i * 1000), i) == FLUX_OK);
        if (i % 41 != 0) continue;
        for (const FluxSample& sample : read_flux(held_by(buffer)).samples) {
            REQUIRE((sample.trace == 0 || sample.trace == 300));
            REQUIRE(sample.position == sample.number() * (sample.trace == 0 ? 10 : 1000));
        }
    }
}

TEST_CASE("each section of a ring states its trace, even if a shared buffer is flushed into the ring") {
    Memory memory(900);
    flux_buffer ring;
    REQUIRE(flux_buffer_init(&ring, memory.bytes.get(), memory.size, nullptr) == FLUX_OK);
    const flux_handler handler = flux_copy_into(&ring);
    Memory front_memory(100);
    flux_buffer front;
    REQUIRE(flux_buffer_init(&front, front_memory.bytes.get(), front_memory.size, &handler) == FLUX_OK);
    Counter first(0, front);
    Counter second(300, front);
    REQUIRE(flux_flush(&front) == FLUX_OK);
    REQUIRE(flux_buffer_divide(&ring, 5) == FLUX_OK);
    for (std::int64_t i = 0; i < 1000; ++i) {
        // The first trace writes before and after the second trace, which writes in every third round.
        REQUIRE(flux_write_integer(&first.trace, 1, flux_after(0), 1) == FLUX_OK);
        if (i % 3 == 0) REQUIRE(flux_write_integer(&second.trace, 1, flux_after(0), 2) == FLUX_OK);
        REQUIRE(flux_write_integer(&first.trace, 1, flux_after(0), 1) == FLUX_OK);
        REQUIRE(flux_flush(&front) == FLUX_OK);
        for (const FluxSample& sample : read_flux(held_by(ring)).samples)
            REQUIRE(sample.number() == (sample.trace == 0 ? 1 : 2));
    }
}

TEST_CASE("a handler consumes a part, and receives the rest again") {
    struct Picky {
        Bytes received;
        std::uint32_t calls = 0;
    } picky;
    // A transmitter with room for 16 bytes. It is busy at every third call.
    flux_handler handler{[](void* user, const flux_chunk* chunk, std::uint32_t* taken) {
                             auto& self = *static_cast<Picky*>(user);
                             *taken = ++self.calls % 3 == 0 ? 0 : std::min<std::uint32_t>(chunk->size, 16);
                             self.received.insert(self.received.end(), chunk->bytes, chunk->bytes + *taken);
                             return FLUX_OK;
                         },
                         &picky, nullptr};
    Memory memory(128);
    flux_buffer buffer;
    REQUIRE(flux_buffer_init(&buffer, memory.bytes.get(), memory.size, &handler) == FLUX_OK);
    Counter counter(0, buffer);
    std::size_t refused = 0;
    for (std::int64_t i = 0; i < 2000; ++i) {
        flux_result result = FLUX_OK;
        while ((result = flux_write_integer(&counter.trace, 1, flux_at(i), i)) == FLUX_ERROR_ROOM)
            ++refused;
        REQUIRE(result == FLUX_OK);
    }
    while (!held_by(buffer).empty())
        REQUIRE(flux_flush(&buffer) == FLUX_OK);
    CHECK(refused > 0);
    const FluxStream stream = read_flux(picky.received);
    REQUIRE(stream.samples.size() == 2000);
    for (std::size_t i = 0; i < 2000; ++i)
        REQUIRE(stream.samples[i].number() == static_cast<std::int64_t>(i));
}

struct Compressor {
    const char* name;
    flux_packing packing;
    flux_compress compress;
    std::function<void*()> work;
};

TEST_CASE("incompressible data of every size passes through each compressing handler") {
    std::vector<std::uint32_t> table(1u << 13);
    flux_fastlz one{table.data(), 13, 1};
    flux_fastlz two{table.data(), 13, 2};
    const std::unique_ptr<flux_deflate, decltype(&flux_deflate_free)> zlib(flux_deflate_create(FLUX_ZLIB, -1),
                                                                           &flux_deflate_free);
    const std::unique_ptr<flux_deflate, decltype(&flux_deflate_free)> gzip(flux_deflate_create(FLUX_GZIP, 1),
                                                                           &flux_deflate_free);
    std::vector<std::uint64_t> state(flux_lz4_work_size() / 8 + 1);
    const std::array<Compressor, 6> all{{
        {"LZ4", FLUX_LZ4, flux_lz4_compress, [] { return nullptr; }},
        {"LZ4, own memory", FLUX_LZ4, flux_lz4_compress, [&] { return static_cast<void*>(state.data()); }},
        {"FastLZ 1", FLUX_FASTLZ, flux_fastlz_compress, [&] { return static_cast<void*>(&one); }},
        {"FastLZ 2", FLUX_FASTLZ, flux_fastlz_compress, [&] { return static_cast<void*>(&two); }},
        {"zlib", FLUX_ZLIB, flux_deflate_compress, [&] { return static_cast<void*>(zlib.get()); }},
        {"gzip", FLUX_GZIP, flux_deflate_compress, [&] { return static_cast<void*>(gzip.get()); }},
    }};
    for (const Compressor& compressor : all) {
        for (const std::uint32_t behind : {300U, 301U, 500U, 4096U}) {
            CAPTURE(compressor.name);
            CAPTURE(behind);
            std::mt19937 random(7);
            Sink sink(behind);
            flux_packer packer{&sink.buffer, compressor.packing, compressor.compress, compressor.work()};
            const flux_handler handler = flux_pack_into(&packer);
            Memory memory(300);
            flux_buffer buffer;
            REQUIRE(flux_buffer_init(&buffer, memory.bytes.get(), memory.size, &handler) == FLUX_OK);
            flux_trace trace;
            REQUIRE(flux_trace_init(&trace, 0, FLUX_VERSION_6, 4, 300, nullptr) == FLUX_OK);
            REQUIRE(flux_trace_attach(&trace, &buffer) == FLUX_OK);
            REQUIRE(flux_add_signal(&trace, 1, 0, "noise", nullptr, FLUX_BINARY, nullptr) == FLUX_OK);
            REQUIRE(flux_open(&trace, 0, "ns", 0, 0) == FLUX_OK);
            std::vector<Bytes> written;
            for (std::uint32_t i = 0; i < 600; ++i) {
                Bytes noise(i % 270);
                // One in four runs of a hundred samples is compressible, so packed and plain blocks alternate.
                for (std::uint8_t& byte : noise)
                    byte = i / 100 % 4 == 3 ? 0 : static_cast<std::uint8_t>(random());
                REQUIRE(flux_write_binary(&trace, 1, flux_after(1), noise.data(),
                                          static_cast<std::uint32_t>(noise.size())) == FLUX_OK);
                written.push_back(noise);
            }
            REQUIRE(flux_deep_flush(&buffer) == FLUX_OK);
            const FluxStream stream = read_flux(sink.received);
            REQUIRE(stream.samples.size() == written.size());
            for (std::size_t i = 0; i < written.size(); ++i)
                REQUIRE(stream.samples[i].value == written[i]);
            CHECK(!stream.blocks.empty());
            CHECK(stream.blocks.size() < 300);  // noise is copied, not packed
        }
    }
}

TEST_CASE("the format's decoder unpacks FastLZ of levels 1 and 2, whatever the size of the compressor's table") {
    std::mt19937 random(11);
    for (const std::uint32_t size : {1U, 3U, 4U, 12U, 13U, 14U, 15U, 300U, 9000U, 70'000U, 200'000U}) {
        for (const unsigned alphabet : {1U, 2U, 16U, 256U}) {
            Bytes raw(size);
            for (std::size_t i = 0; i < raw.size(); ++i)
                raw[i] = i > 9000 && i % 3000 < 1500 ? raw[i - 8500 - i % 7]
                                                     : static_cast<std::uint8_t>(random() % alphabet);
            for (const std::uint8_t bits : std::array<std::uint8_t, 4>{4, 8, 13, 16}) {
                for (std::uint8_t level = 0; level <= 2; ++level) {
                    CAPTURE(size);
                    CAPTURE(alphabet);
                    CAPTURE(static_cast<int>(bits));
                    CAPTURE(static_cast<int>(level));
                    std::vector<std::uint32_t> table(std::size_t{1} << bits);
                    flux_fastlz fastlz{table.data(), bits, level};
                    Memory packed(size + size / 32 + 1);
                    const std::uint32_t used =
                        flux_fastlz_compress(&fastlz, raw.data(), size, packed.bytes.get(), packed.size);
                    REQUIRE(used > 0);
                    Bytes unpacked(size);
                    REQUIRE(hwtrace::decompress_fastlz(std::as_bytes(std::span(packed.bytes.get(), used)),
                                                       std::as_writable_bytes(std::span(unpacked))));
                    REQUIRE(unpacked == raw);
                }
            }
        }
    }
}

TEST_CASE("a chunk stays in its buffer if the next buffer cannot hold it") {
    Sink sink(64);
    const flux_handler handler = flux_copy_into(&sink.buffer);
    Memory memory(128);
    flux_buffer buffer;
    REQUIRE(flux_buffer_init(&buffer, memory.bytes.get(), memory.size, &handler) == FLUX_OK);
    Counter counter(0, buffer);
    flux_result result = FLUX_OK;
    std::int64_t count = 0;
    while ((result = flux_write_integer(&counter.trace, 1, flux_at(count), count)) == FLUX_OK)
        ++count;
    CHECK(result == FLUX_ERROR_ROOM);
    CHECK(sink.received.empty());
    const FluxStream stream = read_flux(held_by(buffer));
    CHECK(stream.samples.size() == static_cast<std::size_t>(count));
    CHECK(flux_flush(&buffer) == FLUX_ERROR_ROOM);
    // A refused call does not move the position.
    REQUIRE(flux_buffer_clear(&buffer) == FLUX_OK);
    REQUIRE(flux_write_integer(&counter.trace, 1, flux_at(count), count) == FLUX_OK);
}

TEST_CASE("a result code of a handler is passed on, even through a chain of buffers") {
    flux_handler handler{[](void*, const flux_chunk*, std::uint32_t*) { return FLUX_EXIT; }, nullptr, nullptr};
    Memory behind(128);
    Memory memory(128);
    flux_buffer next;
    flux_buffer buffer;
    REQUIRE(flux_buffer_init(&next, behind.bytes.get(), behind.size, &handler) == FLUX_OK);
    const flux_handler copy = flux_copy_into(&next);
    REQUIRE(flux_buffer_init(&buffer, memory.bytes.get(), memory.size, &copy) == FLUX_OK);
    Counter counter(0, buffer);
    CHECK(flux_flush(&buffer) == FLUX_OK);
    CHECK(flux_flush(&next) == FLUX_EXIT);
    CHECK(flux_deep_flush(&buffer) == FLUX_EXIT);
    flux_result result = FLUX_OK;
    for (int i = 0; i < 100 && result == FLUX_OK; ++i)
        result = flux_write_integer(&counter.trace, 1, flux_after(1), i);
    CHECK(result == FLUX_EXIT);
}

TEST_CASE("a custom buffer receives requests for room and a commit for each entry") {
    struct Own {
        std::array<std::uint8_t, 64> memory{};
        Bytes sent;
        std::size_t entries = 0;
        std::size_t flushes = 0;
    } own;
    flux_buffer buffer;
    const flux_access access = [](flux_buffer* self, flux_command command, std::uint32_t size) {
        auto& state = *static_cast<Own*>(self->user);
        if (command == FLUX_COMMIT) {
            state.sent.insert(state.sent.end(), self->at - size, self->at);
            ++state.entries;
        } else if (command == FLUX_FLUSH) {
            ++state.flushes;
        } else if (command != FLUX_REQUEST) {
            return FLUX_ERROR_COMMAND;
        }
        self->at = state.memory.data();
        self->end = self->at + state.memory.size();
        return FLUX_OK;
    };
    REQUIRE(flux_buffer_custom(&buffer, access, &own) == FLUX_OK);
    buffer.commits = true;
    Counter counter(0, buffer);
    for (int i = 0; i < 100; ++i)
        REQUIRE(flux_write_integer(&counter.trace, 1, flux_after(1), i) == FLUX_OK);
    CHECK(flux_write_text(&counter.trace, 1, flux_after(1), std::string(64, 'x').c_str()) == FLUX_ERROR_ROOM);
    CHECK(flux_flush(&buffer) == FLUX_OK);
    CHECK(flux_buffer_clear(&buffer) == FLUX_ERROR_COMMAND);
    CHECK(own.flushes == 1);
    CHECK(own.entries == 103);
    CHECK(read_flux(own.sent).samples.size() == 100);
}

TEST_CASE("a trace can continue in another buffer; then its head is plain and the rest is packed") {
    Sink sink(4096);
    flux_packer packer{&sink.buffer, FLUX_LZ4, flux_lz4_compress, nullptr};
    const flux_handler handler = flux_pack_into(&packer);
    Memory memory(1024);
    flux_buffer packed;
    REQUIRE(flux_buffer_init(&packed, memory.bytes.get(), memory.size, &handler) == FLUX_OK);
    Counter counter(0, sink.buffer);
    REQUIRE(flux_trace_attach(&counter.trace, &packed) == FLUX_OK);
    for (int i = 0; i < 1000; ++i)
        REQUIRE(flux_write_integer(&counter.trace, 1, flux_after(1), i) == FLUX_OK);
    REQUIRE(flux_flush(&packed) == FLUX_OK);
    REQUIRE(flux_trace_attach(&counter.trace, &sink.buffer) == FLUX_OK);
    REQUIRE(flux_close(&counter.trace, 0, 2000) == FLUX_OK);
    REQUIRE(flux_flush(&sink.buffer) == FLUX_OK);
    const FluxStream stream = read_flux(sink.received);
    CHECK(stream.samples.size() == 1000);
    CHECK(stream.samples.back().position == 1000);
    CHECK(stream.tags.front() == 0x01);
    CHECK(stream.tags.back() == 0x21);
    CHECK(stream.switches.empty());
}

TEST_CASE("a handler can write to a file") {
    const std::unique_ptr<std::FILE, decltype(&std::fclose)> file(std::tmpfile(), &std::fclose);
    REQUIRE(file != nullptr);
    const flux_handler handler = flux_write_to(file.get());
    Memory memory(256);
    flux_buffer buffer;
    REQUIRE(flux_buffer_init(&buffer, memory.bytes.get(), memory.size, &handler) == FLUX_OK);
    Counter counter(0, buffer);
    for (int i = 0; i < 1000; ++i)
        REQUIRE(flux_write_integer(&counter.trace, 1, flux_after(1), i) == FLUX_OK);
    REQUIRE(flux_flush(&buffer) == FLUX_OK);
    Bytes bytes(static_cast<std::size_t>(std::ftell(file.get())));
    std::rewind(file.get());
    REQUIRE(std::fread(bytes.data(), 1, bytes.size(), file.get()) == bytes.size());
    CHECK(read_flux(bytes).samples.size() == 1000);
    const std::unique_ptr<std::FILE, decltype(&std::fclose)> full(std::fopen("/dev/full", "wb"), &std::fclose);
    if (full == nullptr) return;
    const flux_handler failing = flux_write_to(full.get());
    REQUIRE(flux_buffer_init(&buffer, memory.bytes.get(), memory.size, &failing) == FLUX_OK);
    Counter other(0, buffer);
    CHECK(flux_flush(&buffer) == FLUX_ERROR_IO);
}

}  // namespace

}  // namespace buffers_test
