// Tests the view "records" against the reference record dump, for real files and files of the reference writer.
#include <doctest/doctest.h>

#include <filesystem>
#include <map>

#include "formats/stf_support.hpp"
#include "io/compression.hpp"
#include "io/cursor.hpp"
#include "io/sha256.hpp"
#include "support/corpus.hpp"

namespace stf_records_test {

using namespace hwtrace;
using namespace hwtrace::test;

namespace fs = std::filesystem;

namespace {

std::string sha256(std::string_view text) {
    Sha256 sum;
    sum.add(as_bytes(text));
    return sum.hexadecimal();
}

std::string view_file(const fs::path& path) {
    Input input = Input::open(path.string());
    return view_input(input);
}

std::string gunzip(const fs::path& path) {
    Input input = Input::open(path.string());
    GzipSource source(input);
    std::string text(1u << 20, '\0');
    std::size_t size = 0;
    while (const std::size_t got = source.read(std::as_writable_bytes(std::span(text).subspan(size)))) {
        size += got;
        if (size == text.size()) text.resize(2 * size);
    }
    text.resize(size);
    return text;
}

/// Replaces raw bytes with decimal numbers. The reference prints two fields as raw bytes: a bus master's index and a
/// micro-op's size.
std::string with_readable_bytes(const std::string& golden) {
    std::string text;
    for (std::string line : split_lines(golden)) {
        std::size_t raw = std::string::npos;
        if (line.starts_with("INST_MICROOP ")) raw = std::string_view("INST_MICROOP ").size();
        if (line.starts_with("BUS_MASTER_ACCESS ")) {
            const std::size_t address = line.find(' ', std::string_view("BUS_MASTER_ACCESS ").size()) + 1;
            const std::size_t master = address + 17;
            for (const std::string_view name : {"CORE", "GPU", "DMA", "PCIE", "SRIO", "ICN"})
                if (line.compare(master, name.size(), name) == 0) raw = master + name.size();
        }
        if (raw != std::string::npos) line.replace(raw, 1, std::to_string(static_cast<unsigned char>(line[raw])));
        text += line + "\n";
    }
    return text;
}

/// Files at which the reference aborts. Its output is then the beginning of ours.
const std::map<std::string, std::string> reference_aborts{
    {"gen_15.stf", "a generator without a name"},
    {"gen_254.stf", "a generator without a name"},
    {"bad_header_gen200.stf", "a generator without a name"},
    {"plat_int.stf", "an interrupt above 16"},
    {"vlen64.stf", "a vector register of 64 bits"},
    {"tx_tilelink.stf", "transactions"},
    {"tx_tilelink.zstf", "transactions"},
};

}  // namespace

TEST_CASE("SHA-256 gives the published checksums of known strings") {
    CHECK(sha256("") == "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855");
    CHECK(sha256("abc") == "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad");
    CHECK(sha256(std::string(1'000'000, 'a')) == "cdc76e5c9914fb9281a1c7e284d73e67f1809a48a497200e046d39ccc7112cd0");
}

TEST_CASE("the record view of every real file has the reference's checksum") {
    const auto sums = corpus("stf/golden/SHA256SUMS.full");
    if (!sums) return;
    int checked = 0;
    for (const std::string& line : split_lines(read_text(*sums))) {
        const std::size_t name_end = line.find(".record_dump.txt ");
        if (name_end == std::string::npos) continue;
        const std::string name = line.substr(66, name_end - 66);
        const auto path = corpus("stf/" + name);
        if (!path) continue;
        INFO(name);
        CHECK(sha256(view_file(*path)) == line.substr(0, 64));
        ++checked;
    }
    CHECK(checked >= 5);
}

TEST_CASE("the record view of every generated file equals the reference's, except for listed files") {
    int same = 0, aborted = 0, checked = 0;
    for (const char* folder : {"stf/made", "stf/made/check"}) {
        const auto root = corpus(folder);
        if (!root) return;
        for (const auto& entry : fs::directory_iterator(*root)) {
            const std::string name = entry.path().filename().string();
            if (!entry.is_regular_file()) continue;
            fs::path golden = *root / "golden" / (name + ".record_dump.txt");
            if (!fs::exists(golden)) golden += ".gz";
            if (!fs::exists(golden)) continue;
            INFO(name);
            const std::string expected =
                with_readable_bytes(golden.extension() == ".gz" ? gunzip(golden) : read_text(golden));
            const std::string text = view_file(entry.path());
            ++checked;
            if (reference_aborts.contains(name)) {
                CHECK(text.starts_with(expected));
                CHECK(text.size() > expected.size());
                ++aborted;
            } else {
                CHECK(text == expected);
                ++same;
            }
        }
    }
    CHECK(checked >= 70);
    CHECK(aborted == 7);
    CHECK(same == checked - aborted);
}

TEST_CASE("the view shows codes that the reference cannot print") {
    const Bytes odd =
        hex("01'STF' 02 01000000 06000000 04 6300 05 4d00 06 c8 01 02 03 0100 'x' 07 0000000000000000"
            "09 0010000000000000 13 28 0500 0f 0100000000000000 28 0500 50 0200000000000000"
            "28 000f 24 0300000000000000 28 3412 24 0300000000000000 3c 0100000000000000 0200 0300 07"
            "3e 0100000000000000 0200 09 41 04000000 08 64 05000080 00 64 14000080 00 64 01000040 00"
            "64 41000000 00 e6 03 01000000 f1 0100 04 0100 01'STF' 13 02 01000000 05000000");
    CHECK(split_lines(view_bytes(odd)) == std::vector<std::string>{
                                              "VERSION 1.6",
                                              "ISA unknown(99)",
                                              "INST_IEM unknown(77)",
                                              "FORCE_PC 0000000000001000",
                                              "TRACE_INFO unknown(200) 1.2.3 x",
                                              "TRACE_INFO_FEATURE 0000000000000000",
                                              "INST_REG unknown(0) unknown(15)_5 0000000000000001",
                                              "INST_REG unknown(5) unknown(0)_5 0000000000000002",
                                              "INST_REG SOURCE REG_CSR_UNK_f00 0000000000000003",
                                              "INST_REG SOURCE REG_CSR_UNK_1234 0000000000000003",
                                              "INST_MEM_ACCESS unknown(7) 0000000000000001 0003 2",
                                              "BUS_MASTER_ACCESS unknown(8) 0000000000000001 unknown(9)65 2 00000004",
                                              "EVENT INT_SUPERVISOR_TIMER []",
                                              "EVENT INT_PLATFORM_4 []",
                                              "EVENT unknown(1073741825) []",
                                              "EVENT unknown(65) []",
                                              "INST_MICROOP 3 00000001",
                                              "INST_OPCODE16 0001",
                                              "ISA RISCV",
                                              "STF_IDENTIFIER",
                                              "END_HEADER",
                                              "VERSION 1.5",
                                          });
}

}  // namespace stf_records_test
