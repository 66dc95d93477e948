// tests/io/lz4_frame_test.cpp - tests LZ4 frames: round trips, several frames, all kinds of blocks and checksums,
// truncation, damage.
#include "io/lz4_frame.hpp"

#include <doctest/doctest.h>

#include <algorithm>
#include <string>
#include <vector>

#include "support/payload.hpp"
#include "support/sample.hpp"

namespace hwtrace::lz4_frame_test {
namespace {

using test::Bytes;
using test::drain;
using test::operator+;
using test::payload;
using State = Lz4FrameSource::State;

Bytes framed(const Bytes& raw, std::size_t piece = 100'000) {
    Bytes file;
    const auto output = open_memory_output("there", [&](Bytes bytes) { file = std::move(bytes); });
    Lz4FrameWriter writer(*output);
    for (std::size_t at = 0; at < raw.size(); at += piece)
        writer.write(std::span(raw).subspan(at, std::min(piece, raw.size() - at)));
    writer.finish();
    output->commit();
    return file;
}

struct Got {
    Bytes bytes;
    State state;
    std::uint64_t offset;
};

Got read(const Bytes& file, std::size_t piece = 10'000) {
    Input input = Input::memory("here", file);
    Lz4FrameSource source(input);
    const Bytes all = drain(source, piece);
    return {all, source.state(), source.file_offset()};
}

Bytes hex(std::string_view digits) {
    Bytes bytes;
    for (std::size_t at = 0; at + 1 < digits.size(); at += 3)
        bytes.push_back(static_cast<std::byte>(std::stoi(std::string(digits.substr(at, 2)), nullptr, 16)));
    return bytes;
}

TEST_CASE("LZ4 frames are read as one stream of bytes; skippable frames are skipped") {
    const Bytes first = payload(300'000, 1), second = payload(7, 2);
    const Bytes skippable = hex("53 2A 4D 18 03 00 00 00 AA BB CC ");
    for (const Bytes& between : {Bytes{}, skippable}) {
        const Bytes file = framed(first) + between + framed(second);
        CHECK(begins_lz4_frame(file));
        for (const std::size_t piece : {1u, 4096u, 1'000'000u}) {
            const Got got = read(file, piece);
            CHECK(got.bytes == first + second);
            CHECK(got.state == State::ended);
            CHECK(got.offset == file.size());
        }
    }
}

TEST_CASE("the bytes of an LZ4 frame do not depend on how the data is divided") {
    const Bytes raw = payload(300'000, 1);
    CHECK(framed(raw, 7) == framed(raw, 1'000'000));
    CHECK(read(framed({})).bytes.empty());
    CHECK(read(framed({})).state == State::ended);
}

TEST_CASE("blocks of an LZ4 frame may refer to earlier blocks") {
    // The second block refers to the first one, up to 64 KiB back. An independent block could not.
    const Bytes half = payload(60'000, 3);
    const Bytes twice = framed(half + half), once = framed(half);
    CHECK(twice.size() < once.size() + 1000);
    CHECK(read(twice).bytes == half + half);
}

TEST_CASE("stored blocks, header checksums and block checksums are read") {
    // The frame has "abc" as a stored block. FLG 60: independent blocks without checksums. FLG 70: each block has a
    // checksum.
    const Bytes stored = hex("04 22 4D 18 60 40 82 03 00 00 80 61 62 63 00 00 00 00 ");
    CHECK(read(stored).bytes == hex("61 62 63 "));
    CHECK(read(stored).state == State::ended);
    Bytes header = stored;
    header[6] = std::byte{0x83};
    CHECK(read(header).state == State::damaged);
    const Bytes checked = hex("04 22 4D 18 70 40 AD 03 00 00 80 61 62 63 FF 53 D1 32 00 00 00 00 ");
    CHECK(read(checked).state == State::ended);
    CHECK(read(checked).bytes == hex("61 62 63 "));
    Bytes block = checked;
    block[11] ^= std::byte{1};
    CHECK(read(block).state == State::damaged);
    CHECK(read(block).bytes.empty());
}

TEST_CASE("the beginning of an LZ4 file is decoded from a part of its first block") {
    const Bytes raw = payload(60'000, 5);
    const Bytes file = framed(raw), stored = hex("04 22 4D 18 60 40 82 03 00 00 80 61 62 63 00 00 00 00 ");
    for (std::size_t size = 0; size < 200; ++size) {
        Bytes first(13);
        const std::size_t have = decompress_lz4_head(std::span(file).first(size), first);
        CHECK(std::equal(first.begin(), first.begin() + static_cast<std::ptrdiff_t>(have), raw.begin()));
        CHECK((size < 100 || have == first.size()));
    }
    Bytes first(2);
    CHECK(decompress_lz4_head(stored, first) == 2);
    CHECK(first == hex("61 62 "));
    CHECK(decompress_lz4_head(raw, first) == 0);
}

TEST_CASE("a truncated LZ4 file delivers a prefix and reports the truncation") {
    const Bytes first = payload(20'000, 1), second = payload(5000, 2);
    const Bytes one = framed(first), file = one + framed(second), whole = first + second;
    for (const std::size_t place : test::sample_places(file.size() / 4)) {
        const std::size_t size = 4 * place;
        CAPTURE(size);
        const Got got = read(Bytes(file.begin(), file.begin() + static_cast<std::ptrdiff_t>(size)));
        CHECK(std::equal(got.bytes.begin(), got.bytes.end(), whole.begin()));
        CHECK(got.state == (size == one.size() ? State::ended : State::truncated));
    }
}

TEST_CASE("damage in an LZ4 frame is reported, and all blocks before it are delivered") {
    const Bytes raw = payload(300'000, 1);
    Bytes file = framed(raw);
    const std::size_t late = file.size() - 6;  // a byte in the last block, whose checksum detects the change
    file[late] ^= std::byte{0x40};
    const Got got = read(file);
    CHECK(got.state == State::damaged);
    CHECK(got.bytes.size() >= 4u << 16);
    CHECK(std::equal(got.bytes.begin(), got.bytes.begin() + (4 << 16), raw.begin()));
    const Got behind = read(framed(raw) + payload(9, 9));
    CHECK(behind.state == State::damaged);
    CHECK(behind.bytes == raw);
}

}  // namespace
}  // namespace hwtrace::lz4_frame_test
