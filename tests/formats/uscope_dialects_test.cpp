#include <doctest/doctest.h>

#include <algorithm>

#include "formats/uscope_encoder.hpp"
#include "formats/uscope_support.hpp"
#include "io/input.hpp"
#include "io/text_output.hpp"
#include "model/state.hpp"

namespace uscope_dialects_test {

using namespace hwtrace;
using namespace hwtrace::test;

namespace {

/// Makes three segments with two clocks, scopes three levels deep, an enum, a table, a counter, a dense table and an
/// event.
HandMade hand_made(const Dialect& dialect) {
    HandMade file(dialect);
    file.property("dut_name", "hand");
    file.clock("fast", 500);
    file.clock("slow", 3000);
    file.scope("/", 0xFFFF, "", 0);
    file.scope("core0", 0, "", 0);
    file.scope("lsu", 1, "", 0xFF);
    file.scope("bus", 0, "", 1);
    file.enumeration("state", {"idle", "busy", "done"});
    std::vector<HandField> pointers;
    if (!dialect.old_structures) pointers = {{"head", 2, 0, 1, 0}, {"tail", 2, 0, 2, 0}};
    file.storage("queue", 12, 3, 2, {{"id", 3}, {"state", 11, 0}, {"delta", 5}}, pointers);
    file.storage("count", 1, 0, 1, {{"n", 4}});
    file.storage("dense", 3, 0, 3, {{"a", 1}, {"b", 8}});
    file.event("note", 2, {{"text", 10}, {"value", 6}, {"flag", 9}});
    file.property("last", "the pool's last string");
    file.string("zero");
    file.string("one");
    for (std::uint64_t i = 0; i < 9; ++i) {
        std::vector<HandItem> items{set(0, static_cast<std::uint16_t>(i), 0, i),
                                    set(0, static_cast<std::uint16_t>(i), 1, i % 3), add(1, 0, 0, i + 1),
                                    set(2, static_cast<std::uint16_t>(i % 3), 1, i * 7)};
        if (i > 2) items.push_back(clear(0, static_cast<std::uint16_t>(i - 3)));
        if (!dialect.old_structures) items.push_back(set_property(0, 0, i));
        items.push_back(happens(0, payload({{4, i % 2}, {2, 0xFFFF - i}, {1, i % 2}})));
        file.frame(i == 0 ? 0 : 700, items);
        if (i == 4) file.frame(100, {});
        if (i % 3 == 2) file.end_segment();
    }
    return file;
}

using Lines = std::vector<std::string>;

/// Removes lines that files before 0.3 cannot hold.
Lines without_properties(Lines lines) {
    std::erase_if(lines, [](const std::string& line) { return line.find(" property.") != std::string::npos; });
    return lines;
}

Lines records_of(const Bytes& file) {
    return read_trace(file).records;
}

}  // namespace

TEST_CASE("a trace is the same in every dialect, and its structures alone identify the dialect") {
    const Lines expected = records_of(hand_made(dialects().back().second).file());
    REQUIRE(expected.size() > 50);
    for (const auto& entry : dialects()) {
        const std::string& name = entry.first;
        for (const std::uint16_t minor : {std::uint16_t{1}, std::uint16_t{2}, std::uint16_t{3}}) {
            CAPTURE(name);
            CAPTURE(minor);
            Dialect dialect = entry.second;
            dialect.minor = minor;
            const Trace trace = read_trace(hand_made(dialect).file(), true);
            CHECK(without_properties(trace.records) == without_properties(expected));
            CHECK(trace.effect == Effect::harmless);
            const bool is_old = dialect.old_structures || dialect.old_frames;
            CHECK(trace.has("USC041") == is_old);
            const unsigned structures = dialect.old_frames ? 1 : dialect.old_structures ? 2 : 3;
            CHECK(trace.has("USC040") == (minor != structures));
            CHECK(trace.has("USC030") == (dialect.snapshot == Snapshot::at_end));
            for (const std::string& id : trace.rule_ids())
                CHECK((id == "USC041" || id == "USC040" || id == "USC030"));
            CHECK(trace.schema.back().ends_with("uscope.checkpoint_interval_ps=1000000"));
            CHECK(std::ranges::find(trace.schema, "fact last=the pool's last string") != trace.schema.end());
            CHECK(std::ranges::find(trace.schema, "scope lsu 1  -") != trace.schema.end());
        }
    }
}

TEST_CASE("a file of an old dialect converts to a 0.3 file with the same trace and no finding") {
    for (const auto& entry : dialects()) {
        CAPTURE(entry.first);
        const Bytes old = hand_made(entry.second).file();
        const Bytes made = rewritten(old);
        const Trace before = read_trace(old), after = read_trace(made, true);
        CHECK(before.schema == after.schema);
        CHECK(before.records == after.records);
        CHECK(after.findings == Lines{});
        CHECK(after.fact("version") == "0.3");
        CHECK(after.fact("structures") == "0.3");
        CHECK(after.fact("frame_form") == "0.2, interleaved");
        CHECK(after.fact("checkpoints") == "start of segment");
        CHECK(after.fact("counter") == "count 45");
        CHECK(rewritten(made) == made);
    }
}

TEST_CASE("frames are the same uncompressed, in LZ4 and in ZSTD, each with and without a stated size") {
    for (const auto& entry : dialects()) {
        CAPTURE(entry.first);
        const Lines expected = records_of(hand_made(entry.second).file());
        for (const Packing packing :
             {Packing::plain, Packing::lz4, Packing::bare_lz4, Packing::zstd, Packing::sized_zstd}) {
            CAPTURE(static_cast<int>(packing));
            Dialect dialect = entry.second;
            dialect.packing = packing;
            const Trace trace = read_trace(hand_made(dialect).file());
            CHECK(trace.records == expected);
        }
    }
}

TEST_CASE("wide, compact and mixed frames of every dialect give the same records") {
    for (const auto& entry : dialects()) {
        CAPTURE(entry.first);
        const auto trace_of = [&](unsigned wide_ones) {
            HandMade file(entry.second);
            file.clock("clk", 1000);
            file.scope("/", 0xFFFF, "", 0);
            file.storage("t", 4, 1, 0, {{"a", 4}, {"b", 2}});
            file.event("e", 0, {{"x", 1}});
            std::vector<HandItem> items{set(0, 1, 0, 500), set(0, 1, 1, 65535), add(0, 2, 0, 7), clear(0, 1)};
            for (std::size_t i = 0; i < items.size(); ++i)
                if ((wide_ones >> i & 1) != 0) items[i] = wide(items[i]);
            items.push_back(happens(0, payload({{1, 200}})));
            file.frame(1000, items);
            return read_trace(file.file());
        };
        const Lines compact = trace_of(0).records;
        CHECK(compact == Lines{"@1000 t set [1].a 500", " 1000 t set [1].b 65535", " 1000 t add [2].a 7",
                               " 1000 t clear [1]", " 1000 e event 200"});
        CHECK(trace_of(15).records == compact);
        CHECK(trace_of(6).records == compact);
    }
}

TEST_CASE("frames of 0.1 are compact only if the file's header allows it") {
    Dialect dialect = dialects().front().second;
    dialect.compact_allowed = false;
    HandMade file(dialect);
    file.clock("clk", 1000);
    file.scope("/", 0xFFFF, "", 0);
    file.storage("t", 4, 1, 0, {{"a", 4}});
    file.frame(5, {set(0, 3, 0, 0x1234'5678'9ABC'DEF0)});
    CHECK(read_trace(file.file()).records == Lines{"@5 t set [3].a 1311768467463790320"});
}

TEST_CASE("items that do not fit the schema of a 0.1 file are kept, in the frame form of the new file") {
    for (const bool compact : {false, true}) {
        CAPTURE(compact);
        Dialect dialect = dialects().front().second;
        dialect.compact_allowed = compact;
        HandMade file(dialect);
        file.clock("clk", 1000);
        file.scope("/", 0xFFFF, "", 0);
        file.storage("t", 4, 1, 0, {{"a", 4}});
        file.event("e", 0, {{"x", 1}});
        HandItem strange = set(0, 1, 0, 5);
        strange.action = 9;
        file.frame(5, {set(7, 1, 2, 0x1234), strange, set(0, 2, 0, 1), happens(3, payload({{2, 0x0201}})),
                       happens(0, payload({{4, 7}}))});
        const Bytes old = file.file();
        const Trace before = read_trace(old);
        const Bytes made = rewritten(old);
        const Trace after = read_trace(made);
        CHECK(before.records == after.records);
        REQUIRE(after.records.size() == 5);
        CHECK(after.records[0] == (compact ? "@5 uscope.item native 2 1 7 1 0 2 0 52 18"
                                           : "@5 uscope.item native 1 1 7 0 1 0 2 0 52 18 0 0 0 0 0 0"));
        CHECK(after.records[1].starts_with(compact ? " 5 uscope.item native 2 9" : " 5 uscope.item native 1 9"));
        CHECK(after.records[2] == " 5 t set [2].a 1");
        CHECK(after.records[3] == " 5 uscope.item native 3 0 3 0 2 0 0 0 1 2");
        CHECK(after.records[4] == " 5 uscope.item native 3 0 0 0 4 0 0 0 7 0 0 0");
        CHECK(before.rule_ids() == Lines{"USC041", "USC024"});
        CHECK(after.rule_ids() == Lines{"USC024"});
    }
}

TEST_CASE("unknown chunks and sections of every dialect are skipped and reported") {
    for (const auto& entry : dialects()) {
        CAPTURE(entry.first);
        HandMade file = hand_made(entry.second);
        const Lines expected = records_of(HandMade(file).file());
        file.chunk(0x77, payload({{4, 1}, {1, 2}}));
        file.section(0x88, payload({{8, 1}, {3, 2}}));
        const Trace trace = read_trace(file.file());
        CHECK(trace.records == expected);
        CHECK(std::ranges::count_if(trace.findings, [](const std::string& f) { return f.starts_with("USC037"); }) == 2);
    }
}

TEST_CASE("a recording of any dialect that was never closed is read to its last segment") {
    for (const auto& entry : dialects()) {
        CAPTURE(entry.first);
        HandMade file = hand_made(entry.second);
        const Lines expected = records_of(HandMade(file).file());
        const Trace trace = read_trace(file.file(false));
        REQUIRE(trace.records.size() == expected.size());
        CHECK(trace.has("USC013"));
        CHECK(trace.effect == Effect::incomplete);
        CHECK(trace.fact("segments") == "3");
        for (std::size_t i = 0; i < expected.size(); ++i)  // strings are missing if the file ends early
            if (expected[i].find("event") == std::string::npos) CHECK(trace.records[i] == expected[i]);
    }
}

TEST_CASE("a 0.1 frame with impossible counts or payload sizes is damage, and everything before it is read") {
    const Dialect dialect{1, true, true, Packing::plain, Snapshot::at_start, true};
    HandMade file(dialect);
    file.clock("clk", 1000);
    file.scope("/", 0xFFFF, "", 0);
    file.storage("t", 4, 1, 0, {{"a", 4}});
    file.event("e", 0, {{"x", 1}});
    file.frame(5, {set(0, 1, 0, 6), happens(0, payload({{1, 1}}))});
    file.frame(5, {set(0, 2, 0, 7), happens(0, payload({{1, 2}}))});
    const Bytes good = file.file();
    const Lines all = records_of(good);
    REQUIRE(all.size() == 4);
    const std::size_t frame_size = 1 + 6 + 8 + 9;
    // The second frame begins after the segment's header, the sparse block of 9 bytes and the first frame.
    const std::uint32_t preamble_end = static_cast<std::uint32_t>(good[0x1C]) | static_cast<std::uint32_t>(good[0x1D])
                                                                                    << 8;
    const std::size_t second = preamble_end + 56 + 9 + frame_size;
    const auto changed = [&](std::size_t at, std::uint8_t value) {
        Bytes bytes = good;
        bytes[second + at] = std::byte{value};
        return read_trace(bytes, true);
    };
    const Trace more_ops = changed(3, 3);
    CHECK(more_ops.has("USC020"));
    CHECK(std::equal(all.begin(), all.begin() + 3, more_ops.records.begin()));
    const Trace more_events = changed(5, 2);
    CHECK(more_events.has("USC020"));
    CHECK(more_events.records.size() == 4);
    const Trace long_payload = changed(1 + 6 + 8 + 4, 200);
    CHECK(long_payload.has("USC020"));
    CHECK(long_payload.records == Lines(all.begin(), all.begin() + 3));
    const Trace reserved = changed(2, 1);
    CHECK(reserved.has("USC035"));
    CHECK(reserved.records == all);
}

TEST_CASE("seeking in every dialect gives the state that matches the records read afterwards") {
    for (const auto& entry : dialects()) {
        CAPTURE(entry.first);
        const Bytes bytes = hand_made(entry.second).file();
        for (const Tick time : {Tick{0}, Tick{1400}, Tick{1401}, Tick{2900}, Tick{5700}, Tick{9000}}) {
            CAPTURE(time);
            Input input = Input::memory("hand", bytes);
            Findings findings;
            const Settings settings;
            const auto reader = uscope_format.open(input, settings, findings);
            StateTable state(reader->schema());
            REQUIRE(reader->seek(time, &state));
            Batch batch;
            while (reader->read(batch)) {
                for (const Record& record : batch.records())
                    state.apply(record);
                batch.clear();
            }
            CHECK(state.value(1, 0, 0) == 45);  // each add was applied once
            CHECK_FALSE(state.valid(0, 5));
            CHECK(state.value(0, 8, 0) == 8);
            CHECK(state.value(2, 1, 1) == 49);
        }
    }
}

TEST_CASE("the frames view shows which old structures a file has") {
    const Bytes bytes = hand_made(dialects().front().second).file();
    Input input = Input::memory("old", bytes);
    Findings findings;
    TextOutput text(-1);
    uscope_format.views.front().render(input, text, {}, findings);
    CHECK(text.text().find("uscope 0.1 ") == 0);
    CHECK(text.text().find(" storage_headers=12 frames=0.1\n") != std::string::npos);
}

}  // namespace uscope_dialects_test
