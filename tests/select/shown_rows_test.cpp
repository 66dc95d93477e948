// Tests that views of pipelines decide about whole instructions: a slice may have any of their records, early or late.
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
            std::string_view selection, const Range& range = everything, const Limits& limits = {}) {
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
    Findings findings;
    view.render(input, out, settings, findings);
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

}  // namespace shown_rows_test
