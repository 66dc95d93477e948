// io/http/connection.hpp - GET requests for one URL, one after the other.
#pragma once

#include <chrono>
#include <cstddef>
#include <memory>
#include <optional>
#include <span>
#include <string>

#include "io/error.hpp"
#include "io/http/response.hpp"

namespace hwtrace {

/// A request that failed before the response was complete.
class TransferFailed : public Error {
public:
    /// `may_pass`: another try may succeed.
    TransferFailed(const std::string& message, bool may_pass) : Error(Failure::io, message), may_pass_(may_pass) {}
    bool may_pass() const noexcept { return may_pass_; }

private:
    bool may_pass_;
};

/// Sends requests by libcurl, which keeps the connection to the server open between them. Follows redirects to http and
/// https, but none from https to http. Uses the proxies that the environment names.
class HttpConnection {
public:
    /// `patience` limits the time for connecting, and the time without any byte; 11 times as much, that for headers.
    /// Throws Failure::io if libcurl cannot be loaded.
    HttpConnection(const std::string& url, std::chrono::milliseconds patience);
    ~HttpConnection();
    HttpConnection(const HttpConnection&) = delete;
    HttpConnection& operator=(const HttpConnection&) = delete;

    /// Requests the file, or a range of it, and waits for the headers of the response. `if_match`: an ETag that the
    /// file must have; empty: any. Ends the request before. Throws TransferFailed, without a name in its message.
    const HttpResponse& get(const std::optional<HttpRange>& range, const std::string& if_match);
    /// Reads more of the body. Returns 0 only at its end. Throws TransferFailed if the connection ends before.
    std::size_t read(std::span<std::byte> into);
    /// Ends the request. Closes the connection if bytes are outstanding.
    void stop() noexcept;

private:
    struct State;
    std::unique_ptr<State> state_;
};

}  // namespace hwtrace
