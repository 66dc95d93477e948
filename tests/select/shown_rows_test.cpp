// Tests that views of files show the lines of a slice: views of pipelines all lines of an instruction, whichever of its
// records the slice has, and the view of JSON Lines the lines of its records.
#include <doctest/doctest.h>

#include <algorithm>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "formats.hpp"
#include "io/error.hpp"
#include "io/text_output.hpp"
#include "select/selection.hpp"
#include "support/lines.hpp"

namespace shown_rows_test {

using namespace hwtrace;

namespace {

using Lines = std::vector<std::string>;
constexpr Range everything{Range::Unit::record, 0, std::nullopt};

/// Returns the lines of a view of a slice.
Lines shown(std::string_view format_name, std::string_view view_name, const std::string& file,
            std::string_view selection, const Range& range = everything, const Limits& limits = {},
            Findings* findings = nullptr) {
    const Format& format = *find_format(formats(), format_name);
    const View& view = *std::ranges::find(format.views, view_name, &View::name);
    const RecordCriteria criteria = selection.empty() ? RecordCriteria{} : parse_criteria(selection).records;
    SelectionOptions options;
    options.earlier = Earlier::left_out;
    options.reads = format.reads;
    Settings settings;
    settings.limits = limits;
    settings.part = [&](Reader& whole) -> std::unique_ptr<Reader> {
        return std::make_unique<RangedReader>(whole, range, options, criteria);
    };
    const auto* const first = reinterpret_cast<const std::byte*>(file.data());
    const std::vector<std::byte> bytes(first, first + file.size());
    Input input = Input::memory("file", bytes);
    TextOutput out(-1);
    Findings unused;
    view.render(input, out, settings, findings != nullptr ? *findings : unused);
    Lines lines;
    std::string_view text = out.text();
    for (std::size_t end = 0; !text.empty(); text.remove_prefix(end + 1)) {
        end = text.find('\n');
        const std::string_view line = text.substr(0, end);
        lines.emplace_back(line.substr(std::min(line.find_first_not_of(' '), line.size())));
    }
    return lines;
}

const std::string log =
    "Kanata\t0004\n"
    "C=\t0\n"
    "I\t0\t10\t0\n"
    "L\t0\t0\t80000000: nop\n"
    "S\t0\t0\tF\n"
    "C\t1\n"
    "I\t1\t11\t0\n"
    "L\t1\t0\t80000004: add\n"
    "S\t1\t0\tF\n"
    "W\t1\t0\t0\n"
    "# a remark\n"
    "C\t5\n"
    "L\t0\t1\tlate\n"
    "S\t0\t0\tX\n"
    "R\t0\t7\t0\n"
    "C\t1\n"
    "R\t1\t8\t1\n";

const Lines head{"kanata \"0004\""};
const Lines of_0{"0 begin 0 simulator_id=10 thread_id=0",
                 "0 label 0 type=0 \"80000000: nop\"",
                 "0 stage 0 lane=0 \"F\"",
                 "6 label 0 type=1 \"late\"",
                 "6 stage 0 lane=0 \"X\"",
                 "6 retire 0 retire_id=7"};
const Lines of_1{"1 begin 1 simulator_id=11 thread_id=0", "1 label 1 type=0 \"80000004: add\"",
                 "1 stage 1 lane=0 \"F\"", "1 dependency 1 on 0 type=0", "7 flush 1 retire_id=8"};

Lines shown_log(std::string_view selection, const Range& range = everything) {
    return shown("kanata", "log", log, selection, range);
}

Lines with_head(const Lines& lines) {
    Lines all = head;
    all.insert(all.end(), lines.begin(), lines.end());
    return all;
}

}  // namespace

TEST_CASE("a log shows whole instructions of which a late record matches") {
    CHECK(shown_log("retire_id=7") == with_head(of_0));
    CHECK(shown_log("stage=X") == with_head(of_0));
    CHECK(shown_log("track=label_type") == with_head(of_0));
    CHECK(shown_log("pc=0x80000004") == with_head(of_1));
    CHECK(shown_log("track=flush") == with_head(of_1));
    CHECK(shown_log("entity_id=0,pc=0x80000000") == with_head(of_0));
    CHECK(shown_log("retire_id=9") == head);
}

TEST_CASE("a dependency belongs to its consumer") {
    CHECK(shown_log("src_entity=0") == with_head(of_1));
    CHECK(shown_log("track=dependency") == with_head(of_1));
}

TEST_CASE("a remark is a row of its own") {
    CHECK(shown_log("track=kanata.line") == with_head({"1 line \"# a remark\""}));
}

TEST_CASE("an instruction from before a range is shown if its contents match there") {
    // The label of instruction 0, which sets its pc, precedes these ranges. Its id, 0, is not restated.
    const Range late{Range::Unit::cycle, 6, std::nullopt};
    CHECK(shown_log("pc=0x80000000", late) == with_head(of_0));
    CHECK(shown_log("pc=0x80000004", late) == with_head(of_1));
    CHECK(shown_log("pc=0x80000008", late) == head);
    CHECK(shown_log("", {Range::Unit::cycle, 7, std::nullopt}) == with_head(of_1));
    CHECK(shown_log("", {Range::Unit::cycle, 8, std::nullopt}) == head);
}

TEST_CASE("the rows of a slice are limited") {
    Limits limits;
    limits.block = 100;
    CHECK_THROWS_WITH_AS(shown("kanata", "log", log, "track=retire", everything, limits),
                         doctest::Contains("the rows in the slice"), Error);
}

TEST_CASE("a trace of gem5 shows whole instructions, each core with its own") {
    const auto instruction = [](const std::string& core, const std::string& ticks, const std::string& pc) {
        const std::string front = ticks + "000: " + core + ": O3PipeView:";
        return Lines{front + "fetch:" + ticks + "000:0x" + pc + ":0:5:nop",
                     front + "decode:" + ticks + "500",
                     front + "rename:0",
                     front + "dispatch:0",
                     front + "issue:0",
                     front + "complete:0",
                     front + "retire:" + ticks + "900:store:0"};
    };
    const Lines first = instruction("system.cpu0", "1", "00001000");
    const Lines second = instruction("system.cpu1", "2", "00001004");
    std::string file = "an other line\n";
    for (const Lines& lines : {first, second})
        for (const std::string& line : lines)
            file += line + "\n";
    CHECK(shown("o3pipeview", "lines", file, "scope=system.cpu1") == second);
    CHECK(shown("o3pipeview", "lines", file, "track=retire,scope=system.cpu0") == first);
    CHECK(shown("o3pipeview", "lines", file, "pc=0x1004") == second);
    CHECK(shown("o3pipeview", "lines", file, "stage=Dc") == Lines(shown("o3pipeview", "lines", file, "")));
    const Lines rows = shown("o3pipeview", "instructions", file, "pc=0x1004");
    REQUIRE(rows.size() == 2);
    CHECK(rows[1].find("system.cpu1") != std::string::npos);
}

// --- JSON Lines ---

namespace {

constexpr const char* head_line = R"({"schema":"hwtrace-jsonl/1"})";

std::string joined(const Lines& lines) {
    std::string text;
    for (const std::string& line : lines)
        text += line + "\n";
    return text;
}

/// Returns the numbers of the lines that the view shows.
std::vector<int> numbers(const Lines& file, std::string_view selection, const Range& range = everything,
                         Findings* findings = nullptr) {
    std::vector<int> found;
    for (const std::string& line : shown("jsonl", "lines", joined(file), selection, range, {}, findings))
        found.push_back(std::stoi(line));
    return found;
}

using Numbers = std::vector<int>;

}  // namespace

TEST_CASE("jsonl lines: a slice shows its records and the declarations that these need") {
    const Lines file{
        head_line,
        R"({"type":"clock","id":0,"name":"clk","period_ps":400})",
        R"({"type":"scope","id":0,"name":"soc"})",
        R"({"type":"scope","id":1,"name":"core","parent":0,"clock":0})",
        R"({"type":"enum","id":0,"name":"state","values":[{"value":0,"name":"idle"}]})",
        R"({"type":"track","id":0,"kind":"event","name":"fill","scope":0,"time":"ns","fields":{"v":"u8"}})",
        R"({"type":"track","id":1,"kind":"storage","name":"rob","scope":1,"time":"ns","slots":4,"sparse":true,)"
        R"("fields":[{"name":"id","type":"u8"},{"name":"state","type":"enum","enum":0}]})",
        R"({"type":"metadata","key":"a","value":"b"})",
        R"({"type":"label","enum_id":0,"label":{"value":7,"name":"busy"}})",
        R"({"time":1,"track":"fill","v":1})",
        R"({"type":"set","time":2,"track":"rob","slot":0,"field":"id","value":5})",
        R"({"type":"set","time":3,"track":"rob","slot":0,"field":"state","value":"busy"})",
        R"({"time":4,"track":"fill","v":2})",
        R"({"type":"clear","time":5,"track":"rob","slot":0})",
        R"({"type":"stream","id":0})",
        R"({"time":6,"duration":2,"track":"read","scope":"soc","bytes":8})",
    };
    Findings findings;
    CHECK(numbers(file, "track=fill", everything, &findings) == Numbers{1, 3, 6, 10, 13});
    REQUIRE(findings.kept().size() == 1);  // line 15 is no record
    CHECK(findings.kept()[0].rule->id == "JSL006");
    CHECK(numbers(file, "v=2") == Numbers{1, 3, 6, 13});
    CHECK(numbers(file, "", {Range::Unit::record, 5, 6}) == Numbers{1, 3, 16});  // no line declares its track
    CHECK(numbers(file, "scope=core") == Numbers{1, 2, 3, 4, 5, 7, 9, 11, 12, 14});
    CHECK(numbers(file, "id=5") == Numbers{1, 2, 3, 4, 5, 7, 9, 11, 12, 14});
    CHECK(numbers(file, "", {Range::Unit::record, 2, 4}) == Numbers{1, 2, 3, 4, 5, 6, 7, 9, 12, 13});
    CHECK(numbers(file, "v=3") == Numbers{1});
}

TEST_CASE("jsonl lines: an operation that makes a slot match is shown, one that ends the match is not") {
    const Lines file{
        head_line,
        R"({"type":"track","name":"t","kind":"storage","time":"ns","slots":2,"fields":{"count":"u8","id":"u8"}})",
        R"({"type":"set","time":1,"track":"t","slot":1,"field":"id","value":9})",
        R"({"type":"add","time":2,"track":"t","slot":1,"field":"count","value":3})",
        R"({"type":"set","time":3,"track":"t","slot":1,"field":"id","value":8})",
        R"({"type":"add","time":4,"track":"t","slot":1,"field":"count","value":1})",
        R"({"type":"set","time":5,"track":"t","slot":1,"field":"id","value":7,"restated":true})",
    };
    CHECK(numbers(file, "count=3") == Numbers{1, 2, 4, 5});
    CHECK(numbers(file, "id=9") == Numbers{1, 2, 3, 4});
    CHECK(numbers(file, "id=7") == Numbers{1, 2, 7});
    // The slice restates what line 4 has set, at the time of line 6.
    CHECK(numbers(file, "id=8", {Range::Unit::record, 3, std::nullopt}) == Numbers{1, 2, 6});
}

TEST_CASE("jsonl lines: the value of a signal is shown, not the change that replaces it") {
    const Lines file{
        head_line,
        R"({"type":"change","time":"1ns","track":"a","value":1})",
        R"({"type":"change","time":"2ns","track":"a","value":2})",
        R"({"type":"change","time":"3ns","track":"a","value":1})",
    };
    CHECK(numbers(file, "value=1") == Numbers{1, 2, 4});
    CHECK(numbers(file, "value=2") == Numbers{1, 3});
}

TEST_CASE("jsonl lines: records before an instruction are shown with it") {
    const Lines file{
        head_line,
        R"({"type":"track","id":0,"kind":"hart","name":"core0","time":"ordinal"})",
        R"({"type":"track","id":1,"kind":"event","name":"mode","time":"ordinal","fields":{"m":"u8"}})",
        R"({"type":"track","id":2,"kind":"event","name":"other","time":"ordinal","fields":{"m":"u8"}})",
        R"({"time":0,"track":"mode","m":1})",
        R"({"type":"instruction","time":0,"track":"core0","pc":4096,"encoding":19,"size":4})",
        R"({"time":1,"track":"mode","m":2})",
        R"({"type":"instruction","time":1,"track":"core0","pc":4100,"encoding":19,"size":4})",
        R"({"type":"instruction","time":2,"track":"core0","pc":4104,"encoding":19,"size":4})",
    };
    CHECK(numbers(file, "pc=0x1004") == Numbers{1, 2, 3, 7, 8});
    CHECK(numbers(file, "kind=instruction") == Numbers{1, 2, 6, 8, 9});
    CHECK(numbers(file, "", {Range::Unit::record, 0, 1}) == Numbers{1, 2, 3, 5, 6});
}

TEST_CASE("jsonl lines: relations are shown with the transactions to which they lead") {
    const Lines file{
        head_line,
        R"({"type":"relation","time":"0ns","track":"causes","from":1,"to":2})",
        R"({"time":"1ns","duration":"1ns","track":"read","id":1,"bytes":8})",
        R"({"time":"2ns","duration":"1ns","track":"read","id":2,"bytes":16})",
        R"({"type":"relation","time":"3ns","track":"causes","from":2,"to":1})",
    };
    CHECK(numbers(file, "bytes=16") == Numbers{1, 2, 4});
    CHECK(numbers(file, "bytes=8,kind=interval") == Numbers{1, 3});
}

TEST_CASE("jsonl lines: a file without a head, and one that is no trace") {
    CHECK(numbers({R"({"time":1,"track":"a"})", R"({"time":2,"track":"b"})"}, "track=a") == Numbers{1});
    CHECK(numbers({R"({"time":1,"track":"a"})", R"({"time":2,"track":"b"})"}, "track=b") == Numbers{2});
    Findings findings;
    CHECK_THROWS_WITH_AS(numbers({"no JSON at all"}, "", {Range::Unit::record, 0, 1}, &findings),
                         "file: not a JSON Lines file", Error);
    CHECK(findings.verdict() == Verdict::invalid);
}

}  // namespace shown_rows_test
