// tests/formats/jsonl_view_test.cpp - tests the view "lines".
#include <doctest/doctest.h>

#include <string>
#include <string_view>

#include "formats.hpp"
#include "io/cursor.hpp"
#include "io/error.hpp"

namespace jsonl_view_test {

using namespace hwtrace;

namespace {

std::string lines_shown(std::string_view text, Findings& findings) {
    Input input = Input::memory("trace.jsonl", as_bytes(text));
    TextOutput out(-1);
    find_format(formats(), "jsonl")->views.front().render(input, out, {}, findings);
    return std::string(out.text());
}

}  // namespace

TEST_CASE("jsonl lines: each object is shown with its number and offset, and reported if it is no valid record") {
    Findings findings;
    CHECK(lines_shown("{\"schema\":\"hwtrace-jsonl/1\"}\n{\"no\": [\"track\", 1]}\n{\"time\":1,\"track\":\"a\"}\n{}\n",
                      findings) ==
          "1 @0 {\"schema\":\"hwtrace-jsonl/1\"}\n"
          "2 @29 {\"no\": [\"track\", 1]}\n"
          "3 @50 {\"time\":1,\"track\":\"a\"}\n"
          "4 @73 {}\n");
    REQUIRE(findings.kept().size() == 2);
    CHECK(findings.kept()[0].rule->id == "JSL007");
    CHECK(findings.kept()[0].offset == 29);
    CHECK(findings.kept()[1].offset == 73);
    CHECK(findings.verdict() == Verdict::invalid);
}

TEST_CASE("jsonl lines: declarations before records are decoded, with and without a head") {
    constexpr std::string_view lines =
        "{\"type\":\"track\",\"name\":\"a\",\"fields\":{\"v\":\"u8\"}}\n{\"time\":1,\"track\":\"a\",\"v\":7}\n";
    Findings findings, headless;
    CHECK(lines_shown(std::string("{\"schema\":\"hwtrace-jsonl/1\"}\n").append(lines), findings).size() ==
          lines.size() + 29 + 17);
    CHECK(findings.kept().empty());
    CHECK(lines_shown(lines, headless).size() == lines.size() + 11);
    REQUIRE(headless.kept().size() == 1);
    CHECK(headless.kept()[0].rule->id == "JSL003");
}

TEST_CASE("jsonl lines: broken lines are reported, not shown, and later ones keep their numbers") {
    Findings findings;
    CHECK(lines_shown("{\"schema\":\"hwtrace-jsonl/1\"}\n\n{\"a\":\"\x1b[2J\"}\n{\"time\":1,\"track\":\"b\"}\n{\"c\":",
                      findings) ==
          "1 @0 {\"schema\":\"hwtrace-jsonl/1\"}\n"
          "4 @43 {\"time\":1,\"track\":\"b\"}\n");
    REQUIRE(findings.kept().size() == 3);
    CHECK(findings.kept()[0].rule->id == "JSL005");
    CHECK(findings.kept()[1].rule->id == "JSL004");
    CHECK(findings.kept()[1].offset == 36);
    CHECK(findings.kept()[2].rule->id == "JSL020");
}

TEST_CASE("jsonl lines: a file without JSON lines is refused") {
    Findings findings;
    CHECK_THROWS_WITH_AS(lines_shown("no JSON at all\n", findings), "trace.jsonl: not a JSON Lines file", Error);
    CHECK(findings.verdict() == Verdict::invalid);
}

}  // namespace jsonl_view_test
