// Tests transaction traces: the reference's text and bytes, the model, unusual groups, and losses of the writer.
#include <doctest/doctest.h>

#include "formats/stf_support.hpp"
#include "model/record.hpp"
#include "support/corpus.hpp"

namespace stf_transactions_test {

using namespace hwtrace;
using namespace hwtrace::test;

namespace {

using Lines = std::vector<std::string>;

/// Returns a header of 39 bytes that declares clock 1, "bus".
Bytes bus_header() {
    return hex("01'STF' 02 01000000 06000000 06 40 01 00 00 0000 07 0000100000000000 0b 01 0c 01 0300 'bus' 13");
}

Bytes little(std::uint64_t value, std::size_t bytes = 8) {
    Bytes all;
    for (std::size_t i = 0; i < bytes; ++i)
        all.push_back(static_cast<std::byte>(value >> 8 * i));
    return all;
}

/// Returns an acknowledgement on channel E.
Bytes acknowledge(std::uint64_t id, std::uint64_t delta = 1, std::uint64_t sink = 0) {
    return hex("fa") + little(id) + little(delta) + hex("01 0000 05") + little(sink);
}

Bytes dependency(std::uint64_t id, std::uint64_t delta = 0) {
    return hex("fb") + little(id) + little(delta) + hex("01");
}

/// Returns transactions with ids 1 to 10, one cycle apart. Each depends on the previous transaction in its chunk.
Bytes ten_in_chunks(std::size_t chunk) {
    Bytes trace = bus_header();
    for (std::uint64_t id = 1; id <= 10; ++id)
        trace = trace + (id % chunk == 1 ? Bytes{} : dependency(id - 1)) + acknowledge(id);
    return rewrite_bytes(trace, choose({{"stf-container", "zstf"}, {"stf-chunk", std::to_string(chunk)}})).bytes;
}

/// Returns the offset of a chunk, as stored in the index of the file.
std::size_t chunk_offset(const Bytes& file, std::size_t chunk) {
    const auto index = static_cast<std::size_t>(load_le<std::uint64_t>(file.data() + 12));
    return static_cast<std::size_t>(load_le<std::uint64_t>(file.data() + index + 8 + chunk * 24));
}

}  // namespace

TEST_CASE("after a damaged chunk, transactions keep their numbers, but the lost cycles are missing") {
    const Bytes good = ten_in_chunks(3);
    const Lines whole = read_bytes(good).records, text = split_lines(view_bytes(good));
    for (const std::size_t chunk : {1u, 2u}) {
        CAPTURE(chunk);
        Bytes file = good;
        const std::size_t begin = chunk_offset(good, chunk);
        file[begin + 1] = std::byte{0xFF};
        const Seen seen = read_bytes(file);
        CHECK(seen.effect == Effect::damaged);
        REQUIRE(seen.findings.size() == 2);
        CHECK(seen.findings[1] == "STF068@" + std::to_string(begin));
        // A chunk has 3 transactions of one cycle each. Two of them have a dependency, which makes 5 records.
        REQUIRE(seen.records.size() == whole.size() - 5);
        CHECK(Lines(seen.records.begin(), seen.records.begin() + static_cast<std::ptrdiff_t>(5 * chunk)) ==
              Lines(whole.begin(), whole.begin() + static_cast<std::ptrdiff_t>(5 * chunk)));
        CHECK(seen.records.back() == "interval stf.transaction @7 id=a channel=5 sink=0");
        CHECK(whole.back() == "interval stf.transaction @a id=a channel=5 sink=0");
        const auto fact = [&](std::string_view key) {
            return std::any_of(seen.facts.begin(), seen.facts.end(),
                               [&](const auto& entry) { return entry.key == key; });
        };
        CHECK(fact("transactions"));
        CHECK(!fact("records"));  // the records of the lost chunk are not counted
        Input input = Input::memory("memory", file);
        Findings findings;
        Settings settings;
        const auto reader = stf_format.open(input, settings, findings);
        Batch batch;
        while (reader->read(batch))
            batch.clear();
        REQUIRE(findings.kept().size() == 2);
        CHECK(findings.kept()[1].expected == "3 transactions");
        CHECK(findings.kept()[1].got == "none");
        const Lines shown = split_lines(view_bytes(file));
        CHECK(shown.size() < text.size());
        CHECK(Lines(shown.end() - 5, shown.end()) == Lines(text.end() - 5, text.end()));
    }
}

TEST_CASE("after a damaged chunk of a file without an index, transactions continue with the next frame") {
    const Bytes good = ten_in_chunks(3);
    const Lines whole = read_bytes(good).records;
    Bytes file(good.begin(), good.begin() + static_cast<std::ptrdiff_t>(load_le<std::uint64_t>(good.data() + 12)));
    file[chunk_offset(good, 1) + 1] = std::byte{0xFF};
    const Seen seen = read_bytes(file);
    CHECK(seen.effect == Effect::damaged);
    CHECK(seen.records.size() == whole.size() - 5);
    CHECK(seen.records.back() == "interval stf.transaction @7 id=a channel=5 sink=0");
    CHECK(std::count(seen.findings.begin(), seen.findings.end(), "STF069@" + std::to_string(chunk_offset(good, 2))) ==
          1);
    const auto lost = std::find_if(seen.facts.begin(), seen.facts.end(),
                                   [](const auto& fact) { return fact.key == "lost_transactions"; });
    REQUIRE(lost != seen.facts.end());
    CHECK(text_of(*lost) == "3");
}

TEST_CASE("the record view seeks to a transaction and decompresses no earlier chunk") {
    const Bytes good = ten_in_chunks(3);
    const auto window = [](const Bytes& bytes, std::uint64_t begin, std::optional<std::uint64_t> end, Lines& faults) {
        Input input = Input::memory("memory", bytes);
        Findings findings;
        Settings settings;
        settings.window = TraceWindow{TraceWindow::Unit::records, begin, end};
        TextOutput out(-1);
        stf_format.views.front().render(input, out, settings, findings);
        faults = finding_lines(findings);
        return split_lines(std::string(out.text()));
    };
    const Lines all = split_lines(view_bytes(good));
    const auto is_transaction = [](const std::string& line) { return line.starts_with("TXN_ID "); };
    std::vector<std::ptrdiff_t> begins;
    for (auto line = all.begin(); line != all.end(); ++line)
        if (is_transaction(*line)) begins.push_back(line - all.begin());
    REQUIRE(begins.size() == 10);
    Bytes destroyed = good;
    for (std::size_t at = chunk_offset(good, 1); at < chunk_offset(good, 2); ++at)
        destroyed[at] = std::byte{0x55};
    Lines faults;
    for (const Bytes& file : {good, destroyed}) {
        const Lines part = window(file, 7, 9, faults);
        CHECK(faults == Lines{});
        Lines expected(all.begin(), all.begin() + begins[0]);
        expected.insert(expected.end(), all.begin() + begins[7], all.begin() + begins[9]);
        CHECK(part == expected);
    }
    // Reading from the beginning, without an index, gives the same records.
    CHECK(window(rewrite_bytes(good).bytes, 7, 9, faults) == window(good, 7, 9, faults));
    CHECK(faults == Lines{});
}

TEST_CASE("the record view of transactions equals the reference's, with header and comments before it") {
    const auto golden = corpus("stf/made/golden/tx_tilelink.transaction_dump.clang.txt");
    if (!golden) return;
    for (const char* name : {"stf/made/tx_tilelink.stf", "stf/made/tx_tilelink.zstf"}) {
        Input input = Input::open(corpus(name)->string());
        std::string transactions;
        Lines ours;
        for (const std::string& line : split_lines(view_input(input))) {
            const bool reference_hides = line.starts_with("VERSION ") || line.starts_with("COMMENT ") ||
                                         line.starts_with("TRACE_INFO") || line.starts_with("CLOCK_ID ");
            if (reference_hides)
                ours.push_back(line);
            else
                transactions += line + "\n";
        }
        CHECK(transactions == read_text(*golden));
        CHECK(ours == Lines{"VERSION 1.6", "COMMENT transaction trace",
                            "TRACE_INFO stf_transaction_example 1.0.0 tx example",
                            "TRACE_INFO_FEATURE 0000000000100000", "CLOCK_ID            1 system_clock",
                            "CLOCK_ID            7 io", "COMMENT body comment"});
    }
}

TEST_CASE("a transaction trace of the reference writer is rewritten byte for byte") {
    const auto plain = corpus("stf/made/tx_tilelink.stf"), chunks = corpus("stf/made/tx_tilelink.zstf");
    if (!plain || !chunks) return;
    for (const auto& path : {*plain, *chunks}) {
        Input input = Input::open(path.string());
        const Written written = rewrite_input(input, choose({{"stf-container", "plain"}}));
        CHECK(written.bytes == read_file(*plain));
        CHECK(written.losses.none());
        CHECK(written.losses.assumptions().empty());
    }
}

TEST_CASE("times are the sums of all deltas; a dependency has the time of its transaction") {
    const Bytes two_clocks =
        hex("01'STF' 02 01000000 06000000 06 40 01 00 00 0000 07 0000100000000000 0b 01 0c 01 0300 'bus' 0c 09 0000 13"
            "fa 0100000000000000 0a00000000000000 01 0000 05 0700000000000000 03 01000000 'x'"
            "fb 0100000000000000 0500000000000000 09 03 01000000 'y'"
            "fa 0200000000000000 1400000000000000 09 0100 02 44332211 04 01 02 03 0400000000000000 0200 abcd"
            "0600000000000000");
    const Seen seen = read_bytes(two_clocks);
    CHECK(seen.findings == Lines{});
    CHECK(seen.records == Lines{"interval stf.transaction @a id=1 channel=5 sink=7", "note stf.comment @a 'x'",
                                "relation stf.dependency @1e 1 2 5 9", "note stf.comment @1e 'y'",
                                "interval stf.transaction @1e id=2 channel=4 code=1 param=2 size=3 source=4 sink=6 "
                                "data_size=2 metadata_type=2 metadata=11223344 data=cdab"});
    CHECK(rewrite_bytes(two_clocks).bytes == two_clocks);
}

TEST_CASE("many dependencies of one transaction stay in one batch") {
    Bytes trace = bus_header();
    std::uint64_t id = 0;
    for (; id < 3; ++id)
        trace = trace + acknowledge(id + 1);
    for (std::uint64_t i = 0; i < 5 * Batch::target_records; ++i)
        trace = trace + dependency(1 + i % 3, i);
    trace = trace + acknowledge(9);
    const Seen seen = read_bytes(trace);
    CHECK(seen.findings == Lines{});
    REQUIRE(seen.records.size() == 4 + 5 * Batch::target_records);
    CHECK(seen.records[3 + Batch::target_records] == "relation stf.dependency @4 3 9 200 1");
    CHECK(rewrite_bytes(trace).bytes == trace);

    Settings tight;
    tight.limits.record = 1000;
    const Seen refused = read_bytes(trace, tight);
    CHECK(refused.failure == Failure::limit);
    CHECK(refused.message.find("--max-record") != std::string::npos);
    CHECK(refused.records.size() > 3);
    CHECK(refused.records[3].starts_with("native stf.record @3 fb01"));
}

TEST_CASE("the longest lists of a transaction are rewritten unchanged") {
    Bytes trace = bus_header() + hex("fa 0100000000000000 0000000000000000 01 ffff");
    for (std::uint32_t i = 0; i < 0xFFFF; ++i)
        for (const Bytes& part : {little(i % 4, 1), little(~std::uint64_t{0} - i, std::size_t{1} << i % 4)})
            trace.insert(trace.end(), part.begin(), part.end());
    trace = trace + hex("01 01 02 03 0400000000000000 ffff") + Bytes(0xFFFF, std::byte{0xA5}) + little(5) +
            hex("ffff") + Bytes(0x2000, std::byte{0x5A});
    const Seen seen = read_bytes(trace);
    CHECK(seen.findings == Lines{});
    CHECK(rewrite_bytes(trace).bytes == trace);
    // If a transaction is cut at any byte, one cut record is reported.
    for (std::size_t size = 40; size < trace.size(); size += 9973) {
        const Seen cut = read_bytes(Bytes(trace.begin(), trace.begin() + static_cast<std::ptrdiff_t>(size)));
        CHECK(cut.records == Lines{});
        CHECK(cut.findings == Lines{"STF020@39"});
    }
}

TEST_CASE("cycles beyond the last time, transactions of unknown clocks and foreign records are rewritten unchanged") {
    const Bytes trace = bus_header() + acknowledge(1, 3) + acknowledge(2, ~std::uint64_t{0}) + acknowledge(3, 4) +
                        hex("f0 13000000 fa 0400000000000000 0500000000000000 77 0000 05 0100000000000000") +
                        dependency(1) + hex("09 0010000000000000") + acknowledge(5, 1) + acknowledge(6, 0) +
                        dependency(6);
    const Seen seen = read_bytes(trace);
    CHECK(seen.findings == Lines{"STF119@68", "STF119@97", "STF110@126", "STF119@131", "STF115@131", "STF030@178",
                                 "STF119@187", "STF116@245"});
    CHECK(seen.records[1] ==
          "interval stf.transaction @7fffffffffffffff id=2 channel=5 sink=0 "
          "cycle_delta=ffffffffffffffff");
    CHECK(seen.records.back().starts_with("native stf.record"));
    CHECK(rewrite_bytes(trace).bytes == trace);
}

TEST_CASE("dependencies that do not precede their transaction, and invalid messages, are reported as losses") {
    const Bytes header = bus_header();
    Input input = Input::memory("memory", header);
    Findings findings;
    const Settings settings;
    const auto reader = stf_format.open(input, settings, findings);
    const Schema& schema = reader->schema();
    const TrackId stream = schema.find_track(Track::Kind::stream, "stf.transaction");
    const TrackId relation = schema.find_track(Track::Kind::relation_type, "stf.dependency");
    REQUIRE(stream != none);
    REQUIRE(relation != none);
    Bytes bytes;
    Losses losses;
    const auto output = open_memory_output("memory", [&](Bytes all) { bytes = std::move(all); });
    const auto writer = stf_format.create(*output, schema, settings, losses);
    Batch batch;
    const auto depend = [&](std::uint64_t from, std::uint64_t to) {
        const std::uint64_t cells[] = {from, to, 0, 1};
        batch.relation(relation, 0, cells);
    };
    const Attribute good[] = {{0, 4}, {1, 5}, {7, 1}};
    const Attribute no_channel[] = {{0, 5}, {1, 6}};
    const Attribute short_data[] = {{0, 6}, {1, 4}, {8, 9}, {13, 1}};
    depend(1, 4);
    depend(1, 3);
    batch.interval(stream, 2, 0, good);
    batch.interval(stream, 3, 0, no_channel);
    batch.interval(stream, 4, 0, short_data);
    batch.interval(stream, 1, 5, good);
    depend(1, 9);
    writer->write(batch);
    writer->finish();
    output->commit();
    CHECK(bytes == bus_header() + dependency(1) + acknowledge(4, 2, 1) + acknowledge(4, 0, 1));
    std::vector<std::string> lost;
    for (const auto& [key, entry] : losses.entries())
        lost.push_back(std::string(name_of(key.first)) + " " + key.second + " " + std::to_string(entry.count));
    std::sort(lost.begin(), lost.end());
    CHECK(lost == std::vector<std::string>{"kind-dropped stf.transaction 2", "part-dropped stf.transaction 1",
                                           "relation-dropped stf.dependency 2", "time-rounded stf.transaction 1"});
}

TEST_CASE("chunks count transactions, and a header of both kinds is reported") {
    Bytes trace = bus_header();
    for (std::uint64_t id = 1; id <= 10; ++id)
        trace = trace + acknowledge(id);
    const Written chunks = rewrite_bytes(trace, choose({{"stf-container", "zstf"}, {"stf-chunk", "4"}}));
    const Seen seen = read_bytes(chunks.bytes);
    CHECK(seen.findings == Lines{});
    CHECK(seen.records.size() == 10);
    CHECK(std::find(seen.facts.begin(), seen.facts.end(), Fact("chunks", 3u)) != seen.facts.end());
    CHECK(rewrite_bytes(chunks.bytes).bytes == trace);

    const Bytes both = open_header() + hex("0b 01 0c 01 0000 13") + acknowledge(1);
    CHECK(read_bytes(both).findings == Lines{"STF110@51", "STF110@51", "STF110@51"});
    CHECK(rewrite_bytes(both).bytes == both);
}

TEST_CASE("dependencies on missing transactions are reported as long as ids ascend and no transaction is lost") {
    Settings settings;
    settings.check = CheckLevel::semantic;
    const auto told = [&](const Bytes& body) { return read_bytes(bus_header() + body, settings).findings; };
    const Bytes two_runs = acknowledge(5) + acknowledge(6) + acknowledge(9);
    CHECK(told(two_runs + dependency(5) + dependency(6) + dependency(9) + acknowledge(10)) == Lines{});
    for (const std::uint64_t id : {0u, 4u, 7u, 8u})
        CHECK(told(two_runs + dependency(id) + acknowledge(10)) == Lines{"STF120@126"});
    CHECK(told(acknowledge(5) + dependency(3) + acknowledge(6)).size() == 1);
    CHECK(told(acknowledge(5) + acknowledge(2) + dependency(1) + acknowledge(6)) == Lines{"STF118@68"});
    CHECK(read_bytes(bus_header() + acknowledge(5) + dependency(3) + acknowledge(6)).findings == Lines{});
    const Bytes file = ten_in_chunks(3);
    Bytes damaged = file;
    damaged[chunk_offset(file, 1) + 1] = std::byte{0xFF};
    for (const std::string& finding : read_bytes(damaged, settings).findings)
        CHECK(!finding.starts_with("STF120"));
}

TEST_CASE("the feature TRANSACTIONS must match the kind of trace") {
    Settings settings;
    settings.check = CheckLevel::semantic;
    Bytes silent = bus_header() + acknowledge(1);
    CHECK(read_bytes(silent, settings).findings == Lines{});
    silent[23] = std::byte{0};
    CHECK(read_bytes(silent, settings).findings == Lines{"STF099@20"});
}

}  // namespace stf_transactions_test
