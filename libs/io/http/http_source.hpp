// io/http/http_source.hpp - a file on a web server or in an object store, read by HTTP range requests.
#pragma once

#include <chrono>
#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>

namespace hwtrace {

/// How long a server may take, and how often a request is repeated.
struct HttpPatience {
    std::chrono::milliseconds silence{20000};    ///< without any byte, HWTRACE_HTTP_TIMEOUT
    unsigned tries = 4;                          ///< of a request that fails for a reason that may pass
    std::chrono::milliseconds first_pause{250};  ///< before the second try; each later pause is twice as long
};

/// Returns the patience that HWTRACE_HTTP_TIMEOUT states in seconds, or the default one. Throws Failure::usage for
/// another value.
HttpPatience http_patience();

/// A remote file. Servers that ignore ranges deliver it only in order. All functions throw Failure::io if the server
/// refuses the file, cannot be reached, breaks the protocol, or if the file changes while it is read. Messages name the
/// file by shown_url(). Requests that fail for a reason that may pass (connection, 429, 5xx) are repeated.
class HttpSource {
public:
    /// Requests the beginning of the file.
    static std::unique_ptr<HttpSource> open(const std::string& url, const HttpPatience& patience = http_patience());
    ~HttpSource();
    HttpSource(const HttpSource&) = delete;
    HttpSource& operator=(const HttpSource&) = delete;

    /// Returns the size in bytes, or nullopt if the server ignores ranges.
    std::optional<std::uint64_t> size() const noexcept;
    /// Returns a number for the content of the file, made of what the server says of it: size, ETag, Last-Modified.
    std::uint64_t fingerprint() const noexcept;
    /// Fills `into` from `offset`. Returns fewer bytes only at the end. Requires size(). Several threads may call it.
    std::size_t read_at(std::uint64_t offset, std::span<std::byte> into);
    /// Reads the next bytes of a file without ranges. Returns 0 only at the end. Requires that size() is nullopt.
    std::size_t read(std::span<std::byte> into);

private:
    struct State;
    explicit HttpSource(std::unique_ptr<State> state);
    std::unique_ptr<State> state_;
};

}  // namespace hwtrace
