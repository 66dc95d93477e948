// apps/query/command.cpp - hwtrace-query: runs SQL on the tables of traces. It is built only if SQLite is installed.
#include "../commands.hpp"
#include "cli/command_line.hpp"
#include "cli/plugins.hpp"
#include "cli/process.hpp"
#include "cli/query_command.hpp"
#include "cli/time_options.hpp"

namespace {

constexpr std::string_view what =
    "Runs SQL on traces: each track is a table, and SQLite answers.\n"
    "The last argument is the SQL, '-' reads it from standard input. The format of a trace is detected from its "
    "content.";

constexpr std::string_view examples =
    "Examples:\n"
    "  hwtrace-query run.ftr --list                    the tables, their columns, and a row of each\n"
    "  hwtrace-query run.ftr 'SELECT * FROM \"read\" WHERE duration > 100'\n"
    "  hwtrace-query run.ftr --range 10us:20us --format csv 'SELECT * FROM \"write\"'\n"
    "  hwtrace-query core.zstf 'SELECT pc, count(*) FROM core0 GROUP BY pc'\n"
    "  hwtrace-query core.zstf --elf program 'SELECT DISTINCT function FROM core0'\n"
    "  hwtrace-query old.ftr new.ftr 'SELECT avg(duration) FROM old.\"read\"'    several traces\n"
    "  hwtrace-query run.ftr - < report.sql\n\n"
    "Exit codes: 0 done, 2 usage error, also in SQL, 3 the readable records were queried but the input is incomplete,\n"
    "4 the input cannot be processed, 5 input/output error, 6 the input exceeds a limit, 70 a bug in hwtrace.";

}  // namespace

int hwtrace::apps::query(int argc, char** argv) {
    using namespace hwtrace::cli;
    constexpr std::string_view tool = "hwtrace-query";
    return run(tool, [&] {
        QueryCommandOptions options(known_formats());
        CommandLine line(tool, what, examples);
        line.positionals("FILE... SQL", options.arguments, "The traces to query, then the statements");

        line.group("Output");
        line.flag("--list", options.list, "Lists the tables and their columns, with an example; takes files only");
        line.choice("--format", {"text", "json", "jsonl", "csv"}, options.format, "Output format (default: text)");
        options.csv.add_to(line);

        line.group("Input");
        line.option("--range", "A:B", options.part.range, range_help);
        options.part.add_to(line);
        refuse_around(line);
        options.part.add_shard_to(line);
        options.part.add_match_to(line);
        line.option("--clock", "CLOCK", options.clock, clock_help);
        options.elf.add_to(line);
        line.count("--memory", options.memory,
                   "Memory for the rows of tables that a statement reads repeatedly, such as joins (default: 256M)");
        line.flag("--allow-incomplete", options.allow_incomplete, "An incomplete input does not cause exit code 3");

        line.refuse("-o,--output", "hwtrace-query prints to standard output; redirect it with > FILE");
        options.common.add_to(line, FormatOptions::none);
        line.essentials({"--list", "--format", "--range", "--last", "--select", "--clock", "--memory",
                         "--allow-incomplete", "--list-formats"});
        if (const auto exit = line.parse(argc, argv)) return *exit;
        options.common.unite_json(options.format);
        if (const auto exit = options.common.answer(tool)) return *exit;
        return query_command(options);
    });
}
