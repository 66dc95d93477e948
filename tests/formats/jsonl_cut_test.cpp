// tests/formats/jsonl_cut_test.cpp - tests JSON Lines files that end inside a line. The file counts as cut if more
// characters could complete the line, otherwise as damaged.
#include <doctest/doctest.h>

#include <string>
#include <vector>

#include "codec/findings.hpp"
#include "codec/format.hpp"
#include "formats.hpp"
#include "io/error.hpp"
#include "jsonl/json_text.hpp"

namespace jsonl_cut_test {

using namespace hwtrace;

namespace {

const std::string head = "{\"schema\":\"hwtrace-jsonl/1\"}\n";

struct Read {
    std::vector<std::string> rules;
    Verdict verdict = Verdict::valid;
    std::string refusal;
};

Read read(const std::string& text) {
    const auto* const first = reinterpret_cast<const std::byte*>(text.data());
    Input input = Input::memory("lines", {first, first + text.size()});
    Findings findings;
    const Settings settings;
    Read result;
    try {
        const auto reader = find_format(formats(), "jsonl")->open(input, settings, findings);
        for (Batch batch; reader->read(batch);)
            batch.clear();
    } catch (const Error& error) {
        result.refusal = error.what();
    }
    for (const Finding& finding : findings.kept())
        result.rules.emplace_back(finding.rule->id);
    result.verdict = findings.verdict();
    return result;
}

}  // namespace

TEST_CASE("jsonl: every prefix of an object counts as cut, not as damaged") {
    jsonl::JsonLine line(20);
    for (const std::string whole : {R"({"a": [1, -2.5e+3, {"b" : true}, false , null], "c":{}, "d":[]})",
                                    R"({"text":"\n\u00e9 \ud83d\ude00 é€😀", "z" : -0.0E-7})"}) {
        REQUIRE_FALSE(line.parse(whole));
        for (std::size_t size = 1; size < whole.size(); ++size) {
            CAPTURE(whole.substr(0, size));
            const auto fault = line.parse(whole.substr(0, size));
            REQUIRE(fault);
            CHECK(fault->may_go_on);
        }
    }
}

TEST_CASE("jsonl: a line that no more characters could complete is damaged") {
    jsonl::JsonLine line(20);
    for (const std::string wrong : {R"({"a":})",
                                    R"({"a":1,,)",
                                    R"({"a":1} x)",
                                    R"({"a":trux)",
                                    R"({"a":1x)",
                                    R"({"a":"\x)",
                                    R"({"a":"\u00g)",
                                    R"({"a":"\udc00)",
                                    R"({"a":"\ud83d x)",
                                    R"({"a":"\ud83d\n)",
                                    R"({"a":"\ud83d\u00)",
                                    R"({a)",
                                    R"([1])",
                                    R"({"a":-x)",
                                    R"({"a":1.x)",
                                    "{\"a\":\"\x01",
                                    "{\"a\":\"\xC0",
                                    "{\"a\":\"\xE2\x28",
                                    R"({"a" 1)",
                                    R"({"a":[1})"}) {
        CAPTURE(wrong);
        const auto fault = line.parse(wrong);
        REQUIRE(fault);
        CHECK(fault->may_go_on == (wrong == R"({"a":"\ud83d\u00)"));
    }
}

TEST_CASE("jsonl: only streams and signals can get fields later") {
    const auto with = [](const std::string& kind) {
        return read(head + R"({"type":"track","kind":")" + kind + R"(","name":"t","slots":1,"fields":[]})" + "\n" +
                    R"({"type":"attribute","track_id":0,"field":{"name":"f","type":"u8"}})" + "\n");
    };
    for (const std::string kind : {"stream", "signal"})
        CHECK(with(kind).rules == std::vector<std::string>{});
    for (const std::string kind : {"storage", "event"}) {
        CAPTURE(kind);
        CHECK(with(kind).rules.size() == 1);
        CHECK(with(kind).verdict == Verdict::invalid);
    }
}

TEST_CASE("jsonl: damage in a last line without a line end is damage") {
    const Read cut = read(head + R"({"type":"scope","na)");
    CHECK(cut.rules == std::vector<std::string>{"JSL020"});
    CHECK(cut.verdict == Verdict::incomplete);
    const Read wrong = read(head + R"({"type":"scope",,"na)");
    CHECK(wrong.rules.size() == 1);
    CHECK(wrong.rules.front() != "JSL020");
    CHECK(wrong.verdict == Verdict::invalid);
    CHECK(read(head.substr(0, 12)).refusal == "lines: the file ends inside its first line");
    CHECK(read("{,").refusal == "lines: not a JSON Lines file");
}

}  // namespace jsonl_cut_test
