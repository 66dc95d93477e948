// apps/serve/command.cpp - hwtrace-serve: shows traces in a browser, and answers requests of programs.
#include "../commands.hpp"
#include "cli/command_line.hpp"
#include "cli/plugins.hpp"
#include "cli/process.hpp"
#include "cli/serve_command.hpp"

namespace {

constexpr std::string_view what =
    "Serves traces by HTTP, for browsers and programs on this machine.\n"
    "Prints the address, and answers requests until it is interrupted. It reads only the given files and changes "
    "nothing.";

constexpr std::string_view examples =
    "Examples:\n"
    "  hwtrace-serve run.ftr core.zstf                 open http://127.0.0.1:8080/ in a browser\n"
    "  hwtrace-serve run.ftr --listen 127.0.0.1:0      any free port; the address is printed\n"
    "  curl 'http://127.0.0.1:8080/api/dump?file=run.ftr&range=10us:20us&format=csv'\n"
    "  curl 'http://127.0.0.1:8080/api/info?file=0'\n\n"
    "Exit codes: 0 ended by Ctrl-C or SIGTERM, 2 usage error, 5 a file cannot be read, or the address is in use,\n"
    "70 a bug in hwtrace.";

}  // namespace

int hwtrace::apps::serve(int argc, char** argv) {
    using namespace hwtrace::cli;
    constexpr std::string_view tool = "hwtrace-serve";
    return run(tool, [&] {
        ServeOptions options(known_formats());
        CommandLine line(tool, what, examples);
        line.positionals("FILE", options.inputs, "The traces to serve");

        line.group("Server");
        line.option("--listen", "ADDRESS", options.listen,
                    "IP address and port; port 0 is any free one (default: 127.0.0.1:8080)");
        line.flag("--remote", options.remote, "Allows --listen with an address that other machines can reach");
        line.option("--host", "NAME", options.hosts,
                    "Answers requests that call the server by this name, besides localhost and IP addresses");
        line.count("--timeout", options.timeout, "Seconds after which a request fails (default: 30)");
        line.count("--max-rows", options.max_rows,
                   "Rows of an answer; the next ones have to be requested (default: "
                   "100000)");

        line.refuse("-o,--output", "hwtrace-serve writes no files");
        options.common.add_to(line, FormatOptions::none);
        line.essentials({"--listen", "--remote", "--host", "--timeout", "--max-rows", "--quiet", "--list-formats"});
        if (const auto exit = line.parse(argc, argv)) return *exit;
        if (const auto exit = options.common.answer(tool)) return *exit;
        options.common.refuse_json();
        return serve_command(options);
    });
}
