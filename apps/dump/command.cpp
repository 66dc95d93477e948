// apps/dump/command.cpp - hwtrace-dump: prints a trace as text or data.
#include "../commands.hpp"
#include "cli/command_line.hpp"
#include "cli/dump_command.hpp"
#include "cli/dump_views.hpp"
#include "cli/plugins.hpp"
#include "cli/process.hpp"

namespace {

constexpr std::string_view what =
    "Prints a hardware trace as text or as data.\n"
    "The format is detected from the content. '-' is standard input.";

constexpr std::string_view examples =
    "Examples:\n"
    "  hwtrace-dump core.zstf                         what it is about, page by page\n"
    "  hwtrace-dump core.zstf --range 100#:200#       instructions 101 to 200\n"
    "  hwtrace-dump core.uscope --view model          the same trace in the common model\n"
    "  hwtrace-dump core.uscope --at 1313cyc           the state of every storage at that cycle\n"
    "  hwtrace-dump core.uscope --range 10us:11us     the frames of that microsecond\n"
    "  hwtrace-dump core.zstf --select 'write=0x80001000'             instructions that write to this address\n"
    "  hwtrace-dump run.uscope --follow               prints while the simulation writes\n"
    "  hwtrace-dump npu.pccx --format csv > npu.csv   for a spreadsheet or pandas\n"
    "  hwtrace-dump npu.pccx --format csv -o tables   one table per track, with typed columns\n"
    "  hwtrace-dump core.uscope --format jsonl | jq 'select(.type == \"event\")'\n"
    "  hwtrace-dump core.uscope --view timeline --entity 17\n"
    "  hwtrace-dump core.uscope --view counters --counter miss --interval 1000\n"
    "  hwtrace-dump npu.pccx --view lanes             draws intervals, events and values over time\n"
    "  hwtrace-dump core.uscope --view pipeline | less -S   draws the stages of instructions\n"
    "  hwtrace-dump --list-views\n\n"
    "Exit codes: 0 done, 2 usage error, 3 the readable records were printed but the input is incomplete, 4 the input\n"
    "cannot be processed, 5 input/output error, 6 the input exceeds a limit, 70 a bug in hwtrace.";

}  // namespace

int hwtrace::apps::dump(int argc, char** argv) {
    using namespace hwtrace::cli;
    constexpr std::string_view tool = "hwtrace-dump";
    return run(tool, [&] {
        DumpOptions options(known_formats());
        CommandLine line(tool, what, examples);
        line.positional("FILE", options.input, "The trace to print");

        line.group("Output");
        line.words("VIEW", view_names(known_formats()));
        line.option("--view", "VIEW", options.view,
                    "The view to print; default: the first one of the format that suits the trace");
        line.choice("--format", {"text", "json", "jsonl", "csv"}, options.format, "Output format (default: text)");
        options.csv.add_to(line);
        line.option("--entity", "N", options.entity, "timeline, pipeline: only lifetimes with this id");
        line.option("--counter", "NAME", options.counter, "counters: only counters whose path contains NAME");
        line.option("--interval", "CYCLES", options.interval,
                    "counters, buffers: one row per interval of this many cycles");
        line.flag("--ascii", options.ascii, "pipeline, lanes, histogram, heatmap: draws with ASCII characters only");
        line.environment("COLUMNS", "Width of drawings; default: that of the terminal, or 80");
        line.option("--at", "TIME", options.at, "Prints the state of all storages at this time: 500ns, 10us, 1313cyc");
        line.option("--range", "A:B", options.part.range, range_help);
        options.around.add_to(line);
        line.choice(
            "--disasm", {"auto", "off"}, options.disassembly,
            "instructions: prints assembly language if possible (auto) or only encodings (off) (default: auto)");
        line.environment("HWTRACE_LLVM", "LLVM library that disassembles; default: the newest one installed");
        options.part.add_to(line);
        options.part.add_shard_to(line);
        options.part.add_match_to(line);
        line.flag("--follow", options.follow,
                  "Also prints what another process appends, until the trace is closed or the command is interrupted");
        bool no_pager = false;
        line.flag("--no-pager", no_pager, "Does not show text on a terminal in a pager");
        line.environment("HWTRACE_PAGER",
                         "Pager for text on a terminal, also PAGER; default: less; empty or cat: none");
        line.flag("--list-views", options.list_views, "Lists the views of every format and exits");
        line.flag("--allow-incomplete", options.allow_incomplete, "An incomplete input does not cause exit code 3");

        line.option("-o,--output", "FOLDER", options.tables,
                    "Writes tables to this folder instead of a view: one file per track (with --format csv)");
        line.flag("-f,--force", options.force, "Replaces the output if it exists");
        options.elf.add_to(line);
        options.common.add_to(line, FormatOptions::of_views);
        line.essentials(
            {"--view", "--format", "--range", "--around", "--last", "--select", "--at", "--follow", "--list-views"});
        if (const auto exit = line.parse(argc, argv)) return *exit;
        options.common.unite_json(options.format);
        if (const auto exit = options.common.answer(tool)) return *exit;
        if (options.list_views) return list_views(known_formats(), options.common.json());
        options.pager = !no_pager;
        return dump_command(options);
    });
}
