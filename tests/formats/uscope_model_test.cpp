#include <doctest/doctest.h>

#include <algorithm>
#include <array>

#include "formats/uscope_support.hpp"
#include "io/error.hpp"
#include "io/input.hpp"
#include "io/little_endian.hpp"
#include "io/text_output.hpp"
#include "uscope/wire.hpp"

namespace uscope_model_test {

using namespace hwtrace;
using namespace hwtrace::test;

namespace {

Bytes bytes(std::initializer_list<int> values) {
    Bytes result;
    for (const int value : values)
        result.push_back(static_cast<std::byte>(value));
    return result;
}

uscope::FileHeader header_of(const Bytes& file) {
    return uscope::FileHeader::decode(std::span(file).first<uscope::file_header_size>());
}

/// Reads the segment header at `offset` and the frames of an uncompressed file.
uscope::SegmentHeader segment_at(const Bytes& file, std::uint64_t offset) {
    return uscope::SegmentHeader::decode(
        std::span(file).subspan(static_cast<std::size_t>(offset)).first<uscope::segment_header_size>());
}

Bytes frames_of_first_segment(const Bytes& file) {
    const std::uint64_t offset = header_of(file).preamble_end;
    const uscope::SegmentHeader segment = segment_at(file, offset);
    const auto first =
        file.begin() + static_cast<std::ptrdiff_t>(offset + uscope::segment_header_size + segment.checkpoint_size);
    return {first, first + segment.raw_size};
}

std::vector<std::string> lines_of(const Schema& schema, const std::vector<Batch>& batches) {
    std::vector<std::string> lines;
    for (const Batch& batch : batches)
        for (const Record& record : batch.records())
            lines.push_back(record_line(schema, batch, record));
    return lines;
}

/// Makes records with every operation and event of the model, one frame per cycle.
std::vector<Batch> activity(Model& model, int cycles) {
    std::vector<Batch> batches(1);
    const StringId texts[] = {model.schema.intern("first"), model.schema.intern("second"), model.schema.intern("")};
    for (int i = 0; i < cycles; ++i) {
        if (batches.back().full()) batches.emplace_back();
        Batch& batch = batches.back();
        const Tick time = Tick{1000} * (i + 3);
        const auto slot = static_cast<std::uint32_t>(i) % 64;
        const auto number = static_cast<std::uint64_t>(i);
        batch.set(model.entities, time, slot, 0, number).flags |= record_first_of_frame;
        batch.set(model.entities, time, slot, 1, 0x8000'0000 + number * 4);
        batch.event(model.stage, time, std::array<std::uint64_t, 2>{number, number % 3 == 0 ? 7u : 1u});
        if (i % 4 == 0) batch.clear_slot(model.entities, time, (slot + 60) % 64);
        batch.add(model.counter, time, 0, 0, number % 5);
        batch.set(model.dense, time, slot % 5, 0, static_cast<std::uint64_t>(-i));
        batch.set(model.dense, time, slot % 5, 1, texts[i % 3]);
        batch.set_property(model.dense, time, 1, number);
        batch.event(model.note, time,
                    std::array<std::uint64_t, 4>{texts[(i + 1) % 3], static_cast<std::uint64_t>(-i % 30000), number % 2,
                                                 ~number});
    }
    return batches;
}

}  // namespace

TEST_CASE("a model survives a round trip with every compression, and rewriting it gives the same bytes") {
    Model model;
    const std::vector<Batch> batches = activity(model, 5000);
    const std::vector<std::string> expected = lines_of(model.schema, batches);
    for (const std::string compression : {"lz4", "zstd", "none"}) {
        CAPTURE(compression);
        const Chosen options = {{"uscope-compression", compression}};
        Losses losses;
        const Bytes file = written(model.schema, batches, options, 1, &losses);
        CHECK(losses.none());
        const Trace trace = read_trace(file, true);
        CHECK(trace.records == expected);
        CHECK(trace.rule_ids() == std::vector<std::string>{"USC047"});  // some values are wider than their fields
        CHECK(trace.fact("compression") == compression);
        CHECK(trace.fact("frames") == "5000");
        CHECK(trace.fact("instructions") == "5000");
        CHECK(trace.fact("counter") == "committed 10000");
        CHECK(rewritten(file, options) == file);
        CHECK(written(model.schema, batches, options, 3) == file);
    }
}

TEST_CASE("a segment starts at the end of the previous one; its checkpoint holds the replayed state") {
    Model model;
    const std::vector<Batch> batches = activity(model, 3000);
    const Bytes file = written(model.schema, batches, {{"uscope-checkpoint", "100ns"}});
    const Trace trace = read_trace(file, true);
    CHECK(trace.fact("segments") == "31");
    CHECK(trace.fact("checkpoint_interval_ps") == "100000");
    CHECK(trace.fact("checkpoints") == "start of segment");
    CHECK(trace.rule_ids() == std::vector<std::string>{"USC047"});  // some values are wider than their fields
    CHECK(trace.records == lines_of(model.schema, batches));

    const uscope::FileHeader header = header_of(file);
    const uscope::SegmentHeader last = segment_at(file, header.tail_offset);
    const uscope::SegmentHeader before = segment_at(file, last.previous);
    CHECK(header.flags == 0x87);
    CHECK(header.num_segments == 31);
    CHECK(header.total_time == 3002 * 1000);
    CHECK(last.time_end == header.total_time);
    CHECK(last.time_start == before.time_end);
    CHECK(segment_at(file, header.preamble_end).time_start == 0);
    CHECK(header.section_table_offset % 8 == 0);
    CHECK(rewritten(file) == file);
}

TEST_CASE("a frame is compact if all of its operations fit the compact form, otherwise wide") {
    Model model;
    std::vector<Batch> batches(1);
    batches[0].set(model.entities, 10, 2, 0, 65535);
    batches[0].event(model.stage, 10, std::array<std::uint64_t, 2>{9, 1});
    batches[0].clear_slot(model.entities, 10, 3);
    batches[0].set(model.entities, 20, 2, 0, 1);
    batches[0].set(model.entities, 20, 2, 0, 65536);
    const Bytes file = written(model.schema, batches, {{"uscope-compression", "none"}});
    CHECK(header_of(file).flags == 0x81);
    CHECK(frames_of_first_segment(file) == bytes({10, 3, 0,                                    // delta, number of items
                                                  2,  1, 0, 2, 0, 0, 0, 255, 255,              // compact set
                                                  3,  0, 0, 0, 5, 0, 0, 0,   9,   0, 0, 0, 1,  // event
                                                  2,  2, 0, 3, 0, 0, 0, 0,   0,                // compact clear
                                                  10, 2, 0,                                    //
                                                  1,  1, 0, 0, 2, 0, 0, 0,   1,   0, 0, 0, 0, 0, 0, 0,  // wide
                                                  1,  1, 0, 0, 2, 0, 0, 0,   0,   0, 1, 0, 0, 0, 0, 0}));
    CHECK(read_trace(file, true).findings == std::vector<std::string>{});
}

TEST_CASE("a storage id above 255 makes a frame wide") {
    Schema schema;
    schema.declare(Clock{"clk", 1});
    schema.declare(Scope{"/", none, "", 0});
    Track track;
    track.kind = Track::Kind::storage;
    track.scope = 0;
    track.slots = 1;
    track.fields = {{"x", Type::u8}};
    for (int i = 0; i < 300; ++i) {
        track.name = "s" + std::to_string(i);
        schema.declare(track);
    }
    std::vector<Batch> batches(1);
    batches[0].set(255, 0, 0, 0, 1);
    batches[0].set(256, 1, 0, 0, 1);
    batches[0].set(0, 1, 0, 0, 1);
    const Bytes file = written(schema, batches, {{"uscope-compression", "none"}});
    const Bytes frames = frames_of_first_segment(file);
    REQUIRE(frames.size() == 3 + 9 + 3 + 16 + 16);
    CHECK(frames[3] == std::byte{2});
    CHECK(frames[15] == std::byte{1});
    CHECK(read_trace(file, true).findings == std::vector<std::string>{});
}

TEST_CASE("a frame of more than 65535 items continues in another one at the same time") {
    Model model;
    std::vector<Batch> batches(1);
    for (std::uint64_t i = 0; i < 150'000; ++i)
        batches[0].set(model.entities, 7, static_cast<std::uint32_t>(i % 64), 0, i);
    const Bytes file = written(model.schema, batches);
    const Trace trace = read_trace(file, true);
    CHECK(trace.records.size() == 150'000);
    CHECK(trace.fact("frames") == "3");
    CHECK(trace.records[0].starts_with("@7 "));
    CHECK(trace.records[65'535].starts_with("@7 "));
    CHECK(trace.records[149'999] == " 7 entities set [47].entity_id 149999");
    CHECK(trace.findings == std::vector<std::string>{});
    CHECK(rewritten(file) == file);
}

TEST_CASE("a segment ends at 8 MiB even if checkpoints are rare") {
    Model model;
    std::vector<Batch> batches(1);
    for (std::uint64_t i = 0; i < 600'000; ++i)
        batches[0].set(model.entities, static_cast<Tick>(i / 100), static_cast<std::uint32_t>(i % 64), 1, ~i);
    const Bytes file = written(model.schema, batches, {{"uscope-checkpoint", "1s"}}, 2);
    const Trace trace = read_trace(file, true);
    CHECK(trace.fact("segments") == "2");
    CHECK(trace.findings == std::vector<std::string>{});
    CHECK(rewritten(file) == file);
}

TEST_CASE("a segment of a sparse trace has at least 16 KiB of frames, unless somebody chose the interval") {
    Model model;
    std::vector<Batch> batches(1);
    for (std::uint64_t i = 0; i < 4000; ++i)
        batches[0].set(model.entities, static_cast<Tick>(1'000'000 * i), static_cast<std::uint32_t>(i % 64), 1, i);
    const auto segments = [](const Bytes& file) { return read_trace(file, true).fact("segments"); };
    const Bytes file = written(model.schema, batches);
    CHECK(segments(file) == "4");
    CHECK(rewritten(file) == file);
    const Bytes chosen = written(model.schema, batches, {{"uscope-checkpoint", "25us"}});
    CHECK(segments(chosen) == "160");
    CHECK(rewritten(chosen) == chosen);
    CHECK(read_trace(chosen, true).records == read_trace(file, true).records);
}

TEST_CASE("empty frames and items that do not fit the schema survive a round trip") {
    Model model;
    std::vector<Batch> batches(1);
    Batch& batch = batches[0];
    const Bytes unknown_storage = bytes({1, 1, 9, 0, 1, 0, 0, 0, 5, 0, 0, 0, 0, 0, 0, 0});
    const Bytes unknown_action = bytes({2, 9, 0, 1, 0, 0, 0, 5, 0});
    const Bytes short_event = bytes({3, 0, 0, 0, 2, 0, 0, 0, 7, 7});
    const Bytes unknown_event = bytes({3, 0, 77, 0, 0, 0, 0, 0});
    batch.native(model.frame, 5, {}).flags = record_first_of_frame;
    batch.set(model.entities, 6, 0, 0, 1).flags |= record_first_of_frame;
    batch.native(model.item, 6, unknown_storage);
    batch.native(model.item, 6, unknown_action);
    batch.event(model.stage, 6, std::array<std::uint64_t, 2>{1, 1});
    batch.native(model.item, 6, short_event);
    batch.native(model.item, 6, unknown_event);
    batch.native(model.frame, 6, {}).flags = record_first_of_frame;
    const Bytes file = written(model.schema, batches, {{"uscope-compression", "none"}});
    const Trace trace = read_trace(file, true);
    CHECK(trace.records == lines_of(model.schema, batches));
    CHECK(trace.rule_ids() == std::vector<std::string>{"USC024", "USC025"});  // a compact frame has a wide item
    CHECK(trace.fact("frames") == "3");
    CHECK(trace.fact("frames_with_items") == "1");
    CHECK(rewritten(file, {{"uscope-compression", "none"}}) == file);
}

TEST_CASE("long, binary and ill-formed metadata is stored in the string table and restored verbatim") {
    Model model;
    const std::string with_nul("a\0b", 3), bad_utf8 = "\xC3(", surrogate = "\xED\xA0\x80", good = "\xC2\xB5Scope";
    model.schema.describe("stf.comment", std::string(5000, 'x'));
    model.schema.describe("stf.nul", with_nul);
    model.schema.describe("stf.comment", bad_utf8);
    model.schema.describe("surrogate", surrogate);
    model.schema.describe("good", good);
    model.schema.describe("empty", "");
    model.schema.describe("hwtrace.text.odd", "3");
    std::vector<Batch> batches(1);
    batches[0].event(model.note, 1, std::array<std::uint64_t, 4>{model.schema.intern("runtime"), 0, 0, 0}).flags =
        record_first_of_frame;
    Losses losses;
    const Bytes file = written(model.schema, batches, {}, 1, &losses);
    CHECK(losses.none());
    const Trace trace = read_trace(file, true);
    const std::vector<std::string> facts = {"fact dut_name=model",
                                            "fact stf.comment=" + std::string(5000, 'x'),
                                            "fact stf.nul=" + with_nul,
                                            "fact stf.comment=" + bad_utf8,
                                            "fact surrogate=" + surrogate,
                                            "fact good=" + good,
                                            "fact empty=",
                                            "fact hwtrace.text.odd=3",
                                            "fact uscope.checkpoint_interval_ps=20000000"};
    CHECK(std::vector<std::string>(trace.schema.end() - 9, trace.schema.end()) == facts);
    CHECK(trace.fact("strings") == "6");
    CHECK(trace.records == lines_of(model.schema, batches));
    CHECK(trace.findings == std::vector<std::string>{});
    CHECK(rewritten(file) == file);
}

TEST_CASE(
    "metadata that would overflow the 64 KB pool is stored in the string table; keys that do not fit are losses") {
    Model model;
    for (int i = 0; i < 200; ++i)
        model.schema.describe("key." + std::to_string(i),
                              std::string(900, static_cast<char>('a' + i % 26)) + std::to_string(i));
    Losses losses;
    const Bytes file = written(model.schema, {}, {}, 1, &losses);
    CHECK(losses.none());
    const Trace trace = read_trace(file, true);
    CHECK(std::ranges::count_if(trace.schema, [](const std::string& line) { return line.size() > 900; }) == 200);
    CHECK(rewritten(file) == file);

    for (int i = 0; i < 3000; ++i)
        model.schema.describe("a.rather.long.key.that.takes.room." + std::to_string(i), "v");
    const Bytes full = written(model.schema, {}, {}, 1, &losses);
    REQUIRE_FALSE(losses.none());
    CHECK(losses.entries().begin()->first.first == Loss::metadata_dropped);
    CHECK(read_trace(full, true).findings == std::vector<std::string>{});
}

TEST_CASE("unused strings stay in the table") {
    Model model;
    model.schema.intern("unused");
    model.schema.describe("long", std::string(2000, 'y'));
    std::vector<Batch> batches(1);
    batches[0].event(model.note, 1, std::array<std::uint64_t, 4>{model.schema.intern("used"), 0, 0, 0});
    const Bytes file = written(model.schema, batches);
    CHECK(read_trace(file).fact("strings") == "3");
    CHECK(rewritten(file) == file);
}

TEST_CASE("decreasing times are rejected, and the error names both times") {
    Model model;
    std::vector<Batch> batches(1);
    batches[0].add(model.counter, 2000, 0, 0, 1);
    batches[0].add(model.counter, 1999, 0, 0, 1);
    try {
        written(model.schema, batches);
        FAIL("written");
    } catch (const Error& error) {
        CHECK(error.failure() == Failure::input);
        const std::string what = error.what();
        CHECK(what.find("1999 ps") != std::string::npos);
        CHECK(what.find("2000 ps") != std::string::npos);
    }
}

TEST_CASE("data that µScope cannot hold is counted as a loss and written as closely as possible") {
    Schema schema;
    const ClockId clock = schema.declare(Clock{"slow", 5'000'000'000});
    schema.declare(Scope{"a", none, "", clock});
    schema.declare(Scope{"b", none, "", clock});
    const EnumId large = schema.declare(Enum{"large", {{256, "x"}}});
    Track event;
    event.kind = Track::Kind::event_type;
    event.scope = 1;
    event.name = std::string("bad\0name", 8);
    event.fields = {
        {"f", Type::f64}, {"g", Type::f32}, {"e", Type::enumeration, large}, {"small", Type::u8}, {"signed", Type::i8}};
    const TrackId id = schema.declare(event);
    Track storage;
    storage.kind = Track::Kind::storage;
    storage.scope = 0;
    storage.name = "big";
    storage.fields = {{"x", Type::u8}};
    storage.slots = 100'000;
    const TrackId big = schema.declare(storage);
    schema.describe("uscope.other", "x");
    std::vector<Batch> batches(1);
    batches[0].event(
        id, 0, std::array<std::uint64_t, 5>{0x4000'0000'0000'0000, 5, 256, 300, static_cast<std::uint64_t>(-128)});
    batches[0].event(id, 0, std::array<std::uint64_t, 5>{0, 0, 0, 255, 128});
    batches[0].set(big, 0, 70'000, 0, 1);
    batches[0].set(big, 0, 65'535, 0, 1);
    Losses losses;
    const Bytes file = written(schema, batches, {}, 1, &losses);
    const auto count = [&](Loss loss, const std::string& subject) {
        const auto found = losses.entries().find({loss, subject});
        return found == losses.entries().end() ? 0 : found->second.count;
    };
    CHECK(count(Loss::value_narrowed, "slow") == 1);
    CHECK(count(Loss::type_changed, "large") == 1);
    const std::string name = "bad_name";
    CHECK(count(Loss::name_changed, name) == 1);
    CHECK(count(Loss::part_dropped, "big") == 2);
    CHECK(count(Loss::metadata_dropped, "uscope.other") == 1);
    CHECK(count(Loss::value_narrowed, event.name + ".small") == 1);
    CHECK(count(Loss::value_narrowed, event.name + ".signed") == 1);
    CHECK(count(Loss::scope_flattened, "scopes") == 1);
    CHECK(losses.assumptions().empty());
    const Trace trace = read_trace(file, true);
    CHECK(trace.records ==
          std::vector<std::string>{"@0 bad_name event 4611686018427387904 5 256 44 18446744073709551488",
                                   " 0 bad_name event 0 0 0 255 18446744073709551488", " 0 big set [65535].x 1"});
    CHECK(trace.rule_ids() == std::vector<std::string>{"USC010", "USC036"});
}

TEST_CASE("a trace without a frame is a valid file") {
    const Model model;
    const Bytes file = written(model.schema, {});
    const Trace trace = read_trace(file, true);
    CHECK(trace.records.empty());
    CHECK(trace.findings == std::vector<std::string>{});
    CHECK(header_of(file).tail_offset == 0);
    CHECK(rewritten(file) == file);
}

TEST_CASE("segments are committed in the order that live readers need") {
    struct Recorded final : Output {
        std::string recorded = "recorded";
        Bytes bytes;
        std::vector<std::string> calls;
        const std::string& name() const noexcept override { return recorded; }
        void append(std::span<const std::byte> more) override {
            bytes.insert(bytes.end(), more.begin(), more.end());
            if (calls.empty() || calls.back() != "append") calls.push_back("append");
        }
        std::uint64_t size() const noexcept override { return bytes.size(); }
        void patch(std::uint64_t offset, std::span<const std::byte> more) override {
            std::ranges::copy(more, bytes.begin() + static_cast<std::ptrdiff_t>(offset));
            calls.push_back("patch " + std::to_string(offset) + '+' + std::to_string(more.size()));
            if (offset == uscope::at_num_segments) {  // at this moment, a live reader sees only whole segments
                const Trace live = read_trace(bytes, true);
                CHECK(live.rule_ids().front() == "USC013");
                CHECK(live.effect == Effect::incomplete);
                CHECK(live.fact("segments") == std::to_string(load_le<std::uint32_t>(more.data())));
            }
        }
        void shift(std::uint64_t, std::uint64_t) override { calls.push_back("shift"); }
        void sync() override { calls.push_back("sync"); }
        void commit() override {}
        std::optional<Input> reopen() override { return std::nullopt; }
    };
    Model model;
    const std::vector<Batch> batches = activity(model, 250);
    Recorded output;
    Losses losses;
    const Settings settings = settings_of({{"uscope-checkpoint", "100ns"}, {"uscope-sync", "segment"}});
    const auto writer = uscope_format.create(output, model.schema, settings, losses);
    for (const Batch& batch : batches)
        writer->write(batch);
    writer->finish();
    const std::vector<std::string> commit = {"append", "sync", "patch 40+8", "patch 24+4"};
    std::vector<std::string> expected;
    for (int segment = 0; segment < 3; ++segment)
        expected.insert(expected.end(), commit.begin(), commit.end());
    expected.insert(expected.end(), {"append", "sync", "patch 0+48"});
    CHECK(output.calls == expected);
}

TEST_CASE("an error of the output inside the background thread reaches the caller") {
    struct Full final : Output {
        std::string full = "full";
        std::uint64_t written = 0;
        const std::string& name() const noexcept override { return full; }
        void append(std::span<const std::byte> more) override {
            written += more.size();
            if (written > 20'000) fail(Failure::io, "full: no space");
        }
        std::uint64_t size() const noexcept override { return written; }
        void patch(std::uint64_t, std::span<const std::byte>) override {}
        void shift(std::uint64_t, std::uint64_t) override {}
        void sync() override {}
        void commit() override {}
        std::optional<Input> reopen() override { return std::nullopt; }
    };
    Model model;
    const std::vector<Batch> batches = activity(model, 5000);
    for (const unsigned jobs : {1u, 4u}) {
        Full output;
        Losses losses;
        const Settings settings = settings_of({{"uscope-checkpoint", "100ns"}}, false, jobs);
        const auto writer = uscope_format.create(output, model.schema, settings, losses);
        CHECK_THROWS_AS(
            {
                for (const Batch& batch : batches)
                    writer->write(batch);
                writer->finish();
            },
            Error);
    }
}

TEST_CASE("the frames view shows names, values and times") {
    Model model;
    std::vector<Batch> batches(1);
    batches[0].set(model.entities, 1000, 3, 1, 0x80002aa6);
    batches[0].add(model.counter, 1000, 0, 0, 2);
    batches[0].set_property(model.dense, 1000, 0, 9);
    batches[0].event(model.stage, 2500, std::array<std::uint64_t, 2>{3, 7});
    batches[0].event(
        model.note, 2500,
        std::array<std::uint64_t, 4>{model.schema.intern("a \"b\"\n"), static_cast<std::uint64_t>(-5), 1, 2});
    batches[0].clear_slot(model.entities, 2500, 3);
    const Bytes file = written(model.schema, batches, {{"uscope-compression", "none"}});
    Input input = Input::memory("file", file);
    TextOutput out(-1);
    Findings findings;
    uscope_format.views.front().render(input, out, settings_of({}), findings);
    const std::string text(out.text());
    const std::size_t frames = text.find("segment 0");
    REQUIRE(frames != std::string::npos);
    CHECK(text.substr(text.find('\n', frames) + 1) ==
          "@1000 cycle 1\n"
          "  set core0/entities[3].pc = 0x80002aa6\n"
          "  add core0/committed[0].count += 2\n"
          "  set core0/dense.head = 9\n"
          "@2500 cycle 2\n"
          "  event core0/stage_transition entity_id=3 stage=commit\n"
          "  event core0/note text=\"a \\\"b\\\"\\n\" delta=-5 flag=1 big=2\n"
          "  clear core0/entities[3]\n");
    CHECK(text.find("storage 0 core0/entities slots=64 sparse entity_id:u32 pc:u64 inst_bits:u32\n") !=
          std::string::npos);
    CHECK(text.find("dut dut_name=\"model\"\n") != std::string::npos);
}

TEST_CASE("numbers without a label that do not fit in an event are foretold, and counted if they occur") {
    Schema schema;
    schema.declare(Clock{"clk", 1000});
    schema.declare(Scope{"soc", none, "", 0});
    schema.declare(Scope{"core0", 0, "cpu", 0});
    const EnumId small = schema.declare(Enum{"small", {{0, "x"}}});
    const EnumId large = schema.declare(Enum{"large", {{256, "x"}}});
    const EnumId role = schema.declare(Enum{"register_role", {{0, "state"}}});
    const auto event = [&](ScopeId scope, const std::string& name, EnumId enumeration) {
        Track track;
        track.kind = Track::Kind::event_type;
        track.scope = scope;
        track.name = name;
        track.time = {TimeBase::Kind::seconds, 1, 1'000'000'000'000};
        track.fields = {{"v", Type::enumeration, enumeration}};
        return schema.declare(track);
    };
    const TrackId open = event(0, "open", small);
    event(0, "wide", large);             // has 8 bytes
    event(0, "operands", role);          // a vocabulary of hwtrace
    event(1, "flush", small);            // the protocol cpu
    event(0, "stf.transaction", small);  // of the source's format
    const auto foretold = [&](std::string_view source) {
        Settings settings;
        settings.source_format = source;
        std::vector<ExpectedLoss> losses;
        uscope_format.writes.foresee(schema, settings, losses);
        std::vector<std::string> subjects;
        for (const ExpectedLoss& loss : losses) {
            CHECK(loss.loss == Loss::value_narrowed);
            subjects.push_back(loss.subject);
        }
        return subjects;
    };
    CHECK(foretold("stf") == std::vector<std::string>{"open.v"});
    CHECK(foretold("jsonl") == std::vector<std::string>{"open.v", "stf.transaction.v"});
    CHECK(foretold("uscope").empty());
    for (const auto& [number, lost] : {std::pair{255u, 0u}, std::pair{256u, 1u}}) {
        std::vector<Batch> batches(1);
        batches[0].event(open, 0, std::array<std::uint64_t, 1>{number});
        Losses losses;
        written(schema, batches, {}, 1, &losses);
        CHECK(losses.entries().count({Loss::value_narrowed, "open.v"}) == lost);
    }
}

TEST_CASE("a root added above several scopes is a loss: reading back gives other scopes") {
    Model model;
    model.schema.declare(Scope{"another root", none, "", none});
    Losses losses;
    const Bytes file = written(model.schema, {}, {}, 1, &losses);
    CHECK(losses.entries().contains({Loss::scope_flattened, "scopes"}));
    CHECK(read_trace(file).findings == std::vector<std::string>{});
}

namespace {

/// Returns the frames view of a small trace in which all names begin with `name`.
std::string frames_with_names(const std::string& name) {
    Schema schema;
    const ScopeId scope = schema.declare(Scope{name + "s", none, name + "p", schema.declare(Clock{name, 500})});
    const EnumId labels = schema.declare(Enum{name + "e", {{1, name + "v"}}});
    schema.describe(name + "k", "v");
    Track track;
    track.kind = Track::Kind::storage;
    track.scope = scope;
    track.time = picoseconds;
    track.name = name;
    track.fields = {{name + "f", Type::enumeration, labels}};
    track.properties = {{name + "q", Type::u8}};
    track.slots = 1;
    const TrackId table = schema.declare(track);
    track.kind = Track::Kind::event_type;
    track.properties = {};
    track.slots = 0;
    const TrackId event = schema.declare(track);
    std::vector<Batch> batches(1);
    Batch& batch = batches.front();
    batch.set(table, 500, 0, 0, 1);
    batch.set_property(table, 500, 0, 1);
    batch.event(event, 500, std::array{std::uint64_t{1}});
    const Bytes file = written(schema, batches);
    Settings settings;
    Findings findings;
    Input input = Input::memory("file", file);
    TextOutput out(-1);
    const auto view = std::ranges::find(uscope_format.views, std::string_view("frames"), &View::name);
    REQUIRE(view != uscope_format.views.end());
    view->render(input, out, settings, findings);
    return std::string(out.text());
}

}  // namespace

TEST_CASE("the frames view shows names as text, whatever their bytes") {
    const std::string text = frames_with_names("n\x1b]0;own\x07\n");
    CHECK(text.find("set \"n\\x1b]0;own\\x07\\n\"[0].\"n\\x1b]0;own\\x07\\nf\" = ") != std::string::npos);
    CHECK(std::ranges::none_of(text, [](char c) { return c != '\n' && (c < ' ' || c == '\x7f'); }));
    CHECK(std::ranges::count(text, '\n') == std::ranges::count(frames_with_names("n"), '\n'));
}

}  // namespace uscope_model_test
