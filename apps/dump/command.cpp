// apps/dump/command.cpp - hwtrace-dump: a trace as text.
#include "../commands.hpp"
#include "cli/command_line.hpp"
#include "cli/dump_command.hpp"
#include "cli/process.hpp"
#include "formats.hpp"

namespace {

constexpr std::string_view what =
    "Shows a hardware trace on standard output, as text or as data.\n"
    "The format is found by the content. '-' is standard input.";

constexpr std::string_view examples =
    "Examples:\n"
    "  hwtrace-dump core.zstf | less                  the format's own records\n"
    "  hwtrace-dump core.zstf --view instructions --range 100#:200#   instructions 101 to 200, disassembled\n"
    "  hwtrace-dump core.uscope --view model          the same trace in the terms of every format\n"
    "  hwtrace-dump core.uscope --at 1313cyc           what every storage holds then\n"
    "  hwtrace-dump core.uscope --range 10us:11us     the frames of that microsecond\n"
    "  hwtrace-dump core.zstf --select 'write=0x80001000'             who wrote there\n"
    "  hwtrace-dump run.uscope --follow               while the simulation writes it\n"
    "  hwtrace-dump npu.pccx --format csv > npu.csv   for a spreadsheet or pandas\n"
    "  hwtrace-dump core.uscope --format jsonl | jq 'select(.type == \"event\")'\n"
    "  hwtrace-dump core.uscope --view timeline --entity 17\n"
    "  hwtrace-dump core.uscope --view counters --counter miss --interval 1000\n"
    "  hwtrace-dump --list-views\n\n"
    "Exit codes: 0 done, 2 usage, 3 everything readable was shown but the input is incomplete, 4 the input cannot be\n"
    "processed, 5 input/output error, 6 a limit refused the input, 70 a bug in hwtrace.";

}  // namespace

int hwtrace::apps::dump(int argc, char** argv) {
    using namespace hwtrace::cli;
    constexpr std::string_view tool = "hwtrace-dump";
    return run(tool, [&] {
        DumpOptions options(hwtrace::formats());
        CommandLine line(tool, what, examples);
        line.positional("FILE", options.input, "The trace to show");

        line.group("Output");
        line.words("VIEW", view_names(hwtrace::formats()));
        line.option("--view", "VIEW", options.view, "What to show (default: the format's first view in that form)");
        line.choice("--format", {"text", "json", "jsonl", "csv"}, options.format, "How to print (default: text)");
        line.option("--entity", "N", options.entity, "timeline: only the lives of this id");
        line.option("--counter", "NAME", options.counter, "counters: only those whose path contains this");
        line.option("--interval", "CYCLES", options.interval, "counters, buffers: a row for each so many cycles");
        line.option("--at", "TIME", options.at, "The state of all storages at a time: 500ns, 10us, 1313cyc");
        line.option("--range", "A:B", options.part.range,
                    "Only what is in [A, B), either of which may be empty: 10us:20us, 100cyc:, 0#:50# (records, "
                    "--view model)");
        line.choice("--disasm", {"auto", "off"}, options.disassembly,
                    "instructions: in assembly language, where this build can (auto), or as encodings alone");
        options.part.add_to(line);
        line.flag("--follow", options.follow,
                  "Goes on with what another process adds to the file, until that is closed or this is interrupted");
        line.flag("--list-views", options.list_views, "Lists the views of every format and exits");
        line.flag("--allow-incomplete", options.allow_incomplete, "An incomplete input is no reason for exit code 3");

        line.refuse("-o,--output", "what is shown goes to standard output; > FILE takes it");
        options.common.add_to(line, FormatOptions::of_views);
        if (const auto exit = line.parse(argc, argv)) return *exit;
        if (const auto exit = options.common.answer(tool)) return *exit;
        options.common.refuse_json();
        if (options.list_views) return list_views(hwtrace::formats());
        return dump_command(options);
    });
}
