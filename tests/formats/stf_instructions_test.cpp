// Tests the view "instructions" against the reference instruction dump for real and generated files. Also tests data
// that only this view shows.
#include <doctest/doctest.h>

#include <cinttypes>
#include <cstdio>
#include <filesystem>
#include <map>
#include <nlohmann/json.hpp>
#include <set>

#include "formats/stf_support.hpp"
#include "io/compression.hpp"
#include "support/corpus.hpp"

namespace stf_instructions_test {

using namespace hwtrace;
using namespace hwtrace::test;

namespace fs = std::filesystem;

namespace {

using Lines = std::vector<std::string>;

std::string view_instructions(Input& input, const Settings& settings, Findings& findings) {
    TextOutput out(-1);
    for (const View& view : stf_format.views)
        if (view.name == "instructions") view.render(input, out, settings, findings);
    return std::string(out.text());
}

Settings without_disassembly() {
    Settings settings;
    settings.disassembly = Disassembly::off;
    return settings;
}

Lines view_lines(const Bytes& bytes, const Settings& settings = without_disassembly()) {
    Input input = Input::memory("memory", bytes);
    Findings findings;
    return split_lines(view_instructions(input, settings, findings));
}

/// Renders everything that is readable, also if the file ends with an Error.
Lines view_file(const fs::path& path, const std::optional<TraceWindow>& window = {}) {
    Input input = Input::open(path.string());
    Settings settings = without_disassembly();
    settings.window = window;
    Findings findings;
    try {
        return split_lines(view_instructions(input, settings, findings));
    } catch (const Error&) {
        return {};
    }
}

std::string view_data(const Bytes& bytes, TextForm form, const Settings& settings = without_disassembly()) {
    Input input = Input::memory("memory", bytes);
    Findings findings;
    TextOutput out(-1);
    for (const View& view : stf_format.views)
        if (view.name == "instructions") view.render_data(input, form, out, settings, findings);
    return std::string(out.text());
}

Lines golden_lines(const fs::path& path) {
    if (path.extension() != ".gz") return split_lines(read_text(path));
    Input input = Input::open(path.string());
    GzipSource source(input);
    std::string text(8u << 20, '\0');
    text.resize(source.read(std::as_writable_bytes(std::span(text))));
    return split_lines(text);
}

std::string_view kind_of(std::string_view line) {
    const std::size_t begin = line.find_first_not_of(' ');
    return begin == std::string_view::npos ? std::string_view{}
                                           : line.substr(begin, line.find(' ', begin) - std::min(begin, line.size()));
}

bool is_any(std::string_view word, std::initializer_list<std::string_view> words) {
    return std::find(words.begin(), words.end(), word) != words.end();
}

constexpr std::size_t disassembly_at = 87, microop_disassembly_at = 103, content_end = 103;

std::string first_columns(std::string line, std::size_t count) {
    line.resize(std::min(line.size(), count));
    line.erase(line.find_last_not_of(' ') + 1);
    return line;
}

/// Returns the part of a line that both dumps have.
std::string common(const std::string& line, std::size_t shift = 0) {
    const std::string_view kind = kind_of(line);
    if (kind.starts_with("INST32") || kind.starts_with("INST16")) return first_columns(line, disassembly_at + shift);
    if (kind.starts_with("UOp")) return first_columns(line, microop_disassembly_at);
    return line;
}

/// Splits the fields of an event into lines. The reference prints them on one line, separated by the indentation of a
/// new line.
Lines fields_apart(const std::string& event, std::size_t shift = 0) {
    const std::string blanks(66 + shift / 2, ' ');
    Lines lines;
    std::size_t begin = 0;
    for (std::size_t at = event.find(blanks); at != std::string::npos; at = event.find(blanks, at + blanks.size())) {
        lines.push_back(std::string(begin == 0 ? 0 : shift / 2, ' ') + event.substr(begin, at - begin));
        begin = at;
    }
    lines.push_back(std::string(begin == 0 ? 0 : shift / 2, ' ') + event.substr(begin));
    return lines;
}

/// Returns the reference's lines without disassembly. `shift` is the width of two physical addresses.
Lines expected_lines(const Lines& golden, std::size_t shift = 0) {
    Lines lines;
    for (const std::string& line : golden) {
        // If a trace has no ISA string, the reference prints a default one.
        if (line.starts_with("INST_EXT") || line.starts_with("Start Inst")) continue;
        if (is_any(kind_of(line), {"FAULT", "INTERRUPT", "SYSCALL"})) {
            for (std::string& part : fields_apart(line, shift))
                lines.push_back(std::move(part));
        } else {
            lines.push_back(common(line, shift));
        }
    }
    return lines;
}

/// Returns our lines without additions: other kinds of lines, and access sizes.
Lines shared_lines(const Lines& view, std::size_t shift = 0) {
    Lines lines;
    bool in_body = false;
    for (const std::string& line : view) {
        const std::string_view kind = kind_of(line);
        in_body = in_body || kind == "PID";
        if (is_any(kind, {"INST_EXT", "FEATURES", "FORCE_PC", "PTE", "PTDESC", "BUS", "TARGET", "NO_INST"})) continue;
        if (kind.starts_with("DESC") || line.starts_with("COMMENT") || (in_body && kind == "INST_IEM")) continue;
        lines.push_back(kind == "MEM" ? first_columns(line, content_end + shift) : common(line, shift));
    }
    return lines;
}

/// Returns true if the reference ignored the header's process. It prints 0:0:0 until the body states a process.
bool forgets_process(const Lines& expected, const Lines& ours) {
    for (std::size_t at = 0; at < std::min(expected.size(), ours.size()); ++at)
        if (expected[at] != ours[at])
            return expected[at] == "PID                 00000000:00000000:00000000" &&
                   ours[at] == "PID                 00000000:00001111:00002222";
    return false;
}

/// Files at which the reference aborts. Its output is then the beginning of ours.
const std::map<std::string, std::string> reference_aborts{
    {"gen_15.stf", "a generator without a name"},
    {"gen_254.stf", "a generator without a name"},
    {"bad_header_gen200.stf", "a generator without a name"},
    {"plat_int.stf", "an interrupt above 16"},
    {"vlen64.stf", "a vector register of 64 bits"},
    {"vlen96.stf", "a vector register of 96 bits"},
    {"vlen96.zstf", "a vector register of 96 bits"},
    {"isa_arm.stf", "not RISC-V"},
    {"isa_arm.zstf", "not RISC-V"},
    {"isa_power.stf", "not RISC-V"},
    {"isa_power.zstf", "not RISC-V"},
    {"mode_bad_value.stf", "a mode that does not exist"},
    {"event_then_branch_order.stf", "an event without an instruction, which we show"},
    {"trailing.stf", "a comment without an instruction, which we show"},
    {"order_err.stf", "an access without an instruction, which we show"},
};

struct Compared {
    int same = 0, prefix = 0, process = 0;
};

void compare(const std::string& name, Lines expected, const Lines& ours, Compared& compared) {
    INFO(name);
    if (forgets_process(expected, ours)) {
        const auto forgotten =
            std::find(expected.begin(), expected.end(), "PID                 00000000:00000000:00000000");
        *forgotten = "PID                 00000000:00001111:00002222";
        ++compared.process;
    }
    if (reference_aborts.contains(name)) {
        CHECK(ours.size() > expected.size());
        CHECK(std::equal(expected.begin(), expected.end(), ours.begin(), ours.begin() + std::ssize(expected)));
        ++compared.prefix;
    } else {
        CHECK(ours == expected);
        ++compared.same;
    }
}

}  // namespace

TEST_CASE("the instruction view of real files equals the reference's, except for disassembly") {
    const auto folder = corpus("stf/golden");
    if (!folder) return;
    Compared compared;
    for (const char* name : {"bmi_pmp.bare.stf", "stf_lib_write_test.zstf"})
        compare(name, expected_lines(golden_lines(*folder / (std::string(name) + ".dump.binutils.txt"))),
                shared_lines(view_file(*corpus(std::string("stf/") + name))), compared);
    for (const char* name : {"dhrystone.zstf", "dhrystone_opt2.zstf", "dhry_riscv.zstf"}) {
        const fs::path trace = *corpus(std::string("stf/") + name);
        const std::string golden = std::string(name) + ".dump.binutils.txt";
        Lines head = expected_lines(golden_lines(*folder / (golden + ".head300")));
        Lines first = shared_lines(view_file(trace, TraceWindow{TraceWindow::Unit::records, 0, 300}));
        first.resize(head.size());
        compare(name, std::move(head), first, compared);

        Lines tail = golden_lines(*folder / (golden + ".tail300"));
        tail.erase(tail.begin(), std::find_if(tail.begin(), tail.end(),
                                              [](const std::string& line) { return line.starts_with("INST"); }));
        const std::uint64_t number = std::stoull(tail.front().substr(10, 10));
        Lines last = shared_lines(view_file(trace, TraceWindow{TraceWindow::Unit::records, number - 1}));
        last.erase(last.begin(), std::find_if(last.begin(), last.end(), [](const std::string& line) {
                       return line.starts_with("INST32") || line.starts_with("INST16");
                   }));
        compare(name, expected_lines(tail), last, compared);
    }
    CHECK(compared.same == 8);
    CHECK(compared.process == 0);
}

TEST_CASE("the instruction view of generated files equals the reference's, except for listed files") {
    Compared compared;
    for (const char* folder : {"stf/made", "stf/made/check"}) {
        const auto root = corpus(folder);
        if (!root) return;
        for (const auto& entry : fs::directory_iterator(*root)) {
            const std::string name = entry.path().filename().string();
            if (!entry.is_regular_file()) continue;
            fs::path golden = *root / "golden" / (name + ".dump.binutils.txt");
            if (!fs::exists(golden)) golden += ".gz";
            if (!fs::exists(golden)) continue;
            compare(name, expected_lines(golden_lines(golden)), shared_lines(view_file(entry.path())), compared);
        }
    }
    CHECK(compared.prefix == 15);
    CHECK(compared.process >= 15);
    CHECK(compared.same >= 55);
}

TEST_CASE("physical addresses have the reference's values and columns") {
    constexpr std::size_t shift = 22;
    Compared compared;
    for (const char* folder : {"stf", "stf/made", "stf/made/check"}) {
        const auto root = corpus(folder);
        if (!root) return;
        for (const auto& entry : fs::directory_iterator(*root)) {
            const std::string name = entry.path().filename().string();
            fs::path golden = *root / "golden" / (name + ".dump_p.binutils.txt");
            if (!fs::exists(golden)) golden += ".gz";
            if (!fs::exists(golden) || fs::file_size(golden) < 100 || name.ends_with(".xz")) continue;
            Input input = Input::open(entry.path().string());
            Settings settings = without_disassembly();
            for (const Option& option : stf_format.options)
                if (option.key == "stf-physical") settings.set(option, "on");
            Findings findings;
            compare(name, expected_lines(golden_lines(golden), shift),
                    shared_lines(split_lines(view_instructions(input, settings, findings)), shift), compared);
        }
    }
    CHECK(compared.same >= 47);
}

namespace {

/// Returns the addresses that have a physical address in a text: "0000000080001000:0080001000".
std::multiset<std::string> translated_of_text(const Lines& lines) {
    std::multiset<std::string> all;
    for (const std::string& line : lines) {
        if (!is_any(kind_of(line), {"INST32", "INST16", "MEM"})) continue;
        for (std::size_t colon = line.find(':'); colon != std::string::npos; colon = line.find(':', colon + 1))
            all.insert(line.substr(colon - 16, line.find(' ', colon) - (colon - 16)));
    }
    return all;
}

std::string translated(const nlohmann::json& address, const nlohmann::json& physical) {
    char text[40];
    if (physical.is_null())
        std::snprintf(text, sizeof text, "%016" PRIx64 ":----------", address.get<std::uint64_t>());
    else
        std::snprintf(text, sizeof text, "%016" PRIx64 ":%010" PRIx64, address.get<std::uint64_t>(),
                      physical.get<std::uint64_t>());
    return text;
}

}  // namespace

TEST_CASE("data and text have the same physical addresses") {
    const Settings off = without_disassembly();
    Settings on = off;
    for (const Option& option : stf_format.options)
        if (option.key == "stf-physical") on.set(option, "on");
    std::size_t different = 0, files = 0;
    for (const char* folder : {"stf/made", "stf/made/check"}) {
        const auto root = corpus(folder);
        if (!root) return;
        for (const auto& entry : fs::directory_iterator(*root)) {
            const std::string name = entry.path().filename().string();
            if (!name.ends_with(".stf") || fs::file_size(entry.path()) > 300'000 || name == "tx_tilelink.stf") continue;
            INFO(name);
            const Bytes bytes = read_file(entry.path());
            std::multiset<std::string> expected = translated_of_text(view_lines(bytes, on)), found;
            const nlohmann::json document = nlohmann::json::parse(view_data(bytes, TextForm::json, on));
            for (const auto& instruction : document["instructions"]) {
                const bool stands_there = !instruction["instruction"].is_null();
                if (stands_there) found.insert(translated(instruction["pc"], instruction["physical_pc"]));
                if (stands_there && instruction.contains("target"))
                    found.insert(translated(instruction["target"], instruction["physical_target"]));
                if (!instruction.contains("accesses")) continue;
                for (const auto& access : instruction["accesses"])
                    if (access.contains("address")) found.insert(translated(access["address"], access["physical"]));
            }
            CHECK(found == expected);
            for (const std::string& pair : found)
                different += pair.ends_with(pair.substr(6, 10)) ? 0 : 1;
            ++files;
            const Lines rows = split_lines(view_data(bytes, TextForm::csv, on));
            const std::string head = split_lines(view_data(bytes, TextForm::csv, off)).front();
            CHECK(rows.front() == head + ",physical_pc,physical_target");
            CHECK(view_data(bytes, TextForm::csv, off).find("physical") == std::string::npos);
            CHECK(view_data(bytes, TextForm::json, off).find("physical_") == std::string::npos);
        }
    }
    CHECK(files > 20);
    CHECK(different > 5);

    // A trace in supervisor mode. SATP selects page tables, but no walk covers the page.
    const Bytes lost = hex(
        "01'STF' 02 01000000 05000000 04 0100 05 0200 06 0c 01 01 00 0000 07 2101080000000000 09 0010000000000000 13"
        "28 8001 14 0100000000000080 64 0000000000000040 01 0100000000000000"
        "1f 0020000000000000 3c 0830000000000000 0800 0000 01 3d 0000000000000000 f0 13000000");
    const nlohmann::json one = nlohmann::json::parse(view_data(lost, TextForm::json, on))["instructions"][0];
    CHECK(one["physical_pc"].is_null());
    CHECK(one["physical_target"].is_null());
    CHECK(one["accesses"][0]["physical"].is_null());
    CHECK(translated_of_text(view_lines(lost, on)).size() == 3);
    const std::string row = split_lines(view_data(lost, TextForm::csv, on)).back();
    CHECK(row.ends_with(",unknown,unknown"));
    CHECK(row.find("physical unknown") != std::string::npos);
}

TEST_CASE("addresses of the first instruction are translated only after its mode is known, in every output form") {
    Settings on = without_disassembly();
    for (const Option& option : stf_format.options)
        if (option.key == "stf-physical") on.set(option, "on");
    const Bytes begin = hex(
        "01'STF' 02 01000000 05000000 04 0100 05 0200 06 0c 01 01 00 0000 07 2101080000000000 09 0010000000000000 13");
    // The same trace with an access before the mode change. No walk covers the page.
    const Bytes access = hex("28 8001 14 0100000000000080 3c 0830000000000000 0800 0000 01 3d 0000000000000000");
    const Bytes supervisor = begin + access + hex("64 0000000000000040 01 0100000000000000") + nop();
    CHECK(translated_of_text(view_lines(supervisor, on)) ==
          std::multiset<std::string>{"0000000000001000:----------", "0000000000003008:----------"});
    const nlohmann::json one = nlohmann::json::parse(view_data(supervisor, TextForm::json, on))["instructions"][0];
    CHECK(one["accesses"][0]["physical"].is_null());
    CHECK(split_lines(view_data(supervisor, TextForm::csv, on)).back().find("physical unknown") != std::string::npos);
    // If no mode is stated, machine mode is assumed, in which addresses are physical.
    const nlohmann::json silent =
        nlohmann::json::parse(view_data(begin + access + nop() + nop(), TextForm::json, on))["instructions"];
    REQUIRE(silent.size() == 2);
    CHECK(silent[0]["accesses"][0]["physical"] == 0x3008);
    CHECK(silent[0]["registers"].size() == 1);
    // Records of a very long group are printed in several parts. Each part has the right instruction, also at the end
    // of the trace.
    Bytes comment = hex("03 00001000");
    comment.resize(5 + (1u << 20), std::byte{'x'});
    Bytes comments = begin;
    for (int count = 0; count < 6; ++count)
        comments = comments + comment;
    for (const Bytes& bytes : {comments + nop(), comments}) {
        const nlohmann::json parts = nlohmann::json::parse(view_data(bytes, TextForm::json, on))["instructions"];
        REQUIRE(parts.size() == 2);
        CHECK(parts[0]["part_of"] == 1);
        CHECK(parts[0]["comments"].size() + parts[1]["comments"].size() == 6);
        const Lines lines = view_lines(bytes, on);
        CHECK(std::count(lines.begin(), lines.end(),
                         "PART                of the records of instruction 1, which follows") == 1);
    }
}

TEST_CASE("all processes before an instruction are shown") {
    const Bytes some = hex("08 01000000 02000000 03000000"), other = hex("08 04000000 05000000 06000000");
    const Bytes bytes = header() + nop() + some + other + nop() + other + nop();
    const nlohmann::json all = nlohmann::json::parse(view_data(bytes, TextForm::json))["instructions"];
    REQUIRE(all.size() == 3);
    CHECK(all[1]["process"]["process"] == 5);
    REQUIRE(all[1]["replaced_processes"].size() == 1);
    CHECK(all[1]["replaced_processes"][0]["process"] == 2);
    CHECK(!all[2].contains("process"));  // unchanged
    CHECK(split_lines(view_data(bytes, TextForm::csv))[2] == "2,0x1004,4,0x13,,,4:5:6,,,,,,,,,,,,1:2:3,");
}

TEST_CASE("a range of instructions equals the reference's range") {
    int checked = 0, unread = 0;
    const TraceWindow window{TraceWindow::Unit::records, 9, 20};
    for (const char* folder : {"stf", "stf/made"}) {
        const auto root = corpus(folder);
        if (!root) return;
        for (const auto& entry : fs::directory_iterator(*root)) {
            const std::string name = entry.path().filename().string();
            const fs::path golden = *root / "golden" / (name + ".dump_H_s10_e20.binutils.txt");
            if (!entry.is_regular_file() || !fs::exists(golden) || fs::file_size(golden) == 0) continue;
            if (reference_aborts.contains(name)) continue;
            INFO(name);
            Lines ours = shared_lines(view_file(entry.path(), window));
            ours.erase(ours.begin(), std::find_if(ours.begin(), ours.end(),
                                                  [](const std::string& line) { return line.starts_with("PID"); }));
            Lines expected = expected_lines(golden_lines(golden));
            REQUIRE(!ours.empty());
            REQUIRE(!expected.empty());
            if (ours.front() == "PID                 --------:--------:--------") {  // earlier chunks were skipped
                CHECK(expected.front().starts_with("PID"));
                ours.front() = expected.front();
                ++unread;
            }
            Compared compared;
            compare(name, expected, ours, compared);
            ++checked;
        }
    }
    CHECK(checked >= 15);
    CHECK(unread >= 1);
}

namespace {

/// Returns an instruction with every kind of record.
Bytes full_instruction() {
    return hex(
        "09 0020000000000000 05 0100 08 00000000 01000000 02000000 08 00000000 03000000 04000000"
        "3c 0100000000000000 0400 0000 01 3d 0500000000000000 3c 0200000000000000 0800 0000 02 3c "
        "0300000000000000 0100 0000 07"
        "3e 0100000000000000 0200 02 41 04000000 01 3f 0600000000000000 3f 0700000000000000"
        "32 0010000000000000 0100000000000000 00100000 01 0000008000000000 0104002000000000"
        "64 0d00000000000000 02 0100000000000000 0200000000000000 65 0030000000000000"
        "64 0000000000000040 01 0900000000000000 64 0000000000000040 00 64 e703000000000000 00"
        "1f 0040000000000000 1f 0050000000000000 28 0500 51 0200000000000000 e6 03 01000000 29 0100"
        "03 02000000 0a1b f1 0100");
}

}  // namespace

TEST_CASE("all records of an instruction are shown") {
    const Lines lines = view_lines(header() + full_instruction());
    const Lines expected{
        "VERSION             1.5",
        "GENERATOR           Dromajo",
        "GEN_VERSION         1.1.0",
        "GEN_COMMENT         ",
        "ISA                 RISCV",
        "INST_IEM            RV64",
        "VLEN                0",
        "FEATURES            0000000000080021",
        "FORCE_PC            0000000000001000",
        "FORCE_PC            0000000000002000",
        "INST_IEM            RV32",
        "PID                 00000000:00000001:00000002",
        "INST_PC_TARGET      0000000000004000",
        "PID                 00000000:00000003:00000004",
        "INST16    1         0000000000002000 PC 0000000000005000          00000001",
        "                                     MEM READ          0000       0000000000000001     0000000000000005  size "
        "4",
        "                                     MEM WRITE         0000       0000000000000002                       size "
        "8",
        "                                     MEM unknown(7)    0000       0000000000000003                       size "
        "1",
        "                                     BUS READ          00000004   0000000000000001     0000000000000006  size "
        "2  "
        "GPU 65",
        "                                                                                       0000000000000007",
        "PTE                 0000000000001000 size 00001000 first_count 0000000000000001",
        "PTDESC              Num Descriptors: 1",
        "                    DESC0  PA:0000000080000000 DESC:0000000020000401",
        "                              unknown(5) REG_5                    0000000000000002",
        "                                   FAULT LOAD_PAGE_FAULT          00000001",
        "                                                                  00000002",
        "                                  TARGET                          0000000000003000",
        "                                    MODE unknown(9)",
        "                                    MODE no mode",
        "                                   FAULT unknown(999)             ",
        "    COMMENT         \\x0a\\x1b",
        "                                   UOp24                                          00000001",
        "                                ReadyReg 1",
    };
    CHECK(lines == expected);
}

TEST_CASE("contents without an access, and records without their instruction, are marked") {
    const Lines lines =
        view_lines(header() + nop() + hex("3d 0100000000000000 3f 0200000000000000 1f 0040000000000000 04 0100"));
    const Lines expected{
        "INST32    1         0000000000001000                              00000013",
        "NO_INST             the trace ends before the instruction of these records",
        "INST_PC_TARGET      0000000000004000",
        "ISA                 RISCV",
        "                                     MEM no access                                     0000000000000001",
        "                                     BUS no access                                     0000000000000002",
    };
    REQUIRE(lines.size() == 10 + expected.size());
    CHECK(Lines(lines.begin() + 10, lines.end()) == expected);
}

TEST_CASE("instructions before damage are shown, and so are the records after the last instruction") {
    const Bytes whole = header() + nop() + nop() + hex("3c 0100000000000000 0400 0000 01");
    for (const char* damage : {"3d 0500", "0e", "00"}) {
        const Bytes bytes = whole + hex(damage);
        Input input = Input::memory("memory", bytes);
        Findings findings;
        const Lines lines = split_lines(view_instructions(input, without_disassembly(), findings));
        INFO(damage);
        CHECK(findings.effect() != Effect::harmless);
        REQUIRE(lines.size() == 14);
        CHECK(lines[11] == "INST32    2         0000000000001004                              00000013");
        CHECK(lines[12] == "NO_INST             the trace ends before the instruction of these records");
        CHECK(kind_of(lines[13]) == "MEM");
    }
}

TEST_CASE("windows count instructions from 0, the view counts from 1; the state before a window is known") {
    Settings settings = without_disassembly();
    settings.window = TraceWindow{TraceWindow::Unit::records, 2, 3};
    const Lines lines = view_lines(
        header() + nop() + hex("08 00000000 03000000 04000000") + nop() + nop() + nop() + hex("0e"), settings);
    CHECK(Lines(lines.begin() + 9, lines.end()) ==
          Lines{"PID                 00000000:00000003:00000004",
                "INST32    3         0000000000001008                              00000013"});
}

TEST_CASE("a long run of records without an instruction is printed in parts") {
    Bytes bytes = header();
    const Bytes bus = hex("3e 0100000000000000 0200 02 41 04000000 01 3f 0600000000000000");
    for (int count = 0; count < 100'000; ++count)
        bytes.insert(bytes.end(), bus.begin(), bus.end());
    for (int count = 0; count < 100'000; ++count)  // more contents of the last access
        bytes.insert(bytes.end(), bus.begin() + 18, bus.end());
    const Lines lines = view_lines(bytes + nop());
    const auto is = [](std::string_view kind) {
        return [=](const std::string& line) { return kind_of(line) == kind; };
    };
    CHECK(std::count_if(lines.begin(), lines.end(), is("BUS")) == 100'000);
    CHECK(std::count_if(lines.begin(), lines.end(), is("0000000000000006")) == 100'000);
    CHECK(std::count_if(lines.begin(), lines.end(), is("PART")) >= 4);
    Bytes comment = hex("03 00001000");
    comment.resize(5 + (1u << 20), std::byte{'x'});
    bytes = header();
    for (int count = 0; count < 20; ++count)
        bytes.insert(bytes.end(), comment.begin(), comment.end());
    const Lines comments = view_lines(bytes + nop());
    CHECK(std::count_if(comments.begin(), comments.end(), is("COMMENT")) == 20);
    CHECK(std::count_if(comments.begin(), comments.end(), is("PART")) >= 4);
    CHECK(*std::find_if(lines.begin(), lines.end(), is("PART")) ==
          "PART                of the records of instruction 1, which follows");
    CHECK(std::count_if(lines.begin(), lines.end(), is("INST32")) == 1);
}

TEST_CASE("as data, an instruction is an object or a row with all its records") {
    const Bytes bytes = header() + nop() + full_instruction() + hex("3d 0100000000000000 1f 0040000000000000");
    const Lines lines = split_lines(view_data(bytes, TextForm::jsonl));
    REQUIRE(lines.size() == 4);
    CHECK(lines[0] ==
          R"({"schema":"hwtrace-stf-instructions/1","tool":"hwtrace","version":"","header":{"version":"1.5",)"
          R"("isa":"RISCV","inst_iem":"RV64","features":524321,"force_pc":4096,)"
          R"("trace_info":[{"generator":"Dromajo","version":"1.1.0","comment":""}],"comments":[]}})");
    CHECK(lines[1] == R"({"instruction":1,"pc":4096,"size":4,"encoding":19,)"
                      R"("process":{"hardware_thread":0,"process":0,"thread":0}})");
    CHECK(lines[2] ==
          R"({"instruction":2,"pc":8192,"size":2,"encoding":1,"target":20480,)"
          R"("process":{"hardware_thread":0,"process":3,"thread":4},)"
          R"("accesses":[{"type":"READ","address":1,"size":4,"attributes":0,"data":[5]},)"
          R"({"type":"WRITE","address":2,"size":8,"attributes":0,"data":[]},)"
          R"~({"type":"unknown(7)","address":3,"size":1,"attributes":0,"data":[]}],)~"
          R"("bus_accesses":[{"type":"READ","address":1,"size":2,"master":"GPU","index":65,)"
          R"("attributes":4,"data":[6,7]}],)"
          R"("page_table_walks":[{"address":4096,"first_access":1,"page_size":4096,)"
          R"("entries":[{"address":2147483648,"pte":536871937}]}],)"
          R"~("registers":[{"role":"unknown(5)","register":"REG_5","value":2}],)~"
          R"("events":[{"class":"FAULT","event":"LOAD_PAGE_FAULT","fields":[1,2],"target":12288},)"
          R"({"class":"MODE","event":"MODE_CHANGE","fields":[9]},{"class":"MODE","event":"MODE_CHANGE","fields":[]},)"
          R"~({"class":"FAULT","event":"unknown(999)","fields":[]}],)~"
          R"("comments":["\n\u001b"],"microops":[{"size":3,"encoding":1}],"ready_registers":[1],)"
          R"("force_pc":[8192],"inst_iem":["RV32"],"replaced_targets":[16384],)"
          R"("replaced_processes":[{"hardware_thread":0,"process":1,"thread":2}]})");
    CHECK(lines[3] == R"({"instruction":null,"target":16384,"accesses":[{"type":null,"data":[1]}]})");
    const Lines rows = split_lines(view_data(bytes, TextForm::csv));
    REQUIRE(rows.size() == 4);
    CHECK(rows[2].find("\\x0a\\x1b") != std::string::npos);  // the comment
    CHECK(rows[1] == "1,0x1000,4,0x13,,,0:0:0,,,,,,,,,,,,,");
    CHECK(rows[2].starts_with("2,0x2000,2,0x1,0x5000,,0:3:4,READ address 0x1 size 4 attributes 0x0 data 0x5; WRITE "));
    CHECK(rows[3] == ",,,,0x4000,,,no access data 0x1,,,,,,,,,,,,");
}

TEST_CASE("data of real and generated traces can be parsed and has all instructions") {
    for (const auto& [name, count] : std::map<std::string, std::size_t>{
             {"bmi_pmp.bare.stf", 36}, {"made/all_rv64.stf", 128}, {"made/rv32_event32.zstf", 125}}) {
        const auto path = corpus("stf/" + name);
        if (!path) return;
        CAPTURE(path->string());
        const Bytes bytes = read_file(*path);
        const auto document = nlohmann::json::parse(view_data(bytes, TextForm::json));
        CHECK(document["schema"] == "hwtrace-stf-instructions/1");
        const auto& instructions = document["instructions"];
        CHECK(instructions.size() == count);
        CHECK(instructions.back()["instruction"] == count);
        const Lines lines = split_lines(view_data(bytes, TextForm::jsonl));
        REQUIRE(lines.size() == count + 1);
        for (std::size_t at = 0; at < count; ++at)
            CHECK(nlohmann::json::parse(lines[at + 1]) == instructions[at]);
    }
}

TEST_CASE("data can be printed for a window, and for a run of records without an instruction") {
    Settings settings = without_disassembly();
    settings.window = TraceWindow{TraceWindow::Unit::records, 1, 2};
    const Bytes bus = hex("3e 0100000000000000 0200 02 41 04000000 01 3f 0600000000000000");
    Bytes bytes = header() + nop() + nop();
    CHECK(split_lines(view_data(bytes, TextForm::csv, settings)).size() == 2);
    for (int count = 0; count < 60'000; ++count)
        bytes.insert(bytes.end(), bus.begin(), bus.end());
    const auto document = nlohmann::json::parse(view_data(bytes + nop(), TextForm::json));
    std::size_t accesses = 0, parts = 0;
    for (const auto& instruction : document["instructions"]) {
        if (instruction.contains("bus_accesses")) accesses += instruction["bus_accesses"].size();
        if (instruction.contains("part_of")) {
            CHECK(instruction["part_of"] == 3);
            ++parts;
        }
    }
    CHECK(accesses == 60'000);
    CHECK(parts >= 1);
}

}  // namespace stf_instructions_test
