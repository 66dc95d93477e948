// serve/http_server.hpp - a small HTTP/1.1 server: GET and HEAD, one request per connection, everything bounded.
#pragma once

#include <atomic>
#include <condition_variable>
#include <cstddef>
#include <cstdint>
#include <deque>
#include <functional>
#include <mutex>
#include <string>
#include <thread>
#include <vector>

#include "io/descriptor.hpp"
#include "serve/http_message.hpp"

namespace hwtrace {

/// Where a server listens, such as 127.0.0.1:8080 or [::1]:0.
struct ListenAddress {
    std::string host;
    std::uint16_t port = 0;
    bool is_ipv6 = false;
    bool is_loopback = false;  ///< only this machine can connect
};
/// Parses an IP address and a port. Port 0 is any free port. Throws Failure::usage, with `option` in the message.
ListenAddress parse_listen_address(std::string_view text, std::string_view option);

struct ServerLimits {
    std::size_t workers = 4;          ///< requests that are answered at the same time
    std::size_t waiting = 64;         ///< connections that wait for that; further ones are closed
    std::size_t head = 16u << 10;     ///< bytes of a request
    unsigned request_seconds = 5;     ///< until a request has arrived
    unsigned response_seconds = 120;  ///< until a client has taken a response
    unsigned stall_seconds = 10;      ///< without a byte that the client takes
};

class HttpServer {
public:
    using Handler = std::function<HttpReply(const HttpRequest&)>;

    /// Binds the address. Throws Failure::io if that is not possible.
    HttpServer(const ListenAddress& address, ServerLimits limits);
    ~HttpServer();
    HttpServer(const HttpServer&) = delete;
    HttpServer& operator=(const HttpServer&) = delete;

    /// Returns "http://127.0.0.1:8080/".
    std::string url() const;
    /// Answers requests until `stop`, a descriptor, becomes readable. Several threads call `handler`. An exception of
    /// the handler becomes status 500. Requests that are answered then are abandoned.
    void run(const Handler& handler, int stop);

private:
    void work(const Handler& handler);
    void answer(int connection, const Handler& handler);

    ListenAddress address_;
    ServerLimits limits_;
    Descriptor listener_;
    std::mutex mutex_;
    std::condition_variable has_work_;
    std::deque<Descriptor> waiting_;
    std::atomic<bool> is_ending_ = false;
};

}  // namespace hwtrace
