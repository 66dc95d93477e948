// Tests disassembly in the view "instructions": compares it with that of binutils, except for aliases that the two
// spell differently. Also tests the view without LLVM.
#include <doctest/doctest.h>

#include <filesystem>
#include <map>
#include <nlohmann/json.hpp>

#include "codec/disassembler.hpp"
#include "formats/stf_support.hpp"
#include "io/compression.hpp"
#include "support/corpus.hpp"

namespace stf_disassembly_test {

using namespace hwtrace;
using namespace hwtrace::test;

namespace fs = std::filesystem;

namespace {

using Lines = std::vector<std::string>;

constexpr std::size_t disassembly_at = 87;

std::string view_instructions(Input& input, const Settings& settings) {
    TextOutput out(-1);
    Findings findings;
    for (const View& view : stf_format.views)
        if (view.name == "instructions") view.render(input, out, settings, findings);
    return std::string(out.text());
}

/// Returns the disassembly of each instruction by its number.
std::map<std::uint64_t, std::string> disassembly(const Lines& lines) {
    std::map<std::uint64_t, std::string> texts;
    for (const std::string& line : lines) {
        const bool is_instruction = line.starts_with("INST32    ") || line.starts_with("INST16    ");
        if (is_instruction && line.size() > disassembly_at)
            texts[std::stoull(line.substr(10, 10))] = line.substr(disassembly_at);
    }
    return texts;
}

Lines disassemble(const Bytes& bytes, const Settings& settings = {}) {
    Input input = Input::memory("memory", bytes);
    Lines texts;
    for (const auto& [number, text] : disassembly(split_lines(view_instructions(input, settings))))
        texts.push_back(text);
    return texts;
}

/// Returns a header with an ISA, a mode and the ISA string of at most 255 characters. An empty ISA string is omitted.
Bytes header_of(const std::string& isa, const std::string& mode, const std::string& isa_string) {
    Bytes bytes = hex("01'STF' 02 01000000 06000000 04") + hex(isa) + hex("05") + hex(mode) +
                  hex("06 0c 01 01 00 0000 07 2100080000000000 09 0010000000000000");
    if (!isa_string.empty()) {
        bytes = bytes + hex("0d") + Bytes{static_cast<std::byte>(isa_string.size())} + hex("000000") +
                hex("'" + isa_string + "'");
    }
    return bytes + hex("13");
}

Lines golden_lines(const fs::path& path) {
    if (path.extension() != ".gz") return split_lines(read_text(path));
    Input input = Input::open(path.string());
    GzipSource source(input);
    std::string text(8u << 20, '\0');
    text.resize(source.read(std::as_writable_bytes(std::span(text))));
    return split_lines(text);
}

/// Normalises the output of binutils, which annotates addresses and prints some numbers in hexadecimal.
std::string plain_numbers(std::string text) {
    text = text.substr(0, text.find(" # "));
    std::string plain;
    for (std::size_t at = 0; at < text.size();) {
        if (text.compare(at, 2, "0x") != 0) {
            plain += text[at++];
            continue;
        }
        std::size_t digits = 0;
        plain += std::to_string(std::stoull(text.substr(at + 2), &digits, 16));
        at += 2 + digits;
    }
    return plain;
}

/// Returns true if the lines are the same instruction. Binutils prints "add" and "and" with an immediate for LLVM's
/// addi and andi.
bool is_same_but_for_alias(const std::string& binutils, const std::string& ours) {
    const auto name = [](const std::string& text) { return text.substr(0, text.find(' ')); };
    const auto operands = [](const std::string& text) {
        const std::size_t at = text.find_first_not_of(' ', text.find(' '));
        return at == std::string::npos ? std::string() : text.substr(at);
    };
    const std::string theirs = name(binutils), llvm = name(ours);
    if (theirs == "zext.b") return llvm == "andi" && operands(ours) == operands(binutils) + ",255";
    if (operands(binutils) != operands(ours)) return false;
    const std::string with_i = theirs.ends_with('w') ? theirs.substr(0, theirs.size() - 1) + "iw" : theirs + "i";
    return with_i == llvm;
}

struct Compared {
    int same = 0, numbers = 0, alias = 0, other = 0;
};

void compare(const fs::path& trace, const fs::path& golden, Compared& compared) {
    const auto expected = disassembly(golden_lines(golden));
    if (expected.empty()) return;
    Input input = Input::open(trace.string());
    Settings settings;
    settings.window = TraceWindow{TraceWindow::Unit::records, expected.begin()->first - 1, expected.rbegin()->first};
    const auto ours = disassembly(split_lines(view_instructions(input, settings)));
    REQUIRE(ours.size() == expected.size());
    for (const auto& [number, text] : expected) {
        const std::string& own = ours.at(number);
        const std::string plain = plain_numbers(text), own_plain = plain_numbers(own);
        if (text == own)
            ++compared.same;
        else if (plain == own_plain)
            ++compared.numbers;
        else if (is_same_but_for_alias(plain, own_plain))
            ++compared.alias;
        else
            ++compared.other;
    }
}

}  // namespace

TEST_CASE("extensions are found in ISA strings") {
    using Names = std::vector<std::string>;
    CHECK(extensions_of("rv64gc") == Names{"i", "m", "a", "f", "d", "zicsr", "zifencei", "c"});
    CHECK(extensions_of("RV32IMAFDCV_Zba_zbb") == Names{"i", "m", "a", "f", "d", "c", "v", "zba", "zbb"});
    CHECK(extensions_of("rv64i2p1m2_zba1p0_zve32x_zvl128b1p0_ss1p12_sv48") ==
          Names{"i", "m", "zba", "zve32x", "zvl128b", "ss", "sv48"});
    CHECK(extensions_of("rv64ima_c_v") == Names{"i", "m", "a", "c", "v"});
    CHECK(extensions_of("").empty());
    CHECK(extensions_of("rv64").empty());
    CHECK(extensions_of("__\x01 4p") == Names{"p"});
}

TEST_CASE("nothing is disassembled without LLVM or with disassembly off") {
    Settings off;
    off.disassembly = Disassembly::off;
    CHECK(disassemble(header() + nop(), off).empty());
    if (!Decoding::available()) CHECK(disassemble(header() + nop()).empty());
}

TEST_CASE("instructions are disassembled by the trace's ISA string and mode") {
    if (!Decoding::available()) {
        skip_case("LLVM's library was not found");
        return;
    }
    const std::string riscv = "0100", arm = "0200", rv32 = "0100", rv64 = "0200";
    const Bytes program =
        hex("f0 3307b600 f1 0100 f0 eff0dfd1 f1 e1e7 f0 57802002 f0 ffffffff f1 0400 f0 73000000 f0 03b50500 f1 0525");
    const Lines expected{"add         a4,a2,a1",   "nop",
                         "jal         0x00000d22", "bnez        a5,0x000010d2",
                         "vadd.vv     v0,v2,v1",   ".word       0xffffffff",
                         ".half       0x0004",     "ecall",
                         "ld          a0,0(a1)",   "addiw       a0,a0,1"};
    CHECK(disassemble(header_of(riscv, rv64, "") + program) == expected);
    CHECK(disassemble(header_of(riscv, rv64, "RV64GCV") + program) == expected);

    Lines without = expected;
    without[4] = ".word       0x02208057";
    CHECK(disassemble(header_of(riscv, rv64, "rv64gc") + program) == without);
    without = disassemble(header_of(riscv, rv64, "rv64i") + program);
    CHECK(without[1] == ".half       0x0001");
    CHECK(without[8] == expected[8]);

    Lines narrow = expected;
    narrow[8] = ".word       0x0005b503";
    narrow[9] = "jal         0x0000163e";
    CHECK(disassemble(header_of(riscv, rv32, "") + program) == narrow);
    // A mode change in the body applies from the next instruction on, even if the ISA string names another base.
    CHECK(disassemble(header_of(riscv, rv32, "rv32gc") + hex("f1 0525 05") + hex(rv64) + hex("f1 0525")) ==
          Lines{"jal         0x00001620", "addiw       a0,a0,1"});

    CHECK(disassemble(header_of(arm, rv64, "") + nop() + hex("f1 0100")) ==
          Lines{".word       0x00000013", ".half       0x0001"});
}

TEST_CASE("micro-operations and data are disassembled too") {
    if (!Decoding::available()) return;
    const Bytes bytes = header() + hex("e6 04 eff0dfd1 e6 02 01000000 f1 0100");
    Input input = Input::memory("memory", bytes);
    const Lines lines = split_lines(view_instructions(input, {}));
    REQUIRE(lines.size() >= 3);
    CHECK(lines[lines.size() - 2] ==
          "                                   UOp32                                          d1dff0ef             "
          "jal         0x00000d1c");
    CHECK(lines.back() ==
          "                                   UOp16                                          00000001             nop");
    for (const View& view : stf_format.views) {
        if (view.name != "instructions") continue;
        TextOutput out(-1);
        Findings findings;
        Input again = Input::memory("memory", bytes);
        view.render_data(again, TextForm::json, out, {}, findings);
        CHECK(nlohmann::json::parse(out.text())["instructions"][0]["disassembly"] == "nop");
        out.clear();
        const Bytes add = header() + hex("f0 3307b600");
        Input third = Input::memory("memory", add);
        view.render_data(third, TextForm::csv, out, {}, findings);
        CHECK(split_lines(std::string(out.text())).back().starts_with("1,0x1000,4,0xb60733,,\"add a4,a2,a1\",0:0:0,"));
    }
}

TEST_CASE("disassembly of real and generated traces equals binutils' disassembly, except for aliases") {
    if (!Decoding::available()) return;
    Compared compared;
    int files = 0;
    for (const char* folder : {"stf", "stf/made", "stf/made/check"}) {
        const auto root = corpus(folder);
        if (!root) return;
        for (const auto& entry : fs::directory_iterator(*root)) {
            const std::string name = entry.path().filename().string();
            for (const char* end : {".txt", ".txt.gz", ".txt.head300", ".txt.tail300"}) {
                const fs::path golden = *root / "golden" / (name + ".dump_A.binutils" + end);
                if (!entry.is_regular_file() || !fs::exists(golden)) continue;
                CAPTURE(golden.string());
                compare(entry.path(), golden, compared);
                ++files;
            }
        }
    }
    CHECK(files >= 40);
    CHECK(compared.same >= 8000);
    // Most differences are 64-bit loads and vectors in RV32 traces. The reference disassembles them although the ISA
    // lacks these extensions.
    CHECK(compared.other <= 25);
}

}  // namespace stf_disassembly_test
