// apps/convert/command.cpp - hwtrace-convert: a trace in another format.
#include "../commands.hpp"
#include "cli/command_line.hpp"
#include "cli/convert_command.hpp"
#include "cli/process.hpp"
#include "formats.hpp"

namespace {

constexpr std::string_view what =
    "Converts a hardware trace from one format to another.\n"
    "The format of IN is found by its content, the format of OUT by its name. '-' is standard input or output.\n"
    "OUT appears only when it is whole; what could not be carried over is listed at the end, and makes the exit code "
    "3.";

constexpr std::string_view examples =
    "Examples:\n"
    "  hwtrace-convert core.zstf core.uscope              one instruction a nanosecond, as a note says\n"
    "  hwtrace-convert core.zstf core.uscope --clock 2GHz --ipc 3/4\n"
    "  hwtrace-convert core.zstf core.uscope --explain    how, and what would be lost; writes nothing\n"
    "  hwtrace-convert npu.pccx part.pccx --range 10000cyc:20000cyc\n"
    "  hwtrace-convert core.zstf part.zstf --range 1000000#:2000000#    can stand alone\n"
    "  hwtrace-convert core.zstf user.zstf --select mode=user\n"
    "  hwtrace-convert run.ftr slow.ftr --select 'track=read,addr>=0x1000,duration>10ns'\n"
    "  cat core.zstf | hwtrace-convert - - --to uscope | hwtrace-dump -\n\n"
    "Exit codes: 0 done, 2 usage, 3 done but data was lost or the input was incomplete, 4 the input cannot be\n"
    "processed, 5 input/output error, 6 a limit refused the input, 70 a bug in hwtrace.";

}  // namespace

int hwtrace::apps::convert(int argc, char** argv) {
    using namespace hwtrace::cli;
    constexpr std::string_view tool = "hwtrace-convert";
    return run(tool, [&] {
        ConvertOptions options(hwtrace::formats());
        CommandLine line(tool, what, examples);
        line.positional("IN", options.input, "The trace to read");

        line.group("Output");
        options.target.add_output_to(line);
        options.target.add_to(line);
        line.flag("--explain", options.explain, "Shows the plan and the losses it can have, and writes nothing");
        line.flag(
            "--verify", options.verify,
            "Checks the input as hwtrace-validate does (unless a part of it is wanted), reads the output back and "
            "compares it before it appears");

        line.group("What is converted");
        line.option("--range", "A:B", options.part.range,
                    "From A up to but without B, either of which may be empty: 100#:200# (instructions, else records), "
                    "1000cyc:2000cyc, 10us:2ms; an interval counts where it overlaps");
        options.part.add_to(line);

        line.group("Time");
        options.time.add_to(line, "a trace that has");

        line.group("Losses");
        options.target.add_losses_to(line);

        options.common.add_to(line, FormatOptions::of_writers);
        if (const auto exit = line.parse(argc, argv)) return *exit;
        if (const auto exit = options.common.answer(tool)) return *exit;
        options.common.refuse_json();
        return convert_command(options);
    });
}
