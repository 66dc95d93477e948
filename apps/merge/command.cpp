// apps/merge/command.cpp - hwtrace-merge: several traces as one, in order of time.
#include "../commands.hpp"
#include "cli/command_line.hpp"
#include "cli/merge_command.hpp"
#include "cli/process.hpp"
#include "formats.hpp"

namespace {

constexpr std::string_view what =
    "Merges several traces, of any formats, into one in order of time.\n"
    "Each comes to stand in a scope of its file's name (--name gives it another one). Of records of one time, those "
    "of\n"
    "the file that is named first come first. Intervals whose numbers would be the same get new ones, which is said.";

constexpr std::string_view examples =
    "Examples:\n"
    "  hwtrace-merge core0.zstf core1.zstf -o cores.uscope --clock 2GHz\n"
    "  hwtrace-merge npu.pccx bus.ftr -o system.flux         who waited for whom\n"
    "  hwtrace-merge a.uscope b.uscope -o both.uscope --name before --name after\n"
    "  hwtrace-merge *.ftr -o all.ftr --range 10us:20us       that part of each\n\n"
    "Exit codes: 0 done, 2 usage, 3 done but data was lost or an input was incomplete, 4 an input cannot be "
    "processed,\n"
    "5 input/output error, 6 a limit refused an input, 70 a bug in hwtrace.";

}  // namespace

int hwtrace::apps::merge(int argc, char** argv) {
    using namespace hwtrace::cli;
    constexpr std::string_view tool = "hwtrace-merge";
    return run(tool, [&] {
        MergeOptions options(hwtrace::formats());
        CommandLine line(tool, what, examples);
        line.positionals("IN", options.inputs, "The traces, in the order in which records of one time come");

        line.group("Output");
        line.option("-o,--output", "OUT", options.target.output, "The file to write; '-' is standard output");
        options.target.add_to(line);
        line.option("--name", "NAME", options.names,
                    "What a trace is called in the output: once for each IN, in order");
        line.flag("--explain", options.explain, "Shows the plan and the losses it can have, and writes nothing");

        line.group("What is merged");
        line.option("--range", "A:B", options.part.range,
                    "Of each trace, from A up to but without B: 1000cyc:2000cyc, 10us:2ms, 100#:200#");
        line.option("--select", "KEY=VALUE,...", options.part.select,
                    "Of each trace, only what fits: kind=, scope=, track=, fields as 'addr>=0x1000', ...; see "
                    "hwtrace-convert --help");

        line.refuse("--last",
                    "traces have no common end to count from; --range takes the same time of each, and hwtrace-convert "
                    "--last the end of one");
        line.group("Time");
        options.time.add_to(line, "traces that have");

        line.group("Losses");
        options.target.add_losses_to(line);

        options.common.add_to(line, FormatOptions::of_writers);
        if (const auto exit = line.parse(argc, argv)) return *exit;
        if (const auto exit = options.common.answer(tool)) return *exit;
        options.common.refuse_json();
        return merge_command(options);
    });
}
