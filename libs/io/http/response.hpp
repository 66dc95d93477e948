// io/http/response.hpp - what the headers of an HTTP response say about a file.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace hwtrace {

/// Bytes [begin, end) of a file.
struct HttpRange {
    std::uint64_t begin = 0, end = 0;
    friend bool operator==(const HttpRange&, const HttpRange&) = default;
};

/// A header "Content-Range: bytes 0-99/1000". Both parts may be unknown: "bytes */1000", "bytes 0-99/*".
struct ContentRange {
    std::optional<HttpRange> bytes;
    std::optional<std::uint64_t> size;  ///< of the whole file
};

/// Parses the value of Content-Range. Returns nullopt if it is malformed or contradicts itself.
std::optional<ContentRange> parse_content_range(std::string_view value);

struct HttpResponse {
    long status = 0;
    std::optional<ContentRange> range{};
    std::optional<std::uint64_t> length{};    ///< Content-Length
    std::string etag{}, last_modified{};      ///< empty: not stated
    bool is_encoded = false;                  ///< the body is compressed, so that its bytes are not those of the file
    std::optional<unsigned> retry_seconds{};  ///< Retry-After, if it is a number

    /// Takes over one line of headers. A status line begins a new response, such as the one after a redirect.
    void add_line(std::string_view line);
};

/// Returns true for an ETag that stands for the exact bytes, so that If-Match can be used.
bool is_strong(std::string_view etag) noexcept;

}  // namespace hwtrace
