// apps/info/command.cpp - hwtrace-info: what is in a trace.
#include "../commands.hpp"
#include "cli/command_line.hpp"
#include "cli/info_command.hpp"
#include "cli/process.hpp"
#include "formats.hpp"

namespace {

constexpr std::string_view what =
    "Tells what hardware traces hold: format, facts of the file, records by kind, time span, and how busy each scope\n"
    "and each type was where the trace has intervals.\n"
    "The whole file is read, or what it takes to count a part; --quick tells only what opening it tells.";

constexpr std::string_view examples =
    "Examples:\n"
    "  hwtrace-info core.zstf core.uscope\n"
    "  hwtrace-info --format json core.zstf | jq '.files[0].facts.instructions'\n"
    "  hwtrace-info --interval 100000 core.zstf       and counters of each 100,000 instructions\n"
    "  hwtrace-info --range 1000#:2000# core.zstf     what is in these instructions\n"
    "  hwtrace-info -v npu.pccx                       every core and every track of it\n\n"
    "Exit codes, the worst of all files: 0 done, 2 usage, 3 an input is incomplete, 4 an input cannot be processed,\n"
    "5 input/output error, 6 a limit refused the input, 70 a bug in hwtrace.";

}  // namespace

int hwtrace::apps::info(int argc, char** argv) {
    using namespace hwtrace::cli;
    constexpr std::string_view tool = "hwtrace-info";
    return run(tool, [&] {
        InfoOptions options(hwtrace::formats());
        CommandLine line(tool, what, examples);
        line.positionals("FILE", options.inputs, "The traces to look at");

        line.group("Part");
        line.option("--range", "A:B", options.part.range,
                    "Only this part: records or instructions 100#:200#, cycles 10cyc:20cyc, or time 10us:2ms");
        options.part.add_to(line);

        line.group("Output");
        line.choice("--format", {"text", "json"}, options.format, "How to print (default: text)");
        line.count("--interval", options.interval, "Tells the counters of every so many instructions too");
        line.flag("--quick", options.quick, "Reads no more than opening the file takes");
        line.flag("--allow-incomplete", options.allow_incomplete, "An incomplete input is no reason for exit code 3");

        options.common.add_to(line, FormatOptions::none);
        if (const auto exit = line.parse(argc, argv)) return *exit;
        if (const auto exit = options.common.answer(tool)) return *exit;
        options.common.refuse_json();
        return info_command(options);
    });
}
