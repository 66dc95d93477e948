// apps/diff/command.cpp - hwtrace-diff: do two traces say the same?
#include "../commands.hpp"
#include "cli/command_line.hpp"
#include "cli/diff_command.hpp"
#include "cli/process.hpp"
#include "formats.hpp"

namespace {

constexpr std::string_view what =
    "Compares two hardware traces, of the same format or of different ones.\n"
    "Tracks are matched by kind, scope and name, records by their order or by a key; times are compared exactly,\n"
    "whatever their unit. What was converted to another format is compared as what it was before.";

constexpr std::string_view examples =
    "Examples:\n"
    "  hwtrace-diff old.ftr new.ftr                       the first differences, and counts of each track\n"
    "  hwtrace-diff core.zstf core.uscope                 is the one what became of the other?\n"
    "  hwtrace-diff a.ftr b.ftr --tolerance 5ns --ignore metadata\n"
    "  hwtrace-diff a.ftr b.ftr --align key --key address --ignore field=id\n"
    "  hwtrace-diff a.zstf b.zstf --range 1000#:2000# --ignore 'field=source:*'\n"
    "  hwtrace-diff -q a.pccx b.pccx && echo the same\n\n"
    "Exit codes: 0 equal, 1 different or nothing compared, 2 usage, 3 equal as far as the inputs could be read, 4 an\n"
    "input cannot be processed, 5 input/output error, 6 a limit refused an input, 70 a bug in hwtrace.";

}  // namespace

int hwtrace::apps::diff(int argc, char** argv) {
    using namespace hwtrace::cli;
    constexpr std::string_view tool = "hwtrace-diff";
    return run(tool, [&] {
        DiffOptions options(hwtrace::formats());
        CommandLine line(tool, what, examples);
        line.positional("A", options.first, "A trace");
        line.positional("B", options.second, "The trace to compare it with");

        line.group("What is compared with what");
        line.choice("--align", {"order", "key"}, options.align,
                    "The nth record of a track with the nth (order), or those of the same key (default: order)");
        line.option("--key", "FIELD", options.keys,
                    "With --align key: the field or attribute that is the key; several make one (default: the id of "
                    "an interval; others by order)");
        line.count("--window", options.window,
                   "Records behind a difference in which agreement is looked for (default: 4096)");
        line.choice("--lowered", {"auto", "raise", "keep"}, options.lowered,
                    "What was converted is compared as what it was before: where the formats differ (auto), always "
                    "(raise), never (keep)");

        line.group("What is no difference");
        line.option("--ignore", "WHAT", options.ignore,
                    "metadata, metadata=KEY, schema, time, order, native, scope=NAME, track=NAME, field=NAME, "
                    "kind=KIND; * stands for any characters");
        line.option("--tolerance", "TIME", options.tolerance, "Times and durations may differ by so much: 5ns, 100ps");
        line.option("--clock", "CLOCK", options.clock, "The clock of cycles that have none: 1GHz, 500ps, ...");
        line.flag("--allow-empty", options.allow_empty, "Two traces without any records are equal");
        line.flag("--allow-incomplete", options.allow_incomplete, "An incomplete input is no reason for exit code 3");

        line.group("Which parts are compared");
        line.option("--range", "A:B", options.part.range,
                    "From A up to but without B of both traces: 100#:200# (instructions, else records), "
                    "1000cyc:2000cyc, 10us:2ms");
        options.part.add_to(line);

        line.group("Output");
        line.count("--context", options.context, "Records shown around the first difference (default: 3)");
        line.count("--max-differences", options.max_differences, "Differences shown (default: 10); all are counted");
        line.choice("--format", {"text", "json"}, options.format, "How the result is printed (default: text)");

        options.common.add_to(line, FormatOptions::none);
        if (const auto exit = line.parse(argc, argv)) return *exit;
        if (const auto exit = options.common.answer(tool)) return *exit;
        options.common.refuse_json();
        return diff_command(options);
    });
}
