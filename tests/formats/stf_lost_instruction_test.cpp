// tests/formats/stf_lost_instruction_test.cpp - tests damage between the records of an instruction. The records before
// the damage must not be added to another instruction.
#include <doctest/doctest.h>

#include <algorithm>
#include <fstream>
#include <hwtrace/stf.hpp>

#include "formats/stf_support.hpp"
#include "io/compression.hpp"
#include "support/corpus.hpp"

namespace stf_lost_instruction_test {

using namespace hwtrace;
using namespace hwtrace::test;

using Lines = std::vector<std::string>;

namespace {

struct Piece {
    Bytes records;
    std::uint64_t start_pc;
};

/// Returns a ZSTF file of these chunks, with one frame per chunk.
Bytes zstf(std::uint64_t chunk_size, const std::vector<Piece>& pieces) {
    Appender file;
    file.bytes(hex("'ZSTF'"));
    file.le(chunk_size);
    file.le(std::uint64_t{0});
    Appender index;
    index.le(std::uint64_t{pieces.size()});
    for (const Piece& piece : pieces) {
        index.le(std::uint64_t{file.size()});
        index.le(piece.start_pc);
        index.le(std::uint64_t{piece.records.size()});
        ZstdBlock().compress(piece.records, file);
    }
    Bytes bytes(file.span().begin(), file.span().end());
    store_le(bytes.data() + 12, std::uint64_t{bytes.size()});
    bytes.insert(bytes.end(), index.span().begin(), index.span().end());
    return bytes;
}

/// Returns the records before the damage: x5, an interrupt, its target, a target, a process.
Bytes lost_group() {
    return hex(
        "28 0500 31 adde000000000000 64 0700000000000080 01 0700000000000000 65 7777000000000000"
        "1f 9999000000000000 08 09000000 09000000 09000000");
}

/// Returns seven instructions in chunks of two. The fourth instruction is damaged.
Bytes damaged() {
    return zstf(2, {{header() + nop() + nop(), 0},
                    {nop() + lost_group() + hex("0e") + nop(), 0x1008},
                    {nop() + nop(), 0x1010},
                    {hex("28 0700 31 0700000000000000") + nop(), 0x1018}});
}

const View& instructions_view() {
    return *std::find_if(stf_format.views.begin(), stf_format.views.end(),
                         [](const View& view) { return view.name == "instructions"; });
}

Settings without_disassembly() {
    Settings settings;
    settings.disassembly = Disassembly::off;
    return settings;
}

Lines text_lines(const Bytes& bytes, const Settings& settings = without_disassembly()) {
    Input input = Input::memory("memory", bytes);
    TextOutput out(-1);
    Findings findings;
    instructions_view().render(input, out, settings, findings);
    return split_lines(std::string(out.text()));
}

Lines data_lines(const Bytes& bytes, TextForm form, const Settings& settings = without_disassembly()) {
    Input input = Input::memory("memory", bytes);
    TextOutput out(-1);
    Findings findings;
    instructions_view().render_data(input, form, out, settings, findings);
    return split_lines(std::string(out.text()));
}

/// Returns the lines from the first one that starts with `beginning`.
Lines from(Lines lines, std::string_view beginning) {
    const auto first =
        std::find_if(lines.begin(), lines.end(), [&](const std::string& line) { return line.starts_with(beginning); });
    lines.erase(lines.begin(), first);
    return lines;
}

}  // namespace

TEST_CASE("the instruction view shows the records of a lost instruction separately") {
    const Lines lines = from(text_lines(damaged()), "INST32    3");
    REQUIRE(lines.size() == 12);
    CHECK(lines[1].starts_with("NO_INST             the instruction of these records is lost"));
    CHECK(lines[2] == "PID                 00000009:00000009:00000009");
    CHECK(lines[3] == "INST_PC_TARGET      0000000000009999");
    CHECK(lines[4].find("REG_5 ") != std::string::npos);
    CHECK(lines[5].find("INT_MACHINE_TIMER") != std::string::npos);
    CHECK(lines[6].find("0000000000007777") != std::string::npos);
    CHECK(lines[7] == "PID                 --------:--------:--------");
    CHECK(lines[8].starts_with("INST32    5         0000000000001010       "));
    CHECK(lines[9].starts_with("INST32    6 "));
    CHECK(lines[10].starts_with("INST32    7 "));
    CHECK(lines[11].find("REG_7 ") != std::string::npos);
}

TEST_CASE("JSON and CSV of instructions have separate records of a lost instruction") {
    const Lines objects = data_lines(damaged(), TextForm::jsonl);
    REQUIRE(objects.size() == 8);
    CHECK(objects[4].starts_with("{\"instruction\":null,\"target\":39321,\"process\":{\"hardware_thread\":9,"));
    CHECK(objects[4].find("\"registers\":[") != std::string::npos);
    CHECK(objects[4].find("\"events\":[") != std::string::npos);
    CHECK(objects[5] == "{\"instruction\":5,\"pc\":4112,\"size\":4,\"encoding\":19,\"process\":null}");
    CHECK(objects[6] == "{\"instruction\":6,\"pc\":4116,\"size\":4,\"encoding\":19}");

    const Lines rows = data_lines(damaged(), TextForm::csv);
    REQUIRE(rows.size() == 8);
    CHECK(rows[4].starts_with(",,,,0x9999,,9:9:9,"));
    CHECK(rows[5] == "5,0x1010,4,0x13,,,,,,,,,,,,,,,,");
}

TEST_CASE("the process at the end of a trace and the process in the header are shown") {
    const Bytes zero = hex("08 00000000 00000000 00000000"), some = hex("08 01000000 02000000 03000000");
    const Bytes file = open_header() + some + hex("13") + nop() + zero;
    Lines lines = from(text_lines(file), "NO_INST");
    REQUIRE(lines.size() == 2);
    CHECK(lines[1] == "PID                 00000000:00000000:00000000");
    lines = from(text_lines(file + hex("1f 0030000000000000")), "NO_INST");
    REQUIRE(lines.size() == 3);
    CHECK(lines[1] == "PID                 00000000:00000000:00000000");

    const Lines objects = data_lines(file, TextForm::jsonl);
    REQUIRE(objects.size() == 3);
    CHECK(objects[0].find("\"process\":{\"hardware_thread\":1,\"process\":2,\"thread\":3}") != std::string::npos);
    CHECK(objects[2] == "{\"instruction\":null,\"process\":{\"hardware_thread\":0,\"process\":0,\"thread\":0}}");
    CHECK(data_lines(file, TextForm::csv).back().starts_with(",,,,,,0:0:0,"));
}

TEST_CASE("physical addresses are unknown after damage until the trace states mode and page table again") {
    // The header has the feature PTE. Until the loss, the trace is in machine mode, in which addresses are physical.
    Bytes begin = header();
    REQUIRE(begin[26] == std::byte{7});
    begin[28] = std::byte{0x01};
    const Bytes machine = hex("64 0000000000000040 01 0300000000000000");
    const Bytes file = zstf(2, {{begin + nop() + nop(), 0},
                                {nop() + hex("0e") + nop(), 0x1008},
                                {nop() + machine + nop(), 0x1010},
                                {nop(), 0x1018}});
    Settings settings = without_disassembly();
    for (const Option& option : stf_format.options)
        if (option.key == "stf-physical") settings.set(option, "on");
    Lines pcs;
    for (const std::string& line : text_lines(file, settings))
        if (line.starts_with("INST32")) pcs.push_back(line.substr(20, 27));
    CHECK(pcs == Lines{"0000000000001000:0000001000", "0000000000001004:0000001004", "0000000000001008:0000001008",
                       "0000000000001010:----------", "0000000000001014:----------", "0000000000001018:0000001018"});
    const Lines objects = data_lines(file, TextForm::jsonl, settings);
    REQUIRE(objects.size() == 7);
    CHECK(objects[3].find("\"physical_pc\":4104") != std::string::npos);
    CHECK(objects[4].find("\"physical_pc\":null") != std::string::npos);
    CHECK(objects[6].find("\"physical_pc\":4120") != std::string::npos);
}

TEST_CASE("a rewritten trace lacks the records of a lost instruction, which are listed as a loss") {
    const Written written = rewrite_bytes(damaged());
    REQUIRE(written.losses.entries().size() == 1);
    const auto& [key, entry] = *written.losses.entries().begin();
    CHECK(key.first == Loss::part_dropped);
    CHECK(key.second == "records of lost instructions");
    CHECK(entry.count == 5);
    REQUIRE(written.losses.assumptions().size() == 1);
    CHECK(written.losses.assumptions().front() ==
          "FORCE_PC written before 1 instruction whose pc does not follow from earlier records");
    CHECK(read_bytes(written.bytes).records ==
          Lines{"instruction core0 @0 pc=1000 bits=13/4", "instruction core0 @1 pc=1004 bits=13/4",
                "instruction core0 @2 pc=1008 bits=13/4", "event stf.force_pc @3 1010",
                "instruction core0 @3 pc=1010 bits=13/4", "instruction core0 @4 pc=1014 bits=13/4",
                "instruction core0 @5 pc=1018 bits=13/4 destination x7=7"});
    // At the end of a trace, the records stay unchanged.
    const Bytes open_end = header() + nop() + lost_group();
    CHECK(rewrite_bytes(open_end).bytes == open_end);
}

TEST_CASE("records of a lost instruction that a writer cannot hold back are reported with their new instruction") {
    const Bytes comment = hex("03 01000000 'c'");
    const auto many = [&](std::size_t count) {
        Bytes all;
        for (std::size_t i = 0; i < count; ++i)
            all.insert(all.end(), comment.begin(), comment.end());
        return all;
    };
    const auto losses_of = [&](std::size_t lost, std::size_t own) {
        const Bytes file = zstf(2, {{header() + nop() + nop(), 0},
                                    {nop() + many(lost) + hex("0e") + nop(), 0x1008},
                                    {many(own) + nop() + nop(), 0x1010}});
        Lines lines;
        const Losses losses = rewrite_bytes(file).losses;
        for (const auto& [key, entry] : losses.entries())
            lines.push_back(std::string(name_of(key.first)) + ' ' + key.second + ' ' + std::to_string(entry.count) +
                            ": " + entry.first);
        return lines;
    };
    const std::string moved = "order-changed records of lost instructions 65536: they now belong to instruction 3";
    const auto dropped = [](std::size_t count) {
        return "part-dropped records of lost instructions " + std::to_string(count) + ": COMMENT before instruction 3";
    };
    CHECK(losses_of(65'535, 1) == Lines{dropped(65'535)});
    CHECK(losses_of(65'536, 0) == Lines{moved});
    CHECK(losses_of(70'000, 1) == Lines{moved, dropped(4464)});
    // Records of the next instruction do not hide the loss and are not counted as lost.
    CHECK(losses_of(60'000, 10'000) == Lines{dropped(60'000)});
    CHECK(losses_of(70'000, 70'000) == Lines{moved, dropped(4464)});
    CHECK(losses_of(0, 70'000).empty());
}

TEST_CASE("instructions that were read and instructions that were lost are counted separately") {
    const Seen seen = read_bytes(damaged());
    const auto fact = [&](std::string_view wanted) {
        for (const Fact& known : seen.facts)
            if (known.key == wanted) return text_of(known);
        return std::string("none");
    };
    CHECK(fact("instructions") == "6");
    CHECK(fact("lost_instructions") == "1");
    CHECK(read_bytes(header() + nop()).facts.back().key == "records");
}

TEST_CASE("programs get instructions without the records of a lost instruction") {
    const TemporaryFolder folder;
    const std::string path = (folder / "damaged.zstf").string();
    const Bytes bytes = damaged();
    std::ofstream(path, std::ios::binary)
        .write(reinterpret_cast<const char*>(bytes.data()), static_cast<std::streamsize>(bytes.size()));
    stf::InstructionReader reader(path);
    std::vector<std::uint64_t> indices, pcs;
    for (stf::Instruction instruction; reader.next(instruction);) {
        CHECK(instruction.events.empty());
        CHECK(!instruction.target);
        CHECK(instruction.registers.size() == (instruction.pc == 0x1018 ? 1 : 0));
        indices.push_back(instruction.index);
        pcs.push_back(instruction.pc);
    }
    CHECK(!reader.sound());
    CHECK(indices == std::vector<std::uint64_t>{0, 1, 2, 4, 5, 6});
    CHECK(pcs == std::vector<std::uint64_t>{0x1000, 0x1004, 0x1008, 0x1010, 0x1014, 0x1018});

    stf::RecordReader records(path);
    Lines behind_loss;
    for (stf::RecordView record; records.next(record);)
        if (record.behind_loss()) behind_loss.push_back(hex_number(record.instruction_pc()));
    CHECK(behind_loss == Lines{"1010"});
}

TEST_CASE("a flipped bit in a real trace changes no instruction after its chunk") {
    const auto path = corpus("stf/dhrystone.zstf");
    if (!path) return;
    const Bytes whole = read_file(*path);
    const auto u64 = [&](std::size_t at) { return load_le<std::uint64_t>(whole.data() + at); };
    const std::size_t index = u64(12), begin = u64(index + 32), end = u64(index + 56);
    const std::uint64_t chunk = u64(4);
    const auto row = [&](const Bytes& bytes) {
        Settings settings = without_disassembly();
        settings.window = TraceWindow{TraceWindow::Unit::records, chunk - 1, 2 * chunk + 1};
        Input input = Input::memory("memory", bytes);
        TextOutput out(-1);
        Findings findings;
        instructions_view().render_data(input, TextForm::csv, out, settings, findings);
        const std::string_view text = out.text();
        return std::string(text.substr(text.rfind('\n', text.size() - 2) + 1));
    };
    const std::string expected = row(whole);
    REQUIRE(expected.starts_with(std::to_string(2 * chunk + 1) + ","));
    // The process is unknown after a loss.
    const auto without_process = [](std::string line) {
        if (const auto at = line.find("0:0:0"); at != std::string::npos) line.erase(at, 5);
        return line;
    };
    int cut_groups = 0;
    for (std::size_t place = 0; place < 12; ++place) {
        Bytes changed = whole;
        changed[begin + 20 + place * (end - begin - 30) / 12] ^= std::byte{4};
        CAPTURE(place);
        const std::string got = row(changed);
        if (!got.starts_with(std::to_string(2 * chunk + 1) + ",")) continue;  // the damaged bytes form valid records
        CHECK(without_process(got) == without_process(expected));
        ++cut_groups;
    }
    CHECK(cut_groups > 0);
}

}  // namespace stf_lost_instruction_test
