// tests/io/compression_test.cpp - tests round trips, and damaged input of each decompressor.
#include "io/compression.hpp"

#include <doctest/doctest.h>
#include <zlib.h>
#include <zstd.h>

#include <algorithm>
#include <string>

#include "io/cursor.hpp"
#include "support/payload.hpp"

namespace hwtrace::compression_test {
namespace {

using test::Bytes;
using test::drain;
using test::operator+;
using test::payload;

Bytes zstd(const Bytes& raw) {
    Appender out;
    ZstdBlock().compress(raw, out);
    return {out.span().begin(), out.span().end()};
}

Bytes gzip(const Bytes& raw) {
    z_stream stream{};
    REQUIRE(deflateInit2(&stream, 6, Z_DEFLATED, 16 + MAX_WBITS, 8, Z_DEFAULT_STRATEGY) == Z_OK);
    Bytes out(deflateBound(&stream, raw.size()));
    stream.next_in = const_cast<Bytef*>(reinterpret_cast<const Bytef*>(raw.data()));
    stream.avail_in = static_cast<uInt>(raw.size());
    stream.next_out = reinterpret_cast<Bytef*>(out.data());
    stream.avail_out = static_cast<uInt>(out.size());
    REQUIRE(deflate(&stream, Z_FINISH) == Z_STREAM_END);
    out.resize(stream.total_out);
    deflateEnd(&stream);
    return out;
}

Bytes text(std::string_view text) {
    const auto bytes = as_bytes(text);
    return {bytes.begin(), bytes.end()};
}

bool is_prefix(const Bytes& part, const Bytes& whole) {
    return part.size() <= whole.size() && std::equal(part.begin(), part.end(), whole.begin());
}

TEST_CASE("LZ4 blocks round-trip, and decompress only to their exact size") {
    Lz4 lz4;
    Appender out;
    for (const std::size_t size : {0u, 1u, 12u, 13u, 64u, 100'000u}) {
        CAPTURE(size);
        const Bytes raw = payload(size);
        out.clear();
        out.text("before");
        lz4.compress(raw, out);
        const auto block = out.span().subspan(6);
        Bytes back(size);
        CHECK(Lz4::decompress(block, back));
        CHECK(back == raw);
        Bytes longer(size + 1);
        CHECK_FALSE(Lz4::decompress(block, longer));
        if (size > 0) {
            Bytes shorter(size - 1);
            CHECK_FALSE(Lz4::decompress(block, shorter));
            CHECK_FALSE(Lz4::decompress(block.first(block.size() - 1), back));
        }
    }
    CHECK_FALSE(Lz4::decompress({}, {}));
}

TEST_CASE("a streamed zstd frame states no size, and its bytes do not depend on how the data is divided") {
    const Bytes raw = payload(700'000);
    for (const int level : {1, 3, 12}) {
        ZstdBlock zstd_block(level);
        Appender whole;
        zstd_block.stream(raw, whole);
        zstd_block.end_stream(whole);
        CHECK(ZSTD_getFrameContentSize(whole.data(), whole.size()) == ZSTD_CONTENTSIZE_UNKNOWN);
        Bytes back(raw.size());
        CHECK(zstd_block.decompress(whole.span(), back));
        CHECK(back == raw);
        for (const std::size_t piece : {1'000u, 131'072u, 300'001u}) {
            Appender cut;
            for (std::size_t at = 0; at < raw.size(); at += piece)
                zstd_block.stream(std::span(raw).subspan(at, std::min(piece, raw.size() - at)), cut);
            zstd_block.end_stream(cut);
            CHECK(std::ranges::equal(cut.span(), whole.span()));
        }
        // Other frames do not affect a complete frame between them.
        Appender sized, alone;
        zstd_block.compress(raw, sized);
        ZstdBlock(level).compress(raw, alone);
        CHECK(std::ranges::equal(sized.span(), alone.span()));
        CHECK(ZSTD_getFrameContentSize(sized.data(), sized.size()) == raw.size());
    }
    Appender nothing;
    ZstdBlock().end_stream(nothing);
    CHECK(ZstdBlock().decompress(nothing.span(), {}));
}

TEST_CASE("zstd blocks round-trip, and decompress only to their exact size") {
    ZstdBlock zstd_block(1);
    Appender out;
    const Bytes raw = payload(300'000);
    zstd_block.compress(raw, out);
    Bytes back(raw.size());
    CHECK(zstd_block.decompress(out.span(), back));
    CHECK(back == raw);
    Bytes longer(raw.size() + 1), shorter(raw.size() - 1);
    CHECK_FALSE(zstd_block.decompress(out.span(), longer));
    CHECK_FALSE(zstd_block.decompress(out.span(), shorter));
    CHECK_FALSE(zstd_block.decompress(out.span().first(out.size() - 1), back));
    CHECK_FALSE(zstd_block.decompress({}, back));
    const Bytes two = Bytes(out.span().begin(), out.span().end()) + zstd({});
    CHECK_FALSE(zstd_block.decompress(two, back));
    CHECK(zstd_block.decompress(out.span(), back));  // still usable
}

TEST_CASE("consecutive zstd frames are read as one stream of bytes, with a list of frames") {
    const Bytes first = payload(300'000), second = payload(1, 2), third = payload(50'000, 3);
    const Bytes one = zstd(first), two = zstd(second), three = zstd(third);
    const Bytes file = text("header") + one + two + zstd({}) + three;
    for (const std::size_t piece : {1u, 999u, 131'072u, 1'000'000u}) {
        CAPTURE(piece);
        Input input = Input::memory("here", file);
        input.seek(6);
        ZstdSource source(input, 6, 0, {});
        CHECK(drain(source, piece) == first + second + third);
        CHECK(source.state() == ZstdSource::State::ended);
        CHECK(source.file_offset() == file.size());
        const auto frames = source.frames();
        REQUIRE(frames.size() == 4);
        CHECK(frames[0].file_offset == 6);
        CHECK(frames[0].raw_offset == 0);
        CHECK(frames[1].file_offset == 6 + one.size());
        CHECK(frames[1].raw_offset == first.size());
        CHECK(frames[3].file_offset == file.size() - three.size());
        CHECK(frames[3].raw_offset == first.size() + 1);
    }
}

TEST_CASE("skippable zstd frames are skipped anywhere") {
    const Bytes raw = payload(1000);
    const Bytes skippable{std::byte{0x5F}, std::byte{0x2A}, std::byte{0x4D}, std::byte{0x18},
                          std::byte{2},    std::byte{0},    std::byte{0},    std::byte{0}};
    const Bytes skipped = skippable + text("ab"), frame = zstd(raw);
    const Bytes file = skipped + frame + skipped + skipped + frame + skipped;
    CHECK(begins_zstd(skipped));
    CHECK(begins_zstd(frame));
    CHECK(!begins_zstd(text("PK\x03\x04")));
    for (const std::size_t piece : {1u, 5000u}) {
        Input input = Input::memory("here", file);
        ZstdSource source(input, 0, 0, {});
        CHECK(drain(source, piece) == raw + raw);
        CHECK(source.state() == ZstdSource::State::ended);
        CHECK(source.file_offset() == file.size());
        REQUIRE(source.frames().size() == 2);
        CHECK(source.frames()[1].file_offset == file.size() - skipped.size() - frame.size());
    }
    Input input = Input::memory("here", std::span(file).first(skipped.size() - 1));
    ZstdSource source(input, 0, 0, {});
    CHECK(drain(source).empty());
    CHECK(source.state() == ZstdSource::State::truncated);
}

TEST_CASE("bytes after the last zstd frame can be read") {
    const Bytes raw = payload(1000);
    const Bytes frame = zstd(raw);
    const Bytes tail = text("an index after the frames");
    const Bytes file = frame + tail;
    SUBCASE("found by their first bytes") {
        Input input = Input::memory("here", file);
        ZstdSource source(input, 0, 0, {});
        CHECK(drain(source) == raw);
        CHECK(source.state() == ZstdSource::State::ended);
        CHECK(source.file_offset() == frame.size());
        Bytes buffer(7), behind;
        while (const std::size_t count = source.read_behind(buffer))
            behind.insert(behind.end(), buffer.begin(), buffer.begin() + static_cast<std::ptrdiff_t>(count));
        CHECK(behind == tail);
    }
    SUBCASE("found by the end offset, even when they look like a frame") {
        const Bytes frames = frame + frame;
        Input input = Input::memory("here", frames);
        ZstdSource source(input, 0, frame.size(), {});
        CHECK(drain(source) == raw);
        CHECK(source.state() == ZstdSource::State::ended);
        CHECK(source.frames().size() == 1);
        CHECK(source.file_offset() == frame.size());
    }
    SUBCASE("an end offset inside a frame cuts it") {
        Input input = Input::memory("here", file);
        ZstdSource source(input, 0, frame.size() - 1, {});
        CHECK(is_prefix(drain(source), raw));
        CHECK(source.state() == ZstdSource::State::truncated);
    }
}

TEST_CASE("a truncated zstd file delivers a prefix and reports the truncation") {
    const Bytes first = payload(300'000), second = payload(200'000, 2);
    const Bytes one = zstd(first), file = one + zstd(second);
    const Bytes whole = first + second;
    std::size_t most = 0;
    for (std::size_t size = 0; size <= file.size(); size += size < 20 || file.size() - size < 20 ? 1 : 4999) {
        CAPTURE(size);
        const Bytes cut(file.begin(), file.begin() + static_cast<std::ptrdiff_t>(size));
        Input input = Input::memory("here", cut);
        ZstdSource source(input, 0, 0, {});
        const Bytes got = drain(source);
        CHECK(is_prefix(got, whole));
        CHECK(got.size() >= most);
        most = got.size();
        const bool between = size == 0 || size == one.size() || size == file.size();
        CHECK(source.state() == (between ? ZstdSource::State::ended : ZstdSource::State::truncated));
    }
    CHECK(most > first.size());
}

TEST_CASE("a cut zstd file still delivers every block before the cut") {
    const Bytes raw = payload(1'000'000);
    Bytes file = zstd(raw);
    file.resize(file.size() - 1);
    for (const std::size_t piece : {100u, 131'072u, 2'000'000u}) {
        Input input = Input::memory("here", file);
        ZstdSource source(input, 0, 0, {});
        const Bytes got = drain(source, piece);
        CHECK(is_prefix(got, raw));
        CHECK(got.size() >= 7 * 131'072);  // seven whole blocks of 128 KiB
        CHECK(source.state() == ZstdSource::State::truncated);
    }
}

TEST_CASE("damage in a later zstd block does not affect the blocks before it") {
    const Bytes raw = payload(1'000'000);
    Bytes file = zstd(raw);
    // A reserved block type cannot be read: find the fourth block by walking the block headers (RFC 8878, 3.1.1.2).
    std::size_t at = 4 + 1 + 4;  // magic, descriptor, a content size of 4 bytes (single segment: no window byte)
    REQUIRE((static_cast<unsigned>(file[4]) & 0xE0u) == 0xA0u);
    for (int block = 0; block < 3; ++block)
        at += 3 + ((load_le<std::uint32_t>(file.data() + at) & 0xFFFFFFu) >> 3);
    file[at] |= std::byte{0x06};
    for (const std::size_t piece : {100u, 131'072u, 2'000'000u}) {
        CAPTURE(piece);
        Input input = Input::memory("here", file);
        ZstdSource source(input, 0, 0, {});
        const Bytes got = drain(source, piece);
        CHECK(source.state() == ZstdSource::State::damaged);
        CHECK_FALSE(source.limit_refused());
        CHECK(got.size() == 3 * 131'072);
        CHECK(is_prefix(got, raw));
        CHECK(source.file_offset() <= at + 3);
        CHECK(source.read(file) == 0);
    }
}

TEST_CASE("a zstd file with any flipped byte stays within the limits") {
    const Bytes raw = payload(3000), file = zstd(raw);
    for (std::size_t at = 0; at < file.size(); at += at < 64 ? 1 : 37) {
        CAPTURE(at);
        Bytes flipped = file;
        flipped[at] ^= std::byte{0x55};
        Input input = Input::memory("here", flipped);
        ZstdSource source(input, 0, 0, {});
        drain(source);
        CHECK(source.state() != ZstdSource::State::reading);
    }
}

TEST_CASE("a zstd frame with too large a window is refused") {
    // Magic, an empty descriptor, and a window descriptor of 2^(10+20) bytes.
    const Bytes bomb = {std::byte{0x28},     std::byte{0xB5}, std::byte{0x2F}, std::byte{0xFD}, std::byte{0x00},
                        std::byte{20u << 3}, std::byte{0x01}, std::byte{0x00}, std::byte{0x00}};
    const auto run = [&](const Limits& limits, bool& refused) {
        Input input = Input::memory("here", bomb);
        ZstdSource source(input, 0, 0, limits);
        CHECK(drain(source).empty());
        refused = source.limit_refused();
        CHECK(source.demanded() == 1u << 30);
        return source.state();
    };
    bool refused = false;
    CHECK(run({}, refused) == ZstdSource::State::damaged);
    CHECK(refused);
}

TEST_CASE("the window of a single-segment zstd frame is its content size") {
    for (const std::size_t size : {1u, 255u, 256u, 65'791u, 65'792u, 3'000'000u}) {
        CAPTURE(size);
        const Bytes raw = payload(size), file = zstd(raw);
        const bool single = (static_cast<unsigned>(file[4]) & 0x20u) != 0;
        Limits limits;
        limits.zstd_window = 1024;
        Input input = Input::memory("here", file);
        ZstdSource source(input, 0, 0, limits);
        drain(source);
        CHECK(source.limit_refused() == (source.demanded() > 1024));
        if (single) CHECK(source.demanded() == size);
    }
}

TEST_CASE("a raised window limit is honoured") {
    const Bytes raw = payload(3u << 20);
    ZSTD_CCtx* const context = ZSTD_createCCtx();
    ZSTD_CCtx_setParameter(context, ZSTD_c_windowLog, 20);
    ZSTD_CCtx_setParameter(context, ZSTD_c_contentSizeFlag, 0);
    Bytes file(ZSTD_compressBound(raw.size()));
    // The frame is made by streaming, so it does not state its size and needs a window of 1 MiB.
    ZSTD_inBuffer in{raw.data(), raw.size(), 0};
    ZSTD_outBuffer out{file.data(), file.size(), 0};
    while (in.pos < in.size)
        REQUIRE(ZSTD_isError(ZSTD_compressStream2(context, &out, &in, ZSTD_e_continue)) == 0);
    REQUIRE(ZSTD_compressStream2(context, &out, &in, ZSTD_e_end) == 0);
    ZSTD_freeCCtx(context);
    file.resize(out.pos);
    for (const std::uint64_t window : {1u << 19, 1u << 20}) {
        Limits limits;
        limits.zstd_window = window;
        Input input = Input::memory("here", file);
        ZstdSource source(input, 0, 0, limits);
        const Bytes got = drain(source);
        CHECK(source.limit_refused() == (window < (1u << 20)));
        CHECK(source.demanded() == 1u << 20);
        CHECK(got.size() == (window < (1u << 20) ? 0 : raw.size()));
    }
}

TEST_CASE("gzip members are read as one stream of bytes, with or without zero padding") {
    const Bytes first = payload(300'000), second = payload(7, 2);
    const Bytes members = gzip(first) + gzip(second);
    for (const std::size_t padding : {0u, 1u, 511u}) {
        for (const std::size_t piece : {1u, 4096u, 1'000'000u}) {
            const Bytes file = members + Bytes(padding);
            Input input = Input::memory("here", file);
            GzipSource source(input);
            CHECK(drain(source, piece) == first + second);
            CHECK(source.state() == GzipSource::State::ended);
            CHECK(source.file_offset() == file.size());
        }
    }
}

TEST_CASE("a truncated gzip file delivers a prefix and reports the truncation") {
    const Bytes first = payload(20'000), second = payload(5000, 2);
    const Bytes one = gzip(first), file = one + gzip(second);
    const Bytes whole = first + second;
    for (std::size_t size = 0; size < file.size(); size += 13) {
        CAPTURE(size);
        const Bytes cut(file.begin(), file.begin() + static_cast<std::ptrdiff_t>(size));
        Input input = Input::memory("here", cut);
        GzipSource source(input);
        CHECK(is_prefix(drain(source), whole));
        CHECK(source.state() == (size == one.size() ? GzipSource::State::ended : GzipSource::State::truncated));
    }
}

TEST_CASE("a damaged gzip file delivers everything before the damage") {
    const Bytes raw = payload(100'000);
    SUBCASE("a wrong checksum") {
        Bytes file = gzip(raw);
        file[file.size() - 8] ^= std::byte{1};
        Input input = Input::memory("here", file);
        GzipSource source(input);
        CHECK(drain(source) == raw);
        CHECK(source.state() == GzipSource::State::damaged);
    }
    SUBCASE("other data after the end") {
        const Bytes file = gzip(raw) + text("junk");
        Input input = Input::memory("here", file);
        GzipSource source(input);
        CHECK(drain(source) == raw);
        CHECK(source.state() == GzipSource::State::damaged);
        CHECK(source.file_offset() == file.size() - 4);
    }
    SUBCASE("any flipped byte") {
        const Bytes file = gzip(payload(2000));
        for (std::size_t at = 0; at < file.size(); ++at) {
            Bytes flipped = file;
            flipped[at] ^= std::byte{0xFF};
            Input input = Input::memory("here", flipped);
            GzipSource source(input);
            drain(source);
            CHECK(source.state() != GzipSource::State::reading);
        }
    }
}

}  // namespace
}  // namespace hwtrace::compression_test
