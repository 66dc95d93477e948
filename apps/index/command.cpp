// apps/index/command.cpp - hwtrace-index: writes the index of a trace, from which slices start without reading the
// rest.
#include "../commands.hpp"
#include "cli/command_line.hpp"
#include "cli/index_command.hpp"
#include "cli/part_options.hpp"
#include "cli/plugins.hpp"
#include "cli/process.hpp"

namespace {

constexpr std::string_view what =
    "Writes the index of each trace to FILE.hwtidx.\n"
    "With the index, --range, --last, --around and --shard of the other commands start near the slice instead of at\n"
    "the beginning of the trace. Their results are the same with and without an index. An index that does not fit the\n"
    "trace is not used.";

constexpr std::string_view examples =
    "Examples:\n"
    "  hwtrace-index core.zstf                           writes core.zstf.hwtidx\n"
    "  hwtrace-convert core.zstf end.uscope --last 1M    starts near the end\n"
    "  hwtrace-index --check core.zstf                   does the index still fit?\n"
    "  hwtrace-index --force --every 1M core.zstf        fewer checkpoints\n\n"
    "Exit codes, the worst of all files: 0 done, 1 an index does not fit (--check), 2 usage error, 3 a trace is\n"
    "damaged or incomplete, 4 an input cannot be processed, 5 input/output error, 6 an input exceeds a limit,\n"
    "70 a bug in hwtrace.";

}  // namespace

int hwtrace::apps::index(int argc, char** argv) {
    using namespace hwtrace::cli;
    constexpr std::string_view tool = "hwtrace-index";
    return run(tool, [&] {
        IndexCommandOptions options(known_formats());
        CommandLine line(tool, what, examples);
        line.positionals("FILE", options.inputs, "The traces to index");

        line.group("Output");
        line.option("-o,--output", "FILE", options.output, "The index to write or check; for one trace");
        line.flag("-f,--force", options.force, "Replaces the output if it exists");
        line.count("--every", options.every,
                   "Positions between checkpoints (default: 65536, or more so that the index stays below 1 % of the "
                   "trace)");
        line.flag("--check", options.check,
                  "Checks instead of writing: what was written earlier must be there, undamaged, and fit");
        line.flag("--allow-incomplete", options.allow_incomplete, "An incomplete input does not cause exit code 3");

        refuse_parts(line, "an index describes the whole trace");
        options.common.add_to(line, FormatOptions::none);
        line.essentials({"--output", "--force", "--every", "--check", "--from", "--verbose", "--quiet"});
        if (const auto exit = line.parse(argc, argv)) return *exit;
        if (const auto exit = options.common.answer(tool)) return *exit;
        options.common.refuse_json();
        return index_command(options);
    });
}
