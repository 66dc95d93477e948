// tests/cli/documents_test.cpp - tests that man pages and completions are complete and escape special characters.
#include <doctest/doctest.h>

#include <array>

#include "cli/command_line.hpp"
#include "cli/completion.hpp"
#include "cli/man_page.hpp"
#include "io/error.hpp"

namespace hwtrace::cli::documents_test {
namespace {

CommandDescription command() {
    CommandDescription command;
    command.tool = "hwtrace-test";
    command.version = "1.2.3";
    command.what = "Tests what is to be tested: all.\nAnd µScope's.";
    command.examples =
        "Examples:\n  hwtrace-test '*.stf'   it's\n  .\\n\n\n"
        "Exit codes, the worst of all: 0 done, or nothing, with\n1,000 files, 2 usage, 70 a bug.";
    command.positionals.push_back({"FILE", "The traces", true});
    command.options.push_back({"Output", {"-o", "--output"}, "OUT", {}, "The file's [name]: to\nwrite"});
    command.options.push_back({"Output", {"--to"}, "FORMAT", {"stf", "ftr"}, "The format"});
    command.options.push_back({"Limits", {"--tmpdir"}, "FOLDER", {}, "Where"});
    command.options.push_back({"Limits", {"--key"}, "N", {}, "Which", true});
    command.options.push_back({"Limits", {"--no-limits"}, "", {}, "None"});
    command.options.push_back({"Rules", {"--level"}, "ID=LEVEL", {"A1", "A2"}, "How bad", true, {"off", "on"}});
    command.environment.push_back({"NO_COLOR", "No colour"});
    return command;
}

bool has(const std::string& text, std::string_view part) {
    return text.find(part) != std::string::npos;
}

TEST_CASE("a man page lists all options and arguments of a command") {
    const std::string page = man_page(command());
    for (const std::string_view part : {
             ".TH \"HWTRACE\\-TEST\" 1 \"\" \"hwtrace 1.2.3\"",
             ".SH NAME\nhwtrace\\-test \\- tests what is to be tested\n",
             ".SH SYNOPSIS\n\\fBhwtrace\\-test\\fR [\\fIOPTION\\fR]... \\fIFILE\\fR...\n",
             ".SH DESCRIPTION\nTests what is to be tested: all. And \\[u00B5]Scope\\(aqs.\n",
             ".TP\n\\fIFILE\\fR\nThe traces.\n",
             ".SS Output\n.TP\n\\fB\\-o\\fR, \\fB\\-\\-output\\fR \\fIOUT\\fR\nThe file\\(aqs [name]: to write\n.TP\n",
             ".SS Limits\n.TP\n\\fB\\-\\-tmpdir\\fR \\fIFOLDER\\fR\nWhere\n",
             ".TP\n\\fB\\-\\-no\\-limits\\fR\nNone\n",
             ".SH EXIT STATUS\nWith several inputs, the exit code is the worst of all.\n.TP\n.B 0\ndone, or nothing, "
             "with 1,000 "
             "files\n"
             ".TP\n.B 2\nusage\n.TP\n.B 70\na bug\n.SH ENVIRONMENT",
             ".TP\n\\fBNO_COLOR\\fR\nNo colour\n",
             ".SH EXAMPLES\n.EX\nhwtrace\\-test \\(aq*.stf\\(aq   it\\(aqs\n\\&.\\en\n.EE\n",
             ".SH SEE ALSO\n.BR hwtrace (1)\n",
         }) {
        CAPTURE(part);
        CHECK_MESSAGE(has(page, part), page);
    }
}

TEST_CASE("the page of a command becomes the guide of its man page") {
    const std::string page =
        man_page(command(),
                 "# hwtrace-test\n\nLeft out.\n\n## First steps\n\nA `--flag` and a\n[link](page), **bold**.\n\n"
                 "- one\n  more\n- .two\n\n```console\n$ run 'x'\n\n.dot\n```\n\n| a | b |\n|---|---|\n"
                 "| `x` | says \\| so |\n\nEnd.\n");
    const std::string_view guide =
        ".SH GUIDE\n.SS First steps\nA \\fB\\-\\-flag\\fR and a link, \\fBbold\\fR.\n.IP \\(bu 2\none more\n.IP "
        "\\(bu "
        "2\n\\&.two\n.PP\n.RS 4\n.EX\n$ run \\(aqx\\(aq\n\n\\&.dot\n.EE\n.RE\n.TP\n\\fBx\\fR\nsays | "
        "so\n.PP\nEnd.\n.SH "
        "EXAMPLES\n";
    CHECK_MESSAGE(has(page, guide), page);
    CHECK(!has(page, "Left out"));
    CHECK(!has(man_page(command()), "GUIDE"));
}

TEST_CASE("the launcher has a list of verbs") {
    CommandDescription launcher = command();
    launcher.verbs = {{"dump", "a trace as text"}, {"info", "what's in it"}};
    const std::string page = man_page(launcher);
    CHECK(has(page, "\\fBhwtrace\\-test\\fR \\fIVERB\\fR ...\n.br\n"));
    CHECK(has(page, ".SH VERBS\n.TP\n\\fBdump\\fR\na trace as text\n"));
    CHECK(has(page, ".BR hwtrace\\-test\\-dump (1),\n.BR hwtrace\\-test\\-info (1)\n"));
    CHECK(has(completion(launcher, "bash"), "verbs='dump info -o --output"));
    CHECK(has(completion(launcher, "zsh"), "'info:what'\\''s in it'"));
    CHECK(has(completion(launcher, "fish"), "-n __fish_use_subcommand -f -a info -d 'what\\'s in it'"));
}

TEST_CASE("a completion offers words, files or folders, depending on the option") {
    const std::string bash = completion(command(), "bash");
    CHECK(has(bash, "options='-o --output --to --tmpdir --key --no-limits --level'"));
    CHECK(has(bash, "-o | --output) files=-f ;;"));
    CHECK(has(bash, "--to) mapfile -t COMPREPLY < <(compgen -W 'stf ftr' -- \"$current\") ;;"));
    CHECK(has(bash, "--tmpdir) files=-d ;;"));
    CHECK(has(bash, "--key) ;;"));
    CHECK(has(bash, "--level) compopt -o nospace 2>/dev/null; mapfile -t COMPREPLY < <(compgen -W 'A1= A2=' "));
    CHECK(has(bash, "--level=) mapfile -t COMPREPLY < <(compgen -W 'off on' -- \"$current\") ;;"));
    CHECK_FALSE(has(bash, "--no-limits)"));
    const std::string zsh = completion(command(), "zsh");
    CHECK(has(zsh, "'(-o --output)--output=[The file'\\''s \\[name\\]\\: to write]:OUT:_files'"));
    CHECK(has(zsh, "'(-o --output)-o+[The file"));
    CHECK(has(zsh, "'--to=[The format]:FORMAT:(stf ftr)'"));
    CHECK(has(zsh, "'*--key=[Which]:N: '"));
    CHECK(has(zsh, "'--no-limits[None]'"));
    CHECK(has(zsh, ":ID=LEVEL:{if compset -P \"*=\"; then compadd off on; else compadd -S = A1 A2; fi}'"));
    const std::string fish = completion(command(), "fish");
    CHECK(has(fish, "complete -c hwtrace-test -s o -l output -r -F -d 'The file\\'s [name]: to write'\n"));
    CHECK(has(fish, "-l to -x -a 'stf ftr' -d"));
    CHECK(has(fish, "-l no-limits -d 'None'\n"));
    CHECK(has(fish, "$word)={off,on}; else; printf \"%s=\\\\n\" A1 A2; end)' -d 'How bad'\n"));
    CHECK_THROWS_AS(completion(command(), "csh"), Error);
}

}  // namespace
}  // namespace hwtrace::cli::documents_test
