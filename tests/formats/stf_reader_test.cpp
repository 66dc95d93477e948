// Tests the model records of each STF record, from hand-written bytes.
#include <doctest/doctest.h>

#include "formats/stf_support.hpp"

namespace stf_reader_test {

using namespace hwtrace;
using namespace hwtrace::test;

using Lines = std::vector<std::string>;

TEST_CASE("header records become metadata in file order") {
    const Seen seen =
        read_bytes(hex("01'STF' 02 01000000 06000000 09 0000008000000000 03 02000000 'hi' 03 00000000 04 0100 05 0200"
                       "06 05 01 02 ff 0300 'a b' 06 0b 00 00 07 0000 07 2100080000000000 08 00000000 11110000 22220000"
                       "0a 00010000 0d 04000000 'rv64' 13"));
    CHECK(seen.metadata == Lines{"stf.version=1.6", "stf.force_pc=0x0000000080000000", "stf.comment=hi",
                                 "stf.comment=", "stf.isa=1", "stf.inst_iem=2", "stf.trace_info=5 1 2 255 a b",
                                 "stf.trace_info=11 0 0 7 ", "stf.features=0x0000000000080021",
                                 "stf.process_id=0 4369 8738", "stf.vlen=256", "stf.isa_extended=rv64"});
    CHECK(seen.records.empty());
    CHECK(seen.findings.empty());
    CHECK(seen.effect == Effect::harmless);
}

TEST_CASE("the schema is the same for every trace") {
    const Bytes bytes = header();
    Input input = Input::memory("memory", bytes);
    const Settings settings;
    Findings findings;
    const auto reader = stf_format.open(input, settings, findings);
    const Schema& schema = reader->schema();
    REQUIRE(schema.scopes().size() == 2);
    CHECK(schema.scopes()[0].name == "/");
    CHECK(schema.scopes()[1].name == "core0");
    CHECK(schema.scopes()[1].parent == 0);
    Lines names;
    for (const Track& track : schema.tracks()) {
        std::string line = std::string(name_of(track.kind)) + " " + track.name;
        for (const Field& field : track.fields)
            line += " " + field.name + ":" + std::string(name_of(field.type)) + (field.repeated ? "*" : "");
        names.push_back(line);
        CHECK(track.scope == 1);
        CHECK(track.time == ordinals);
    }
    const std::string event(name_of(Track::Kind::event_type));
    CHECK(names ==
          Lines{std::string(name_of(Track::Kind::hart)) + " core0", event + " stf.force_pc pc:u64",
                event + " stf.inst_iem mode:u16", event + " stf.process_id hw_thread:u32 pid:u32 tid:u32",
                event + " stf.ready_register number:u16",
                event + " stf.page_table_walk address:u64 first_access:u64 page_size:u32 pte_address:u64* pte:u64*",
                event + " stf.bus_access address:u64 size:u16 master:u8 index:u8 attributes:u32 type:u8 data:u64*",
                event + " stf.event id:u64 field:u64*", event + " stf.event_target pc:u64",
                event + " stf.microop size:u8 opcode:u32", std::string(name_of(Track::Kind::notes)) + " stf.comment",
                std::string(name_of(Track::Kind::native)) + " stf.record"});
}

TEST_CASE("instructions own their registers, accesses and target") {
    const Bytes config = open_header() + hex("0a 80000000 13");
    const Seen seen =
        read_bytes(config + hex("1f 0030000000000000"
                                "28 0500 11 0100000000000000 28 0600 22 0200000000000000 28 c007 34 0300000000000000"
                                "28 0700 23 04000000000000000500000000000000 28 2000 31 0600000000000000"
                                "3c 0810000000000000 1000 0300 01 3d ff00000000000000 3d fe00000000000000"
                                "3c 1810000000000000 0400 0000 02"
                                "f0 33075000 f1 0100"));
    CHECK(seen.findings.empty());
    CHECK(seen.records ==
          Lines{"instruction core0 @0 pc=1000 bits=500733/4 to=3000 state " +
                    std::string(name_of(RegisterClass::integer)) + "5=1 source " +
                    std::string(name_of(RegisterClass::floating)) +
                    "6=2 destination csr7c0=3 source v7=4,5, "
                    "destination " +
                    std::string(name_of(RegisterClass::integer)) + "20=6 read[1008 10 3]=ff,fe, write[1018 4 0]=",
                "instruction core0 @1 pc=3000 bits=1/2"});
}

TEST_CASE("other records precede their instruction") {
    const Seen seen =
        read_bytes(header() + hex("03 03000000 'abc' 05 0100 08 01000000 00010000 00020000 29 0e00"
                                  "32 00b0adde00000000 4d00000000000000 00002000 02 00100000000000000120000000000000 "
                                  "00200000000000000230000000000000 32 0000000000000000 0000000000000000 00100000 00"
                                  "3e 010000b000000000 0800 03 07 d1c0b0a0 02 3f 0100000000000000 3f 0200000000000000"
                                  "64 0d00000000000000 02 0700000000000000 0800000000000000 65 0030008000000000"
                                  "e6 04 3307b600 09 0050000000000000 f1 0100 03 00000000"));
    CHECK(seen.findings.empty());
    CHECK(seen.records ==
          Lines{"note stf.comment @0 'abc'", "event stf.inst_iem @0 1", "event stf.process_id @0 1 100 200",
                "event stf.ready_register @0 e", "event stf.page_table_walk @0 deadb000 4d 200000 1000 2001 2000 3002",
                "event stf.page_table_walk @0 0 0 1000", "event stf.bus_access @0 b0000001 8 3 7 a0b0c0d1 2 1 2",
                "event stf.event @0 d 7 8", "event stf.event_target @0 80003000", "event stf.microop @0 4 b60733",
                "event stf.force_pc @0 5000", "instruction core0 @0 pc=5000 bits=1/2", "note stf.comment @1 ''"});
}

TEST_CASE("the width of an event's id follows the features") {
    const Bytes narrow =
        hex("01'STF' 02 01000000 06000000 04 0100 05 0100 06 0c 01 01 00 0000 07 0000000000000000"
            "09 0010000000000000 13 64 07000080 01 0900000000000000 64 00000040 01 0300000000000000");
    CHECK(read_bytes(narrow).records == Lines{"event stf.event @0 80000007 9", "event stf.event @0 40000000 3"});
    CHECK(read_bytes(narrow).findings.empty());
    const Bytes wide =
        header() + hex("64 0700000000000080 01 0900000000000000 64 0000000000000040 01 0300000000000000");
    CHECK(read_bytes(wide).records ==
          Lines{"event stf.event @0 8000000000000007 9", "event stf.event @0 4000000000000000 3"});
}

TEST_CASE("the pc follows targets and FORCE_PC") {
    const auto pcs = [](std::string_view body) {
        Lines lines;
        for (const std::string& line : read_bytes(header() + hex(body)).records) {
            if (line.starts_with("instruction"))
                lines.push_back(line.substr(line.find("pc="), line.find(" bits") - line.find("pc=")));
        }
        return lines;
    };
    CHECK(pcs("f0 13000000 f1 0100 f0 13000000") == Lines{"pc=1000", "pc=1004", "pc=1006"});
    CHECK(pcs("1f 0030000000000000 f0 13000000 f1 0100") == Lines{"pc=1000", "pc=3000"});
    // If a group has several targets, the last one counts, whichever record states it.
    CHECK(pcs("1f 0030000000000000 64 0700000000000080 00 65 0040000000000000 f1 0100 f1 0100") ==
          Lines{"pc=1000", "pc=4000"});
    // FORCE_PC sets the pc of the next instruction and does not change the target.
    CHECK(pcs("09 0020000000000000 09 0050000000000000 1f 0030000000000000 f1 0100 f1 0100") ==
          Lines{"pc=5000", "pc=3000"});
    CHECK(pcs("1f 0030000000000000 f1 0100 09 0050000000000000 f1 0100") == Lines{"pc=1000", "pc=5000"});
    CHECK(pcs("09 fcffffffffffffff f0 13000000 f0 13000000") == Lines{"pc=fffffffffffffffc", "pc=0"});
}

TEST_CASE("the order inside a group is stored only when it is not canonical") {
    const auto order = [](std::string_view body) {
        const std::string line = read_bytes(header() + hex(body) + nop()).records.back();
        const std::size_t at = line.find(" order=");
        return at == std::string::npos ? std::string() : line.substr(at + 7);
    };
    const std::string comment = "03 00000000 ", target = "1f 0030000000000000 ", reg = "28 0500 11 0100000000000000 ",
                      ready = "29 0e00 ", access = "3c 0810000000000000 0800 0000 01 3d ff00000000000000 ",
                      event = "64 0d00000000000000 00 ", native = "28 0500 10 0100000000000000 ";
    CHECK(order("") == "");
    CHECK(order(target + reg + access) == "");
    CHECK(order(access + access + reg) == "aao");
    CHECK(order(reg + target) == "ot");
    CHECK(order(comment + target + reg + ready + access + event) == "");
    CHECK(order(target + comment) == "tr");
    // No order is stored for a group that has only separate records.
    CHECK(order(event + comment) == "");
    CHECK(order(reg + event + comment + access) == "orra");
    CHECK(order(reg + access + event + comment) == "");
    // A raw record with a register descriptor is sorted like a register.
    CHECK(order(native + reg) == "ro");
    CHECK(order(reg + native) == "");
}

TEST_CASE("records that the model cannot represent are kept as raw records") {
    const std::string instruction = "instruction core0 @0 pc=1000 bits=13/4";
    const auto kept = [&](std::string_view body) {
        Lines lines = read_bytes(header() + hex(body) + nop()).records;
        REQUIRE(lines.size() > 1);
        CHECK(lines.back().starts_with(instruction));
        lines.pop_back();
        return lines;
    };
    CHECK(kept("28 0500 10 0100000000000000") == Lines{"native stf.record @0 280500100100000000000000"});
    CHECK(kept("28 0500 41 0100000000000000") == Lines{"native stf.record @0 280500410100000000000000"});
    CHECK(kept("28 2100 11 0100000000000000") == Lines{"native stf.record @0 282100110100000000000000"});
    CHECK(kept("28 2000 12 0100000000000000") == Lines{"native stf.record @0 282000120100000000000000"});
    CHECK(kept("28 0010 14 0100000000000000") == Lines{"native stf.record @0 280010140100000000000000"});
    CHECK(kept("3d 0100000000000000") == Lines{"native stf.record @0 3d0100000000000000"});
    CHECK(kept("3f 0100000000000000") == Lines{"native stf.record @0 3f0100000000000000"});
    CHECK(kept("3c 0810000000000000 0800 0000 03 3d 0100000000000000") ==
          Lines{"native stf.record @0 3c081000000000000008000000"
                "03",
                "native stf.record @0 3d0100000000000000"});
    CHECK(kept("1f 0030000000000000 1f 0040000000000000") == Lines{"native stf.record @0 1f0040000000000000"});
    CHECK(kept("04 0100") == Lines{"native stf.record @0 040100"});
    CHECK(kept("13") == Lines{"native stf.record @0 13"});
}

TEST_CASE("parts without an instruction are kept as raw records in place") {
    const Seen seen = read_bytes(header() + nop() +
                                 hex("1f 0030000000000000 03 00000000 28 0500 11 0100000000000000"
                                     "3c 0810000000000000 0800 0000 01 3d ff00000000000000 29 0e00"));
    CHECK(seen.records == Lines{"instruction core0 @0 pc=1000 bits=13/4", "native stf.record @1 1f0030000000000000",
                                "note stf.comment @1 ''", "native stf.record @1 280500110100000000000000",
                                "native stf.record @1 3c08100000000000000800000001",
                                "native stf.record @1 3dff00000000000000", "event stf.ready_register @1 e"});
    CHECK(seen.findings == Lines{"STF026@50"});
    CHECK(seen.effect == Effect::incomplete);
}

TEST_CASE("batches end at the end of a group, and long runs of other records are divided into blocks") {
    constexpr std::size_t comments = 150'000;
    Bytes bytes = header();
    const Bytes comment = hex("03 00000000");
    for (std::size_t i = 0; i < comments; ++i)
        bytes.insert(bytes.end(), comment.begin(), comment.end());
    bytes = bytes + nop();
    Input input = Input::memory("memory", bytes);
    const Settings settings;
    Findings findings;
    const auto reader = stf_format.open(input, settings, findings);
    Batch batch;
    std::size_t records = 0, batches = 0;
    while (reader->read(batch)) {
        records += batch.records().size();
        ++batches;
        batch.clear();
    }
    CHECK(records == comments + 1);
    CHECK(batches == 3);
}

TEST_CASE("the size of a batch does not depend on the records of a group") {
    const auto repeated = [](const Bytes& record, std::size_t count) {
        Bytes bytes;
        for (std::size_t i = 0; i < count; ++i)
            bytes.insert(bytes.end(), record.begin(), record.end());
        return bytes;
    };
    const Bytes comments = repeated(hex("03 00000000"), 65'535);
    const Bytes targets = repeated(hex("1f 0030000000000000"), 300'000);
    const Bytes registers = repeated(hex("28 0500 11 0100000000000000") + comments, 5);
    const Bytes texts = repeated(hex("03 00000100") + Bytes(65'536, std::byte{'x'}) + nop(), 40);
    for (const Bytes& body : {targets, registers, texts}) {
        const Bytes bytes = header() + body + nop();
        Input input = Input::memory("memory", bytes);
        Settings settings;
        settings.limits = Limits::unlimited();
        Findings findings;
        const auto reader = stf_format.open(input, settings, findings);
        Batch batch;
        while (reader->read(batch)) {
            CHECK(batch.records().size() < 140'000);
            CHECK(batch.records().size() * sizeof(Record) + batch.bytes(batch.records().back()).size() < 8u << 20);
            std::size_t text = 0;
            for (const Record& record : batch.records())
                if (record.kind == Kind::note) text += record.count;
            CHECK(text <= Batch::target_elements + 65'536);
            batch.clear();
        }
        CHECK(rewrite_bytes(bytes, settings).bytes == bytes);
    }
}

TEST_CASE("no record is lost if a file has skippable zstd frames") {
    const auto frame = [](const Bytes& records) {
        return rewrite_bytes(records, choose({{"stf-container", "zst"}})).bytes;
    };
    const Bytes skippable = hex("5a 2a 4d 18 03000000 'abc'");
    const Bytes bytes = header() + nop() + nop();
    const Seen plain = read_bytes(bytes);
    const Seen seen = read_bytes(skippable + frame(bytes) + skippable);
    CHECK(seen.records == plain.records);
    CHECK(seen.findings.empty());
}

TEST_CASE("a reader states format-specific facts about a file") {
    const Seen seen = read_bytes(header() + hex("03 00000000") + nop() + nop());
    const auto fact = [&](std::string_view key) {
        for (const Fact& known : seen.facts)
            if (known.key == key) return text_of(known);
        return std::string("none");
    };
    CHECK(fact("container") == "plain STF");
    CHECK(fact("version") == "1.5");
    CHECK(fact("isa") == "RISCV");
    CHECK(fact("generator") == "Dromajo 1.1.0");
    CHECK(fact("start_pc") == "0x0000000000001000");
    CHECK(fact("instructions") == "2");
    CHECK(fact("records") == "3");
}

TEST_CASE("sniffing depends on content only") {
    const auto sniffed = [](const Bytes& bytes) { return stf_format.sniff(bytes); };
    CHECK(sniffed(header()));
    CHECK(sniffed(hex("'ZSTF' 00")));
    CHECK(sniffed(rewrite_bytes(header(), choose({{"stf-container", "gz"}})).bytes));
    CHECK(sniffed(rewrite_bytes(header(), choose({{"stf-container", "zst"}})).bytes));
    CHECK(!sniffed(hex("01'STE'")));
    CHECK(!sniffed(hex("1f8b0800")));
    CHECK(!sniffed({}));
}

}  // namespace stf_reader_test
