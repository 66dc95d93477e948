// tests/formats/jsonl_traps_test.cpp - tests lines that are easily misread: times without a unit, long numbers, and
// repeated names.
#include <doctest/doctest.h>

#include <string>
#include <vector>

#include "codec/findings.hpp"
#include "codec/format.hpp"
#include "formats.hpp"
#include "io/cursor.hpp"
#include "jsonl/json_text.hpp"

namespace jsonl_traps_test {

using namespace hwtrace;

namespace {

using Texts = std::vector<std::string>;

/// Reads lines behind a head. Returns the findings as "JSL025@29".
Texts findings_of(const std::string& lines, std::string head = R"({"schema":"hwtrace-jsonl/1"})") {
    const std::string text = head.append("\n") + lines;
    const auto start = static_cast<long long>(text.size() - lines.size());
    Input input = Input::memory("lines", as_bytes(text));
    Findings findings;
    const Settings settings;
    const auto reader = find_format(formats(), "jsonl")->open(input, settings, findings);
    for (Batch batch; reader->read(batch);)
        batch.clear();
    Texts found;
    for (const Finding& finding : findings.kept())
        found.push_back(std::string(finding.rule->id) + "@" +
                        std::to_string(static_cast<long long>(finding.offset) - start));
    return found;
}

/// Returns the offset in a line of its first repeated name, or npos.
std::size_t repeat_in(const std::string& text) {
    jsonl::JsonLine line(64);
    REQUIRE_FALSE(line.parse(text));
    return line.repeat() ? line.repeat()->at : std::string::npos;
}

}  // namespace

TEST_CASE("jsonl: a time without a unit on a track whose times have units is reported") {
    CHECK(findings_of("{\"time\":\"8ns\",\"track\":\"a\"}\n{\"time\":9,\"track\":\"a\"}\n") == Texts{"JSL025@27"});
    CHECK(findings_of("{\"time\":\"8ns\",\"track\":\"a\"}\n{\"time\":\"9\",\"track\":\"a\"}\n") == Texts{"JSL025@27"});
    CHECK(findings_of("{\"time\":\"8ns\",\"duration\":2,\"track\":\"a\"}\n") == Texts{"JSL025@0"});
    CHECK(findings_of("{\"time\":\"8ns\",\"duration\":0,\"track\":\"a\"}\n").empty());  // 0 has no unit
    // A new field begins another track with the same unit.
    CHECK(findings_of("{\"time\":\"8ns\",\"track\":\"a\"}\n{\"time\":\"9ns\",\"track\":\"a\",\"v\":1}\n"
                      "{\"time\":10,\"track\":\"a\",\"v\":1}\n") == Texts{"JSL018@27", "JSL025@60"});
}

TEST_CASE("jsonl: a time without a unit is not reported if a declaration or the head states the unit") {
    CHECK(findings_of("{\"time\":8,\"track\":\"a\"}\n{\"time\":9,\"track\":\"a\"}\n").empty());
    CHECK(findings_of("{\"time\":\"8ns\",\"track\":\"a\"}\n{\"time\":9,\"track\":\"b\"}\n").empty());
    CHECK(findings_of(
              "{\"type\":\"track\",\"name\":\"a\",\"time\":\"ns\",\"fields\":{}}\n{\"time\":\"8ns\",\"track\":\"a\"}\n"
              "{\"time\":9,\"track\":\"a\"}\n")
              .empty());
    CHECK(findings_of("{\"time\":\"8ns\",\"track\":\"a\"}\n{\"time\":9,\"track\":\"a\"}\n",
                      R"({"schema":"hwtrace-jsonl/1","time":"ns"})")
              .empty());
}

TEST_CASE("jsonl: a whole number that a floating-point field cannot hold is reported") {
    const auto value = [](const std::string& number) {
        return findings_of("{\"time\":1,\"track\":\"a\",\"v\":" + number + "}\n");
    };
    CHECK(value("99999999999999999999999999") == Texts{"JSL024@0"});
    CHECK(value("-99999999999999999999999999") == Texts{"JSL024@0"});
    CHECK(value("18446744073709551616").empty());  // 2^64 is a double
    CHECK(value("18446744073709551615").empty());  // u64
    CHECK(value("-9223372036854775808").empty());  // i64
    CHECK(value("1e26").empty());
    CHECK(value("\"99999999999999999999999999\"").empty());  // a text
    CHECK(value("1e999") == Texts{"JSL012@0"});

    const auto declared = [](const std::string& type, const std::string& number) {
        return findings_of("{\"type\":\"track\",\"name\":\"a\",\"fields\":{\"v\":\"" + type +
                           "\"}}\n{\"time\":1,\"track\":\"a\",\"v\":" + number + "}\n");
    };
    CHECK(declared("f64", "9007199254740992").empty());
    CHECK(declared("f64", "9007199254740993") == Texts{"JSL024@49"});
    CHECK(declared("f32", "16777216").empty());
    CHECK(declared("f32", "16777217") == Texts{"JSL024@49"});
    CHECK(declared("u64", "99999999999999999999999999") == Texts{"JSL012@49"});
}

TEST_CASE("jsonl: an attribute of an interval that no type can hold is reported") {
    const auto value = [](const std::string& number) {
        return findings_of("{\"time\":1,\"duration\":2,\"track\":\"a\",\"v\":" + number + "}\n");
    };
    CHECK(value("99999999999999999999999999") == Texts{"JSL024@0"});
    CHECK(value("[1, 99999999999999999999999999]") == Texts{"JSL024@0"});
    CHECK(value("1e999") == Texts{"JSL012@0"});
}

TEST_CASE("jsonl: a repeated member is reported in every object of a line") {
    CHECK(findings_of("{\"time\":1,\"time\":2,\"track\":\"a\",\"v\":1,\"v\":2}\n") == Texts{"JSL023@10"});
    CHECK(findings_of("{\"time\":1,\"track\":\"a\",\"fields\":{\"v\":1,\"v\":2}}\n") == Texts{"JSL023@38"});
    CHECK(findings_of("{\"time\":1,\"duration\":1,\"track\":\"a\",\"attributes\":{\"v\":1,\"v\":2}}\n") ==
          Texts{"JSL023@55"});
    CHECK(findings_of("{\"type\":\"track\",\"name\":\"a\",\"name\":\"b\"}\n") == Texts{"JSL023@27"});
    CHECK(findings_of("{\"time\":1,\"track\":\"a\"}\n", R"({"schema":"hwtrace-jsonl/1","tool":1,"tool":2})") ==
          Texts{"JSL023@-10"});

    CHECK(repeat_in(R"({"a":1,"b":[{"a":1},{"a":2}],"c":{"a":3}})") == std::string::npos);
    CHECK(repeat_in(R"({"a":1,"b":[{"a":1,"c":2},{"x":{"y":1,"z":2,"y":3}}]})") == 44);
    CHECK(repeat_in(R"({"ab":1,"\u0061b":2})") == 8);
    CHECK(repeat_in(R"({"":1,"x":2,"":3})") == 12);
}

TEST_CASE("jsonl: a repeated member is found among many") {
    for (const std::size_t count : {31u, 32u, 33u, 5000u}) {
        std::string text = "{";
        for (std::size_t i = 0; i < count; ++i)
            text.append(i == 0 ? "\"" : ",\"").append(std::to_string(i)).append("\":0");
        CHECK(repeat_in(text + "}") == std::string::npos);
        CHECK(repeat_in(text + ",\"7\":0}") == text.size() + 1);
        CHECK(repeat_in("{\"deep\":" + text + ",\"7\":0}}") == text.size() + 9);
    }
}

TEST_CASE("jsonl: a number beyond its field's type is a fault in records, but not in operations on tables") {
    const std::string head =
        "{\"schema\":\"hwtrace-jsonl/1\"}\n"
        R"({"type":"scope","id":0,"name":"a"})"
        "\n";
    const auto of = [&](const std::string& kind, const std::string& type, const std::string& record) {
        const std::string track = R"({"type":"track","id":0,"kind":")" + kind + R"(","name":"t","scope":0,"slots":1,)" +
                                  R"("time":{"base":"seconds","num":1,"den":1000},"fields":[{"name":"v","type":")" +
                                  type + "\"}]}";
        return findings_of("{\"time\":1,\"track_id\":0," + record + "}\n", head + track);
    };
    const auto event = [&](const std::string& type, const std::string& value) {
        return of("event", type, R"("type":"event","fields":{"v":)" + value + "}");
    };
    const Texts wrong{"JSL012@0"};
    CHECK(event("u8", "255").empty());
    CHECK(event("u8", "256") == wrong);
    CHECK(event("u16", "65536") == wrong);
    CHECK(event("u32", "4294967295").empty());
    CHECK(event("u32", "4294967296") == wrong);
    CHECK(event("i8", "-128").empty());
    CHECK(event("i8", "-129") == wrong);
    CHECK(event("i16", "32768") == wrong);
    CHECK(event("i32", "-2147483649") == wrong);
    CHECK(event("bool", "255").empty());  // a byte in µScope
    CHECK(event("bool", "256") == wrong);
    CHECK(of("stream", "u8", R"("type":"interval","duration":1,"attributes":{"v":256})") == wrong);
    CHECK(of("signal", "u8", R"("type":"change","values":{"v":256})") == wrong);
    CHECK(of("storage", "u8", R"("type":"set","slot":0,"field":"v","value":256)").empty());
}

}  // namespace jsonl_traps_test
