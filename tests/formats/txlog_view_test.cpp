// Tests the view "log" of transaction logs.
#include <doctest/doctest.h>

#include <nlohmann/json.hpp>

#include <sstream>
#include <string>
#include <string_view>
#include <vector>

#include "formats.hpp"
#include "io/cursor.hpp"

namespace txlog_view_test {

using namespace hwtrace;

namespace {

using Bytes = std::vector<std::byte>;

Bytes bytes_of(std::string_view text) {
    const auto bytes = as_bytes(text);
    return {bytes.begin(), bytes.end()};
}

/// Renders the view "log" of a log.
std::string log_shown(std::string_view text, TextForm form, Findings& findings) {
    const Bytes file = bytes_of(text);
    Input input = Input::memory("log", file);
    TextOutput out(-1);
    const View& view = find_format(formats(), "txlog")->views.front();
    if (form == TextForm::text)
        view.render(input, out, {}, findings);
    else
        view.render_data(input, form, out, {}, findings);
    return std::string(out.text());
}

constexpr std::string_view small_log =
    "scv_tr_stream (ID 1, name \"top, bus\", kind \"<no_stream_kind>\")\n"
    "scv_tr_generator (ID 2, name \"read\", scv_tr_stream 1,\n"
    "begin_attribute (ID 0, name \"addr\", type \"UNSIGNED\")\n"
    ")\n"
    "tx_begin 7 2 5 ns\n"
    "a 16\n"
    "tx_record_attribute 7 \"note\" STRING = \"a \"quote\"\"\n"
    "tx_end 7 2 6 ns\n"
    "tx_relation \"next\" 7 3\n";

}  // namespace

TEST_CASE("as data, the view of a log has one object per statement") {
    Findings findings;
    const auto json = nlohmann::json::parse(log_shown(small_log, TextForm::json, findings));
    CHECK(json["schema"] == "hwtrace-txlog-log/1");
    CHECK(json["exponent"] == -12);
    const nlohmann::json expected = {
        {{"statement", "stream"}, {"id", 1}, {"name", "top, bus"}, {"kind", ""}},
        {{"statement", "generator"}, {"id", 2}, {"name", "read"}, {"stream", 1}},
        {{"statement", "begin_attribute"}, {"name", "addr"}, {"type", "UNSIGNED"}},
        {{"statement", "begin"}, {"id", 7}, {"generator", 2}, {"time", 5000}},
        {{"statement", "value"}, {"value", "16"}},
        {{"statement", "attribute"}, {"id", 7}, {"name", "note"}, {"type", "STRING"}, {"value", "a \"quote\""}},
        {{"statement", "end"}, {"id", 7}, {"generator", 2}, {"time", 6000}},
        {{"statement", "relation"}, {"name", "next"}, {"from", 3}, {"to", 7}},
    };
    CHECK(json["items"] == expected);
    std::vector<std::string> lines;
    std::istringstream all(log_shown(small_log, TextForm::jsonl, findings));
    for (std::string line; std::getline(all, line);)
        lines.push_back(line);
    REQUIRE(lines.size() == 1 + expected.size());
    for (std::size_t at = 0; at < expected.size(); ++at)
        CHECK(nlohmann::json::parse(lines[at + 1]) == expected[at]);
    CHECK(log_shown(small_log, TextForm::csv, findings) ==
          "statement,time,id,name,kind,stream,generator,type,value,from,to\n"
          "stream,,1,\"top, bus\",\"\",,,,,,\n"
          "generator,,2,read,,1,,,,,\n"
          "begin_attribute,,,addr,,,,UNSIGNED,,,\n"
          "begin,5000,7,,,,2,,,,\n"
          "value,,,,,,,,16,,\n"
          "attribute,,7,note,,,,STRING,\"a \"\"quote\"\"\",,\n"
          "end,6000,7,,,,2,,,,\n"
          "relation,,,next,,,,,,3,7\n");
    CHECK(findings.total_at_least(Severity::warning) == 0);
}

TEST_CASE("the view of a log reports faults that concern several statements, each once") {
    std::string log(small_log);
    log.append("tx_end 8 2 7 ns\n").append("tx_begin 9 5 8 ns\n").append("tx_end 9 5 8 ns\n").append("what\n");
    for (const TextForm form : {TextForm::text, TextForm::json, TextForm::jsonl, TextForm::csv}) {
        Findings findings;
        CHECK(log_shown(log, form, findings).find("8000") != std::string::npos);
        CHECK(findings.total("TXL011") == 1);  // ends, but is not open
        CHECK(findings.total("TXL006") == 1);  // undeclared generator
        CHECK(findings.total_at_least(Severity::note) == 4);
    }
}

TEST_CASE("the view of a log shows a time that is too large like the model") {
    std::string log(small_log);
    log.replace(log.find("6 ns"), 4, "99999999999999999 s");
    for (const TextForm form : {TextForm::text, TextForm::json}) {
        Findings findings;
        const std::string text = log_shown(log, form, findings);
        CHECK(findings.total("TXL025") == 1);
        CHECK(text.find("9223372036854775807") != std::string::npos);
        CHECK(text.find('?') == std::string::npos);
    }
}

}  // namespace txlog_view_test
