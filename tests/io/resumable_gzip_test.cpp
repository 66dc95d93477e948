#include "io/resumable_gzip.hpp"

#include <doctest/doctest.h>

#include <algorithm>
#include <cstdint>
#include <vector>

#include "io/appender.hpp"

namespace resumable_gzip_test {

using namespace hwtrace;

namespace {

using Bytes = std::vector<std::byte>;

/// Returns data that compresses to several blocks, without long repetitions.
Bytes data(std::size_t size, std::uint64_t seed) {
    Bytes bytes(size);
    std::uint64_t x = seed;
    for (std::byte& one : bytes) {
        x = x * 6364136223846793005u + 1442695040888963407u;
        one = static_cast<std::byte>("0123456789abcdef"[x >> 60]);
    }
    return bytes;
}

Bytes rest_of(ResumableGzip& source) {
    Bytes all, part(100'000);
    while (const std::size_t got = source.read(part))
        all.insert(all.end(), part.begin(), part.begin() + static_cast<std::ptrdiff_t>(got));
    return all;
}

/// Two members of 3 MB and 1 MB.
struct File {
    Bytes raw = data(3'000'000, 1), packed;
    std::size_t first_size = 0;

    File() {
        const Bytes second = data(1'000'000, 2);
        Appender out;
        deflate_whole(raw, Deflate::gzip, out);
        first_size = out.size();
        deflate_whole(second, Deflate::gzip, out);
        packed.assign(out.span().begin(), out.span().end());
        raw.insert(raw.end(), second.begin(), second.end());
    }
};

/// Reads the file and returns the points that are kept on the way.
std::vector<ResumableGzip::Point> points_of(const File& file) {
    Input input = Input::memory("gzip", file.packed);
    ResumableGzip source(input);
    source.keep_points();
    std::vector<ResumableGzip::Point> points;
    Bytes part(50'000);
    std::uint64_t at = 0;
    while (const std::size_t got = source.read(part)) {
        at += got;
        const ResumableGzip::Point* const point = source.point_before(at);
        if (point != nullptr && (points.empty() || points.back().raw_offset != point->raw_offset))
            points.push_back(*point);
    }
    CHECK(source.state() == ResumableGzip::State::ended);
    CHECK(at == file.raw.size());
    return points;
}

}  // namespace

TEST_CASE("decompression continues at every kept point") {
    const File file;
    const auto points = points_of(file);
    REQUIRE(points.size() >= 3);
    CHECK(std::ranges::any_of(points, [](const auto& point) { return point.bits != 0; }));
    CHECK(std::ranges::any_of(points, [](const auto& point) { return point.raw_offset >= 3'000'000; }));
    for (const ResumableGzip::Point& point : points) {
        CAPTURE(point.raw_offset);
        Input input = Input::memory("gzip", file.packed);
        input.seek(point.file_offset);
        ResumableGzip source(input, point);
        const auto begin = file.raw.begin() + static_cast<std::ptrdiff_t>(point.raw_offset);
        CHECK((rest_of(source) == Bytes(begin, file.raw.end())));
        CHECK(source.state() == ResumableGzip::State::ended);
        CHECK(source.file_offset() == file.packed.size());
    }
}

TEST_CASE("behind a point, a wrong checksum and a cut are noticed") {
    File file;
    const auto points = points_of(file);
    REQUIRE(points.size() >= 2);
    const ResumableGzip::Point& point = points[1];
    const auto state_behind = [&](const Bytes& packed) {
        Input input = Input::memory("gzip", packed);
        input.seek(point.file_offset);
        ResumableGzip source(input, point);
        rest_of(source);
        return source.state();
    };
    Bytes damaged = file.packed;
    damaged[file.first_size - 8] ^= std::byte{1};
    CHECK(state_behind(damaged) == ResumableGzip::State::damaged);
    damaged.resize(file.first_size - 4);
    CHECK(state_behind(damaged) == ResumableGzip::State::truncated);
    damaged.resize(file.first_size - 4000);
    CHECK(state_behind(damaged) == ResumableGzip::State::truncated);
}

}  // namespace resumable_gzip_test
