// tests/cli/options_test.cpp - tests parsing of option values, exit codes, JSON numbers and messages.
#include <doctest/doctest.h>

#include <array>

#include "cli/exit_code.hpp"

#include <nlohmann/json.hpp>
#include "cli/citations.hpp"
#include "cli/json.hpp"
#include "cli/messages.hpp"
#include "cli/process.hpp"
#include "cli/time_options.hpp"
#include "cli/validation_report.hpp"
#include "formats.hpp"
#include "hwtrace/general_rules.hpp"
#include "io/named_error.hpp"

namespace hwtrace::cli::options_test {
namespace {

TEST_CASE("a clock is a period or a frequency of whole picoseconds") {
    CHECK(parse_clock("500ps") == 500);
    CHECK(parse_clock("1ns") == 1000);
    CHECK(parse_clock("1GHz") == 1000);
    CHECK(parse_clock("2.5GHz") == 400);
    CHECK(parse_clock("1.25GHz") == 800);
    CHECK(parse_clock("1000GHz") == 1);
    CHECK(parse_clock("1Hz") == 1'000'000'000'000);
    CHECK(parse_clock("0.5Hz") == 2'000'000'000'000);
    for (const char* text : {"", "1", "GHz", "0GHz", "0ps", "-1GHz", "1.GHzz", "3GHz", "2000GHz", "1e9Hz", "1 GHz",
                             "99999999999999999999Hz", "1.2.3GHz"}) {
        CAPTURE(text);
        CHECK_THROWS_AS(parse_clock(text), Error);
    }
}

TEST_CASE("instructions per cycle are a ratio in lowest terms") {
    CHECK(parse_ipc("2") == Ratio{2, 1});
    CHECK(parse_ipc("6/8") == Ratio{3, 4});
    for (const char* text : {"", "0", "1/0", "/2", "1/", "1.5", "1/2/3", "-1"}) {
        CAPTURE(text);
        CHECK_THROWS_AS(parse_ipc(text), Error);
    }
}

TEST_CASE("--report is parsed into a format and a file") {
    CHECK(parse_report("json").form == "json");
    CHECK(parse_report("json").path.empty());
    CHECK(parse_report("jsonl=a=b.json").path == "a=b.json");
    CHECK(parse_report("text=-").path.empty());
    CHECK_THROWS_AS(parse_report("xml"), Error);
    CHECK_THROWS_AS(parse_report("json="), Error);
}

TEST_CASE("the worse of two results does not depend on their order") {
    constexpr std::array all{Exit::done,  Exit::no, Exit::usage, Exit::incomplete,
                             Exit::input, Exit::io, Exit::limit, Exit::bug};
    for (const Exit a : all) {
        CHECK(worse(a, a) == a);
        CHECK(worse(a, Exit::done) == a);
        CHECK(worse(a, Exit::bug) == Exit::bug);
        for (const Exit b : all)
            CHECK(worse(a, b) == worse(b, a));
    }
    CHECK(worse(Exit::incomplete, Exit::no) == Exit::no);
    CHECK(worse(Exit::no, Exit::io) == Exit::io);
}

TEST_CASE("a message names the file once") {
    CHECK(about("a.stf", "damaged") == "a.stf: damaged");
    CHECK(about("a.stf", "a.stf: damaged") == "a.stf: damaged");
    CHECK(about("a", "a cat") == "a: a cat");
    CHECK(about("", "damaged") == "damaged");
}

TEST_CASE("JSON writes integers that readers would round as strings, if requested") {
    constexpr std::uint64_t exact = std::uint64_t{1} << 53;
    CHECK(to_text(json_integer(exact, JsonIntegers::strings)) == "9007199254740992");
    CHECK(to_text(json_integer(exact + 1, JsonIntegers::strings)) == "\"9007199254740993\"");
    CHECK(to_text(json_integer(exact + 1, JsonIntegers::numbers)) == "9007199254740993");
    CHECK(to_text(json_integer(INT64_MIN, JsonIntegers::strings)) == "\"-9223372036854775808\"");
    CHECK(to_text(json_integer(std::int64_t{-5}, JsonIntegers::strings)) == "-5");
}

TEST_CASE("JSON replaces bytes that are not UTF-8") {
    Json json;
    json["name"] =
        "a\xFF"
        "b";
    CHECK(to_text(json) ==
          "{\"name\":\"a\xEF\xBF\xBD"
          "b\"}");
}

TEST_CASE("every failure has an exit code") {
    const auto status = [](const std::function<Exit()>& work) { return run("test", work); };
    CHECK(status([] { return Exit::done; }) == 0);
    CHECK(status([]() -> Exit { fail(Failure::usage, "x"); }) == 2);
    CHECK(status([]() -> Exit { fail(Failure::input, "x"); }) == 4);
    CHECK(status([]() -> Exit { fail(Failure::io, "x"); }) == 5);
    CHECK(status([]() -> Exit { fail(Failure::limit, "x"); }) == 6);
    CHECK(status([]() -> Exit { fail(Failure::internal, "x"); }) == 70);
    CHECK(status([]() -> Exit { throw std::bad_alloc(); }) == 6);
    CHECK(status([]() -> Exit { throw std::logic_error("x"); }) == 70);
}

TEST_CASE("rules have unique ids, a citation and an explanation") {
    const auto rules = all_rules(formats());
    CHECK(rules.size() > 10);
    for (const Rule* rule : rules) {
        CAPTURE(rule->id);
        CHECK(find_rule(formats(), rule->id) == rule);  // ids are therefore unique
        CHECK(rule->id.size() == 6);
        CHECK_FALSE(rule->title.empty());
        const bool is_general = rule == &no_records || rule == &unknown_format;
        CHECK(citation_of(formats(), *rule).empty() == is_general);
        CHECK_FALSE(rule->why.empty());
    }
    CHECK(find_rule(formats(), "XYZ999") == nullptr);
}

TEST_CASE("the options of a format begin with its name") {
    for (const Format* format : formats()) {
        for (const Option& option : format->options) {
            CAPTURE(option.key);
            CHECK(option.key.starts_with(std::string(format->name) + "-"));
            CHECK_FALSE(option.help.empty());
            Settings settings;
            if (!option.fallback.empty()) CHECK_NOTHROW(settings.set(option, std::string(option.fallback)));
        }
    }
}

}  // namespace
}  // namespace hwtrace::cli::options_test

TEST_CASE("strings from a trace are escaped in messages, which stay on one line") {
    using namespace hwtrace;
    using namespace hwtrace::cli;
    CHECK(printable("plain, \xC3\xA9 and /path with spaces") == "plain, \xC3\xA9 and /path with spaces");
    CHECK(printable("a\x1b[31m\nb\x7f") == "a\\x1b[31m\\x0ab\\x7f");
    CHECK(printable("\xC2\x9B"
                    "31m \x9B \xC3") == "\\xc2\\x9b31m \\x9b \\xc3");
    constexpr Rule rule{"USC999", Severity::error, Effect::harmless, "a name", "", ""};
    const Finding finding{.rule = &rule, .offset = 5, .where = "scope \x1b[1m", .expected = "a\nb", .got = "\x07"};
    CHECK(finding_text(finding, Severity::error, Colour::off) ==
          "error USC999 at byte 5 (scope \\x1b[1m): a name; expected a\\x0ab, found \\x07");
}
