#include <doctest/doctest.h>

#include <algorithm>
#include <array>
#include <filesystem>
#include <functional>
#include <optional>
#include <random>

#include "formats/uscope_encoder.hpp"
#include "formats/uscope_support.hpp"
#include "io/error.hpp"
#include "io/little_endian.hpp"
#include "support/corpus.hpp"
#include "support/sample.hpp"
#include "uscope/preamble.hpp"
#include "uscope/wire.hpp"

namespace uscope_damage_test {

using namespace hwtrace;
using namespace hwtrace::test;
using uscope::FileHeader;
using uscope::SegmentHeader;

namespace {

/// A valid file, with the offsets of its parts.
struct File {
    Bytes bytes;

    FileHeader header() const { return FileHeader::decode(std::span(bytes).first<uscope::file_header_size>()); }
    template <std::integral T>
    T peek(std::size_t at) const {
        return load_le<T>(bytes.data() + at);
    }
    template <std::integral T>
    void poke(std::size_t at, T value) {
        store_le(bytes.data() + at, value);
    }
    SegmentHeader segment_at(std::size_t at) const {
        return SegmentHeader::decode(std::span(bytes).subspan(at).first<uscope::segment_header_size>());
    }
    std::size_t segment(std::size_t number) const {
        std::size_t at = header().preamble_end;
        for (; number > 0; --number)
            at += static_cast<std::size_t>(segment_at(at).total_size());
        return at;
    }
    std::size_t checkpoint(std::size_t number) const { return segment(number) + uscope::segment_header_size; }
    std::size_t frames(std::size_t number) const {
        return checkpoint(number) + segment_at(segment(number)).checkpoint_size;
    }
    /// Returns the file offset of the payload of the chunk that has this type. section() does the same for sections.
    std::size_t chunk(std::uint16_t type) const {
        std::size_t at = uscope::file_header_size;
        while (peek<std::uint16_t>(at) != type)
            at += 8 + (peek<std::uint32_t>(at + 4) + 7u) / 8 * 8;
        return at + 8;
    }
    std::size_t section(std::uint16_t type) const {
        std::size_t at = static_cast<std::size_t>(header().section_table_offset);
        while (peek<std::uint16_t>(at) != type)
            at += uscope::section_entry_size;
        return static_cast<std::size_t>(peek<std::uint64_t>(at + 8));
    }
};

/// Makes three segments of the model, with wide frames at 3000, 4000, ... ps. Each frame begins with set records of
/// entity_id and pc, and a stage_transition.
File sample(const std::string& compression = "none", bool texts = true) {
    Model model;
    model.schema.describe("long", std::string(3000, 'x'));
    const StringId text = model.schema.intern("a runtime string");
    std::vector<Batch> batches(1);
    for (std::uint64_t i = 0; i < 25; ++i) {
        Batch& batch = batches[0];
        const Tick time = static_cast<Tick>(1000 * (i + 3));
        const auto slot = static_cast<std::uint32_t>(i);
        batch.set(model.entities, time, slot, 0, i).flags |= record_first_of_frame;
        batch.set(model.entities, time, slot, 1, 0x8000'0000 + 4 * i);
        batch.event(model.stage, time, std::array<std::uint64_t, 2>{i, 7});
        batch.add(model.counter, time, 0, 0, 1);
        batch.set_property(model.dense, time, 0, i);
        if (texts) batch.event(model.note, time, std::array<std::uint64_t, 4>{text, i, 1, i});
    }
    return {written(model.schema, batches, {{"uscope-compression", compression}, {"uscope-checkpoint", "10ns"}})};
}

constexpr std::size_t first_item = 4;  // after the delta B8 17 and the count
constexpr std::size_t second_item = first_item + uscope::wide_op_size;
constexpr std::size_t first_event = second_item + uscope::wide_op_size;

/// Makes a file that has only a counter, so that all checkpoints have the same size.
File counting() {
    Schema schema;
    schema.declare(Clock{"clk", 1000});
    schema.declare(Scope{"/", none, "", 0});
    Track track;
    track.kind = Track::Kind::storage;
    track.scope = 0;
    track.name = "count";
    track.fields = {{"n", Type::u64}};
    track.slots = 1;
    schema.declare(track);
    std::vector<Batch> batches(1);
    for (Tick i = 1; i <= 30; ++i)
        batches[0].add(0, i * 1000, 0, 0, 1);
    return {written(schema, batches, {{"uscope-checkpoint", "10ns"}})};
}

/// Makes a file with an unusual preamble and an empty section table.
File only_preamble(const Schema& schema) {
    Appender chunks;
    uscope::Preamble preamble;
    preamble.checkpoint_interval = 1000;
    uscope::encode_preamble(schema, preamble, chunks);
    FileHeader header;
    header.flags = uscope::flag_interleaved | uscope::flag_complete;
    header.preamble_end = static_cast<std::uint32_t>(uscope::file_header_size + chunks.size());
    header.section_table_offset = header.preamble_end;
    File file;
    const auto head = header.encode();
    file.bytes.assign(head.begin(), head.end());
    file.bytes.insert(file.bytes.end(), chunks.span().begin(), chunks.span().end());
    file.bytes.resize(file.bytes.size() + uscope::section_entry_size);
    return file;
}

/// The result of reading: a trace, or the failure.
struct Outcome {
    std::optional<Trace> trace;
    std::optional<Failure> failure;
    std::vector<std::string> findings;
};

Outcome outcome_of(const Bytes& file, const Limits& limits = {}) {
    Outcome outcome;
    Findings findings;
    findings.listen([&](const Finding& f) { outcome.findings.emplace_back(f.rule->id); });
    Settings settings = settings_of({}, true);
    settings.limits = limits;
    Input input = Input::memory("memory", file);
    try {
        Trace trace;
        const auto reader = uscope_format.open(input, settings, findings);
        Batch batch;
        while (reader->read(batch)) {
            for (const Record& record : batch.records())
                trace.records.push_back(record_line(reader->schema(), batch, record));
            batch.clear();
        }
        trace.facts = reader->facts();
        trace.effect = findings.effect();
        outcome.trace = std::move(trace);
    } catch (const Error& error) {
        outcome.failure = error.failure();
    }
    return outcome;
}

bool contains(const std::vector<std::string>& ids, const std::string& id) {
    return std::ranges::find(ids, id) != ids.end();
}

struct Case {
    std::string rule;
    std::function<File()> make;
};

File changed(File file, const std::function<void(File&)>& change) {
    change(file);
    return file;
}

std::vector<Case> cases() {
    const auto with = [](const std::function<void(File&)>& change) {
        return [change] { return changed(sample(), change); };
    };
    constexpr std::size_t schema_clock = 12, schema_scope = 12 + 8;  // one clock precedes the scopes
    return {
        {"USC001", with([](File& f) { f.bytes[0] = std::byte{'x'}; })},
        {"USC002", with([](File& f) { f.poke<std::uint16_t>(4, 1); })},
        {"USC003", with([](File& f) { f.poke<std::uint64_t>(8, 0x87 | 3 << 3); })},
        {"USC004", with([](File& f) { f.poke(0x1C, f.peek<std::uint32_t>(0x1C) + 8); })},
        {"USC005", with([](File& f) { f.poke<std::uint16_t>(f.chunk(3) - 8, 0x77); })},
        {"USC006", with([](File& f) { f.poke<std::uint16_t>(f.chunk(2) + 10, 3); })},
        {"USC007", with([](File& f) { f.poke<std::uint16_t>(f.chunk(2) + schema_clock, 0xFFF0); })},
        {"USC008", with([](File& f) { f.poke<std::uint16_t>(f.chunk(2) + schema_clock + 2, 5); })},
        {"USC009",
         [] {
             Schema schema;
             schema.declare(Scope{"/", none, "", none});
             return only_preamble(schema);
         }},
        {"USC010", with([](File& f) { f.poke<std::uint32_t>(f.chunk(2) + schema_clock + 4, 0); })},
        {"USC011", with([](File& f) { f.poke<std::uint16_t>(f.chunk(2) + schema_scope + 12 + 4, 1); })},
        {"USC012",
         with([](File& f) { f.poke<std::uint8_t>(f.chunk(2) + schema_scope + 2 * 12 + 4 + 3 * 4 + 16 + 2, 99); })},
        {"USC013", with([](File& f) { f.poke<std::uint64_t>(8, f.header().flags & ~uscope::flag_complete); })},
        {"USC014", with([](File& f) { f.bytes.resize(f.frames(2) + 10); })},
        {"USC015", with([](File& f) { f.poke<std::uint64_t>(0x20, 8); })},
        {"USC016", with([](File& f) { f.poke<std::uint64_t>(f.section(3) + 24 + 8, 1); })},
        {"USC017", with([](File& f) { f.poke<std::uint64_t>(f.segment(2) + 0x18, f.segment(0)); })},
        {"USC018", with([](File& f) { f.bytes[f.segment(1)] = std::byte{0}; })},
        {"USC019",
         [] {
             return changed(sample("lz4"), [](File& f) {
                 f.poke(f.segment(1) + 0x28, f.peek<std::uint32_t>(f.segment(1) + 0x28) + 1);
             });
         }},
        {"USC020", with([](File& f) { f.bytes[f.frames(0) + second_item] = std::byte{9}; })},
        {"USC021", with([](File& f) {
             f.poke<std::uint64_t>(f.segment(0) + 8, ~std::uint64_t{0} >> 1);
             f.poke<std::uint64_t>(f.segment(0) + 16, ~std::uint64_t{0} >> 1);
         })},
        {"USC022", with([](File& f) { f.poke(f.segment(0) + 0x2C, f.peek<std::uint32_t>(f.segment(0) + 0x2C) + 1); })},
        {"USC023", with([](File& f) { f.poke(f.segment(1) + 0x10, f.peek<std::uint64_t>(f.segment(1) + 0x10) + 1); })},
        {"USC024", with([](File& f) { f.poke<std::uint16_t>(f.frames(0) + first_event + 2, 99); })},
        {"USC025", with([](File& f) { f.poke<std::uint64_t>(f.frames(0) + second_item + 8, 1); })},
        {"USC026", with([](File& f) { f.poke<std::uint64_t>(8, f.header().flags & ~uscope::flag_complete); })},
        {"USC056", with([](File& f) { f.poke<std::uint32_t>(f.section(2), 0); })},
        {"USC027", with([](File& f) { f.poke<std::uint32_t>(f.section(2) + 12, 0xFFFF'FFFF); })},
        {"USC028", with([](File& f) { f.poke<std::uint16_t>(f.checkpoint(1), 3); })},
        {"USC029", with([](File& f) {
             const std::size_t entities = 8 + f.peek<std::uint32_t>(f.checkpoint(2) + 4);
             f.poke<std::uint64_t>(f.checkpoint(2) + entities + 8, 1);  // the value of the counter
         })},
        {"USC030",
         [] {
             return changed(counting(), [](File& f) {
                 for (std::size_t i = 0; i < 3; ++i)
                     f.poke<std::uint64_t>(f.checkpoint(i) + 8, 10 * (i + 1));
             });
         }},
        {"USC031", with([](File& f) { f.bytes[f.section(0x10)] = std::byte{'X'}; })},
        {"USC032", with([](File& f) { f.poke<std::uint64_t>(f.section(0x10) + 12, 26); })},
        {"USC033", with([](File& f) { f.bytes.resize(f.bytes.size() + 8); })},
        {"USC034", with([](File& f) { f.bytes[f.frames(0) + first_event + 8 + 4] = std::byte{2}; })},
        {"USC035", with([](File& f) { f.poke<std::uint64_t>(8, f.header().flags | 1u << 20); })},
        {"USC036", with([](File& f) { f.poke<std::uint16_t>(f.frames(0) + first_item + 4, 64); })},
        {"USC037", with([](File& f) { f.poke<std::uint16_t>(f.chunk(3) - 8, 0x77); })},
        {"USC038", with([](File& f) { f.poke<std::uint32_t>(0x18, 7); })},
        {"USC039", with([](File& f) { f.poke<std::uint64_t>(8, f.header().flags & ~uscope::flag_complete); })},
        {"USC040", with([](File& f) { f.poke<std::uint16_t>(6, 2); })},
        {"USC041", [] { return File{HandMade(dialects().front().second).file()}; }},
    };
}

}  // namespace

TEST_CASE("every violation is reported at its place") {
    CHECK(outcome_of(sample().bytes).findings == std::vector<std::string>{});
    CHECK(outcome_of(sample("lz4").bytes).findings == std::vector<std::string>{});
    CHECK(outcome_of(counting().bytes).findings == std::vector<std::string>{});
    for (const Case& c : cases()) {  // testdata/ also has a sample for every rule
        CAPTURE(c.rule);
        CHECK(contains(outcome_of(c.make().bytes).findings, c.rule));
    }
}

TEST_CASE("damage to one segment leaves the records of all other segments") {
    const std::vector<std::string> all = outcome_of(sample().bytes).trace->records;
    const auto records_of = [&](const std::function<void(File&)>& change) {
        const Outcome outcome = outcome_of(changed(sample(), change).bytes);
        REQUIRE(outcome.trace.has_value());
        CHECK(outcome.trace->effect == Effect::damaged);
        return outcome.trace->records;
    };
    const auto without = [&](std::size_t first, std::size_t count) {
        std::vector<std::string> left = all;
        left.erase(left.begin() + static_cast<std::ptrdiff_t>(first),
                   left.begin() + static_cast<std::ptrdiff_t>(first + count));
        return left;
    };
    REQUIRE(all.size() == 25 * 6);  // 8, 10 and 7 frames of 6 items
    CHECK(records_of([](File& f) { f.bytes[f.segment(1)] = std::byte{0}; }) == without(8 * 6, 10 * 6));
    CHECK(records_of([](File& f) { f.bytes[f.frames(0) + second_item] = std::byte{9}; }) == without(1, 8 * 6 - 1));
}

TEST_CASE("an unreadable segment causes no further findings") {
    const auto rules_of = [](File file, const std::function<void(File&)>& change) {
        std::vector<std::string> rules = outcome_of(changed(std::move(file), change).bytes).findings;
        std::ranges::sort(rules);
        return rules;
    };
    using Ids = std::vector<std::string>;
    for (const std::size_t number : {std::size_t{0}, std::size_t{1}, std::size_t{2}}) {
        CAPTURE(number);
        const auto damage = [&](File& f) {
            f.poke(f.segment(number) + 0x28, f.peek<std::uint32_t>(f.segment(number) + 0x28) + 1);
        };
        CHECK(rules_of(sample("lz4"), damage) == Ids{"USC019"});
    }
    const auto no_magic = [](File& f) { f.bytes[f.segment(1)] = std::byte{0}; };
    CHECK(rules_of(sample(), no_magic) == Ids{"USC018"});
}

TEST_CASE("a segment with wrong numbers in its header is read, and the numbers are reported") {
    const std::vector<std::string> all = outcome_of(sample().bytes).trace->records;
    const auto check = [&](const std::function<void(File&)>& change, const std::vector<std::string>& rules) {
        const Outcome outcome = outcome_of(changed(sample(), change).bytes);
        REQUIRE(outcome.trace.has_value());
        CHECK(outcome.trace->records == all);
        CHECK(outcome.trace->effect == Effect::harmless);
        CHECK(outcome.findings == rules);
    };
    check([](File& f) { f.poke<std::uint32_t>(f.segment(0) + 0x30, 1'000); },
          {"USC022"});  // the header states more active frames than frames
    check([](File& f) { f.poke<std::uint64_t>(f.segment(2) + 0x10, 1); }, {"USC016", "USC023", "USC023"});
}

TEST_CASE("texts that are not in the string table are counted in each segment") {
    const auto texts_of = [](const std::function<void(File&)>& change) {
        std::vector<std::string> texts;
        const Trace trace = read_trace(changed(sample(), change).bytes);
        for (const std::string& finding : trace.findings)
            if (finding.find("USC026") != std::string::npos || finding.find("USC056") != std::string::npos)
                texts.push_back(finding);
        return std::pair(texts, trace.effect);
    };
    const auto [closed, closed_effect] = texts_of([](File& f) { f.poke<std::uint32_t>(f.section(2), 0); });
    CHECK(closed.size() == 3);
    CHECK(closed_effect == Effect::damaged);
    const auto [open, open_effect] =
        texts_of([](File& f) { f.poke<std::uint64_t>(8, f.header().flags & ~uscope::flag_complete); });
    CHECK(open.size() == 3);
    CHECK(open_effect == Effect::incomplete);
    CHECK(closed.front().find("found 8 other indices") != std::string::npos);
    CHECK(open.front().find("found 8 other indices") != std::string::npos);
}

TEST_CASE("without a section table, segments are found by their links, and without links by a search") {
    const std::vector<std::string> all = outcome_of(sample("none", false).bytes).trace->records;
    const auto check = [&](const std::function<void(File&)>& change, const std::string& rule) {
        CAPTURE(rule);
        const Outcome outcome = outcome_of(changed(sample("none", false), change).bytes);
        REQUIRE(outcome.trace.has_value());
        CHECK(outcome.trace->records == all);
        CHECK(contains(outcome.findings, rule));
    };
    check([](File& f) { f.poke<std::uint64_t>(0x20, 8); }, "USC015");
    check([](File& f) { f.poke<std::uint64_t>(8, f.header().flags & ~uscope::flag_complete); }, "USC013");
    check(
        [](File& f) {
            f.poke<std::uint64_t>(0x20, 8);
            f.poke<std::uint64_t>(0x28, 100);  // offset of the tail
        },
        "USC017");
    for (const std::size_t target : {std::size_t{2}, std::size_t{1}, std::size_t{0}})
        check(
            [&](File& f) {  // a cycle, or a link that skips a segment
                f.poke<std::uint64_t>(8, f.header().flags & ~uscope::flag_complete);
                f.poke<std::uint64_t>(f.segment(target == 0 ? 2 : 1) + 0x18, f.segment(target));
            },
            "USC017");
}

TEST_CASE("an interrupted recording yields the segments that were written but not yet committed") {
    const std::vector<std::string> all = outcome_of(sample("none", false).bytes).trace->records;
    File file = sample("none", false);
    file.poke<std::uint64_t>(8, 0x81 & ~uscope::flag_complete);
    file.poke<std::uint64_t>(0x28, file.segment(1));
    file.poke<std::uint32_t>(0x18, 2);
    file.bytes.resize(file.segment(2) + static_cast<std::size_t>(file.segment_at(file.segment(2)).total_size()));
    const Outcome outcome = outcome_of(file.bytes);
    REQUIRE(outcome.trace.has_value());
    CHECK(outcome.trace->records == all);
    CHECK(outcome.trace->effect == Effect::incomplete);
}

TEST_CASE("a segment whose compressed bytes are cut yields the frames before the cut") {
    constexpr std::uint64_t frames = 20'000;
    Model model;
    std::vector<Batch> batches(1);
    std::uint64_t random = 1;
    for (std::uint64_t i = 0; i < frames; ++i) {
        random = random * 6'364'136'223'846'793'005 + 1;
        batches[0]
            .set(model.entities, static_cast<Tick>(1000 * i), static_cast<std::uint32_t>(i % 8), 1, random >> 32u)
            .flags |= record_first_of_frame;
    }
    for (const std::string compression : {"lz4", "zstd"}) {
        CAPTURE(compression);
        const File file{
            written(model.schema, batches, {{"uscope-compression", compression}, {"uscope-checkpoint", "1ms"}})};
        const Trace whole = read_trace(file.bytes);
        const std::size_t begin = file.frames(0);
        const std::size_t stored = file.segment_at(file.segment(0)).compressed_size;
        REQUIRE(file.header().num_segments == 1);
        std::size_t before = 0;
        for (const std::size_t eighths : {1U, 4U, 7U}) {
            CAPTURE(eighths);
            Bytes cut = file.bytes;
            cut.resize(begin + stored * eighths / 8);
            const Trace trace = read_trace(cut, true);
            CHECK(trace.has("USC014"));
            CHECK(trace.effect != Effect::harmless);
            CHECK(trace.records.size() >= before);
            before = trace.records.size();
            CHECK(std::equal(trace.records.begin(), trace.records.end(), whole.records.begin()));
        }
        CHECK(before >= frames / 2);
        CHECK(before < frames);
        // Decompressing a cut zstd frame needs its window, which must be within the limits.
        Bytes cut = file.bytes;
        cut.resize(begin + stored / 2);
        const auto read_within = [&](std::uint64_t window) {
            Settings settings;
            settings.limits.zstd_window = window;
            Input input = Input::memory("cut", cut);
            Findings findings;
            const auto reader = uscope_format.open(input, settings, findings);
            for (Batch batch; reader->read(batch);)
                batch.clear();
        };
        CHECK_NOTHROW(read_within(std::uint64_t{1} << 20));
        if (compression == "zstd") CHECK_THROWS_AS(read_within(4096), Error);
    }
}

TEST_CASE("a note about items of several segments is reported once, with their number in the file") {
    File file = sample();
    for (std::size_t segment = 0; segment < 2; ++segment)
        file.poke<std::uint16_t>(file.frames(segment) + first_item + 4, 64);
    const Trace trace = read_trace(file.bytes, true);
    const auto is_of_slots = [](const std::string& finding) { return finding.starts_with("USC036"); };
    CHECK(std::ranges::count_if(trace.findings, is_of_slots) == 1);
    const auto finding = std::ranges::find_if(trace.findings, is_of_slots);
    REQUIRE(finding != trace.findings.end());
    CHECK(finding->find("2 operations on other slots") != std::string::npos);
    CHECK(finding->find("segment 0") != std::string::npos);
}

TEST_CASE("a file cut at any byte yields a prefix of its records and is reported as cut") {
    for (const std::string compression : {"none", "lz4"}) {
        CAPTURE(compression);
        const File file = sample(compression, false);
        const std::vector<std::string> all = outcome_of(file.bytes).trace->records;
        for (const std::size_t size : sample_places(file.bytes.size())) {
            CAPTURE(size);
            const Outcome outcome =
                outcome_of({file.bytes.begin(), file.bytes.begin() + static_cast<std::ptrdiff_t>(size)});
            CHECK_FALSE(outcome.findings.empty());
            if (!outcome.trace) {
                CHECK(outcome.failure == Failure::input);
                CHECK(size < file.header().preamble_end);
                continue;
            }
            CHECK(outcome.trace->effect != Effect::harmless);
            const std::vector<std::string>& got = outcome.trace->records;
            REQUIRE(got.size() <= all.size());
            CHECK(std::equal(got.begin(), got.end(), all.begin()));
            if (size >= static_cast<std::size_t>(file.section(3))) CHECK(got.size() == all.size());
        }
    }
}

TEST_CASE("a changed bit of the header or a random change elsewhere causes only findings or a failure") {
    Limits limits;
    limits.block = 1u << 20;
    std::mt19937 random(20'26);
    std::size_t failures = 0;
    const auto survives = [&](const Bytes& bytes) {
        const Outcome outcome = outcome_of(bytes, limits);
        if (outcome.failure) {
            CHECK((outcome.failure == Failure::input || outcome.failure == Failure::limit));
            ++failures;
        }
    };
    const File plain = sample(), packed = sample("lz4"), zstd = sample("zstd");
    for (const std::size_t bit : sample_places(plain.header().preamble_end * std::size_t{8})) {
        Bytes bytes = plain.bytes;
        bytes[bit / 8] ^= std::byte{1} << (bit % 8);
        survives(bytes);
    }
    for (std::size_t i = 0; i < trials_of(5000); ++i) {
        Bytes bytes = i % 3 == 0 ? packed.bytes : i % 3 == 1 ? plain.bytes : zstd.bytes;
        for (std::size_t changes = random() % 4 + 1; changes > 0; --changes)
            bytes[random() % bytes.size()] = static_cast<std::byte>(random());
        survives(bytes);
        if (i % 5 != 0) continue;
        try {
            const Bytes again = rewritten(bytes);
            CHECK(read_trace(again).effect == Effect::harmless);
        } catch (const Error& error) {
            CHECK((error.failure() == Failure::input || error.failure() == Failure::limit));
        }
    }
    CHECK(failures > 0);
}

TEST_CASE("sizes that a small file cannot have are refused before anything is allocated") {
    const auto found = [](const std::function<void(File&)>& change, const std::string& compression) {
        return outcome_of(changed(sample(compression), change).bytes);
    };
    const auto raw_size = [](File& f) { f.poke<std::uint32_t>(f.segment(0) + 0x28, 0xFFFF'FFF0); };
    CHECK(contains(found(raw_size, "lz4").findings, "USC019"));
    CHECK(found(raw_size, "zstd").failure == Failure::limit);
    const auto checkpoint_size = [](std::size_t segment) {
        return [segment](File& f) { f.poke<std::uint32_t>(f.segment(segment) + 0x20, 0xFFFF'FFF0); };
    };
    CHECK(contains(found(checkpoint_size(0), "lz4").findings, "USC018"));  // the size reaches beyond the next segment
    CHECK(contains(found(checkpoint_size(2), "lz4").findings, "USC014"));
    CHECK(contains(found([](File& f) { f.poke<std::uint32_t>(f.section(2), 0xFFFF'FFF0); }, "lz4").findings, "USC027"));
    CHECK(
        contains(found([](File& f) { f.poke<std::uint32_t>(f.chunk(2) - 4, 0xFFFF'FFF0); }, "lz4").findings, "USC004"));

    Schema schema;  // a schema of half a kilobyte declares 65,535 slots of 8,000 bytes: 500 MB of state
    schema.declare(Clock{"clk", 1});
    schema.declare(Scope{"/", none, "", 0});
    Track track;
    track.kind = Track::Kind::storage;
    track.slots = 65'535;
    track.fields.assign(1000, {"x", Type::u64});
    schema.declare(track);
    Losses losses;
    CHECK_THROWS_AS(written(schema, {}, {}, 1, &losses), Error);
}

TEST_CASE("many strings that share their bytes cannot fill the memory") {
    Model model;
    for (int i = 0; i < 2000; ++i)
        model.schema.intern("s" + std::to_string(i));
    model.schema.intern(std::string(100'000, 'x'));
    File file{written(model.schema, {})};
    const std::size_t table = file.section(2);
    const std::size_t last = table + 8 + 2000 * 8;
    for (std::size_t i = 0; i < 2000; ++i) {
        file.poke(table + 8 + i * 8, file.peek<std::uint32_t>(last));
        file.poke(table + 12 + i * 8, file.peek<std::uint32_t>(last + 4));
    }
    CHECK(contains(outcome_of(file.bytes).findings, "USC027"));
}

namespace {

struct RealFile {
    std::string name;
    Bytes bytes;
};

/// Returns the files of the corpus of up to `most` bytes.
std::vector<RealFile> real_files(std::size_t most) {
    std::vector<RealFile> files;
    const auto folder = corpus("uscope");
    if (!folder) return files;
    for (const auto& entry : std::filesystem::directory_iterator(*folder))
        if (entry.path().extension() == ".uscope" && entry.file_size() <= most)
            files.push_back({entry.path().filename().string(), read_file(entry.path())});
    std::ranges::sort(files, {}, &RealFile::name);
    return files;
}

/// Cuts each record at its first string, because a cut file has no string table.
std::vector<std::string> without_texts(std::vector<std::string> records) {
    for (std::string& record : records)
        record.resize(std::min(record.find('"'), record.size()));
    return records;
}

}  // namespace

TEST_CASE("a real file of any dialect cut at any byte yields a prefix of its records and is reported as cut") {
    for (const RealFile& file : real_files(2048)) {
        CAPTURE(file.name);
        const std::vector<std::string> all = without_texts(outcome_of(file.bytes).trace->records);
        for (const std::size_t size : sample_places(file.bytes.size())) {
            CAPTURE(size);
            const Outcome outcome =
                outcome_of({file.bytes.begin(), file.bytes.begin() + static_cast<std::ptrdiff_t>(size)});
            CHECK_FALSE(outcome.findings.empty());
            if (!outcome.trace) {
                CHECK(outcome.failure == Failure::input);
                continue;
            }
            CHECK(outcome.trace->effect != Effect::harmless);
            const std::vector<std::string> got = without_texts(outcome.trace->records);
            REQUIRE(got.size() <= all.size());
            CHECK(std::equal(got.begin(), got.end(), all.begin()));
        }
    }
}

TEST_CASE("10,000 changed bits in real files of every dialect cause only findings or a failure") {
    Limits limits;
    limits.block = std::size_t{16} << 20;
    std::mt19937 random(1'000'003);
    const std::vector<RealFile> all = real_files(std::size_t{1} << 21);
    if (all.empty()) return;
    std::vector<RealFile> small, large;
    for (const RealFile& file : all)
        (file.bytes.size() <= 8192 ? small : large).push_back(file);
    std::size_t noticed = 0;
    const std::size_t trials = trials_of(10'000);
    for (std::size_t i = 0; i < trials; ++i) {
        // One flip in a hundred hits a large file, because large files take most of the time.
        std::vector<RealFile>& files = i % 100 == 0 ? large : small;
        RealFile& file = files[random() % files.size()];
        std::byte& byte = file.bytes[random() % file.bytes.size()];
        const std::byte before = byte;
        byte ^= std::byte{1} << (random() % 8);
        CAPTURE(file.name);
        CAPTURE(i);
        const Outcome outcome = outcome_of(file.bytes, limits);
        if (outcome.failure) CHECK((outcome.failure == Failure::input || outcome.failure == Failure::limit));
        noticed += outcome.findings.empty() ? 0u : 1u;
        byte = before;
    }
    CHECK(noticed > trials / 2);
}

TEST_CASE("a segment ends where the next one begins, whatever its header says") {
    const std::vector<std::string> all = outcome_of(sample().bytes).trace->records;
    // The header of the first segment claims frames up to the end of the file.
    const Outcome longer = outcome_of(changed(sample(), [](File& f) {
                                          const auto size = static_cast<std::uint32_t>(f.bytes.size() - f.frames(0));
                                          f.poke(f.segment(0) + 0x24, size);
                                          f.poke(f.segment(0) + 0x28, size);
                                      }).bytes);
    REQUIRE(longer.trace.has_value());
    CHECK(longer.trace->records == all);
    CHECK(longer.findings == std::vector<std::string>{"USC018"});
    CHECK(longer.trace->effect == Effect::damaged);

    // Headers are nested, and each claims everything after it.
    constexpr std::size_t headers = 3'000, stride = uscope::segment_header_size + 11;
    File file = sample();
    const std::size_t first = file.segment(0);
    Bytes nested(file.bytes.begin(), file.bytes.begin() + static_cast<std::ptrdiff_t>(first));
    const std::size_t total = headers * stride + 64;
    for (std::size_t i = 0; i < headers; ++i) {
        uscope::SegmentHeader header;
        header.time_start = header.time_end = i;
        header.previous = i == 0 ? 0 : first + (i - 1) * stride;
        header.compressed_size = header.raw_size =
            static_cast<std::uint32_t>(total - i * stride - uscope::segment_header_size);
        header.num_frames = header.num_frames_active = 1;
        const auto bytes = header.encode();
        nested.insert(nested.end(), bytes.begin(), bytes.end());
        nested.push_back(std::byte{0});  // a frame with one event, whose payload claims everything up to the end
        const std::byte item[] = {std::byte{1}, std::byte{0}, std::byte{3}, std::byte{0}, std::byte{7}, std::byte{0}};
        nested.insert(nested.end(), std::begin(item), std::end(item));
        for (unsigned shift = 0; shift < 32; shift += 8)
            nested.push_back(static_cast<std::byte>((header.raw_size - 11) >> shift));
    }
    nested.resize(first + total);
    File chained{nested};
    chained.poke<std::uint64_t>(8, chained.header().flags & ~(uscope::flag_complete | uscope::flag_strings));
    chained.poke<std::uint64_t>(0x20, 0);
    chained.poke<std::uint32_t>(0x18, headers);
    chained.poke<std::uint64_t>(0x28, first + (headers - 1) * stride);
    const Outcome overlapping = outcome_of(chained.bytes);
    REQUIRE(overlapping.trace.has_value());
    CHECK(overlapping.trace->effect == Effect::damaged);
    std::size_t size = 0;
    for (const std::string& record : overlapping.trace->records)
        size += record.size();
    CHECK(size < 10 * chained.bytes.size());
}

}  // namespace uscope_damage_test
