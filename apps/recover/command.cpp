// apps/recover/command.cpp - hwtrace-recover: a valid trace of a damaged one.
#include "../commands.hpp"
#include "cli/command_line.hpp"
#include "cli/part_options.hpp"
#include "cli/process.hpp"
#include "cli/recover_command.hpp"
#include "formats.hpp"

namespace {

constexpr std::string_view what =
    "Writes the whole records of a damaged or cut trace into a valid one.\n"
    "It is of the same format unless OUT's name or --to says another. OUT appears only when it was read back and is\n"
    "valid; what had to be dropped is listed.";

constexpr std::string_view examples =
    "Examples:\n"
    "  hwtrace-recover cut.ftr whole.ftr\n"
    "  hwtrace-recover cut.ftr --explain                  what would be kept; writes nothing\n"
    "  hwtrace-recover damaged.zstf good.stf --loss-report dropped.json\n"
    "  hwtrace-recover run.uscope run.uscope.good --to uscope && echo it was sound\n\n"
    "Exit codes: 0 the input was sound, 2 usage, 3 recovered, but something was dropped or missing, 4 nothing valid "
    "can\n"
    "be made of the input, 5 input/output error, 6 a limit refused the input, 70 a bug in hwtrace.";

}  // namespace

int hwtrace::apps::recover(int argc, char** argv) {
    using namespace hwtrace::cli;
    constexpr std::string_view tool = "hwtrace-recover";
    return run(tool, [&] {
        RecoverOptions options(hwtrace::formats());
        CommandLine line(tool, what, examples);
        line.positional("IN", options.input, "The trace to recover");

        line.group("Output");
        options.target.add_output_to(line);
        options.target.add_to(line);
        line.flag("--explain", options.explain, "Shows what would be kept and dropped, and writes nothing");

        line.group("Losses");
        options.target.add_losses_to(line);

        refuse_parts(line, "all that is whole is kept; hwtrace-convert takes a part of what was recovered");
        options.common.add_to(line, FormatOptions::of_writers);
        if (const auto exit = line.parse(argc, argv)) return *exit;
        if (const auto exit = options.common.answer(tool)) return *exit;
        options.common.refuse_json();
        return recover_command(options);
    });
}
