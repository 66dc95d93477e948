// apps/split/command.cpp - hwtrace-split: a trace in pieces, each of which stands alone.
#include "../commands.hpp"
#include "cli/command_line.hpp"
#include "cli/process.hpp"
#include "cli/split_command.hpp"
#include "formats.hpp"

namespace {

constexpr std::string_view what =
    "Splits a trace into pieces, by how long they are or by scopes, each of which can stand alone: it begins with "
    "what\n"
    "registers, tables and signals hold there, as with hwtrace-convert --range. Pieces without records are left out.\n"
    "All of them appear, or none.";

constexpr std::string_view examples =
    "Examples:\n"
    "  hwtrace-split core.zstf -o 'part-{}.zstf' --every 1000000#     part-0000.zstf, part-0001.zstf, ...\n"
    "  hwtrace-split run.uscope -o ms.uscope --every 1ms             ms-0000.uscope, ms-0001.uscope, ...\n"
    "  hwtrace-split soc.ftr -o 'soc-{}.ftr' --by scope              soc-cpu.ftr, soc-dma.ftr, ...\n"
    "  hwtrace-split soc.ftr -o 'soc-{}.ftr' --by scope --range 1ms:2ms    of one millisecond\n"
    "  hwtrace-split soc.ftr -o 'soc-{}.ftr' --by scope --explain    which pieces there would be\n\n"
    "Exit codes: 0 done, 2 usage, 3 done but data was lost or the input was incomplete, 4 the input cannot be "
    "processed,\n"
    "5 input/output error, 6 a limit refused the input (--max-pieces), 70 a bug in hwtrace.";

}  // namespace

int hwtrace::apps::split(int argc, char** argv) {
    using namespace hwtrace::cli;
    constexpr std::string_view tool = "hwtrace-split";
    return run(tool, [&] {
        SplitOptions options(hwtrace::formats());
        CommandLine line(tool, what, examples);
        line.positional("IN", options.input, "The trace to split; '-' is standard input");

        line.group("Pieces");
        line.option("--every", "LENGTH", options.every,
                    "As long as that: 1000000# (instructions, transactions or records, as --range counts them), "
                    "1000cyc, 500ns, 1ms");
        line.choice("--by", {"scope", "hart", "track"}, options.by,
                    "One for each scope, hart or track; what is in none goes into 'rest'");
        line.count("--depth", options.depth,
                   "With --by scope: how far down the scopes are, from 1, the outermost (default: the first level with "
                   "more than one)");
        line.count("--max-pieces", options.max_pieces, "The most pieces that are written");

        line.group("What is split");
        line.option("--range", "A:B", options.part.range,
                    "From A up to but without B, either of which may be empty: 100#:200#, 1000cyc:2000cyc, 10us:2ms; "
                    "--every then counts from A, in the same unit");
        options.part.add_to(line);

        line.group("Output");
        line.option("-o,--output", "PATTERN", options.target.output,
                    "The files to write: {} in their names is a piece's number or what it is of; without it, that "
                    "stands in front of the extension");
        options.target.add_to(line);
        line.flag("--explain", options.explain, "Shows the pieces, the plan and its losses, and writes nothing");

        line.group("Time");
        options.time.add_to(line, "a trace that has");

        line.group("Losses");
        options.target.add_losses_to(line);

        options.common.add_to(line, FormatOptions::of_writers);
        if (const auto exit = line.parse(argc, argv)) return *exit;
        if (const auto exit = options.common.answer(tool)) return *exit;
        options.common.refuse_json();
        return split_command(options);
    });
}
