// tests/io/xz_test.cpp - tests xz: round trips, several streams, truncation, damage, and the memory limit.
#include "io/xz.hpp"

#include <doctest/doctest.h>

#include <algorithm>
#include <vector>

#include "support/payload.hpp"
#include "support/sample.hpp"

namespace hwtrace::xz_test {
namespace {

using test::Bytes;
using test::drain;
using test::operator+;
using test::payload;

Bytes xz(const Bytes& raw, std::size_t piece = 100'000) {
    Bytes file;
    const auto output = open_memory_output("there", [&](Bytes bytes) { file = std::move(bytes); });
    XzWriter writer(*output);
    for (std::size_t at = 0; at < raw.size(); at += piece)
        writer.write(std::span(raw).subspan(at, std::min(piece, raw.size() - at)));
    writer.finish();
    output->commit();
    return file;
}

struct Got {
    Bytes bytes;
    XzSource::State state;
    std::uint64_t offset;
    bool refused;
    std::uint64_t demanded;
};

Got read(const Bytes& file, std::size_t piece = 10'000, const Limits& limits = {}) {
    Input input = Input::memory("here", file);
    XzSource source(input, limits);
    const Bytes all = drain(source, piece);
    return {all, source.state(), source.file_offset(), source.limit_refused(), source.demanded()};
}

TEST_CASE("xz streams are read as one stream of bytes, with or without zero padding") {
    const Bytes first = payload(300'000, 1), second = payload(7, 2);
    for (const std::size_t padding : {0u, 4u, 512u}) {
        const Bytes file = xz(first) + xz(second) + Bytes(padding);
        CHECK(begins_xz(file));
        for (const std::size_t piece : {1u, 4096u, 1'000'000u}) {
            const Got got = read(file, piece);
            CHECK(got.bytes == first + second);
            CHECK(got.state == XzSource::State::ended);
            CHECK(got.offset == file.size());
        }
    }
}

TEST_CASE("xz bytes do not depend on how the data is divided") {
    const Bytes raw = payload(300'000, 1);
    CHECK(xz(raw, 7) == xz(raw, 1'000'000));
    CHECK(read(xz({})).state == XzSource::State::ended);
}

TEST_CASE("a truncated xz file delivers a prefix and reports the truncation") {
    const Bytes first = payload(20'000, 1), second = payload(5000, 2);
    const Bytes one = xz(first), file = one + xz(second), whole = first + second;
    for (const std::size_t place : test::sample_places(file.size() / 4)) {
        const std::size_t size = 4 * place;
        CAPTURE(size);
        const Got got = read(Bytes(file.begin(), file.begin() + static_cast<std::ptrdiff_t>(size)));
        CHECK(got.bytes.size() <= whole.size());
        CHECK(std::equal(got.bytes.begin(), got.bytes.end(), whole.begin()));
        CHECK(got.state == (size == one.size() ? XzSource::State::ended : XzSource::State::truncated));
    }
}

TEST_CASE("a damaged xz file delivers everything before the damage") {
    const Bytes raw = payload(2000, 1), file = xz(raw);
    for (std::size_t at = 0; at < file.size(); ++at) {
        Bytes flipped = file;
        flipped[at] ^= std::byte{0xFF};
        CAPTURE(at);
        const Got got = read(flipped);
        CHECK((got.state == XzSource::State::damaged || got.state == XzSource::State::truncated));
    }
    // Bytes after the end do not count as a truncated stream, whatever their number. Three zeros are not padding.
    for (const std::size_t count : {1u, 5u, 16u, 100u}) {
        CAPTURE(count);
        const Got junk = read(file + Bytes(count, std::byte{'x'}));
        CHECK(junk.bytes == raw);
        CHECK(junk.state == XzSource::State::damaged);
        CHECK(junk.offset == file.size());
    }
    CHECK(read(file + Bytes(3)).state == XzSource::State::damaged);
    CHECK(read(file + Bytes(file.begin(), file.begin() + 5)).state == XzSource::State::truncated);
}

TEST_CASE("an xz dictionary above the limit is refused") {
    const Bytes raw = payload(2000, 1);
    Limits limits;
    limits.zstd_window = 1u << 20;
    const Got refused = read(xz(raw), 100, limits);
    CHECK(refused.refused);
    CHECK(refused.demanded > limits.zstd_window);
    CHECK(refused.demanded < 64u << 20);
    CHECK(refused.state == XzSource::State::damaged);
    limits.zstd_window = 8u << 20;
    CHECK(read(xz(raw), 100, limits).bytes == raw);
    CHECK(read(xz(raw), 100, Limits::unlimited()).bytes == raw);
}

}  // namespace
}  // namespace hwtrace::xz_test
