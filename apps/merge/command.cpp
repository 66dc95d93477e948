// apps/merge/command.cpp - hwtrace-merge: merges traces in order of time.
#include "../commands.hpp"
#include "cli/command_line.hpp"
#include "cli/merge_command.hpp"
#include "cli/plugins.hpp"
#include "cli/process.hpp"

namespace {

constexpr std::string_view what =
    "Merges traces of any formats into one, in order of time.\n"
    "Each trace gets a scope that is named after its file or by --name. Records with equal times keep the order of\n"
    "the inputs. If ids of intervals collide, the intervals are renumbered and a note reports it.";

constexpr std::string_view examples =
    "Examples:\n"
    "  hwtrace-merge core0.zstf core1.zstf -o cores.uscope --clock 2GHz\n"
    "  hwtrace-merge npu.pccx bus.ftr -o system.flux         NPU and bus on one time axis\n"
    "  hwtrace-merge a.uscope b.uscope -o both.uscope --name before --name after\n"
    "  hwtrace-merge *.ftr -o all.ftr --range 10us:20us       this range of each trace\n\n"
    "Exit codes: 0 done, 2 usage error, 3 done but data was lost or an input is incomplete, 4 an input cannot be\n"
    "processed, 5 input/output error, 6 an input exceeds a limit, 70 a bug in hwtrace.";

}  // namespace

int hwtrace::apps::merge(int argc, char** argv) {
    using namespace hwtrace::cli;
    constexpr std::string_view tool = "hwtrace-merge";
    return run(tool, [&] {
        MergeOptions options(known_formats());
        CommandLine line(tool, what, examples);
        line.positionals("IN", options.inputs,
                         "The traces to merge; their order decides between records with equal times");

        line.group("Output");
        line.option("-o,--output", "OUT", options.target.output, output_help);
        options.target.add_to(line);
        line.option("--name", "NAME", options.names, "Scope of a trace in the output; once per IN, in the same order");

        line.group("Shards of one trace");
        line.flag("--concat", options.concat,
                  "Puts the shards IN... together in the given order, instead of merging by time. Manifests can be "
                  "given instead of shards: they name all shards, which are checked first");
        line.flag("--check", options.check,
                  "Checks instead of writing: what was written earlier must be there, undamaged, and fit");

        line.group("Slice of each trace");
        line.option("--range", "A:B", options.part.range, range_help);
        line.option("--select", "KEY=VALUE,...", options.part.select, select_help);

        refuse_around(line);
        line.refuse("--first",
                    "traces have no common beginning to count from; use --range for the same time of each trace, or "
                    "hwtrace-convert --first for the beginning of one trace");
        line.refuse("--last",
                    "traces have no common end to count from; use --range for the same time of each trace, or "
                    "hwtrace-convert --last for the end of one trace");
        line.group("Time");
        options.time.add_to(line);

        line.group("Losses");
        options.target.add_losses_to(line);

        line.refuse("--format", "the format of the output is chosen by its extension or with --to FORMAT");
        options.common.add_to(line, FormatOptions::of_writers);
        line.essentials({"--output", "--to", "--force", "--name", "--clock", "--range", "--select", "--explain",
                         "--strict", "--list-formats"});
        if (const auto exit = line.parse(argc, argv)) return *exit;
        if (const auto exit = options.common.answer(tool)) return *exit;
        options.common.refuse_json();
        return options.concat || options.check ? concat_command(options) : merge_command(options);
    });
}
