// apps/split/command.cpp - hwtrace-split: splits a trace into pieces that can be read on their own.
#include "../commands.hpp"
#include "cli/command_line.hpp"
#include "cli/plugins.hpp"
#include "cli/process.hpp"
#include "cli/split_command.hpp"

namespace {

constexpr std::string_view what =
    "Splits a trace into pieces by length or by scope.\n"
    "Each piece can be read on its own: it begins with the values of registers, tables and signals at that point, as\n"
    "with hwtrace-convert --range. Empty pieces are skipped. Either all pieces are written or none.";

constexpr std::string_view examples =
    "Examples:\n"
    "  hwtrace-split core.zstf -o 'part-{}.zstf' --every 1000000#     part-0000.zstf, part-0001.zstf, ...\n"
    "  hwtrace-split run.uscope -o ms.uscope --every 1ms             ms-0000.uscope, ms-0001.uscope, ...\n"
    "  hwtrace-split soc.ftr -o 'soc-{}.ftr' --by scope              soc-cpu.ftr, soc-dma.ftr, ...\n"
    "  hwtrace-split soc.ftr -o 'soc-{}.ftr' --by scope --range 1ms:2ms    only one millisecond\n"
    "  hwtrace-split soc.ftr -o 'soc-{}.ftr' --by scope --explain    lists the pieces; writes nothing\n\n"
    "Exit codes: 0 done, 2 usage error, 3 done but data was lost or the input is incomplete, 4 the input cannot be\n"
    "processed, 5 input/output error, 6 the input exceeds a limit (--max-pieces), 70 a bug in hwtrace.";

}  // namespace

int hwtrace::apps::split(int argc, char** argv) {
    using namespace hwtrace::cli;
    constexpr std::string_view tool = "hwtrace-split";
    return run(tool, [&] {
        SplitOptions options(known_formats());
        CommandLine line(tool, what, examples);
        line.positional("IN", options.input, "The trace to split; '-' is standard input");

        line.group("Pieces");
        line.option("--every", "LENGTH", options.every,
                    "Length of each piece: 1000000# (counted as in --range), 1000cyc, 500ns, 1ms; with --range, in its "
                    "unit and from A");
        line.choice("--by", {"scope", "hart", "track"}, options.by,
                    "One piece per scope, hart or track; other records are written to 'rest'");
        line.count("--into", options.into,
                   "N balanced shards; hwtrace-merge --concat puts them together. Also writes NAME.manifest.json");
        line.count("--depth", options.depth,
                   "With --by scope: the level of the scopes; 1 is the outermost (default: the first level with "
                   "several)");
        line.count("--max-pieces", options.max_pieces, "Maximum number of pieces (default: 10000)");

        line.group("Slice");
        line.option("--range", "A:B", options.part.range, range_help);
        options.part.add_to(line);
        refuse_around(line);

        line.group("Output");
        line.option("-o,--output", "PATTERN", options.target.output,
                    "The files to write; {} is replaced by the number or name of a piece; without {}, the number "
                    "or name is put before the extension");
        options.target.add_to(line);

        line.group("Time");
        options.time.add_to(line);

        line.group("Losses");
        options.target.add_losses_to(line);

        line.refuse("--format", "the format of the output is chosen by its extension or with --to FORMAT");
        options.common.add_to(line, FormatOptions::of_writers);
        line.essentials(
            {"--output", "--every", "--by", "--range", "--last", "--select", "--explain", "--force", "--to"});
        if (const auto exit = line.parse(argc, argv)) return *exit;
        if (const auto exit = options.common.answer(tool)) return *exit;
        options.common.refuse_json();
        return split_command(options);
    });
}
