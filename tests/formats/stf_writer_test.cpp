// Tests the writer: the same bytes for the same records, containers, and headers with assumed values.
#include <doctest/doctest.h>

#include <filesystem>
#include <random>

#include "formats/stf_support.hpp"
#include "support/corpus.hpp"

namespace stf_writer_test {

using namespace hwtrace;
using namespace hwtrace::test;

namespace fs = std::filesystem;
using Lines = std::vector<std::string>;

namespace {

Bytes little_endian(std::uint64_t value, std::size_t size) {
    Bytes bytes;
    for (std::size_t i = 0; i < size; ++i)
        bytes.push_back(static_cast<std::byte>(value >> (8 * i)));
    return bytes;
}

/// Returns random body records in any order. They are framed correctly but often invalid, so that every group order
/// occurs.
Bytes random_body(std::mt19937& random, std::size_t records) {
    const auto below = [&](unsigned bound) { return std::uniform_int_distribution<unsigned>(0, bound - 1)(random); };
    const auto number = [&](std::size_t size) {
        Bytes bytes;
        while (bytes.size() < size)
            bytes.push_back(static_cast<std::byte>(below(256)));
        return bytes;
    };
    std::uint64_t features = 0x80000;
    Bytes body;
    for (std::size_t i = 0; i < records; ++i) {
        Bytes record;
        switch (below(22)) {
            case 0:
                record = hex("03 02000000 'xy'");
                break;
            case 1:
                record = hex("05") + number(2);
                break;
            case 2:
                record = hex("08") + number(12);
                break;
            case 3:
                record = hex("09") + number(8);
                break;
            case 4:
                record = hex("1f") + number(8);
                break;
            case 5:
                record = hex("28") + little_endian(below(40), 2) +
                         little_endian(below(3) == 0 ? below(256) & 0xFC : 0x11, 1) + number(8);
                break;
            case 6:
                record = hex("28 0300 23") + number(16);
                break;
            case 7:
                record = hex("29") + number(2);
                break;
            case 8: {
                const unsigned entries = below(4);
                record = hex("32") + number(20) + little_endian(entries, 1) + number(16 * entries);
                break;
            }
            case 9:
            case 10:
                record = hex("3c") + number(12) + little_endian(below(9) == 0 ? 7 : below(3), 1);
                break;
            case 11:
            case 12:
                record = hex("3d") + number(8);
                break;
            case 13:
                record = hex("3e") + number(16) + little_endian(below(4), 1);
                break;
            case 14:
                record = hex("3f") + number(8);
                break;
            case 15: {
                const unsigned fields = below(3);
                record = hex("64") + number(features != 0 ? 8 : 4) + little_endian(fields, 1) + number(8 * fields);
                break;
            }
            case 16:
                record = hex("65") + number(8);
                break;
            case 17:
                record = hex("e6") + number(5);
                break;
            case 18:
                record = hex("f0") + number(4);
                break;
            case 19:
                record = hex("f1") + number(2);
                break;
            case 20:
                if (below(10) == 0) {  // a header record in the body that changes the event width
                    features ^= 0x80000;
                    record = hex("07") + little_endian(features, 8);
                }
                break;
            default:
                if (below(10) == 0) record = hex("13");
                break;
        }
        body = body + record;
    }
    return body;
}

Bytes vector_header() {
    return open_header() + hex("0a 80000000 13");
}

}  // namespace

TEST_CASE("random groups are rewritten unchanged, in every container") {
    std::mt19937 random(20260);
    for (int round = 0; round < 150; ++round) {
        const Bytes original = vector_header() + random_body(random, 300);
        INFO(round);
        const Written plain = rewrite_bytes(original);
        REQUIRE(plain.bytes == original);
        CHECK(plain.losses.none());
        CHECK(plain.losses.assumptions().empty());
        const std::string chunk = std::to_string(1 + round % 7);
        const Written chunked = rewrite_bytes(original, choose({{"stf-container", "zstf"}, {"stf-chunk", chunk}}));
        CHECK(rewrite_bytes(chunked.bytes).bytes == original);
        const Seen first = read_bytes(original), second = read_bytes(chunked.bytes);
        CHECK(first.records == second.records);
        CHECK(first.metadata == second.metadata);
    }
}

TEST_CASE("a group longer than a block is rewritten unchanged") {
    std::mt19937 random(7);
    for (const std::string_view before : {"", "28 0500 11 0100000000000000",
                                          "1f 0030000000000000 3c 0810000000000000 0800 0000 01 3d ff00000000000000"}) {
        Bytes body = header() + hex(before);
        const Bytes comment = hex("03 00000000"), event = hex("64 0d00000000000000 00");
        for (int i = 0; i < 70'000; ++i) {
            const Bytes& record = random() % 3 == 0 ? event : comment;
            body.insert(body.end(), record.begin(), record.end());
        }
        body = body + hex("28 0500 21 0100000000000000 03 00000000 28 0500 11 0100000000000000") + nop() + nop();
        CHECK(rewrite_bytes(body).bytes == body);
    }
}

TEST_CASE("every sound file of the corpus is rewritten, plain files byte for byte") {
    int plain = 0, wrapped = 0;
    for (const char* folder : {"stf", "stf/made", "stf/made/check"}) {
        const auto root = corpus(folder);
        if (!root) return;
        for (const auto& entry : fs::directory_iterator(*root)) {
            const std::string name = entry.path().filename().string();
            if (!entry.is_regular_file() || fs::file_size(entry.path()) == 20 || name.starts_with("tx_")) continue;
            if (!name.ends_with(".stf") && !name.ends_with(".zstf") && !name.ends_with(".gz") && !name.ends_with(".xz"))
                continue;
            INFO(name);
            Input input = Input::open(entry.path().string());
            const Written first = rewrite_input(input, {});
            CHECK(first.losses.none());
            CHECK(first.losses.assumptions().empty());
            if (name.ends_with(".stf")) {
                CHECK(first.bytes == read_file(entry.path()));
                ++plain;
            } else {
                CHECK(rewrite_bytes(first.bytes).bytes == first.bytes);
                ++wrapped;
            }
            for (const char* container : {"zstf", "gz", "zst", "xz"}) {
                Settings settings = choose({{"stf-container", container}});
                if (container == std::string_view("zstf"))
                    settings = choose({{"stf-container", container}, {"stf-chunk", "1000"}});
                const Bytes packed = rewrite_bytes(first.bytes, settings).bytes;
                CHECK(rewrite_bytes(packed).bytes == first.bytes);
                CHECK(rewrite_bytes(packed, settings).bytes == packed);
            }
        }
    }
    CHECK(plain >= 40);
    CHECK(wrapped >= 30);
}

TEST_CASE("a ZSTF file has the layout that its readers expect") {
    // The trace has three instructions in chunks of two, then a comment in the last chunk.
    const Bytes stream = header() + nop() + hex("1f 0030000000000000") + nop() + nop() + hex("03 01000000 'z'");
    const Bytes file = rewrite_bytes(stream, choose({{"stf-container", "zstf"}, {"stf-chunk", "2"}})).bytes;
    const auto u64 = [&](std::size_t at) { return load_le<std::uint64_t>(file.data() + at); };
    CHECK(as_text(std::span(file).first(4)) == "ZSTF");
    CHECK(u64(4) == 2);
    const std::size_t index = u64(12);
    REQUIRE(file.size() == index + 8 + 2 * 24);
    CHECK(u64(index) == 2);
    CHECK(u64(index + 8) == 20);
    CHECK(u64(index + 16) == 0);
    CHECK(u64(index + 24) == 45 + 5 + 9 + 5);
    CHECK(u64(index + 40) == 0x3000);
    CHECK(u64(index + 48) == 5 + 6);
    CHECK(load_le<std::uint32_t>(file.data() + 20) == 0xFD2FB528);
    CHECK(load_le<std::uint32_t>(file.data() + u64(index + 32)) == 0xFD2FB528);
    CHECK(read_bytes(file).findings.empty());
    CHECK(read_bytes(file).records == read_bytes(stream).records);
}

TEST_CASE("records that follow a full last chunk stay in this chunk") {
    const Bytes stream = header() + nop() + nop() + hex("03 01000000 'z'");
    const Bytes file = rewrite_bytes(stream, choose({{"stf-container", "zstf"}, {"stf-chunk", "2"}})).bytes;
    const Seen seen = read_bytes(file);
    CHECK(seen.findings.empty());
    CHECK(seen.records.size() == 3);
    CHECK(load_le<std::uint64_t>(file.data() + load_le<std::uint64_t>(file.data() + 12)) == 1);
}

TEST_CASE("a trace without instructions is still a whole ZSTF file") {
    const Bytes file = rewrite_bytes(header(), choose({{"stf-container", "zstf"}})).bytes;
    CHECK(read_bytes(file).findings.empty());
    CHECK(rewrite_bytes(file).bytes == header());
}

TEST_CASE("the container follows the output's name unless it is chosen") {
    const auto kind = [](const std::string& name, const std::string& container) {
        Settings settings = choose({{"stf-container", container}});
        settings.output_name = name;
        const Bytes bytes = rewrite_bytes(header(), settings).bytes;
        return std::to_integer<unsigned>(bytes.front());
    };
    CHECK(kind("a.stf", "auto") == 0x01);
    CHECK(kind("", "auto") == 0x01);
    CHECK(kind("a.zstf", "auto") == 'Z');
    CHECK(kind("a.stf.gz", "auto") == 0x1F);
    CHECK(kind("a.stf.zst", "auto") == 0x28);
    CHECK(kind("a.stf.xz", "auto") == 0xFD);
    CHECK(kind("a.stf", "xz") == 0xFD);
    CHECK(kind("a.zstf", "plain") == 0x01);
    CHECK(kind("a.stf", "gz") == 0x1F);
}

TEST_CASE("options out of range are refused") {
    const auto failure = [](const Settings& settings) -> std::optional<Failure> {
        try {
            rewrite_bytes(header(), settings);
        } catch (const Error& error) {
            return error.failure();
        }
        return std::nullopt;
    };
    CHECK(failure(choose({{"stf-chunk", "0"}})) == Failure::usage);
    CHECK(failure(choose({{"stf-level", "0"}})) == Failure::usage);
    CHECK(failure(choose({{"stf-level", "20"}})) == Failure::usage);
    CHECK(!failure(choose({{"stf-level", "19"}, {"stf-container", "zst"}})));
}

TEST_CASE("chunk options are refused for containers without chunks") {
    const auto refusal = [](std::string_view container, std::string_view key) {
        try {
            rewrite_bytes(header(), choose({{"stf-container", std::string(container)}, {key, "5"}}));
        } catch (const Error& error) {
            CHECK(error.failure() == Failure::usage);
            return std::string(error.what());
        }
        return std::string();
    };
    for (const std::string_view container : {"plain", "gz", "xz", "auto"}) {
        CHECK(refusal(container, "stf-chunk").starts_with("--stf-chunk changes nothing"));
        CHECK(refusal(container, "stf-level").starts_with("--stf-level changes nothing"));
    }
    CHECK(refusal("zst", "stf-chunk").starts_with("--stf-chunk changes nothing"));
    CHECK(refusal("zst", "stf-level").empty());
    CHECK(refusal("zstf", "stf-chunk").empty());
    CHECK(refusal("zstf", "stf-level").empty());
}

namespace {

/// A trace to be written that does not come from an STF file.
struct Foreign {
    Schema schema;
    TrackId hart;
    Batch batch;
    Losses losses;

    Foreign() {
        const ScopeId scope = schema.declare(Scope{"cpu", none, {}, none});
        Track track;
        track.kind = Track::Kind::hart;
        track.scope = scope;
        track.name = "cpu";
        hart = schema.declare(std::move(track));
    }
    Instruction& instruction(std::uint64_t pc, std::uint64_t encoding, std::uint8_t size) {
        Instruction& added = batch.instruction(hart, 0, pc);
        added.encoding = encoding;
        added.size = size;
        return added;
    }
    Bytes write() {
        Bytes bytes;
        const Settings settings;
        const auto output = open_memory_output("memory", [&](Bytes written) { bytes = std::move(written); });
        const auto writer = stf_format.create(*output, schema, settings, losses);
        writer->write(batch);
        writer->finish();
        output->commit();
        return bytes;
    }
};

}  // namespace

TEST_CASE("a missing header is assumed and reported") {
    Foreign foreign;
    foreign.schema.describe("dut_name", "core");
    foreign.schema.describe("stf.isa", "RISC-V");
    foreign.instruction(0x8000, 0x13, 4);
    const Seen seen = read_bytes(foreign.write());
    CHECK(seen.findings.empty());
    CHECK(seen.metadata == Lines{"stf.version=1.6", "stf.isa=1", "stf.inst_iem=2", "stf.trace_info=255 0 1 0 hwtrace",
                                 "stf.features=0x0000000000080020", "stf.force_pc=0x0000000000008000"});
    CHECK(seen.records == Lines{"instruction core0 @0 pc=8000 bits=13/4"});
    CHECK(foreign.losses.assumptions().size() == 6);
    CHECK(foreign.losses.entries().size() == 4);
    CHECK(foreign.losses.entries().contains({Loss::name_changed, "cpu"}));
    CHECK(foreign.losses.entries().contains({Loss::scope_flattened, "cpu"}));
    CHECK(foreign.losses.entries().contains({Loss::metadata_dropped, "dut_name"}));
    CHECK(foreign.losses.entries().contains({Loss::metadata_dropped, "stf.isa"}));
}

TEST_CASE("a vector length that changes inside a group applies from that point on") {
    const Bytes narrow = hex("28 0100 13") + Bytes(16, std::byte{1}),
                wide = hex("28 0100 13") + Bytes(32, std::byte{2});
    const Bytes bytes = vector_header() + narrow + hex("0a 00010000") + wide + nop() + wide + nop();
    const Written written = rewrite_bytes(bytes);
    CHECK(written.bytes == bytes);
    CHECK(written.losses.none());
}

TEST_CASE("invalid metadata values are replaced by assumptions") {
    Foreign foreign;
    foreign.schema.describe("stf.version", "latest");
    foreign.schema.describe("stf.inst_iem", "1");
    foreign.instruction(0x8000, 0x13, 4);
    const Seen seen = read_bytes(foreign.write());
    CHECK(seen.findings.empty());
    CHECK(seen.metadata.front() == "stf.version=1.6");
    CHECK(std::find(seen.metadata.begin(), seen.metadata.end(), "stf.features=0x0000000000080000") !=
          seen.metadata.end());
    CHECK(foreign.losses.entries().contains({Loss::metadata_dropped, "stf.version"}));
}

TEST_CASE("metadata that the header cannot hold is a predicted loss") {
    Foreign foreign;
    foreign.schema.describe("stf.version", "1.4");
    foreign.schema.describe("stf.isa", "65536");
    foreign.schema.describe("stf.clock", "1 clk");  // only transactions have clocks
    foreign.schema.describe("stf.unknown", "1");
    foreign.schema.describe("uscope.other", "1");
    foreign.instruction(0x8000, 0x13, 4);
    foreign.write();
    std::vector<ExpectedLoss> foretold;
    stf_format.writes.foresee(foreign.schema, {}, foretold);
    Lines expected, lost;
    for (const ExpectedLoss& loss : foretold)
        if (loss.loss == Loss::metadata_dropped) expected.push_back(loss.subject);
    for (const auto& [key, entry] : foreign.losses.entries())
        if (key.first == Loss::metadata_dropped) lost.push_back(key.second);
    CHECK(lost == Lines{"stf.clock", "stf.isa", "stf.unknown", "uscope.other"});
    CHECK(expected == lost);
}

TEST_CASE("a vector length of the schema alone does not create registers of that size") {
    Foreign foreign;
    foreign.schema.describe("stf.vlen", "4294967295");
    const std::uint64_t words[] = {1, 2};
    foreign.batch.vector_operand(3, OperandRole::state, words);
    foreign.instruction(0, 0x13, 4);
    std::optional<Failure> failure;
    try {
        foreign.write();
    } catch (const Error& error) {
        failure = error.failure();
    }
    CHECK(failure == Failure::limit);
}

TEST_CASE("an unexplained jump gets a FORCE_PC") {
    Foreign foreign;
    foreign.instruction(0x8000, 0x13, 4);
    foreign.instruction(0x9000, 0x1, 2);
    foreign.instruction(0x9002, 0x13, 4);
    const Seen seen = read_bytes(foreign.write());
    CHECK(seen.findings.empty());
    CHECK(seen.records == Lines{"instruction core0 @0 pc=8000 bits=13/4", "event stf.force_pc @1 9000",
                                "instruction core0 @1 pc=9000 bits=1/2", "instruction core0 @2 pc=9002 bits=13/4"});
    CHECK(foreign.losses.entries().size() == 3);  // losses about the names of the hart and the scope, and its times
    CHECK(foreign.losses.entries().contains({Loss::name_changed, "cpu"}));
    CHECK(foreign.losses.entries().contains({Loss::time_rounded, "cpu"}));
    CHECK(foreign.losses.entries().contains({Loss::scope_flattened, "cpu"}));
    const auto& assumed = foreign.losses.assumptions();
    CHECK(std::any_of(assumed.begin(), assumed.end(),
                      [](const std::string& text) { return text.find("FORCE_PC written before 1 ") == 0; }));
}

TEST_CASE("records that STF cannot hold are losses") {
    Foreign foreign;
    Track event;
    event.name = "other.event";
    const TrackId other = foreign.schema.declare(std::move(event));
    const std::uint64_t cell = 5;
    foreign.batch.event(other, 0, std::span(&cell, 1));
    const std::uint64_t words[] = {1, 2};
    foreign.batch.vector_operand(3, OperandRole::state, words);
    foreign.instruction(0, 0x1'0000'0013, 6);
    const Seen seen = read_bytes(foreign.write());
    CHECK(seen.records == Lines{"instruction core0 @0 pc=0 bits=13/4"});
    CHECK(foreign.losses.entries().contains({Loss::kind_dropped, "other.event"}));
    CHECK(foreign.losses.entries().contains({Loss::part_dropped, "vector register"}));
    CHECK(foreign.losses.entries().contains({Loss::value_narrowed, "instruction encoding"}));
}

}  // namespace stf_writer_test
