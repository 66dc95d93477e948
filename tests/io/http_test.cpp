// tests/io/http_test.cpp - tests the parts of remote reading that need no server: URLs, headers, the cache of blocks.
#include <doctest/doctest.h>

#include <algorithm>
#include <string>
#include <utility>
#include <vector>

#include "io/error.hpp"
#include "io/http/block_cache.hpp"
#include "io/http/response.hpp"
#include "io/http/url.hpp"

namespace hwtrace::http_test {
namespace {

/// A source of `size` bytes that can be told by their offsets, and the requests that a cache made.
struct Remote {
    std::vector<std::byte> bytes;
    std::vector<std::pair<std::uint64_t, std::size_t>> requests;  // offset and size
    bool fails = false;

    explicit Remote(std::size_t size) : bytes(size) {
        std::uint32_t state = 1;
        for (std::byte& byte : bytes) {
            state = state * 1664525u + 1013904223u;
            byte = static_cast<std::byte>(state >> 24);
        }
    }
    BlockCache cache(BlockCache::Shape shape) {
        return {bytes.size(), shape, [this](std::uint64_t offset, std::span<std::byte> into) {
                    if (fails) fail(Failure::io, "the server fails");
                    requests.emplace_back(offset, into.size());
                    std::copy_n(bytes.begin() + static_cast<std::ptrdiff_t>(offset), into.size(), into.begin());
                }};
    }
    /// Reads and compares.
    bool reads(BlockCache& cache, std::uint64_t offset, std::size_t count) {
        std::vector<std::byte> read(count);
        const std::size_t expected =
            offset >= bytes.size() ? 0 : std::min<std::size_t>(count, bytes.size() - static_cast<std::size_t>(offset));
        return cache.read_at(offset, read) == expected &&
               std::equal(read.begin(), read.begin() + static_cast<std::ptrdiff_t>(expected),
                          bytes.begin() + static_cast<std::ptrdiff_t>(std::min<std::uint64_t>(offset, bytes.size())));
    }
};

}  // namespace

TEST_CASE("a URL is recognised, and shown without secrets") {
    CHECK(is_url("http://host/a.stf"));
    CHECK(is_url("HTTPS://host"));
    CHECK_FALSE(is_url("file:///etc/passwd"));
    CHECK_FALSE(is_url("https:/host"));
    CHECK_FALSE(is_url("dir/https://host"));
    CHECK_FALSE(is_url(""));
    CHECK(is_secure_url("Https://host/"));
    CHECK_FALSE(is_secure_url("http://https://"));
    CHECK(shown_url("https://host/a.zstf?X-Amz-Signature=1&b=/") == "https://host/a.zstf");
    CHECK(shown_url("https://user:secret@host:81/a.zstf#part") == "https://host:81/a.zstf");
    CHECK(shown_url("https://user:se@cret@host") == "https://host");
    for (const char* const wrong : {"https://user:se?cret@host/a", "https://user:se/cret@host/a"})
        CHECK(shown_url(wrong).find("se") == std::string::npos);  // not the user's part of a valid URL
    CHECK(shown_url("https://host:81?x") == "https://host:81");
    CHECK(shown_url("https://u:se@[::1]:81/a.stf") == "https://[::1]:81/a.stf");
    CHECK(shown_url("https://[::1]/a.stf") == "https://[::1]/a.stf");
    CHECK(shown_url("https://host/a@b.stf") == "https://host/a@b.stf");
    CHECK(shown_url("https://") == "https://");
    CHECK(shown_url("https://?x") == "https://");
}

TEST_CASE("a Content-Range is parsed, and refused if it contradicts itself") {
    const auto range = parse_content_range("bytes 100-199/1000");
    REQUIRE(range);
    CHECK(range->bytes == HttpRange{100, 200});
    CHECK(range->size == 1000);
    CHECK(parse_content_range(" BYTES  0-0/1 ")->bytes == HttpRange{0, 1});
    CHECK(parse_content_range("bytes */0")->size == 0);
    CHECK_FALSE(parse_content_range("bytes */0")->bytes);
    CHECK_FALSE(parse_content_range("bytes 0-99/*")->size);
    for (const char* const wrong : {"", "bytes", "bytes 0-99", "lines 0-99/100", "bytes 9-1/100", "bytes 0-100/100",
                                    "bytes -5/100", "bytes 5-/100", "bytes 0-99/99999999999999999999999",
                                    "bytes 0-18446744073709551615/*", "bytes 0x0-1/2", "bytes 0-99/-1"})
        CHECK_MESSAGE(!parse_content_range(wrong), wrong);
}

TEST_CASE("headers describe the last response of a chain of redirects") {
    HttpResponse response;
    for (const char* const line : {"HTTP/1.1 302 Found\r\n", "ETag: \"old\"\r\n", "Content-Length: 5\r\n", "\r\n",
                                   "HTTP/2 206\r\n", "content-range: bytes 0-9/20\r\n", "LAST-MODIFIED: Thu\r\n",
                                   "ETag:  \"new\" \r\n", "Retry-After: 7\r\n", "no colon\r\n"})
        response.add_line(line);
    CHECK(response.status == 206);
    CHECK(response.etag == "\"new\"");
    CHECK(response.last_modified == "Thu");
    CHECK(response.range->bytes == HttpRange{0, 10});
    CHECK_FALSE(response.length);
    CHECK(response.retry_seconds == 7u);
    CHECK_FALSE(response.is_encoded);
    response.add_line("Content-Encoding: gzip\r\n");
    CHECK(response.is_encoded);
    response.add_line("ETag: " + std::string(5000, 'x'));
    CHECK(response.etag == "\"new\"");
    response.add_line("HTTP/1.1 banana\r\n");
    CHECK(response.status == 0);
    CHECK(is_strong("\"a\""));
    CHECK_FALSE(is_strong("W/\"a\""));
    CHECK_FALSE(is_strong("\""));
}

TEST_CASE("the cache delivers the bytes of any place") {
    Remote remote(1000);
    BlockCache cache = remote.cache({16, 8, 4});
    std::uint32_t state = 7;
    for (int i = 0; i < 3000; ++i) {
        state = state * 1664525u + 1013904223u;
        REQUIRE(remote.reads(cache, (state >> 8) % 1010, (state >> 20) % 200));
    }
    CHECK(remote.reads(cache, ~std::uint64_t{0}, 1));
    CHECK(remote.reads(cache, 0, 2000));
}

TEST_CASE("reading forward takes few requests, and jumps take single blocks") {
    Remote remote(1000 * 16);
    BlockCache cache = remote.cache({16, 64, 32});
    for (std::uint64_t at = 0; at < 1000 * 16; at += 8)
        REQUIRE(remote.reads(cache, at, 8));
    CHECK(remote.requests.size() < 50);  // half of the bytes before, at most 32 blocks
    std::size_t total = 0;
    for (const auto& [offset, size] : remote.requests)
        total += size;
    CHECK(total == 1000 * 16);
    remote.requests.clear();
    for (const std::uint64_t block : {900u, 100u, 500u, 300u})
        REQUIRE(remote.reads(cache, block * 16 + 3, 5));
    CHECK(remote.requests.size() == 4);
    CHECK(std::ranges::all_of(remote.requests, [](const auto& request) { return request.second == 16; }));
    // Blocks in memory are not requested again, and a large read is one request.
    remote.requests.clear();
    REQUIRE(remote.reads(cache, 500 * 16, 16));
    CHECK(remote.requests.empty());
    REQUIRE(remote.reads(cache, 700 * 16, 20 * 16));
    CHECK(remote.requests.size() == 1);
}

TEST_CASE("two readers that go forward at different places both read ahead") {
    Remote remote(2000 * 16);
    BlockCache cache = remote.cache({16, 64, 16});
    for (std::uint64_t at = 0; at < 800 * 16; at += 16) {
        REQUIRE(remote.reads(cache, at, 16));
        REQUIRE(remote.reads(cache, 1000 * 16 + at, 16));
    }
    CHECK(remote.requests.size() < 120);
}

TEST_CASE("the cache keeps the known beginning, and stays as it was after a failure") {
    Remote remote(100);
    BlockCache cache = remote.cache({16, 4, 2});
    cache.add_beginning(std::span<const std::byte>(remote.bytes).first(40));  // two whole blocks and a part
    CHECK(remote.reads(cache, 0, 32));
    CHECK(remote.requests.empty());
    remote.fails = true;
    std::vector<std::byte> bytes(16);
    CHECK_THROWS_AS(cache.read_at(40, bytes), Error);
    CHECK(remote.reads(cache, 0, 32));
    remote.fails = false;
    CHECK(remote.reads(cache, 30, 70));
    Remote small(10);
    BlockCache whole = small.cache({16, 4, 2});
    whole.add_beginning(small.bytes);
    CHECK(small.reads(whole, 0, 10));
    CHECK(small.requests.empty());
    Remote nothing(0);
    BlockCache empty = nothing.cache({16, 4, 2});
    empty.add_beginning({});
    CHECK(nothing.reads(empty, 0, 10));
}

}  // namespace hwtrace::http_test
