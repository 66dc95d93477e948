// apps/recover/command.cpp - hwtrace-recover: salvages a valid trace from a damaged file.
#include "../commands.hpp"
#include "cli/command_line.hpp"
#include "cli/part_options.hpp"
#include "cli/plugins.hpp"
#include "cli/process.hpp"
#include "cli/recover_command.hpp"

namespace {

constexpr std::string_view what =
    "Salvages a valid trace from a damaged or cut file.\n"
    "Keeps every whole record. OUT has the format of IN unless its name or --to names another. OUT is read back,\n"
    "checked and then written atomically. Dropped records are listed.";

constexpr std::string_view examples =
    "Examples:\n"
    "  hwtrace-recover cut.ftr whole.ftr\n"
    "  hwtrace-recover cut.ftr --explain                  what would be kept and dropped\n"
    "  hwtrace-recover damaged.zstf good.stf --loss-report dropped.json\n"
    "  hwtrace-recover run.uscope run.uscope.good --to uscope && echo undamaged\n\n"
    "Exit codes: 0 no damage was found, 2 usage error, 3 recovered but records were dropped or are missing,\n"
    "4 no valid trace can be salvaged, 5 input/output error, 6 the input exceeds a limit, 70 a bug in hwtrace.";

}  // namespace

int hwtrace::apps::recover(int argc, char** argv) {
    using namespace hwtrace::cli;
    constexpr std::string_view tool = "hwtrace-recover";
    return run(tool, [&] {
        RecoverOptions options(known_formats());
        CommandLine line(tool, what, examples);
        line.positional("IN", options.input, "The trace to recover; '-' is standard input");

        line.group("Output");
        options.target.add_output_to(line);
        options.target.add_to(line);

        line.group("Losses");
        options.target.add_losses_to(line);

        refuse_parts(line, "every whole record is kept; use hwtrace-convert for a slice of the recovered trace");
        line.refuse("--format", "the format of the output is chosen by its extension or with --to FORMAT");
        options.common.add_to(line, FormatOptions::of_writers);
        line.essentials({"--to", "--force", "--explain", "--strict", "--loss-report", "--allow-loss", "--from",
                         "--verbose", "--quiet", "--no-limits"});
        if (const auto exit = line.parse(argc, argv)) return *exit;
        if (const auto exit = options.common.answer(tool)) return *exit;
        options.common.refuse_json();
        return recover_command(options);
    });
}
