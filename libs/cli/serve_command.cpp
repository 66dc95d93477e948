#include "cli/serve_command.hpp"

#include <fcntl.h>
#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <csignal>
#include <cstdio>
#include <utility>

#include "cli/version.hpp"
#include "io/descriptor.hpp"
#include "io/error.hpp"
#include "io/http/url.hpp"
#include "io/input.hpp"
#include "serve/child_process.hpp"
#include "serve/http_server.hpp"
#include "serve/trace_service.hpp"

namespace hwtrace::cli {

namespace {

constexpr std::string_view serve_tool = "hwtrace-serve";

volatile std::sig_atomic_t stop_writes = -1;  // the end of a pipe that the signal handler writes to

extern "C" void end_serving(int) {
    const int saved = errno;
    const char byte = 0;
    [[maybe_unused]] const ssize_t written = ::write(static_cast<int>(stop_writes), &byte, 1);
    errno = saved;
}

/// Makes SIGINT and SIGTERM end the server; a second signal ends the process.
Descriptor install_stop_handlers() {
    std::array<int, 2> ends{};
    if (::pipe2(ends.data(), O_CLOEXEC | O_NONBLOCK) != 0) fail_errno("hwtrace-serve", "start", errno);
    stop_writes = ends[1];  // stays open until the process ends
    for (const int signal : {SIGINT, SIGTERM}) {
        struct sigaction action {};
        if (sigaction(signal, nullptr, &action) != 0 || action.sa_handler == SIG_IGN) continue;
        action = {};
        action.sa_handler = end_serving;
        action.sa_flags = static_cast<int>(SA_RESETHAND | SA_RESTART);
        sigaction(signal, &action, nullptr);
    }
    return Descriptor{ends[0]};
}

void check_inputs(const ServeOptions& options) {
    if (options.inputs.empty()) fail(Failure::usage, "a file is needed; try hwtrace-serve --help");
    for (const std::string& path : options.inputs) {
        if (path == "-") fail(Failure::usage, "standard input cannot be served; write it to a file");
        if (is_url(path)) continue;
        if (!Input::open(path).seekable()) fail(Failure::usage, path + ": only files can be served");
    }
}

}  // namespace

Exit serve_command(const ServeOptions& options) {
    Messages messages = options.common.messages(serve_tool);
    check_inputs(options);
    options.common.refuse_unused(nullptr);
    const ListenAddress address = parse_listen_address(options.listen, "--listen");
    if (!address.is_loopback && !options.remote)
        fail(Failure::usage,
             fmt::format("--listen {}: everybody who reaches this address could read the traces; add --remote to "
                         "serve them without a password",
                         options.listen));
    if (options.timeout == 0 || options.timeout > 86400 || options.max_rows == 0)
        fail(Failure::usage, "--timeout takes 1 to 86400 seconds, and --max-rows at least 1");
    ServiceOptions service_options;
    service_options.files = options.inputs;
    service_options.hosts = options.hosts;
    service_options.time_limit = std::chrono::seconds(options.timeout);
    service_options.most_rows = options.max_rows;
    service_options.version = version();
    service_options.has_query = ::access(sibling_command("hwtrace-query").c_str(), X_OK) == 0;
    service_options.arguments = {"--tmpdir=" + options.common.temporary_folder()};
    const TraceService service(std::move(service_options));
    const Descriptor stop = install_stop_handlers();
    HttpServer server(address, {});
    if (!address.is_loopback)
        messages.note("", "other machines can read the served traces, without a password and without encryption");
    const std::string line = server.url() + "\n";
    if (std::fputs(line.c_str(), stdout) < 0 || std::fflush(stdout) != 0) fail_errno("<stdout>", "write", errno);
    messages.note("", "Ctrl-C ends the server");
    server.run([&](const HttpRequest& request) { return service.answer(request); }, stop.get());
    return Exit::done;
}

}  // namespace hwtrace::cli
