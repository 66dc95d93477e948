// apps/diff/command.cpp - hwtrace-diff: compares two traces.
#include "../commands.hpp"
#include "cli/command_line.hpp"
#include "cli/diff_command.hpp"
#include "cli/plugins.hpp"
#include "cli/process.hpp"
#include "cli/time_options.hpp"

namespace {

constexpr std::string_view what =
    "Compares two hardware traces of the same format or of different formats.\n"
    "Tracks are matched by kind, scope and name; records by their order or by a key. Times are compared exactly, in\n"
    "any unit. A trace that was converted to another format is compared in its original form.";

constexpr std::string_view examples =
    "Examples:\n"
    "  hwtrace-diff old.ftr new.ftr                       the first differences, and counts per track\n"
    "  hwtrace-diff core.zstf core.uscope                 checks a conversion\n"
    "  hwtrace-diff a.ftr b.ftr --tolerance 5ns --ignore metadata\n"
    "  hwtrace-diff a.ftr b.ftr --align key --key address --ignore field=id\n"
    "  hwtrace-diff a.zstf b.zstf --range 1000#:2000# --ignore 'field=source:*'\n"
    "  hwtrace-diff a.ftr b.ftr --align shift             the second run began later\n"
    "  hwtrace-diff a.pccx b.pccx --summary --threshold 2%    which statistics changed\n"
    "  hwtrace-diff -q a.pccx b.pccx && echo equal\n\n"
    "Exit codes: 0 equal, 1 different or nothing compared, 2 usage error, 3 equal as far as the inputs could be\n"
    "read, 4 an input cannot be processed, 5 input/output error, 6 an input exceeds a limit, 70 a bug in hwtrace.";

}  // namespace

int hwtrace::apps::diff(int argc, char** argv) {
    using namespace hwtrace::cli;
    constexpr std::string_view tool = "hwtrace-diff";
    return run(tool, [&] {
        DiffOptions options(known_formats());
        CommandLine line(tool, what, examples);
        line.positional("A", options.first, "The first trace");
        line.positional("B", options.second, "The second trace");

        line.group("Matching");
        line.choice("--align", {"order", "key", "shift"}, options.align,
                    "How records of a track are matched: by position (order), by key, or by position after removing a "
                    "constant offset of the times (shift) (default: order)");
        line.option("--key", "FIELD", options.keys,
                    "With --align key: a field or attribute of the key; repeatable (default: the id of an interval; "
                    "other records are matched by position)");
        line.count("--window", options.window,
                   "Records to search for the next match after a difference (default: 4096)");
        line.choice("--lowered", {"auto", "raise", "keep"}, options.lowered,
                    "Compares converted traces in their original form: if the formats differ (auto), always (raise) "
                    "or never (keep) (default: auto)");

        line.group("Accepted differences");
        line.option(
            "--ignore", "WHAT", options.ignore,
            "Ignores metadata, metadata=KEY, schema, time, order, native, scope=NAME, track=NAME, field=NAME or "
            "kind=KIND; * matches any characters; repeatable");
        line.option("--tolerance", "TIME", options.tolerance,
                    "Accepts times and durations that differ by at most TIME: 5ns, 100ps");
        line.option("--clock", "CLOCK", options.clock, clock_help);
        line.flag("--allow-empty", options.allow_empty, "Treats two traces without records as equal");
        line.flag("--allow-incomplete", options.allow_incomplete, "An incomplete input does not cause exit code 3");

        line.group("Slice");
        line.option("--range", "A:B", options.part.range, range_help);
        options.part.add_to(line);
        refuse_around(line);

        line.group("Output");
        line.count("-C,--context", options.context, context_help);
        line.count("--max-differences", options.max_differences, "Differences to print (default: 10); all are counted");
        line.choice("--format", {"text", "json", "csv"}, options.format,
                    "Output format (default: text); csv requires --summary");
        options.csv.add_to(line);
        line.flag("--summary", options.summary, "Compares the statistics of hwtrace-info instead of the records");
        line.option("--threshold", "PERCENT", options.threshold,
                    "With --summary: accepts changes of at most PERCENT (default: 5%)");

        options.common.add_to(line, FormatOptions::none);
        line.essentials({"--summary", "--threshold", "--ignore", "--align", "--range", "--select", "--format"});
        if (const auto exit = line.parse(argc, argv)) return *exit;
        options.common.unite_json(options.format);
        if (const auto exit = options.common.answer(tool)) return *exit;
        return diff_command(options);
    });
}
