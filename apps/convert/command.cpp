// apps/convert/command.cpp - hwtrace-convert: converts a trace to another format.
#include "../commands.hpp"
#include "cli/command_line.hpp"
#include "cli/convert_command.hpp"
#include "cli/plugins.hpp"
#include "cli/process.hpp"

namespace {

constexpr std::string_view what =
    "Converts a hardware trace from one format to another.\n"
    "The format of IN is detected from its content, the format of OUT from its name. '-' is standard input or\n"
    "output. OUT is written atomically. Losses are listed at the end and cause exit code 3.";

constexpr std::string_view examples =
    "Examples:\n"
    "  hwtrace-convert core.zstf core.uscope              assumes one instruction per nanosecond\n"
    "  hwtrace-convert core.zstf core.uscope --clock 2GHz --ipc 3/4\n"
    "  hwtrace-convert core.zstf core.uscope --explain    prints the plan and the possible losses\n"
    "  hwtrace-convert npu.pccx part.pccx --range 10000cyc:20000cyc\n"
    "  hwtrace-convert core.zstf part.zstf --range 1000000#:2000000#    can be read on its own\n"
    "  hwtrace-convert core.zstf user.zstf --select mode=user\n"
    "  hwtrace-convert run.ftr slow.ftr --select 'track=read,duration>10ns'\n"
    "  cat core.zstf | hwtrace-convert - - --to uscope | hwtrace-dump -\n\n"
    "Exit codes: 0 done, 2 usage error, 3 done but data was lost or the input is incomplete, 4 the input cannot be\n"
    "processed, 5 input/output error, 6 the input exceeds a limit, 70 a bug in hwtrace.";

}  // namespace

int hwtrace::apps::convert(int argc, char** argv) {
    using namespace hwtrace::cli;
    constexpr std::string_view tool = "hwtrace-convert";
    return run(tool, [&] {
        ConvertOptions options(known_formats());
        CommandLine line(tool, what, examples);
        line.positional("IN", options.input, "The trace to read; '-' is standard input");

        line.group("Output");
        options.target.add_output_to(line);
        options.target.add_to(line);
        options.csv.add_to(line);

        line.group("Slice");
        line.option("--range", "A:B", options.part.range, range_help);
        options.part.add_to(line);
        options.around.add_to(line);
        options.part.add_shard_to(line);
        options.part.add_match_to(line);
        line.option("--manifest", "FILE", options.manifest,
                    "With --shard: writes the shard's range, size and checksum to FILE when OUT is complete");

        line.group("Symbols");
        options.elf.add_to(line);

        line.group("Time");
        options.time.add_to(line);

        line.group("Losses");
        options.target.add_losses_to(line);

        line.refuse("--format", "the format of the output is chosen by its extension or with --to FORMAT");
        options.common.add_to(line, FormatOptions::of_writers);
        line.essentials({"--to", "--force", "--range", "--around", "--select", "--clock", "--explain", "--verify",
                         "--list-formats"});
        if (const auto exit = line.parse(argc, argv)) return *exit;
        if (const auto exit = options.common.answer(tool)) return *exit;
        options.common.refuse_json();
        return convert_command(options);
    });
}
