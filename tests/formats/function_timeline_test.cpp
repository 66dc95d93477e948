// Tests timelines, reports and waveforms of instructions with symbols: functions as nested slices, and as a tree of
// calls.
#include <doctest/doctest.h>

#include <map>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "codec/format.hpp"
#include "formats.hpp"
#include "perfetto/function_drawer.hpp"
#include "support/instruction_steps.hpp"

namespace function_timeline_test {

using namespace hwtrace;
using Json = nlohmann::json;
using Steps = test::InstructionSteps;

std::string written(const char* format, const Steps& steps, std::shared_ptr<const Symbols> symbols) {
    std::string text;
    Losses losses;
    Settings settings;
    settings.symbols = std::move(symbols);
    const auto output = open_memory_output("out", [&](std::vector<std::byte> bytes) {
        text.assign(reinterpret_cast<const char*>(bytes.data()), bytes.size());
    });
    const auto writer = find_format(targets(), format)->create(*output, steps.schema, settings, losses);
    writer->write(steps.batch);
    writer->finish();
    output->commit();
    return text;
}

/// Returns the begins and ends of the slices of each row: "name@time", "name@time!" for a trap, "<time(instructions)".
std::map<std::string, std::string> slices_of(const Steps& steps) {
    const Json events = Json::parse(written("chrome", steps, Steps::symbols()))["traceEvents"];
    std::map<int, std::string> rows;
    std::map<std::string, std::string> slices;
    for (const Json& event : events) {
        const std::string phase = event["ph"];
        if (phase == "M" && event["name"] == "thread_name") rows[event["tid"]] = event["args"]["name"];
        if (phase != "B" && phase != "E") continue;
        const auto time = std::to_string(static_cast<int>(event["ts"].get<double>() * 1000 + 0.5));
        std::string& text = slices[rows[event["tid"]]];
        if (!text.empty()) text += " ";
        if (phase == "B")
            text += event["name"].get<std::string>() + "@" + time + (event["cat"] == "trap" ? "!" : "");
        else
            text += "<" + time + "(" + std::to_string(event["args"]["instructions"].get<int>()) + ")";
    }
    return slices;
}

using Rows = std::map<std::string, std::string>;

TEST_CASE("timelines: with symbols, functions are nested slices from their first instruction on") {
    Steps steps;
    steps.at(Steps::main).go(Steps::main + 4, Steps::call, Steps::a).at(Steps::a);
    steps.go(Steps::a + 4, Steps::jump, Steps::b).go(Steps::b, Steps::ret, Steps::main + 8).at(Steps::main + 8);
    CHECK(slices_of(steps) == Rows{{"functions", "main@0 a@2 <4(2) b@4 <5(1) <6(6)"}});
    const std::string text = written("chrome", steps, Steps::symbols());
    CHECK(text.find(R"("name":"main","args":{"address":"0x1000","cause":"root"})") != std::string::npos);
    CHECK(text.find(R"("name":"a","args":{"address":"0x1100","cause":"call"})") != std::string::npos);
    CHECK(text.find(R"("name":"b","args":{"address":"0x1200","cause":"tail call"})") != std::string::npos);
    CHECK(text.find("\"code\"") == std::string::npos);  // the row of basic blocks
    CHECK(text.find("loads per 1024 instructions") != std::string::npos);
}

TEST_CASE("timelines: without symbols, nothing changes") {
    Steps steps;
    steps.at(Steps::main).go(Steps::main + 4, Steps::call, Steps::a).at(Steps::a);
    const std::string text = written("chrome", steps, nullptr);
    CHECK(text.find("\"code\"") != std::string::npos);
    CHECK(text.find("functions") == std::string::npos);
}

TEST_CASE("timelines: a handler is a slice of the category trap, and code without a symbol has a name") {
    Steps steps;
    steps.at(Steps::main).at(Steps::main + 4).at(Steps::handler).at(Steps::handler + 4, Steps::mret);
    steps.at(Steps::main + 8).go(Steps::main + 12, Steps::call, Steps::nowhere).at(Steps::nowhere);
    CHECK(slices_of(steps) == Rows{{"functions", "main@0 handler@2! <4(2) [unknown]@6 <7(1) <7(7)"}});
    const std::string text = written("chrome", steps, Steps::symbols());
    CHECK(text.find(R"("name":"[unknown]","args":{"address":"0x9000","cause":"call"})") != std::string::npos);
}

TEST_CASE("timelines: each thread has a row; what it left while others ran ends where it stopped") {
    Steps steps;
    steps.run(0, 1, 1).at(Steps::main).go(Steps::main + 4, Steps::call, Steps::a);
    steps.go(Steps::a, Steps::ret, Steps::main + 8);
    steps.run(0, 1, 2).at(Steps::b).at(Steps::b + 4);
    steps.run(0, 1, 1).at(Steps::main + 8);
    CHECK(slices_of(steps) == Rows{{"functions of hart 0, process 1, thread 1", "main@0 a@2 <3(1) <6(4)"},
                                   {"functions of hart 0, process 1, thread 2", "b@3 <5(2)"}});
}

TEST_CASE("timelines: calls deeper than the viewer's engine accepts are part of the innermost slice") {
    constexpr int calls = perfetto::FunctionDrawer::most_depth + 50;
    Steps steps;
    steps.go(Steps::main, Steps::call, Steps::a);
    for (int i = 1; i < calls; ++i)
        steps.go(Steps::a, Steps::call, Steps::a);
    for (int i = 1; i < calls; ++i)
        steps.go(Steps::a + 4, Steps::ret, Steps::a + 4);
    steps.go(Steps::a + 4, Steps::ret, Steps::main + 4).at(Steps::main + 4);
    const std::string slices = slices_of(steps)["functions"];
    std::size_t begins = 0, ends = 0;
    for (const char c : slices) {
        begins += c == '@' ? 1 : 0;
        ends += c == '<' ? 1 : 0;
    }
    CHECK(begins == perfetto::FunctionDrawer::most_depth);
    CHECK(ends == begins);
    const std::string all = std::to_string(2 * calls + 1);
    CHECK(slices.ends_with("<" + all + "(" + all + ")"));
}

TEST_CASE("timelines: Perfetto's messages have the same slices") {
    Steps steps;
    steps.at(Steps::main).go(Steps::main + 4, Steps::call, Steps::a).at(Steps::a);
    const std::string bytes = written("perfetto", steps, Steps::symbols());
    for (const char* const text : {"functions", "trap", "main", "address", "root"})
        CHECK_MESSAGE(bytes.find(text) != std::string::npos, text);
    CHECK(written("perfetto", steps, Steps::symbols()) == bytes);
}

TEST_CASE("waveforms: with symbols, a text variable has the function that runs") {
    Steps steps;
    steps.at(Steps::main).go(Steps::main + 4, Steps::call, Steps::a).at(Steps::a).at(Steps::nowhere).at(Steps::a + 4);
    const std::string text = written("vcd", steps, Steps::symbols());
    const std::size_t declared = text.find("$var string 1 ");
    REQUIRE(text.find(" function $end") != std::string::npos);
    CHECK(declared != std::string::npos);
    const auto count = [&](const std::string& part) {
        std::size_t found = 0;
        for (std::size_t at = text.find(part); at != std::string::npos; at = text.find(part, at + 1))
            ++found;
        return found;
    };
    CHECK(count("\nsmain ") == 1);
    CHECK(count("\nsa ") == 2);
    CHECK(written("vcd", steps, nullptr).find(" function $end") == std::string::npos);
}

TEST_CASE("reports: functions with their totals, the tree of calls, and names of hot pcs") {
    Steps steps;
    steps.at(Steps::main).go(Steps::main + 4, Steps::call, Steps::a);
    steps.at(Steps::a).at(Steps::a + 4).go(Steps::a + 8, Steps::ret, Steps::main + 8);
    steps.go(Steps::main + 8, Steps::call, Steps::nowhere).at(Steps::nowhere);
    const auto data_of = [&](std::shared_ptr<const Symbols> symbols) {
        const std::string html = written("report", steps, std::move(symbols));
        constexpr std::string_view mark = "id=\"data\">";
        const std::size_t begin = html.find(mark) + mark.size();
        return Json::parse(html.substr(begin, html.find("</script>", begin) - begin));
    };
    const Json data = data_of(Steps::symbols());
    const Json& calls = data["calls"];
    CHECK(calls["instructions"] == 7);
    CHECK(calls["names"] == Json::parse(R"([["main",""],["a",""],["[unknown]",""]])"));
    CHECK(calls["functions"] == Json::parse("[[0,3,7,0],[1,3,3,1],[2,1,1,1]]"));
    CHECK(calls["paths"] == Json::parse("[[0,0,3,7,1],[1,1,3,3,1],[1,2,1,1,1]]"));
    std::map<std::string, std::string> places;
    for (const Json& row : data["code"][0]["pcs"])
        places[row[0]] = row[7];
    CHECK(places["0x1104"] == "a+0x4");
    CHECK(places["0x9000"].empty());

    const Json plain = data_of(nullptr);
    CHECK_FALSE(plain.contains("calls"));
    CHECK(plain["code"][0]["pcs"][0].size() == 7);
}

}  // namespace function_timeline_test
