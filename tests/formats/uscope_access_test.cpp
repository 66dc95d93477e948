#include <doctest/doctest.h>

#include <algorithm>
#include <cstdio>
#include <fstream>
#include <limits>
#include <map>
#include <random>

#include "formats/uscope_encoder.hpp"
#include "formats/uscope_support.hpp"
#include "io/error.hpp"
#include "io/input.hpp"
#include "io/little_endian.hpp"
#include "model/state.hpp"
#include "support/corpus.hpp"
#include "uscope/reader.hpp"

namespace uscope_access_test {

using namespace hwtrace;
using namespace hwtrace::test;

namespace {

constexpr std::size_t segment_header = 56;

/// A µScope file that is open for reading.
struct Opened {
    explicit Opened(Bytes bytes)
        : file(std::move(bytes)), input(Input::memory("file", file)), reader(input, settings, findings) {}

    Bytes file;
    Settings settings;
    Findings findings;
    Input input;
    uscope::FileReader reader;
};

/// Reads further and returns the state after all records up to `time`. Times must not decrease between calls.
class Replay {
public:
    explicit Replay(uscope::FileReader& reader) : reader_(reader), state(reader.schema()) {}

    void advance_to(Tick time) {
        while (true) {
            for (; at_ < batch_.records().size(); ++at_) {
                if (batch_.records()[at_].time > time) return;
                state.apply(batch_.records()[at_]);
            }
            batch_.clear();
            at_ = 0;
            if (!reader_.read(batch_)) return;
        }
    }

private:
    uscope::FileReader& reader_;
    Batch batch_;
    std::size_t at_ = 0;

public:
    StateTable state;
};

/// Compares states. Missing strings may have different StringIds.
bool same_state(const Schema& schema, const StateTable& state, const Schema& other_schema, const StateTable& other) {
    if (state == other) return true;
    const auto same_cell = [&](const Field& field, std::uint64_t a, std::uint64_t b) {
        if (field.type != Type::text || a == b) return a == b;
        return a < schema.string_count() && b < other_schema.string_count() &&
               schema.text(static_cast<StringId>(a)) == other_schema.text(static_cast<StringId>(b));
    };
    for (TrackId id = 0; id < schema.tracks().size(); ++id) {
        const Track& track = schema.tracks()[id];
        for (std::uint32_t i = 0; i < track.properties.size(); ++i)
            if (!same_cell(track.properties[i], state.property(id, i), other.property(id, i))) return false;
        for (std::uint32_t slot = 0; slot < track.slots; ++slot) {
            if (state.valid(id, slot) != other.valid(id, slot)) return false;
            for (std::uint32_t i = 0; i < track.fields.size(); ++i)
                if (!same_cell(track.fields[i], state.value(id, slot, i), other.value(id, slot, i))) return false;
        }
    }
    return true;
}

/// Returns the state at `time` by seeking.
StateTable sought(uscope::FileReader& reader, Tick time) {
    StateTable start(reader.schema());
    REQUIRE(reader.seek(time == std::numeric_limits<Tick>::max() ? time : time + 1, &start));
    Replay rest(reader);
    rest.state = start;
    rest.advance_to(time);
    return rest.state;
}

struct SegmentPlace {
    std::uint64_t offset, start, end, checkpoint, stored;
};
std::vector<SegmentPlace> segments_of(const Bytes& file) {
    std::vector<SegmentPlace> segments;
    std::uint64_t at = load_le<std::uint32_t>(file.data() + 0x1C);
    const std::uint64_t count = load_le<std::uint32_t>(file.data() + 0x18);
    for (std::uint64_t i = 0; i < count; ++i) {
        const std::byte* s = file.data() + at;
        segments.push_back({at, load_le<std::uint64_t>(s + 8), load_le<std::uint64_t>(s + 0x10),
                            load_le<std::uint32_t>(s + 0x20), load_le<std::uint32_t>(s + 0x24)});
        at += segment_header + segments.back().checkpoint + segments.back().stored;
    }
    return segments;
}

/// Returns times around every segment boundary and in between.
std::vector<Tick> telling_times(const Bytes& file, std::size_t random_ones) {
    std::vector<Tick> times{0, std::numeric_limits<Tick>::max()};
    std::uint64_t last = 0;
    for (const SegmentPlace& segment : segments_of(file)) {
        for (const std::uint64_t edge : {segment.start, segment.end})
            for (const std::int64_t away : {-1, 0, 1})
                times.push_back(std::max<Tick>(static_cast<Tick>(edge) + away, 0));
        last = segment.end;
    }
    std::mt19937_64 random(7);
    for (std::size_t i = 0; i < random_ones; ++i)
        times.push_back(static_cast<Tick>(random() % (last + 1)));
    std::ranges::sort(times);
    return times;
}

/// Compares the state after a seek with the replayed state at many times, first ascending, then descending.
void check_states(const Bytes& file, const Bytes& sought_in, std::size_t random_ones) {
    Opened forward(file), any(sought_in);
    std::vector<Tick> times = telling_times(file, random_ones);
    Replay replay(forward.reader);
    std::vector<StateTable> expected;
    std::size_t differ = 0;
    const auto same = [&](const StateTable& got, const StateTable& wanted) {
        return same_state(any.reader.schema(), got, forward.reader.schema(), wanted);
    };
    for (const Tick time : times) {
        replay.advance_to(time);
        expected.push_back(replay.state);
        if (!same(sought(any.reader, time), replay.state) && differ++ == 0) {
            CAPTURE(time);
            FAIL_CHECK("the state differs");
        }
    }
    std::vector<std::size_t> order(times.size());
    for (std::size_t i = 0; i < order.size(); ++i)
        order[i] = i;
    std::shuffle(order.begin(), order.end(), std::mt19937(3));
    for (const std::size_t i : order)
        if (!same(sought(any.reader, times[i]), expected[i]) && differ++ == 0) {
            CAPTURE(times[i]);
            FAIL_CHECK("the state differs in another order");
        }
    CHECK(differ == 0);
}

Bytes without_table(Bytes file) {
    // The file is not closed: segments are found by their links, and there are no strings.
    file[8] &= ~std::byte{1};
    return file;
}

std::vector<std::string> record_lines(uscope::FileReader& reader) {
    std::vector<std::string> lines;
    Batch batch;
    while (reader.read(batch)) {
        for (const Record& record : batch.records())
            lines.push_back(record_line(reader.schema(), batch, record));
        batch.clear();
    }
    return lines;
}

}  // namespace

TEST_CASE("a seek gives the replayed state, at every segment boundary and in between, for every kind of checkpoint") {
    for (const std::string& name : corpus_files()) {
        CAPTURE(name);
        const auto path = corpus("uscope/" + name + ".uscope");
        if (!path) continue;
        const Bytes file = read_file(*path);
        const bool is_large = file.size() > 500'000;
        const bool is_dense = name.starts_with("c_multiseg") || name.starts_with("gen_");
        check_states(file, file, is_large ? 10 : is_dense ? 1000 : 100);
        // In the rewritten file, checkpoints hold the state at the start of segments.
        if (is_large) continue;
        const Bytes again = rewritten(file);
        check_states(again, again, 100);
    }
}

TEST_CASE("without a segment table and a summary, seeking follows the chain") {
    for (const std::string name : {"c_multiseg_v03", "gen_small_v03", "ref_props_v03"}) {
        CAPTURE(name);
        const auto path = corpus("uscope/" + std::string(name) + ".uscope");
        if (!path) continue;
        const Bytes open = without_table(read_file(*path));
        check_states(open, open, 100);
    }
}

TEST_CASE("a seek to a boundary finds the frame in the segment that ends there, and reading continues to the end") {
    const auto path = corpus("uscope/c_multiseg_v03.uscope");
    if (!path) return;
    const Bytes file = read_file(*path);
    Opened whole(file);
    std::vector<std::pair<Tick, std::string>> all;
    Batch batch;
    while (whole.reader.read(batch)) {
        for (const Record& record : batch.records())
            all.emplace_back(record.time, record_line(whole.reader.schema(), batch, record));
        batch.clear();
    }
    Opened any(file);
    const auto segments = segments_of(file);
    REQUIRE(segments.size() > 3);
    for (std::size_t i = 0; i < segments.size(); ++i) {
        for (const std::int64_t away : {-1, 0, 1}) {
            const Tick time = std::max<Tick>(static_cast<Tick>(segments[i].start) + away, 0);
            CAPTURE(time);
            REQUIRE(any.reader.seek(time, nullptr));
            const std::vector<std::string> got = record_lines(any.reader);
            REQUIRE(got.size() <= all.size());
            const std::size_t skipped = all.size() - got.size();
            // Reading begins with the segment that contains `time`, and no later record is missing.
            CHECK((skipped == 0 || all[skipped - 1].first < time));
            CHECK(got.front() == all[skipped].second);
            CHECK(got.back() == all.back().second);
            const std::size_t expected_segment = away > 0 || i == 0 ? i : i - 1;
            CHECK(all[skipped].first >= static_cast<Tick>(segments[expected_segment].start));
        }
    }
}

TEST_CASE("facts count only the records read since the last seek") {
    const auto path = corpus("uscope/c_multiseg_v03.uscope");
    if (!path) return;
    Opened opened(read_file(*path));
    record_lines(opened.reader);
    const Facts facts = opened.reader.facts();
    REQUIRE(opened.reader.seek(0, nullptr));
    record_lines(opened.reader);
    CHECK(opened.reader.facts() == facts);
    CHECK(opened.findings.totals().empty());
}

TEST_CASE("a damaged checkpoint is reported once, and the state comes from the previous one") {
    const auto path = corpus("uscope/c_multiseg_v03.uscope");
    if (!path) return;
    const Bytes good = read_file(*path);
    Bytes file = good;
    const auto segments = segments_of(file);
    REQUIRE(segments.size() > 4);
    for (const std::size_t number : std::vector<std::size_t>{2, 3})
        file[segments[number].offset + segment_header] = std::byte{77};  // storage id of the first block
    check_states(good, file, 300);
    Opened any(file);
    const Tick time = static_cast<Tick>(segments[3].end) - 1;
    for (int i = 0; i < 3; ++i)
        sought(any.reader, time);
    CHECK(any.findings.total("USC028") == 2);
    CHECK(any.findings.totals().size() == 1);
}

TEST_CASE("a damaged first pair of checkpoints does not hide the dialect") {
    for (const std::string name : {"c_multiseg_v03", "konata_kanata-sample-2_v03"}) {
        CAPTURE(name);
        const auto path = corpus("uscope/" + std::string(name) + ".uscope");
        if (!path) continue;
        const Bytes good = read_file(*path);
        Bytes file = good;
        const auto segments = segments_of(file);
        for (const std::size_t number : std::vector<std::size_t>{0, 1})
            file[segments[number].offset + segment_header] = std::byte{77};
        check_states(good, file, 100);
    }
}

TEST_CASE("if checkpoints lack properties, the state is replayed") {
    const auto path = corpus("uscope/ref_props_v03.uscope");
    if (!path) return;
    // Block 1 has 1 byte of mask, valid slots of 5 bytes and 5 bytes of properties. Remove the properties, which old
    // writers do not write.
    const Bytes good = read_file(*path);
    const auto segments = segments_of(good);
    Bytes file(good.begin(), good.begin() + static_cast<std::ptrdiff_t>(segments[0].offset));
    std::uint64_t previous = 0;
    for (const SegmentPlace& segment : segments) {
        const auto at = [&](std::uint64_t offset) { return good.begin() + static_cast<std::ptrdiff_t>(offset); };
        const std::uint64_t first = segment.offset + segment_header;
        const std::uint64_t second = first + 8 + load_le<std::uint32_t>(good.data() + first + 4);
        const std::uint64_t size = load_le<std::uint32_t>(good.data() + second + 4);
        const std::uint64_t offset = file.size();
        file.insert(file.end(), at(segment.offset), at(second + 8 + size - 5));
        file.insert(file.end(), at(second + 8 + size), at(first + segment.checkpoint + segment.stored));
        const auto patch = [&](std::uint64_t where, std::uint64_t value, std::size_t width) {
            for (std::size_t i = 0; i < width; ++i)
                file[where + i] = static_cast<std::byte>(value >> (8 * i));
        };
        patch(offset + 0x18, previous, 8);
        patch(offset + 0x20, segment.checkpoint - 5, 4);
        patch(offset + second - segment.offset + 4, size - 5, 4);
        patch(0x28, offset, 8);
        previous = offset;
    }
    Bytes expected = without_table(good);
    check_states(expected, without_table(file), 100);
}

TEST_CASE("a damaged segment is reported once, however often its neighbours are read") {
    const auto path = corpus("uscope/c_multiseg_v03.uscope");
    if (!path) return;
    Bytes file = read_file(*path);
    const auto segments = segments_of(file);
    const SegmentPlace& bad = segments[2];
    for (std::size_t i = 4; i < 40; ++i)
        file[bad.offset + segment_header + bad.checkpoint + i] = std::byte{0xFF};
    Opened any(file);
    for (int i = 0; i < 5; ++i)
        for (const SegmentPlace& segment : segments)
            sought(any.reader, static_cast<Tick>(segment.end) - 1);
    CHECK(any.findings.total("USC019") + any.findings.total("USC020") == 1);
    // Later segments have their own checkpoints.
    Opened good(read_file(*path));
    const Tick late = static_cast<Tick>(segments.back().end);
    CHECK(sought(any.reader, late) == sought(good.reader, late));
}

TEST_CASE("a segment table with wrong times is not trusted") {
    const auto path = corpus("uscope/c_multiseg_v03.uscope");
    if (!path) return;
    const Bytes good = read_file(*path);
    Bytes file = good;
    const std::uint64_t sections = load_le<std::uint64_t>(file.data() + 0x20);
    std::uint64_t table = 0;
    for (std::uint64_t at = sections; load_le<std::uint16_t>(file.data() + at) != 0; at += 24)
        if (load_le<std::uint16_t>(file.data() + at) == 3) table = load_le<std::uint64_t>(file.data() + at + 8);
    REQUIRE(table != 0);
    const std::size_t count = segments_of(file).size();
    for (std::size_t i = 1; i < count; ++i)  // all index entries state start 1
        for (std::size_t byte = 0; byte < 8; ++byte)
            file[table + i * 24 + 8 + byte] = byte == 0 ? std::byte{1} : std::byte{0};
    check_states(good, file, 50);
}

TEST_CASE("damage causes only findings or a failure when seeking, restoring states or following") {
    std::mt19937_64 random(11);
    for (const std::string name : {"c_test_write_v03", "ref_props_v03", "ref_open_v03", "c_multiseg_v03"}) {
        CAPTURE(name);
        const auto path = corpus("uscope/" + std::string(name) + ".uscope");
        if (!path) continue;
        const Bytes good = read_file(*path);
        const bool is_large = good.size() > 50'000;
        for (int i = 0; i < (is_large ? 40 : 400); ++i) {
            Bytes file = good;
            for (std::uint64_t flips = random() % 4 + 1; flips > 0; --flips) {
                // Damage headers, tables and checkpoints more often than other bytes, although they are small.
                const auto segments = segments_of(good);
                const SegmentPlace& near = segments[random() % segments.size()];
                const std::uint64_t at = random() % 3 == 0 ? random() % file.size()
                                         : random() % 2 == 0
                                             ? near.offset + random() % (segment_header + near.checkpoint)
                                             : file.size() - 1 - random() % std::min<std::uint64_t>(200, file.size());
                file[at] = static_cast<std::byte>(random());
            }
            if (random() % 4 == 0) file.resize(random() % file.size());
            try {
                Settings settings;
                if (random() % 2 == 0) settings.wait_for_growth = [] { return false; };
                Findings findings;
                const Input input = Input::memory("file", file);
                uscope::FileReader reader(input, settings, findings);
                StateTable state(reader.schema());
                for (int query = 0; query < 4; ++query) {
                    CHECK(reader.seek(static_cast<Tick>(random() % 1'000'000), &state));
                    Batch batch;
                    reader.read(batch);
                    reader.poll();
                }
            } catch (const Error& error) {
                CHECK((error.failure() == Failure::input || error.failure() == Failure::limit));
            }
        }
    }
}

TEST_CASE("a reader that verifies refuses to seek") {
    const auto path = corpus("uscope/c_multiseg_v03.uscope");
    if (!path) return;
    const Bytes file = read_file(*path);
    Settings settings;
    settings.check = CheckLevel::full;
    Findings findings;
    const Input input = Input::memory("file", file);
    uscope::FileReader reader(input, settings, findings);
    CHECK_FALSE(reader.seek(5, nullptr));
}

namespace {

/// Makes a table of two slots, and one segment of three frames per element of `values`. The segment sets slot 0 to the
/// element. For an element of 0, the segment has no operation.
Bytes counted(const std::vector<std::uint64_t>& values, Snapshot snapshot = Snapshot::at_start) {
    HandMade file({3, false, false, Packing::plain, snapshot, true});
    file.clock("clk", 1000);
    file.scope("/", 0xFFFF, "", 0);
    file.storage("table", 2, 0, 0, {{"a"}});
    file.event("tick", 0, {});
    for (const std::uint64_t value : values) {
        file.frame(1000, {happens(0, {})});
        file.frame(1000, value == 0 ? std::vector{happens(0, {})} : std::vector{set(0, 0, 0, value)});
        file.frame(1000, {happens(0, {})});
        file.end_segment();
    }
    return file.file();
}

/// Changes slot 1 in checkpoint `number`, like a program that states tables in its checkpoints.
void state_slot(Bytes& file, std::size_t number, std::uint8_t value) {
    const SegmentPlace segment = segments_of(file).at(number);
    REQUIRE(segment.checkpoint == 24);
    file[segment.offset + segment_header + 16] = std::byte{value};
}

std::uint64_t slot_at(Opened& opened, std::size_t segment, std::uint32_t slot) {
    StateTable state(opened.reader.schema());
    const Tick start = static_cast<Tick>(segments_of(opened.file).at(segment).start);
    REQUIRE(opened.reader.seek(start + 1, &state));
    return state.value(0, slot, 0);
}

}  // namespace

TEST_CASE("tables that a program states at the start of segments are not treated as end states") {
    // At its end, segment 0 has the same state as at its start. Checkpoint 1 states a value that no operation set.
    Bytes file = counted({0, 5, 6, 0, 7});
    for (const std::size_t number : std::vector<std::size_t>{1, 2, 3, 4})
        state_slot(file, number, 9);
    Opened opened(file);
    CHECK(slot_at(opened, 1, 0) == 0);
    CHECK(slot_at(opened, 1, 1) == 9);
    CHECK(slot_at(opened, 2, 0) == 5);
    CHECK(slot_at(opened, 4, 0) == 6);
    CHECK(slot_at(opened, 4, 1) == 9);
    CHECK(opened.findings.totals().empty());
    // Checkpoints that hold end states are still recognised.
    Opened ends(counted({0, 5, 6, 0, 7}, Snapshot::at_end));
    CHECK(slot_at(ends, 1, 0) == 0);
    CHECK(slot_at(ends, 2, 0) == 5);
    CHECK(slot_at(ends, 4, 0) == 6);
    CHECK(ends.findings.totals().empty());
    Opened two(counted({0, 5}, Snapshot::at_end));
    CHECK(slot_at(two, 1, 0) == 0);
}

TEST_CASE("checkpoints that match neither state are used as the start of their segment, with a finding") {
    Bytes file = counted({4, 5, 6, 7});
    for (const std::size_t number : std::vector<std::size_t>{0, 1, 2, 3})
        state_slot(file, number, static_cast<std::uint8_t>(20 + number));
    Opened opened(file);
    for (int i = 0; i < 3; ++i)
        for (const std::size_t number : std::vector<std::size_t>{1, 2, 3}) {
            CHECK(slot_at(opened, number, 0) == 3 + number);
            CHECK(slot_at(opened, number, 1) == 20 + number);
        }
    CHECK(opened.findings.total("USC029") == 1);
    CHECK(opened.findings.totals().size() == 1);
}

TEST_CASE("seeking does not suppress findings of later reading") {
    Bytes file = counted({4, 5, 6, 7});
    const auto segments = segments_of(file);
    file[segments[0].offset + 0x2C] = std::byte{9};  // number of frames
    file[segments[2].offset + 8] = std::byte{1};     // a start that precedes the end of segment 1
    file[segments[2].offset + 9] = std::byte{0};
    file[segments[2].offset + 10] = std::byte{0};
    Opened plain(file), any(file);
    record_lines(plain.reader);
    StateTable state(any.reader.schema());
    for (const SegmentPlace& segment : segments)
        REQUIRE(any.reader.seek(static_cast<Tick>(segment.start) + 1, &state));
    REQUIRE(any.reader.seek(0, &state));
    record_lines(any.reader);
    CHECK(plain.findings.total("USC022") == 1);
    CHECK(plain.findings.total("USC023") == 2);  // its start and its end are too early
    CHECK(any.findings.total("USC022") == 1);
    CHECK(any.findings.total("USC023") == 1);
}

TEST_CASE("detecting the dialect respects the memory limit") {
    const Bytes file = counted({4, 5});
    for (const bool fits : std::vector<bool>{true, false}) {
        Settings settings;
        Findings findings;
        const Input input = Input::memory("file", file);
        std::optional<uscope::FileReader> reader(std::in_place, input, settings, findings);
        StateTable state(reader->schema());
        const std::uint64_t size = StateTable::bytes_needed(reader->schema());
        settings.limits.block = fits ? 3 * size : 3 * size - 1;
        const auto seek = [&] { return reader->seek(5000, &state); };
        if (fits)
            CHECK(seek());
        else
            CHECK_THROWS_AS(seek(), Error);
    }
}

}  // namespace uscope_access_test
