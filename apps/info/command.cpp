// apps/info/command.cpp - hwtrace-info: summarises traces.
#include "../commands.hpp"
#include "cli/command_line.hpp"
#include "cli/info_command.hpp"
#include "cli/plugins.hpp"
#include "cli/process.hpp"

namespace {

constexpr std::string_view what =
    "Summarises hardware traces: format, facts of the file, records by kind, time span, and the utilisation of scopes\n"
    "and interval types.\n"
    "Reads the whole file, or the slice chosen by --range, --last or --select. --quick reads only what is needed to\n"
    "open the file.";

constexpr std::string_view examples =
    "Examples:\n"
    "  hwtrace-info core.zstf core.uscope\n"
    "  hwtrace-info --format json core.zstf | jq '.files[0].facts.instructions'\n"
    "  hwtrace-info --interval 100000 core.zstf       also the counters of each 100,000 instructions\n"
    "  hwtrace-info --range 1000#:2000# core.zstf     only these instructions\n"
    "  hwtrace-info -v npu.pccx                       every core and every track\n"
    "  hwtrace-info --shard 1/2 --partial core.zstf > 1.json\n"
    "  hwtrace-info --reduce 1.json 2.json            joins the statistics of the shards\n\n"
    "Exit codes, the worst of all files: 0 done, 2 usage error, 3 an input is incomplete, 4 an input cannot be\n"
    "processed, 5 input/output error, 6 an input exceeds a limit, 70 a bug in hwtrace.";

}  // namespace

int hwtrace::apps::info(int argc, char** argv) {
    using namespace hwtrace::cli;
    constexpr std::string_view tool = "hwtrace-info";
    return run(tool, [&] {
        InfoOptions options(known_formats());
        CommandLine line(tool, what, examples);
        line.positionals("FILE", options.inputs, "The traces to summarise");

        line.group("Slice");
        line.option("--range", "A:B", options.part.range, range_help);
        options.part.add_to(line);
        refuse_around(line);
        options.part.add_shard_to(line);
        options.part.add_match_to(line);

        line.group("Output");
        line.choice("--format", {"text", "json"}, options.format, "Output format (default: text)");
        line.count("--interval", options.interval, "Also prints the counters of each interval of N instructions");
        line.flag("--reuse", options.reuse,
                  "Also measures reuse distances of cache lines, for traces of instructions; takes longer");
        line.flag("--partial", options.partial, "Writes statistics of a shard for --reduce, as JSON; needs --shard");
        line.flag("--reduce", options.reduce,
                  "Joins the statistics of all shards: each FILE is the output of --partial");
        line.flag("--next", options.next, "Also prints commands to go on with");
        line.flag("--quick", options.quick, "Reads only what is needed to open the file");
        line.flag("--allow-incomplete", options.allow_incomplete, "An incomplete input does not cause exit code 3");

        options.elf.add_to(line);
        options.common.add_to(line, FormatOptions::none);
        line.essentials(
            {"--format", "--range", "--last", "--select", "--interval", "--reuse", "--quick", "--next", "--verbose"});
        if (const auto exit = line.parse(argc, argv)) return *exit;
        options.common.unite_json(options.format);
        if (const auto exit = options.common.answer(tool)) return *exit;
        return info_command(options);
    });
}
