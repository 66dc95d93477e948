// tests/serve/serve_test.cpp - tests the parts of hwtrace-serve: requests, pages of rows, columns, child processes.
#include <arpa/inet.h>
#include <doctest/doctest.h>
#include <netinet/in.h>
#include <sys/socket.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <chrono>
#include <csignal>
#include <string>
#include <thread>

#include "io/descriptor.hpp"
#include "io/error.hpp"
#include "serve/child_process.hpp"
#include "serve/http_message.hpp"
#include "serve/http_server.hpp"
#include "serve/page.hpp"
#include "serve/row_filter.hpp"

namespace hwtrace::serve_test {
namespace {

constexpr RowFilter::Page everything{0, 1000, 1u << 20};

/// Passes `output` to the filter in pieces of every size. Returns the filter of the last round.
RowFilter filtered(PageForm form, const RowFilter::Page& page, std::string_view output) {
    std::string first;
    RowFilter last(form, page);
    for (std::size_t piece = 1; piece <= output.size(); ++piece) {
        RowFilter filter(form, page);
        bool goes_on = true;
        for (std::size_t at = 0; goes_on && at < output.size(); at += piece)
            goes_on = filter.take(output.substr(at, piece));
        if (goes_on) filter.end();
        if (piece == 1) first = filter.text();
        CHECK(filter.text() == first);
        last = filter;
    }
    return last;
}

struct Run {
    ChildResult result;
    std::string output;
};

Run shell(const std::string& script, std::chrono::milliseconds limit = std::chrono::seconds(30),
          std::size_t most = 1000) {
    Run run;
    run.result = run_child(
        {"sh", "-c", script}, limit,
        [&](std::string_view bytes) {
            run.output += bytes;
            return run.output.size() < most;
        },
        [] { return false; });
    return run;
}

/// Connects to a server on this machine, and sends a request.
Descriptor asked(const HttpServer& server, const std::string& path) {
    const std::string url = server.url();
    Descriptor connection{::socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0)};
    sockaddr_in address{};
    address.sin_family = AF_INET;
    address.sin_port = htons(static_cast<std::uint16_t>(std::stoi(url.substr(url.rfind(':') + 1))));
    ::inet_pton(AF_INET, "127.0.0.1", &address.sin_addr);
    REQUIRE(::connect(connection.get(), reinterpret_cast<const sockaddr*>(&address), sizeof address) == 0);
    const std::string request = "GET " + path + " HTTP/1.1\r\nHost: localhost\r\n\r\n";
    REQUIRE(::send(connection.get(), request.data(), request.size(), MSG_NOSIGNAL) ==
            static_cast<ssize_t>(request.size()));
    return connection;
}

}  // namespace

TEST_CASE("a request is parsed and decoded") {
    const auto request =
        parse_request("GET /report/a%20b?x=1&y=a+b%2B&x=2&z HTTP/1.1\r\nHost: localhost:80\r\nX-Y:  v \r\n");
    REQUIRE(request);
    CHECK(request->method == "GET");
    CHECK(request->path == "/report/a b");
    CHECK(request->parameter("x") == "2");
    CHECK(request->parameter("y") == "a b+");
    CHECK(request->parameter("z") == "");
    CHECK_FALSE(request->parameter("w"));
    CHECK(request->header("host") == "localhost:80");
    CHECK(request->header("x-y") == "v");
    CHECK(request->header("cookie").empty());
    for (const char* const wrong : {"", "GET", "GET /", "GET / HTTP/2", "GET a HTTP/1.1", "GET /%0 HTTP/1.1",
                                    "GET /%00 HTTP/1.1", "GET /?a=%g0 HTTP/1.1", "GET / HTTP/1.1\r\nx",
                                    "GET / HTTP/1.1\r\n: x", "GET / HTTP/1.1\r\nHost: a\r\nhost: b"})
        CHECK_MESSAGE(!parse_request(wrong), wrong);
    CHECK(host_name("LocalHost:8080") == "localhost");
    CHECK(host_name("[::1]:80") == "::1");
    CHECK(host_name("[::1") == "::1");
    CHECK(host_name("") == "");
    CHECK(percent_encoded("a b/ü&") == "a%20b%2F%C3%BC%26");
    CHECK(html_escaped("<a href='\"&\">") == "&lt;a href=&#39;&quot;&amp;&quot;&gt;");
    CHECK(json_quoted("a\"\\\n\x01\xff\xc3\xbc\xed\xa0\x80") ==
          "\"a\\\"\\\\\\n\\u0001\\ufffd\xc3\xbc\\ufffd\\ufffd\\ufffd\"");
}

TEST_CASE("an address to listen at is an IP address and a port") {
    const ListenAddress four = parse_listen_address("127.0.0.1:8080", "--listen");
    CHECK(four.port == 8080);
    CHECK(four.is_loopback);
    CHECK(parse_listen_address("localhost:0", "--listen").host == "127.0.0.1");
    CHECK(parse_listen_address("[::1]:1", "--listen").is_loopback);
    CHECK_FALSE(parse_listen_address("0.0.0.0:1", "--listen").is_loopback);
    CHECK_FALSE(parse_listen_address("[::]:1", "--listen").is_loopback);
    for (const char* const wrong :
         {"", ":1", "127.0.0.1", "127.0.0.1:", "127.0.0.1:65536", "::1:80", "host:1", "127.0.0.1:-1"})
        CHECK_THROWS_AS(parse_listen_address(wrong, "--listen"), Error);
}

TEST_CASE("rows are divided into pages, however the output arrives") {
    CHECK(filtered(PageForm::lines, everything, "a\nb\nc").text() == "a\nb\nc");
    const RowFilter page = filtered(PageForm::csv, {1, 2, 1000}, "h,i\n1,\"a\nb\"\n2,\"\"\"\n\"\n3,c\n4,d\n");
    CHECK(page.text() == "h,i\n2,\"\"\"\n\"\n3,c\n");
    CHECK(page.is_cut());
    CHECK(page.rows() == 2);
    CHECK(page.next() == 3);
    CHECK(page.head_size() == 4);
    const RowFilter last = filtered(PageForm::csv, {3, 2, 1000}, "h\n1\n2\n3\n4\n5\n");
    CHECK(last.text() == "h\n4\n5\n");
    CHECK_FALSE(last.is_cut());
    CHECK(filtered(PageForm::jsonl, {0, 1, 1000}, "{\"schema\":\"x\"}\n{}\n{}\n").text() == "{\"schema\":\"x\"}\n{}\n");
    CHECK(filtered(PageForm::jsonl, {0, 1, 1000}, "{\"a\":1}\n{}\n").text() == "{\"a\":1}\n");
    const RowFilter long_row = filtered(PageForm::lines, {0, 9, 5}, "abc\nabcdefgh\n");
    CHECK(long_row.text() == "abc\n");
    CHECK(long_row.is_cut());
    CHECK(filtered(PageForm::none, {0, 0, 5}, "{\"a\"").text() == "{\"a\"");
    RowFilter document(PageForm::none, {0, 0, 5});
    CHECK(document.take("1234"));
    CHECK_FALSE(document.take("56"));
    CHECK(document.is_cut());
}

TEST_CASE("lines of objects become columns") {
    CHECK(columns_of("", 100) == "{}");
    CHECK(columns_of("{\"a\":1,\"b\":\"x,}\\\"\"}\n{\"b\":[1,{\"c\":\"]\"}],\"d\":18446744073709551615}\n", 1000) ==
          "{\"a\":[1,null],\"b\":[\"x,}\\\"\",[1,{\"c\":\"]\"}]],\"d\":[null,18446744073709551615]}");
    CHECK(columns_of("{}\n{\"a\":null}", 100) == "{\"a\":[null,null]}");
    CHECK(columns_of("{\"a\":1,\"a\":2}\n", 100) == "{\"a\":[1]}");
    // Ever new keys would take the square of the size of the lines.
    std::string lines;
    for (int i = 0; i < 20000; ++i)
        lines += "{\"k" + std::to_string(i) + "\":1}\n";
    CHECK_FALSE(columns_of(lines, 1u << 20));
    for (const char* const broken : {"{", "{\"a", "{\"a\"", "{\"a\":", "{\"a\":[", "{:", "{,}", "{]", "x", "{\"a\\"})
        CHECK(columns_of(broken, 1000));  // ends, and reads nothing beyond
}

TEST_CASE("a command runs with bounded time and output") {
    const Run good = shell("echo out; echo err >&2; exit 3");
    CHECK(good.result.end == ChildResult::End::exited);
    CHECK(good.result.status == 3);
    CHECK(good.output == "out\n");
    CHECK(good.result.messages == "err\n");
    CHECK(shell("cat").output.empty());  // its standard input is empty
    CHECK(shell("kill -9 $$").result.end == ChildResult::End::killed);
    CHECK(shell("yes").result.end == ChildResult::End::stopped);
    const Run noisy = shell("yes >&2", std::chrono::milliseconds(300));
    CHECK(noisy.result.end == ChildResult::End::timed_out);
    CHECK(noisy.result.messages.size() <= 64u << 10);
    const auto begin = std::chrono::steady_clock::now();
    CHECK(shell("sleep 50 & sleep 50", std::chrono::milliseconds(200)).result.end == ChildResult::End::timed_out);
    const ChildResult left = run_child(
        {"sleep", "50"}, std::chrono::seconds(40), [](std::string_view) { return true; }, [] { return true; });
    CHECK(left.end == ChildResult::End::abandoned);
    CHECK(std::chrono::steady_clock::now() - begin < std::chrono::seconds(20));
    CHECK_THROWS_AS(
        run_child(
            {"/no/such/command"}, std::chrono::seconds(1), [](std::string_view) { return true; }, [] { return false; }),
        Error);
}

TEST_CASE("a client that takes nothing does not keep the server from others") {
    ServerLimits limits;
    limits.workers = 1;
    limits.stall_seconds = 1;
    HttpServer server(parse_listen_address("127.0.0.1:0", "--listen"), limits);
    std::array<int, 2> stop{};
    REQUIRE(::pipe(stop.data()) == 0);
    const Descriptor stop_reads{stop[0]};
    Descriptor stop_writes{stop[1]};
    std::thread running([&] {
        server.run(
            [](const HttpRequest& request) {
                return HttpReply{200, "text/plain", std::string(request.path == "/long" ? 64u << 20 : 4u, 'x'), {}};
            },
            stop_reads.get());
    });
    const auto begin = std::chrono::steady_clock::now();
    const Descriptor idle = asked(server, "/long");
    const Descriptor reading = asked(server, "/short");
    std::string answer(4096, '\0');
    answer.resize(
        static_cast<std::size_t>(std::max<ssize_t>(::recv(reading.get(), answer.data(), answer.size(), 0), 0)));
    CHECK(answer.starts_with("HTTP/1.1 200"));
    CHECK(std::chrono::steady_clock::now() - begin < std::chrono::seconds(60));
    stop_writes.close();
    running.join();
}

}  // namespace hwtrace::serve_test
