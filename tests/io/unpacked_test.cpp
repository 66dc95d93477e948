// tests/io/unpacked_test.cpp - tests detecting the compression of a file, and reading files with each compression.
#include "io/unpacked.hpp"

#include <doctest/doctest.h>

#include <string>
#include <vector>

#include "io/compression.hpp"
#include "io/error.hpp"
#include "io/gzip_writer.hpp"
#include "io/lz4_frame.hpp"
#include "io/xz.hpp"

namespace hwtrace::unpacked_test {
namespace {

using Bytes = std::vector<std::byte>;

Bytes text(std::size_t lines) {
    Bytes bytes;
    for (std::size_t line = 0; line < lines; ++line)
        for (const char c : "line " + std::to_string(line * 7919) + '\n')
            bytes.push_back(static_cast<std::byte>(c));
    return bytes;
}

template <typename Compressor>
Bytes packed(const Bytes& raw) {
    Bytes file;
    const auto output = open_memory_output("there", [&](Bytes bytes) { file = std::move(bytes); });
    Compressor writer(*output);
    writer.write(raw);
    writer.finish();
    output->commit();
    return file;
}

Bytes zstd(const Bytes& raw) {
    Appender out;
    ZstdBlock().compress(raw, out);
    return {out.span().begin(), out.span().end()};
}

Bytes read(Unpacked& source) {
    Bytes all, buffer(777);
    while (const std::size_t got = source.read(buffer))
        all.insert(all.end(), buffer.begin(), buffer.begin() + static_cast<std::ptrdiff_t>(got));
    return all;
}

}  // namespace

TEST_CASE("a file is decompressed, whatever its compression") {
    const Bytes raw = text(20'000);
    const std::vector<std::pair<Packing, Bytes>> files{{Packing::plain, raw},
                                                       {Packing::gzip, packed<GzipWriter>(raw)},
                                                       {Packing::lz4, packed<Lz4FrameWriter>(raw)},
                                                       {Packing::zstd, zstd(raw)},
                                                       {Packing::xz, packed<XzWriter>(raw)}};
    for (const auto& each : files) {
        const Packing packing = each.first;
        const Bytes& file = each.second;
        CAPTURE(name_of(packing));
        Input input = Input::memory("file", file);
        Unpacked source(input, Limits{});
        CHECK(source.packing() == packing);
        CHECK(source.state() == Unpacked::State::reading);
        CHECK(read(source) == raw);
        CHECK(source.state() == Unpacked::State::ended);
        CHECK(source.file_offset() == file.size());

        Bytes first(9);
        if (packing != Packing::xz && packing != Packing::zstd) {  // xz and zstd deliver complete blocks only
            CHECK(unpack_head(std::span(file).first(4096), first) == first.size());
            CHECK(std::equal(first.begin(), first.end(), raw.begin()));
        }
        if (packing == Packing::plain) continue;
        Input cut = Input::memory("cut", std::span(file).first(file.size() - 1));
        Unpacked short_one(cut, Limits{});
        read(short_one);
        CHECK(short_one.state() == Unpacked::State::truncated);
    }
}

TEST_CASE(
    "a file that needs too much memory is refused; the message states how much, and which option raises the limit") {
    const Bytes raw = text(10'000);
    Limits limits;
    limits.zstd_window = 1u << 12;
    for (const Bytes& file : {zstd(raw), packed<XzWriter>(raw)}) {
        Input input = Input::memory("file", file);
        Unpacked source(input, limits);
        CHECK_NOTHROW(source.check_memory());
        CHECK(read(source).empty());
        CHECK(source.state() == Unpacked::State::damaged);
        try {
            source.check_memory();
            FAIL("nothing is refused");
        } catch (const Error& error) {
            CHECK(error.failure() == Failure::limit);
            for (const char* const part : {"is above the limit of 4096", "--max-window"})
                CHECK(std::string(error.what()).find(part) != std::string::npos);
        }
    }
    for (const Bytes& file : {raw, packed<GzipWriter>(raw), packed<Lz4FrameWriter>(raw)}) {
        Input input = Input::memory("file", file);
        Unpacked source(input, limits);
        CHECK(read(source) == raw);
        CHECK_NOTHROW(source.check_memory());
    }
}

}  // namespace hwtrace::unpacked_test
