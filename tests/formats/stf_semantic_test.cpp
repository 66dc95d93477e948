// Tests the findings of `--level semantic` in STF traces, and their absence.
#include <algorithm>
#include <map>
#include <set>

#include "formats/stf_support.hpp"
#include "support/corpus.hpp"
#include "support/hex.hpp"

namespace stf_semantic_test {

using namespace hwtrace;
using namespace hwtrace::test;

namespace {

using Lines = std::vector<std::string>;

Settings semantic() {
    Settings settings;
    settings.check = CheckLevel::semantic;
    return settings;
}

/// Returns the findings of a trace as "STF080@45".
Lines told(const Bytes& bytes) {
    return read_bytes(bytes, semantic()).findings;
}

/// Returns header() without the feature PHYSICAL_ADDRESS, because the bodies in this test have no physical addresses.
Bytes modest_header() {
    constexpr std::size_t features_at = 27;
    Bytes bytes = header();
    bytes[features_at] &= ~std::byte{1};
    return bytes;
}

/// Returns the findings of a body after modest_header(), which has 45 bytes.
Lines reported(std::string_view body) {
    return told(modest_header() + hex(body));
}

std::set<std::string> ids(const Lines& lines) {
    std::set<std::string> ids;
    for (const std::string& line : lines)
        ids.insert(line.substr(0, line.find('@')));
    return ids;
}

Lines found_in(const std::filesystem::path& path) {
    const Bytes bytes = read_file(path);
    Input input = Input::memory(path.filename().string(), bytes);
    return read_input(input, semantic()).findings;
}

constexpr std::string_view load = "f0 03b50500", store = "f0 23b0a500", jump = "f0 6f000001", add = "f0 3307b600";
constexpr std::string_view read_access = "3c 0020000000000000 0800 0000 01 3d 0100000000000000";
constexpr std::string_view write_access = "3c 0020000000000000 0800 0000 02 3d 0100000000000000";

std::string join(std::initializer_list<std::string_view> parts) {
    std::string text;
    for (const std::string_view part : parts)
        text.append(part).append(" ");
    return text;
}

}  // namespace

TEST_CASE("stf: the reference checker's examples give exactly the expected findings") {
    const std::map<std::string, std::set<std::string>> promised{
        {"bad_decode", {"STF079"}},
        {"bad_header_gen0", {"STF011"}},
        {"bad_header_gen200", {"STF011"}},
        {"bad_mem_zero", {"STF085"}},
        {"bad_miss_load", {"STF080"}},
        {"bad_pc_odd16", {"STF070"}},
        {"bad_pc_odd32", {"STF070"}},
        {"bad_phys_flag_no_pa", {"STF073"}},
        {"bad_pte_flag_missing", {"STF072"}},
        {"bad_rv64_flag_missing", {"STF071"}},
        {"bad_rv64_flag_on_rv32", {"STF071"}},
        {"bad_uncond_br", {"STF088"}},
        {"branch_and_event", {"STF090"}},         // the jump encodes another target
        {"event_then_branch_order", {"STF026"}},  // the reference writer stopped after the event
        {"fault_repeat", {}},
        {"force_pc_only", {}},
        {"iem_change", {}},
        {"mode_bad_value", {"STF040"}},
        {"ok_machine", {}},
        {"ok_sv39", {}},
        {"order_err", {"STF026"}},  // the reference writer stopped after the access
    };
    const auto root = corpus("stf/made/check");
    if (!root) return;
    const std::set<std::string> never_finished{"event_then_branch_order", "order_err"};
    for (const auto& promise : promised) {
        const auto& name = promise.first;
        const auto& rules = promise.second;
        CAPTURE(name);
        const auto plain = *root / (name + ".stf"), chunked = *root / (name + ".zstf");
        const Lines lines = found_in(plain);
        CHECK(ids(lines) == rules);
        CHECK(lines.size() == rules.size());
        CHECK(ids(found_in(chunked)) == (never_finished.contains(name) ? std::set<std::string>{"STF052"} : rules));
    }
}

TEST_CASE("stf: real traces have no semantic error, and their oddities are reported once") {
    const std::map<std::string, Lines> expected{
        {"bmi_pmp.bare.stf", {"STF073@1060", "STF081@760", "STF082@63"}},
        {"dhry_riscv.zstf", {"STF073@30156", "STF083@20", "STF084@20"}},
        {"dhrystone.zstf", {"STF073@10378"}},
        {"dhrystone_opt2.zstf", {"STF073@1908", "STF080@20", "STF081@20"}},
    };
    const auto root = corpus("stf");
    if (!root) return;
    for (const auto& trace : expected) {
        const auto& name = trace.first;
        const auto& lines = trace.second;
        CAPTURE(name);
        Findings findings;
        Input input = Input::open((*root / name).string());
        const Settings settings = semantic();
        const auto reader = stf_format.open(input, settings, findings);
        Batch batch;
        while (reader->read(batch))
            batch.clear();
        Lines found = finding_lines(findings);
        std::sort(found.begin(), found.end());
        CHECK(found == lines);
        CHECK(findings.total_at_least(Severity::error) == 0);
    }
}

TEST_CASE("stf: a consistent trace has no findings") {
    CHECK(read_bytes(load_sample(testdata("stf/valid/sensible.hex")).bytes, semantic()).findings == Lines{});
}

TEST_CASE("stf: semantic checks run only at their level") {
    Settings settings;
    settings.check = CheckLevel::full;
    CHECK(read_bytes(header() + hex(load), settings).findings == Lines{});
    CHECK(reported(load) == Lines{"STF080@45"});
}

TEST_CASE("stf: every instruction is checked once, including the last one") {
    CHECK(reported(join({add, load})) == Lines{"STF080@50"});
    const Seen seen = read_bytes(header() + hex(join({load, add, add})), semantic());
    CHECK(std::count_if(seen.findings.begin(), seen.findings.end(),
                        [](const std::string& line) { return line.starts_with("STF080"); }) == 1);
}

TEST_CASE("stf: a repeated fault is reported once, with its count") {
    Findings findings;
    const Bytes bytes = header() + hex(join({load, load, store, load}));
    Input input = Input::memory("memory", bytes);
    const Settings settings = semantic();
    const auto reader = stf_format.open(input, settings, findings);
    Batch batch;
    while (reader->read(batch))
        batch.clear();
    const auto& kept = findings.kept();
    const auto found = std::find_if(kept.begin(), kept.end(), [](const Finding& f) { return f.rule->id == "STF080"; });
    REQUIRE(found != kept.end());
    CHECK(found->offset == 45);
    CHECK(found->ordinal == 8u);
    CHECK(found->got == "none for encoding 0x5b503 at pc 0x1000, the first of 3");
}

TEST_CASE("stf: events explain missing records") {
    const std::string_view fault = "64 0d00000000000000 01 0010000000000000 65 0080000000000000";
    CHECK(reported(join({fault, load, add})) == Lines{});
    CHECK(reported(join({fault, store, add})) == Lines{});
    CHECK(reported(join({fault, jump, add})) == Lines{});
    CHECK(reported(join({fault, "f0 ffffffff"})) == Lines{});
    // An interrupt changes the next pc, but not the target of the jump.
    CHECK(reported(join({"1f 1010000000000000 64 0700000000000080 01 0700000000000000 65 0040000000000000", jump,
                         add})) == Lines{});
}

TEST_CASE("stf: a jump without a target is reported, unless the next pc is explained") {
    CHECK(reported(join({jump, add})) == Lines{"STF088@45"});
    CHECK(reported(jump) == Lines{});                                      // the last instruction
    CHECK(reported(join({jump, "09 0050000000000000", add})) == Lines{});  // a gap
    CHECK(reported(join({jump, "f0 67800000"})) == Lines{"STF088@45"});    // ret, the last instruction
    CHECK(reported(join({"f0 6f004000", add})) == Lines{});                // j .+4 leads to the next instruction
    CHECK(reported(join({"1f 1010000000000000", jump, add})) == Lines{});
    CHECK(reported(join({"f0 63080500", add})) == Lines{});                      // a branch not taken
    CHECK(reported(join({"1f 1010000000000000 f0 63080500", add})) == Lines{});  // beqz a0,.+16
    CHECK(reported(join({"1f 1210000000000000 f0 63080500", add})) == Lines{"STF090@45"});
    CHECK(reported(join({"1f 0020000000000000 f0 73002030", add})) == Lines{});  // mret
    CHECK(reported(join({"1f 0020000000000000 f0 0b000000", add})) == Lines{});  // a custom extension
    CHECK(reported(join({"1f 0020000000000000", add})) == Lines{"STF089@45"});
}

TEST_CASE("stf: a change of the mode explains only modes") {
    const std::string_view mode = "64 0000000000000040 01 0300000000000000";
    CHECK(reported(join({mode, jump, add})) == Lines{"STF088@63"});
    CHECK(reported(join({mode, load, add})) == Lines{"STF080@63"});
    CHECK(reported(join({mode, "f0 ffffffff"})) == Lines{"STF079@63"});
    CHECK(reported(join({"1f 0020000000000000", mode, add})) == Lines{"STF089@45"});
}

TEST_CASE("stf: returns from traps without a target and system calls without an event are reported") {
    CHECK(reported(join({"f0 73002030", add})) == Lines{"STF096@45"});                 // mret
    CHECK(reported(join({"f0 73002010", "f0 73002030", add})) == Lines{"STF096@45"});  // one finding with a count
    CHECK(reported(join({"f0 73002030"})) == Lines{});                                 // the last instruction
    CHECK(reported(join({"f0 73002030", "09 0050000000000000", add})) == Lines{});     // a gap
    CHECK(reported(join({"64 0700000000000080 01 0700000000000000 65 0040000000000000", "f0 73002030", add})) ==
          Lines{});
    CHECK(ids(reported(join({"65 0040000000000000", "f0 73002030", add}))) == std::set<std::string>{"STF032"});
    CHECK(reported(join({"1f 0020000000000000 f0 73000000", add})) == Lines{"STF097@45"});  // ecall
    CHECK(reported(join({"1f 0020000000000000 f1 0290", add})) == Lines{"STF097@45"});      // c.ebreak
    CHECK(reported(join({"64 0800000000000000 01 0000000000000000 65 0040000000000000 f0 73000000", add})) == Lines{});
}

TEST_CASE("stf: if an event has no target, the target of the instruction may be its handler") {
    CHECK(reported(join({"1f 0080000000000000 64 0700000000000080 01 0700000000000000", jump, add})) == Lines{});
    CHECK(reported(join({"1f 0080000000000000 64 0700000000000080 01 0700000000000000 65 0040000000000000", jump,
                         add})) == Lines{"STF090@45"});
}

TEST_CASE("stf: atomic, masked and cache operations may have any access or none") {
    CHECK(reported("f0 2fb5b518") == Lines{});  // sc.d may fail, so it needs no access
    CHECK(reported("f0 07610500") == Lines{});  // vle32.v may be masked
    CHECK(reported("f0 0f204500") == Lines{});  // cbo.zero
    CHECK(reported(join({write_access, "f0 0f204500"})) == Lines{});
    CHECK(reported("f0 2f35b500") == Lines{"STF080@45"});  // amoadd.d
    CHECK(reported(join({read_access, "f0 2f35b500"})) == Lines{});
    CHECK(reported(join({write_access, "f0 2f35b500"})) == Lines{});
    CHECK(ids(reported(join({write_access, load}))) == std::set<std::string>{"STF080", "STF082"});
}

TEST_CASE("stf: the majority of accesses decides whether sizes are in bytes or in bits") {
    const auto access = [](std::string_view size) {
        return "3c 0020000000000000 " + std::string(size) + " 0000 01 3d 0100000000000000 f0 03b50500 ";
    };
    CHECK(reported(access("0800")) == Lines{});
    CHECK(reported(access("4000")) == Lines{"STF084@45"});
    CHECK(reported(access("4000") + access("4000") + access("0800")) == Lines{"STF084@45", "STF083@101"});
    CHECK(reported(access("0800") + access("0800") + access("4000")) == Lines{"STF083@101"});
    CHECK(reported(access("0400")) == Lines{"STF083@45"});
    // A misaligned address may be accessed in two parts, so the size is not checked.
    CHECK(reported(join({"3c 0020000000000000 0400 0000 01 3d 0100000000000000",
                         "3c 0420000000000000 0400 0000 01 3d 0100000000000000", load})) == Lines{});
}

TEST_CASE("stf: records keep the group order of the reference writer") {
    CHECK(reported(join({read_access, read_access, "28 0500 21 0700000000000000", load})) == Lines{});
    CHECK(reported(join({"28 0500 21 0700000000000000 1f 1010000000000000", jump})) == Lines{});
    CHECK(reported(join({read_access, "03 01000000 'x'", "28 0500 21 0700000000000000", load})) == Lines{});
    CHECK(reported(join({read_access, "1f 1010000000000000", load})) == Lines{"STF087@68", "STF089@68"});
    CHECK(reported(join({"29 0e00", add, "28 0500 21 0700000000000000", add})) == Lines{});  // the next group
}

TEST_CASE("stf: user mode is entered by returns from traps") {
    const std::string_view to_user = "64 0000000000000040 01 0000000000000000";
    CHECK(reported(join({add, "1f 0040000000000000", to_user, "f0 73002010", add})) == Lines{});  // sret
    CHECK(reported(join({to_user, add})) == Lines{});  // the first instruction
    CHECK(reported(join({add, to_user, add})) == Lines{"STF091@50"});
    CHECK(reported(join({to_user, add, to_user, add})) == Lines{});  // already user mode
    CHECK(ids(reported(join({add, "08 00000000 01000000 01000000", to_user, add}))) ==
          std::set<std::string>{"STF095"});  // another process
}

TEST_CASE("stf: events at the end of a trace belong to a missing instruction") {
    const Seen seen = read_bytes(header() + nop() + hex("64 0d00000000000000 01 0010000000000000"), semantic());
    CHECK(ids(seen.findings).contains("STF026"));
    CHECK(seen.effect == Effect::incomplete);
    CHECK(reported("f0 13000000 03 01000000 'x'") == Lines{});
}

TEST_CASE("stf: an encoding mode in the body applies from that point on") {
    CHECK(reported("05 0100 f0 1b050502") == Lines{"STF079@48"});  // addiw, which RV32 lacks
    CHECK(reported("f0 1b050502 05 0100") == Lines{});
    CHECK(reported("05 0900 f0 1b050502") == Lines{"STF010@45"});
}

TEST_CASE("stf: encodings of other ISAs are not decoded") {
    Bytes arm = modest_header() + hex("f0 ffffffff f0 03b50500");
    arm[14] = std::byte{2};
    CHECK(told(arm) == Lines{"STF098@13"});
    Bytes other_mode = modest_header() + nop();
    other_mode[17] = std::byte{7};
    CHECK(told(other_mode) == Lines{"STF010@16"});
}

TEST_CASE("stf: header contents newer than the version are reported, unless the version is missing") {
    Bytes old = modest_header() + nop();
    old[9] = std::byte{4};  // VERSION 1.4, with 64-bit event ids
    CHECK(told(old) == Lines{"STF094@26"});
    Bytes unversioned = modest_header() + nop();
    unversioned.erase(unversioned.begin() + 4, unversioned.begin() + 13);
    CHECK(ids(told(unversioned)) == std::set<std::string>{"STF002", "STF005"});
}

}  // namespace stf_semantic_test
