// apps/validate/main.cpp - hwtrace-validate: is a trace what its format says it is?
#include <string>
#include <utility>
#include <vector>

#include "cli/command_line.hpp"
#include "cli/general_rules.hpp"
#include "cli/part_options.hpp"
#include "cli/process.hpp"
#include "cli/validate_command.hpp"
#include "cli/validation_report.hpp"
#include "formats.hpp"

namespace {

constexpr std::string_view what =
    "Checks hardware traces against their formats.\n"
    "Each file gets a line on standard output: valid, invalid, or incomplete (it ends early and is valid up to there).";

constexpr std::string_view examples =
    "Examples:\n"
    "  hwtrace-validate traces/*.zstf\n"
    "  hwtrace-validate --strict --report text --report json=report.json core.uscope\n"
    "  hwtrace-validate --recursive traces --report junit=traces.xml --report sarif=traces.sarif\n"
    "  hwtrace-validate --write-baseline known.json old/*.stf; hwtrace-validate --baseline known.json old/*.stf\n"
    "  hwtrace-validate --rule GEN001=error core.stf  an empty trace is an error\n"
    "  hwtrace-validate --level semantic core.zstf    does what it says make sense?\n"
    "  hwtrace-validate --explain GEN001\n\n"
    "Exit codes, the worst of all files (70 before 5, 4, 6, 2, 1, 3): 0 nothing at the fail level,\n"
    "1 findings at the fail level or no trace was found, 2 usage, 3 incomplete, 4 no known format,\n"
    "5 input/output error, 6 a limit refused the input, 70 a bug in hwtrace.";

}  // namespace

int main(int argc, char** argv) {
    using namespace hwtrace::cli;
    constexpr std::string_view tool = "hwtrace-validate";
    return run(tool, [&] {
        ValidateOptions options(hwtrace::formats());
        CommandLine line(tool, what, examples);
        line.positionals("FILE", options.inputs, "The traces to check");
        line.flag("-r,--recursive", options.recursive,
                  "Looks into folders: files in them that are no traces are counted, not checked; links to files are\n"
                  "followed, links to folders are not");

        line.choice("--level", {"quick", "structure", "full", "semantic"}, options.level,
                    "What is checked: what opening tells, that records can be told apart, that everything agrees,\n"
                    "that it makes sense (default: full)");

        std::vector<std::string> rules;
        for (const hwtrace::Rule* const rule : all_rules(hwtrace::formats()))
            rules.emplace_back(rule->id);
        line.words("ID=LEVEL", rules, {"off", "note", "warning", "error"});
        line.words("ID", std::move(rules));
        line.words("FORM[=FILE]", report_forms());

        line.group("Rules");
        line.option("--rule", "ID=LEVEL", options.rules,
                    "Makes a rule an error, a warning, a note, or off; repeatable");
        line.choice("--fail-on", {"error", "warning", "note"}, options.fail_on, "The lowest level that fails");
        line.flag("--strict", options.strict, "Warnings fail too");
        line.flag("--allow-incomplete", options.allow_incomplete,
                  "A file that ends early does not fail, if it can be read up to there");
        line.flag("--list-rules", options.list_rules, "Lists all rules (--json: as JSON) and exits");
        line.flag("--markdown", options.markdown, "With --list-rules: prints the page formats/RULES.md");
        line.option("--explain", "ID", options.explain, "Explains a rule and exits");

        line.group("Reports");
        line.option("--report", "FORM[=FILE]", options.reports,
                    "text, json, jsonl, junit, sarif or github, to FILE (replaced) or standard output; repeatable "
                    "(default: text)");
        line.option("--baseline", "FILE", options.baseline, "Findings that FILE knows do not fail, and are not shown");
        line.option("--write-baseline", "FILE", options.write_baseline,
                    "Writes what is found as known (replaces FILE); then no finding fails");
        line.count("--max-findings", options.max_findings, "Findings shown of each rule and file (default: 20)");

        refuse_parts(line, "whole files are checked; hwtrace-convert makes a file of a part, which can be checked");
        options.common.add_to(line, FormatOptions::none);
        if (const auto exit = line.parse(argc, argv)) return *exit;
        if (const auto exit = options.common.answer(tool)) return *exit;
        return validate_command(options);
    });
}
