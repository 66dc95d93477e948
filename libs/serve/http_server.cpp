#include "serve/http_server.hpp"

#include <arpa/inet.h>
#include <fcntl.h>
#include <netinet/in.h>
#include <poll.h>
#include <sys/socket.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <charconv>
#include <chrono>
#include <exception>
#include <optional>
#include <system_error>

#include "io/advised_error.hpp"

namespace hwtrace {

namespace {

using Clock = std::chrono::steady_clock;
constexpr int tick_milliseconds = 200;

/// A socket address of either family.
struct SocketAddress {
    sockaddr_storage storage{};
    socklen_t size = 0;
};

SocketAddress socket_address(const ListenAddress& address) {
    SocketAddress result;
    if (address.is_ipv6) {
        auto& in6 = reinterpret_cast<sockaddr_in6&>(result.storage);
        in6.sin6_family = AF_INET6;
        in6.sin6_port = htons(address.port);
        ::inet_pton(AF_INET6, address.host.c_str(), &in6.sin6_addr);
        result.size = sizeof(sockaddr_in6);
    } else {
        auto& in4 = reinterpret_cast<sockaddr_in&>(result.storage);
        in4.sin_family = AF_INET;
        in4.sin_port = htons(address.port);
        ::inet_pton(AF_INET, address.host.c_str(), &in4.sin_addr);
        result.size = sizeof(sockaddr_in);
    }
    return result;
}

std::string text_of(const ListenAddress& address) {
    return (address.is_ipv6 ? "[" + address.host + "]" : address.host) + ":" + std::to_string(address.port);
}

/// Waits until the connection is ready for `events`. Returns false at the deadline.
bool wait_for(int connection, short events, Clock::time_point deadline, const std::atomic<bool>& is_ending) {
    while (!is_ending && Clock::now() < deadline) {
        pollfd ready{connection, events, 0};
        if (::poll(&ready, 1, tick_milliseconds) > 0) return true;
    }
    return false;
}

/// Sends as much as the client takes until the deadline. Gives up a client that takes nothing for `stall`.
void send_all(int connection, std::string_view bytes, Clock::time_point deadline, std::chrono::seconds stall,
              const std::atomic<bool>& is_ending) {
    while (!bytes.empty() && wait_for(connection, POLLOUT, std::min(deadline, Clock::now() + stall), is_ending)) {
        const ssize_t count = ::send(connection, bytes.data(), bytes.size(), MSG_NOSIGNAL | MSG_DONTWAIT);
        if (count < 0 && errno != EAGAIN && errno != EWOULDBLOCK && errno != EINTR) return;
        if (count > 0) bytes.remove_prefix(static_cast<std::size_t>(count));
    }
}

HttpReply refusal(int status, std::string text) {
    return {status, "text/plain; charset=utf-8", std::move(text), {}};
}

/// Reads the head of a request. Returns an empty string if it does not arrive, or a refusal.
std::string read_head(int connection, const ServerLimits& limits, const std::atomic<bool>& is_ending,
                      std::optional<HttpReply>& refused) {
    const auto deadline = Clock::now() + std::chrono::seconds(limits.request_seconds);
    std::string head;
    constexpr std::string_view end = "\r\n\r\n";
    while (head.find(end) == std::string::npos) {
        if (head.size() >= limits.head) {
            refused = refusal(431, "The request is too long.\n");
            return head;
        }
        if (!wait_for(connection, POLLIN, deadline, is_ending)) return {};
        const std::size_t had = head.size();
        head.resize(std::min(had + 4096, limits.head));
        const ssize_t count = ::recv(connection, head.data() + had, head.size() - had, MSG_DONTWAIT);
        head.resize(had + static_cast<std::size_t>(std::max<ssize_t>(count, 0)));
        if (count == 0 || (count < 0 && errno != EAGAIN && errno != EINTR)) return {};
    }
    head.resize(head.find(end) + 2);
    return head;
}

/// Returns true if the client has closed the connection, also if it has sent bytes that are not read yet.
bool has_left(int connection) {
    pollfd ready{connection, POLLRDHUP, 0};
    return ::poll(&ready, 1, 0) > 0;
}

/// Reads what the client still sends, so that closing the connection does not take the reply from it.
void drain(int connection) {
    ::shutdown(connection, SHUT_WR);
    std::string rest(4096, '\0');
    constexpr int most_reads = 64;
    for (int i = 0; i < most_reads; ++i) {
        pollfd ready{connection, POLLIN, 0};
        if (::poll(&ready, 1, tick_milliseconds) <= 0 ||
            ::recv(connection, rest.data(), rest.size(), MSG_DONTWAIT) <= 0)
            return;
    }
}

}  // namespace

ListenAddress parse_listen_address(std::string_view text, std::string_view option) {
    ListenAddress address;
    const std::size_t colon = text.rfind(':');
    std::string_view host = text.substr(0, colon == std::string_view::npos ? 0 : colon);
    const std::string_view port = text.substr(host.size() + (colon == std::string_view::npos ? 0 : 1));
    if (host.starts_with('[') && host.ends_with(']')) {
        host = host.substr(1, host.size() - 2);
        address.is_ipv6 = true;
    }
    address.host = host == "localhost" ? "127.0.0.1" : std::string(host);
    in6_addr binary{};
    const bool is_address = ::inet_pton(address.is_ipv6 ? AF_INET6 : AF_INET, address.host.c_str(), &binary) == 1;
    const auto [end, error] = std::from_chars(port.data(), port.data() + port.size(), address.port);
    if (!is_address || error != std::errc() || end != port.data() + port.size())
        fail(Failure::usage, std::string(option).append(" ").append(text).append(
                                 ": takes an IP address and a port, such as 127.0.0.1:8080 or [::1]:0"));
    address.is_loopback = address.is_ipv6 ? address.host == "::1" : address.host.starts_with("127.");
    return address;
}

HttpServer::HttpServer(const ListenAddress& address, ServerLimits limits) : address_(address), limits_(limits) {
    const auto check = [&](bool is_good) {
        if (!is_good) fail_errno(text_of(address_), "listen", errno);
    };
    listener_ = Descriptor{::socket(address.is_ipv6 ? AF_INET6 : AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0)};
    check(static_cast<bool>(listener_));
    const int on = 1;
    ::setsockopt(listener_.get(), SOL_SOCKET, SO_REUSEADDR, &on, sizeof on);
    SocketAddress at = socket_address(address);
    check(::bind(listener_.get(), reinterpret_cast<const sockaddr*>(&at.storage), at.size) == 0);
    check(::listen(listener_.get(), static_cast<int>(limits_.waiting)) == 0);
    check(::getsockname(listener_.get(), reinterpret_cast<sockaddr*>(&at.storage), &at.size) == 0);
    address_.port = ntohs(address.is_ipv6 ? reinterpret_cast<sockaddr_in6&>(at.storage).sin6_port
                                          : reinterpret_cast<sockaddr_in&>(at.storage).sin_port);
}

HttpServer::~HttpServer() = default;

std::string HttpServer::url() const {
    return "http://" + text_of(address_) + "/";
}

void HttpServer::run(const Handler& handler, int stop) {
    std::vector<std::thread> workers;
    try {
        for (std::size_t i = 0; i < limits_.workers; ++i)
            workers.emplace_back([&] { work(handler); });
    } catch (const std::system_error& error) {
        if (workers.empty()) fail(Failure::io, url() + ": cannot start a thread: " + error.what());
    }
    for (;;) {
        std::array<pollfd, 2> ready{{{listener_.get(), POLLIN, 0}, {stop, POLLIN, 0}}};
        if (::poll(ready.data(), ready.size(), -1) < 0 && errno != EINTR) break;
        if (ready[1].revents != 0) break;
        if (ready[0].revents == 0) continue;
        Descriptor connection{::accept4(listener_.get(), nullptr, nullptr, SOCK_CLOEXEC)};
        if (!connection) {
            ::poll(nullptr, 0, tick_milliseconds);  // too many open files: waits until some are closed
            continue;
        }
        const std::lock_guard lock(mutex_);
        if (waiting_.size() >= limits_.waiting) continue;  // closes the connection
        waiting_.push_back(std::move(connection));
        has_work_.notify_one();
    }
    {
        const std::lock_guard lock(mutex_);
        is_ending_ = true;
        waiting_.clear();
    }
    has_work_.notify_all();
    for (std::thread& worker : workers)
        worker.join();
}

void HttpServer::work(const Handler& handler) {
    for (;;) {
        Descriptor connection;
        {
            std::unique_lock lock(mutex_);
            has_work_.wait(lock, [&] { return is_ending_ || !waiting_.empty(); });
            if (is_ending_) return;
            connection = std::move(waiting_.front());
            waiting_.pop_front();
        }
        try {
            answer(connection.get(), handler);
        } catch (const std::exception&) {
            // Out of memory: the connection is closed without a reply.
        }
    }
}

void HttpServer::answer(int connection, const Handler& handler) {
    std::optional<HttpReply> reply;
    const std::string head = read_head(connection, limits_, is_ending_, reply);
    if (head.empty()) return;
    bool with_body = true;
    if (!reply) {
        std::optional<HttpRequest> request = parse_request(head);
        if (!request) {
            reply = refusal(400, "The request is malformed.\n");
        } else if (request->method != "GET" && request->method != "HEAD") {
            reply = refusal(405, "Only GET and HEAD are supported: hwtrace-serve changes nothing.\n");
            reply->headers.emplace_back("Allow", "GET, HEAD");
        } else {
            with_body = request->method == "GET";
            request->is_abandoned = [&] { return is_ending_ || has_left(connection); };
            try {
                reply = handler(*request);
            } catch (const std::exception& error) {
                reply = refusal(500, std::string(error.what()) + "\n");
            }
        }
    }
    const auto deadline = Clock::now() + std::chrono::seconds(limits_.response_seconds);
    const std::chrono::seconds stall(limits_.stall_seconds);
    send_all(connection, head_of(*reply), deadline, stall, is_ending_);
    if (with_body) send_all(connection, reply->body, deadline, stall, is_ending_);
    drain(connection);
}

}  // namespace hwtrace
