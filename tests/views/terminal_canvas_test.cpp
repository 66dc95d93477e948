#include "views/terminal_canvas.hpp"

#include <doctest/doctest.h>

#include <array>
#include <functional>
#include <limits>
#include <string>

#include "views/time_axis.hpp"

namespace terminal_canvas_test {

using namespace hwtrace;

namespace {

/// Returns what `draw` writes.
std::string drawn(const Drawing& drawing, const std::function<void(TerminalCanvas&)>& draw) {
    TextOutput out(-1);
    TerminalCanvas canvas(drawing, out);
    draw(canvas);
    return std::string(out.text());
}

constexpr Drawing unicode{}, ascii{.ascii = true};

}  // namespace

TEST_CASE("canvas: the width of text counts wide characters twice and combining ones not at all") {
    CHECK(display_width("") == 0);
    CHECK(display_width("abc") == 3);
    CHECK(display_width("µs…") == 3);
    CHECK(display_width("e\u0301") == 1);
    CHECK(display_width("日本") == 4);
    CHECK(display_width("🚀") == 2);
    CHECK(display_width("\xFF") == 1);  // not UTF-8; names are escaped before they are drawn
}

TEST_CASE("canvas: the end of a text is cut by columns, between characters") {
    CHECK(last_columns("abc", 3) == "abc");
    CHECK(last_columns("abc", 2) == "bc");
    CHECK(last_columns("日本語", 5) == "本語");
    CHECK(last_columns("xe\u0301yz", 2) == "yz");
    CHECK(last_columns("日", 1).empty());
    CHECK(last_columns("", 0).empty());
}

TEST_CASE("canvas: labels have exactly their width") {
    const auto label = [](std::string_view text, std::size_t width) {
        return drawn(unicode, [&](TerminalCanvas& canvas) { canvas.label(text, width); });
    };
    CHECK(label("abc", 5) == "abc  ");
    CHECK(label("abcdef", 4) == "…def");
    CHECK(label("日本語", 6) == "日本語");
    CHECK(label("日本語", 5) == "…本語");
    CHECK(label("日本語", 4) == "…語 ");
    CHECK(label("xe\u0301yz", 3) == "…yz");
    for (std::size_t width = 2; width < 9; ++width)
        CHECK(display_width(label("a日b本c🚀d", width)) == width);
    CHECK(drawn(ascii, [](TerminalCanvas& canvas) { canvas.label("abcdef", 4); }) == "..ef");
    CHECK(drawn(unicode, [](TerminalCanvas& canvas) { canvas.left_label("abcdef", 4); }) == "abc…");
    CHECK(drawn(unicode, [](TerminalCanvas& canvas) { canvas.left_label("日本語", 4); }) == "日… ");
    CHECK(drawn(unicode, [](TerminalCanvas& canvas) { canvas.right_label("7", 3); }) == "  7");
}

TEST_CASE("canvas: blocks, their ASCII forms and their colours") {
    const std::array<std::uint8_t, 4> levels{0, 1, 4, 8};
    const auto bars = [&](TerminalCanvas& canvas) { canvas.bars(levels); };
    CHECK(drawn(unicode, bars) == " ▁▄█");
    CHECK(drawn(ascii, bars) == " .=@");
    CHECK(drawn({.colour = true}, bars) == "\x1b[36m ▁▄█\x1b[0m");
    const auto shades = [&](TerminalCanvas& canvas) { canvas.shades(std::span(levels).first(3)); };
    CHECK(drawn(unicode, shades) == " ░█");
    CHECK(drawn(ascii, shades) == " .#");
    CHECK(drawn({.colour = true}, shades) == " \x1b[34m░\x1b[31m█\x1b[0m");
    const auto bar = [](std::size_t eighths) { return [eighths](TerminalCanvas& canvas) { canvas.bar(eighths); }; };
    CHECK(drawn(unicode, bar(1)) == "▏");
    CHECK(drawn(unicode, bar(20)) == "██▌");
    CHECK(drawn(ascii, bar(1)) == "#");
    CHECK(drawn(ascii, bar(20)) == "###");
    CHECK(drawn(ascii, bar(16)) == "##");
}

TEST_CASE("canvas: a level is blank for nothing only, and full for everything only from half a step below") {
    CHECK(level_of(0, 100, 8) == 0);
    CHECK(level_of(1, 1'000'000, 8) == 1);
    CHECK(level_of(50, 100, 8) == 4);
    CHECK(level_of(93, 100, 8) == 7);
    CHECK(level_of(94, 100, 8) == 8);
    CHECK(level_of(200, 100, 8) == 8);
    CHECK(level_of(1, 0, 8) == 0);
}

TEST_CASE("canvas: names cannot send control characters to the terminal") {
    TextOutput out(-1);
    const TerminalCanvas plain(unicode, out), letters(ascii, out);
    CHECK(plain.printable_name("core0/MAC") == "core0/MAC");
    CHECK(plain.printable_name("a\x1b[31mb\n") == "\"a\\x1b[31mb\\n\"");
    CHECK(plain.printable_name("\xFF\xC2\x9B") == "\"\\xff\\xc2\\x9b\"");
    CHECK(letters.printable_name("größe") == "\"gr??e\"");
}

TEST_CASE("axis: labels are round, in order and do not touch") {
    for (const auto& [first, count, shift] :
         {std::tuple(Tick{0}, 60, 0U), std::tuple(Tick{-37}, 2000, 3U), std::tuple(Tick{123'456'789}, 1500, 20U),
          std::tuple(Tick{-2}, 4, 62U), std::tuple(Tick{0}, 1, 0U), std::tuple(Tick{1} << 60, 2, 0U)}) {
        for (const std::size_t columns : {16U, 53U, 200U}) {
            CAPTURE(columns);
            const TimeAxis axis({shift, first, static_cast<std::size_t>(count)}, columns, picoseconds);
            CHECK(axis.columns() <= columns);
            CHECK(axis.columns() >= columns / 2);
            CHECK(axis.bins_of(axis.columns() - 1).second == static_cast<std::size_t>(count));
            std::size_t free = 0;
            for (const AxisLabels::Label& label : axis.labels().labels) {
                CHECK(label.column >= free);
                free = label.column + label.text.size() + 1;
                CHECK(label.column < axis.columns());
            }
        }
    }
    const TimeAxis axis({0, 0, 50}, 50, TimeBase{TimeBase::Kind::cycles, 1, 0});
    CHECK(drawn(unicode, [&](TerminalCanvas& canvas) { axis.draw(canvas, 2); }) ==
          "  0         10        20        30        40 cycles\n"
          "  ┬─────────┬─────────┬─────────┬─────────┬─────────\n");
    CHECK(axis.column_text() == "1 cycle");
    CHECK(TimeAxis({3, 0, 50}, 50, picoseconds).column_text() == "8 ps");
    CHECK(TimeAxis({10, 0, 50}, 50, picoseconds).column_text() == "1.024 ns");
    CHECK(TimeAxis({30, 0, 50}, 50, picoseconds).column_text() == "about 1.073 ms");
    const auto column = [](std::uint64_t num, std::uint64_t den, unsigned shift) {
        return TimeAxis({shift, 0, 50}, 50, TimeBase{TimeBase::Kind::seconds, num, den}).column_text();
    };
    CHECK(column(std::uint64_t{1} << 63, 1, 0) == "1 tick of 9223372036854775808 s");
    CHECK(column(1, 100'000'000'000, 0) == "10 ps");
    CHECK(column(1, 100'000'000'000, 3) == "80 ps");
    CHECK(column(1, 3, 0) == "1 tick of 1/3 s");
    CHECK(column(std::numeric_limits<std::uint64_t>::max(), std::numeric_limits<std::uint64_t>::max() - 1, 1) ==
          "2 ticks of 18446744073709551615/18446744073709551614 s");
}

TEST_CASE("axis: a unit divides the ticks exactly") {
    CHECK(unit_for(picoseconds, 500).name == "ps");
    CHECK(unit_for(picoseconds, 5000).name == "ns");
    CHECK(unit_for(picoseconds, 2'000'000'000).name == "ms");
    CHECK(unit_for(TimeBase{TimeBase::Kind::seconds, 1, 3}, 1000).name == "ticks of 1/3 s");
    CHECK(unit_for(TimeBase{TimeBase::Kind::seconds, 1, 3}, 3000).name == "s");
    CHECK(unit_for(TimeBase{TimeBase::Kind::seconds, 1, 3}, 3000).ticks == 3);
    const TimeBase hundred_ps{TimeBase::Kind::seconds, 1, 10'000'000'000};
    CHECK(unit_for(hundred_ps, 20'000).name == "us");
    CHECK(unit_for(hundred_ps, 20'000).ticks == 10'000);
    CHECK(shown_ticks(hundred_ps).per_tick == 100);
    CHECK(shown_ticks(hundred_ps).unit == "ps");
    CHECK(shown_ticks(TimeBase{TimeBase::Kind::seconds, 1, 1'000'000'000}).per_tick == 1);
    CHECK(shown_ticks(TimeBase{TimeBase::Kind::seconds, 1, 3}).unit == "ticks of 1/3 s");
    CHECK(unit_for(TimeBase{TimeBase::Kind::cycles, 1, 0}, 3000).name == "cycles");
    // Damaged traces state bases without a length.
    CHECK(unit_for(TimeBase{TimeBase::Kind::seconds, 1, 0}, 3000).name == "ticks of 1/0 s");
    CHECK(unit_for(TimeBase{TimeBase::Kind::seconds, 0, 1}, 3000).name == "ticks of 0 s");
    CHECK(shown_ticks(TimeBase{TimeBase::Kind::seconds, 1, 0}).per_tick == 1);
    CHECK(shown_ticks(TimeBase{TimeBase::Kind::seconds, 0, 1}).per_tick == 1);
    CHECK(text_of(WideTick{0}) == "0");
    CHECK(text_of(WideTick{std::numeric_limits<Tick>::min()}) == "-9223372036854775808");
}

}  // namespace terminal_canvas_test
