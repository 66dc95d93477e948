// Tests of the reader of VCD files.
#include <doctest/doctest.h>

#include <string>

#include "formats/waveform_support.hpp"

using namespace hwtrace;
using namespace hwtrace::test;

namespace {

constexpr std::string_view head =
    "$timescale 1 ns $end\n"
    "$scope module top $end\n"
    "$var wire 1 ! clk $end\n"
    "$var wire 4 \" bus $end\n"
    "$var wire 4 \" alias $end\n"
    "$var longint 64 # signed $end\n"
    "$var real 64 $ level $end\n"
    "$upscope $end\n"
    "$enddefinitions $end\n";

/// Returns the view "changes" of a file, without its first line.
std::string changes(std::string_view text) {
    const std::string view = view_of(vcd_format, std::string(head).append(text));
    return view.substr(view.find('\n') + 1);
}

}  // namespace

TEST_CASE("values are extended to the size of their variable as VCD demands") {
    CHECK(changes("#0 b1 \" bx \" bz1 \" bZ0x \"") ==
          "0 top.bus 0x1\n0 top.alias 0x1\n"
          "0 top.bus\n0 top.alias\n"
          "0 top.bus \"ZZZ1\"\n0 top.alias \"ZZZ1\"\n"
          "0 top.bus \"ZZ0X\"\n0 top.alias \"ZZ0X\"\n");
}

TEST_CASE("signed integers keep their sign, and lose their value when they become x") {
    CHECK(changes("#1 b1111111111111111111111111111111111111111111111111111111111111110 # bx #\n") ==
          "1 top.signed -2\n1 top.signed\n");
}

TEST_CASE("changes may share lines, and blanks of any kind separate them") {
    CHECK(changes("\r\n\t#5 1! 0!\r\n r1e3 $\v\f x!\n") == "5 top.clk 1\n5 top.clk 0\n5 top.level 1000\n5 top.clk\n");
}

TEST_CASE("a text that is longer than a buffer is read in pieces") {
    std::string text, expected;
    for (int i = 0; i < 200'000; ++i) {
        text.append("#").append(std::to_string(i)).append(i % 2 == 0 ? "\n0!\n" : "\n1!\n");
        expected.append(std::to_string(i)).append(i % 2 == 0 ? " top.clk 0\n" : " top.clk 1\n");
    }
    CHECK(changes(text) == expected);
}

TEST_CASE("a VCD file that was written from a VCD file has the same changes") {
    const std::string text = std::string(head) + "#3 1! b1x \" r0.1 $ b101 #\n#4 0! b0 \" rnan $ bx #\n#9\n";
    const std::string first = view_of(vcd_format, text);
    CHECK(view_of(vcd_format, rewritten(vcd_format, text, vcd_format)) == first);
}

TEST_CASE("facts of a VCD file are kept as its date and as comments") {
    const std::string text =
        "$date today $end $version 1 $end $comment two words $end $timezero -3 $end " + std::string(head);
    const std::string again = rewritten(vcd_format, text, vcd_format);
    for (const std::string_view fact : {"$date\n    today\n", "$comment\n    vcd.version = 1\n",
                                        "$comment\n    two words\n", "$timezero\n    -3\n$end\n"})
        CHECK(again.find(fact) != std::string::npos);
}

TEST_CASE("names are escaped so that they read back") {
    for (const std::string_view name :
         {"a b", "$end", "", "\\x41", "a[3:0]", "a[3]", "x\\", "[0]", "\x80\n", "a [1]"}) {
        CAPTURE(name);
        Schema schema;
        const TrackId track = schema.declare(make_track(Track::Kind::signal, none, name, picoseconds,
                                                        {{.name = "value", .type = Type::u64, .width = 1}}));
        Batch batch;
        batch.change(track, 0, Attribute{0, 1});
        const WrittenWaveform written = write_waveform(vcd_format, schema, batch);
        Input again = Input::memory("names", written.bytes);
        Findings findings;
        const Settings settings;
        const auto reader = vcd_format.open(again, settings, findings);
        REQUIRE(reader->schema().tracks().size() == 1);
        CHECK(reader->schema().tracks().front().name == name);
    }
}
