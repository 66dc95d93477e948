// apps/validate/command.cpp - hwtrace-validate: checks traces against their formats.
#include <string>
#include <utility>
#include <vector>

#include "../commands.hpp"
#include "cli/command_line.hpp"
#include "cli/part_options.hpp"
#include "cli/plugins.hpp"
#include "cli/process.hpp"
#include "cli/validate_command.hpp"
#include "cli/validation_report.hpp"
#include "hwtrace/general_rules.hpp"
#include "io/error.hpp"

namespace {

constexpr std::string_view what =
    "Checks hardware traces against their formats.\n"
    "Each file gets one verdict on standard output: valid, invalid, or incomplete (it ends early and is valid up to\n"
    "there).";

constexpr std::string_view examples =
    "Examples:\n"
    "  hwtrace-validate traces/*.zstf\n"
    "  hwtrace-validate --level semantic core.zstf    also checks that the records make sense\n"
    "  hwtrace-validate --explain GEN001\n"
    "  hwtrace-validate --strict --report text --report json=report.json core.uscope\n"
    "  hwtrace-validate --recursive traces --report junit=traces.xml --report github\n"
    "  hwtrace-validate --write-baseline known.json old/*.stf    from now on, only new findings fail:\n"
    "  hwtrace-validate --baseline known.json old/*.stf\n"
    "  hwtrace-validate --rule GEN001=error core.stf    treats an empty trace as an error\n\n"
    "Exit codes, the worst of all files (70 before 5, 4, 6, 2, 1, 3): 0 no findings at the fail level,\n"
    "1 findings at the fail level or no trace found, 2 usage error, 3 incomplete, 4 unknown format,\n"
    "5 input/output error, 6 an input exceeds a limit, 70 a bug in hwtrace.";

}  // namespace

int hwtrace::apps::validate(int argc, char** argv) {
    using namespace hwtrace::cli;
    constexpr std::string_view tool = "hwtrace-validate";
    return run(tool, [&] {
        ValidateOptions options(known_formats());
        CommandLine line(tool, what, examples);
        line.positionals("FILE", options.inputs, "The traces to check");
        line.flag("-r,--recursive", options.recursive,
                  "Checks the traces in folders; other files are counted. Follows links to files, not to folders");

        line.choice("--level", {"quick", "structure", "full", "semantic"}, options.level,
                    "How much to check: opening the file (quick), record boundaries (structure), consistency (full), "
                    "meaning (semantic) (default: full)");
        line.option("--shard", "I/N", options.shard, hwtrace::cli::shard_help);

        std::vector<std::string> rules;
        for (const hwtrace::Rule* const rule : all_rules(known_formats()))
            rules.emplace_back(rule->id);
        line.words("ID=LEVEL", rules, {"off", "note", "warning", "error"});
        line.words("ID", std::move(rules));
        line.words("FORM[=FILE]", report_forms());

        line.group("Rules");
        line.option("--rule", "ID=LEVEL", options.rules,
                    "Changes the severity of a rule to error, warning, note or off; repeatable");
        line.choice("--fail-on", {"error", "warning", "note"}, options.fail_on,
                    "Lowest severity that fails a file (default: error)");
        line.flag("--strict", options.strict, "Warnings fail a file too");
        line.flag("--allow-incomplete", options.allow_incomplete, "An incomplete input does not cause exit code 3");
        line.flag("--list-rules", options.list_rules, "Lists all rules and exits (with --json: as JSON)");
        line.flag("--markdown", options.markdown, "With --list-rules: prints the page formats/RULES.md");
        line.option("--explain", "ID", options.explain, "Explains a rule and exits");

        line.group("Reports");
        line.option("--report", "FORM[=FILE]", options.reports,
                    "Writes a text, json, jsonl, junit, sarif or github report to FILE (replaced) or standard output; "
                    "repeatable (default: text)");
        line.option("--baseline", "FILE", options.baseline, "Findings listed in FILE do not fail and are not shown");
        line.option("--write-baseline", "FILE", options.write_baseline,
                    "Writes all findings to FILE (replaced) as known; no finding fails");
        line.count("--max-findings", options.max_findings,
                   "Findings to print per rule and file (default: 20; in text without -v at most 12 in all)");

        refuse_parts(line, "whole files are checked; use hwtrace-convert to write a slice, and check the slice");
        line.refuse("--format", "validate writes reports; use --report json, or --json");
        options.common.add_to(line, FormatOptions::none);
        line.essentials({"--recursive", "--level", "--report", "--rule", "--fail-on", "--baseline", "--write-baseline",
                         "--explain"});
        if (const auto exit = line.parse(argc, argv)) return *exit;
        if (const auto exit = options.common.answer(tool)) return *exit;
        const bool is_list = options.list_rules || !options.explain.empty();
        if (options.common.json() && !is_list) {
            if (!options.reports.empty())
                hwtrace::fail(hwtrace::Failure::usage,
                              "--json is the same as --report json; leave it out or add --report json=FILE");
            options.reports = {"json"};
        }
        return validate_command(options);
    });
}
