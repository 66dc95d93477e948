// Tests damaged files: each rule is reported at the right place, and all records before the damage are delivered.
#include <doctest/doctest.h>

#include <filesystem>
#include <map>
#include <random>
#include <set>

#include "formats/stf_support.hpp"
#include "support/corpus.hpp"
#include "support/sample.hpp"

namespace stf_damage_test {

using namespace hwtrace;
using namespace hwtrace::test;

namespace fs = std::filesystem;
using Lines = std::vector<std::string>;

namespace {

struct Sample {
    std::string finding;  ///< "STF020@51"
    Bytes bytes;
};

Bytes replaced(Bytes bytes, std::size_t at, std::string_view with) {
    const Bytes patch = hex(with);
    std::copy(patch.begin(), patch.end(), bytes.begin() + static_cast<std::ptrdiff_t>(at));
    return bytes;
}

Bytes cut(const Bytes& bytes, std::size_t size) {
    return {bytes.begin(), bytes.begin() + static_cast<std::ptrdiff_t>(size)};
}

/// A file of four instructions in two chunks, with the offsets of the index and of the second chunk.
struct Zstf {
    Bytes bytes =
        rewrite_bytes(header() + nop() + nop() + nop() + nop(), choose({{"stf-container", "zstf"}, {"stf-chunk", "2"}}))
            .bytes;
    std::size_t index = load_le<std::uint64_t>(bytes.data() + 12);
    std::size_t second = load_le<std::uint64_t>(bytes.data() + index + 32);
};

/// Returns one file per rule. The first finding of each file is about its rule.
std::vector<Sample> negative_samples() {
    const Zstf zstf;
    const auto at = [](std::string_view rule, std::size_t offset) {
        return std::string(rule) + "@" + std::to_string(offset);
    };
    const Bytes gzip = rewrite_bytes(header() + nop(), choose({{"stf-container", "gz"}})).bytes;
    const Bytes zstd = rewrite_bytes(header() + nop(), choose({{"stf-container", "zst"}})).bytes;
    const Bytes xz = rewrite_bytes(header() + nop(), choose({{"stf-container", "xz"}})).bytes;
    const Bytes short_chunk =
        rewrite_bytes(header() + nop() + nop() + nop(), choose({{"stf-container", "zstf"}, {"stf-chunk", "1"}})).bytes;
    const Bytes three = rewrite_bytes(header() + nop() + nop() + nop() + nop() + nop(),
                                      choose({{"stf-container", "zstf"}, {"stf-chunk", "2"}}))
                            .bytes;
    const std::size_t index_of_three = load_le<std::uint64_t>(three.data() + 12);
    const std::size_t second_of_three = load_le<std::uint64_t>(three.data() + index_of_three + 32);
    const std::size_t third_of_three = load_le<std::uint64_t>(three.data() + index_of_three + 56);
    // The file has two separate frames, the first of which ends after a comment.
    const auto frame = [](const Bytes& records) {
        return rewrite_bytes(records, choose({{"stf-container", "zst"}})).bytes;
    };
    const Bytes first_frame = frame(header() + nop() + hex("03 00000000"));
    const Bytes identifier = hex("01'STF'"), version = hex("02 01000000 05000000"), isa = hex("04 0100"),
                mode = hex("05 0200"), info = hex("06 0c 01 01 00 0000"), features = hex("07 2100080000000000"),
                start = hex("09 0010000000000000"), end = hex("13");
    const Bytes bus = identifier + version + info + hex("07 0000100000000000 0b 01 0c 01 0000");
    const Bytes transaction = hex("fa 0100000000000000 0000000000000000 01 0000 05 0000000000000000");
    const Bytes transactions = bus + end + transaction;
    return {
        {"STF001@0", hex("02 01000000 05000000")},
        {"STF002@4", identifier + isa + version + mode + info + features + start + end},
        {"STF003@4", identifier + hex("02 02000000 00000000") + end},
        {"STF004@4", identifier + hex("02 01000000 07000000") + isa + mode + info + features + start + end},
        {"STF005@38", identifier + version + isa + mode + features + start + hex("13")},
        {"STF006@44", open_header() + isa + end},
        {"STF007@44", open_header() + nop()},
        {"STF008@44", open_header()},
        {"STF009@44", open_header() + hex("0a 20000000 13")},
        {"STF010@13", identifier + version + hex("04 0500") + mode + info + features + start + end},
        {"STF010@16", identifier + version + isa + hex("05 ffff") + info + features + start + end},
        {"STF011@19", identifier + version + isa + mode + hex("06 64 01 01 00 0000") + features + start + end},
        {"STF020@50", header() + nop() + hex("f0 1300")},
        {"STF020@45", header() + hex("03 ffffffff 'x'")},
        {"STF021@50", header() + nop() + hex("0e")},
        {"STF022@50", header() + nop() + hex("00 00")},
        {"STF023@50", header() + nop() + hex("ff")},
        {"STF021@50", header() + nop() + hex("ff ff")},
        {"STF024@45", header() + hex("28 0100 13 0000000000000000") + nop()},
        {"STF025@45", header() + hex("fa 0000") + nop()},
        {"STF026@50", header() + nop() + hex("1f 0030000000000000")},
        {"STF030@45", header() + isa + nop()},
        {"STF031@45", header() + hex("3d 0000000000000000") + nop()},
        {"STF032@45", header() + hex("65 0000000000000000") + nop()},
        {"STF033@45", header() + hex("3c 0810000000000000 0800 0000 00") + nop()},
        {"STF034@45", header() + hex("28 0100 41 0000000000000000") + nop()},
        {"STF035@45", header() + hex("28 2100 11 0000000000000000") + nop()},
        {"STF036@54", header() + hex("1f 0030000000000000 1f 0030000000000000") + nop()},
        {"STF037@45", header() + hex("3f 0000000000000000") + nop()},
        {"STF038@45", header() + hex("3e 0010000000000000 0800 07 00 00000000 01") + nop()},
        {"STF039@45", header() + hex("64 4000000000000000 00") + nop()},
        {"STF040@45", header() + hex("64 0000000000000040 01 0400000000000000") + nop()},
        {"STF041@45", header() + hex("e6 03 00000000") + nop()},
        {"STF050@19", cut(zstf.bytes, 19)},
        {"STF051@4", replaced(zstf.bytes, 4, "0000000000000000")},
        {"STF052@12", replaced(zstf.bytes, 12, "0000000000000000")},
        {"STF053@12", replaced(zstf.bytes, 12, "1500000000000000")},
        {at("STF054", zstf.bytes.size() - 1), cut(zstf.bytes, zstf.bytes.size() - 1)},
        {at("STF054", zstf.index), cut(zstf.bytes, zstf.index)},
        {at("STF055", zstf.index), replaced(zstf.bytes, zstf.index, "0300000000000000")},
        {at("STF056", zstf.index + 32), replaced(zstf.bytes, zstf.index + 32, "1500000000000000")},
        {at("STF057", zstf.index + 24), replaced(zstf.bytes, zstf.index + 24, "0100000000000000")},
        {at("STF058", zstf.index + 40), replaced(zstf.bytes, zstf.index + 40, "0000000000000000")},
        {"STF059@20", replaced(short_chunk, 4, "0200000000000000")},
        {"STF060@20", hex("'ZSTF' 0100000000000000 0000000000000000") + first_frame + frame(header())},
        {"STF061", replaced(zstf.bytes, zstf.second + 4, "ffffffff")},
        {at("STF061", zstf.second), replaced(zstf.bytes, zstf.second, "29")},
        {at("STF061", zstd.size()), zstd + hex("00 00")},
        {at("STF062", zstf.second), cut(zstf.bytes, zstf.second)},
        {at("STF062", zstf.second + 8), cut(zstf.bytes, zstf.second + 8)},
        {at("STF063", zstf.bytes.size()), zstf.bytes + hex("00")},
        {at("STF121", zstf.bytes.size()), zstf.bytes + zstf.bytes},
        {"STF064", replaced(gzip, gzip.size() - 8, "00000000")},
        {"STF065", cut(gzip, gzip.size() - 1)},
        {"STF066", replaced(xz, xz.size() - 2, "00")},
        {at("STF067", xz.size() - 1), cut(xz, xz.size() - 1)},
        {at("STF068", second_of_three), replaced(three, second_of_three + 4, "ffffffff")},
        {at("STF069", third_of_three), cut(replaced(three, second_of_three + 4, "ffffffff"), index_of_three)},
        {"STF110@65", transactions + nop()},
        {"STF111@36", replaced(transactions, 30, "02")},
        {"STF112@36", replaced(transactions, 56, "00")},
        {"STF113@36", replaced(transactions, 54, "0100")},
        {"STF114@40", bus + hex("0c 01 0000 13")},
        {"STF115@36", replaced(transactions, 53, "02")},
        {"STF116@65", transactions + hex("fb 0100000000000000 0000000000000000 01")},
        {"STF117@36", bus + end + hex("fb 0100000000000000 0000000000000000 01") + transaction},
        {"STF118@65", transactions + transaction},
        {"STF119@36", replaced(transactions, 45, "00000000000000 80")},
    };
}

bool is_prefix(const Lines& part, const Lines& whole) {
    return part.size() <= whole.size() && std::equal(part.begin(), part.end(), whole.begin());
}

/// Removes the raw records of a cut instruction at the end. All other lines also occur in the whole file.
Lines without_raw_tail(Lines lines) {
    while (!lines.empty() && lines.back().starts_with("native"))
        lines.pop_back();
    return lines;
}

}  // namespace

TEST_CASE("every rule is reported at its offset in a file that violates it") {
    std::set<std::string_view> found;
    for (const Sample& sample : negative_samples()) {
        const Seen seen = read_bytes(sample.bytes);
        INFO(sample.finding);
        const bool with_offset = sample.finding.find('@') != std::string::npos;
        const bool hit = std::any_of(seen.findings.begin(), seen.findings.end(), [&](const std::string& finding) {
            return with_offset ? finding == sample.finding : finding.starts_with(sample.finding);
        });
        CHECK_MESSAGE(hit, seen.findings);
        for (const Rule& rule : stf_format.rules)
            if (sample.finding.starts_with(rule.id)) found.insert(rule.id);
    }
    // Samples for semantic rules are only in testdata/.
    const auto is_of_meaning = [](std::string_view id) { return (id >= "STF070" && id < "STF100") || id >= "STF120"; };
    for (const Rule& rule : stf_format.rules)
        if (!is_of_meaning(rule.id)) CHECK_MESSAGE(found.contains(rule.id), rule.id);
}

TEST_CASE("rules have unique ids in ascending order, a title and a reason") {
    std::string_view last;
    for (const Rule& rule : stf_format.rules) {
        CHECK(last < rule.id);
        CHECK(rule.id.starts_with("STF"));
        CHECK(!rule.title.empty());
        CHECK(!rule.section.empty());
        CHECK(!rule.why.empty());
        last = rule.id;
    }
}

TEST_CASE("damaged files of the corpus have the expected findings") {
    const std::map<std::string, std::string> expected{
        {"p01_empty.stf", "STF001"},
        {"p03_trunc_ident.stf", "STF008"},
        {"p05_only_version.stf", "STF008"},
        {"p07_desc0.stf", "STF022"},
        {"p09_desc255_end.stf", "STF023"},
        {"p11_trunc_opcode.stf", "STF020"},
        {"p13_trunc_desc.stf", "STF020"},
        {"p15_traceinfo_len.stf", "STF020"},
        {"p17_pte_255_trunc.stf", "STF020"},
        {"p19_isa99.stf", "STF010"},
        {"p20b_iem77.stf", "STF010"},
        {"p21b_ver1_7.stf", "STF004"},
        {"p23_ver0_1.stf", "STF003"},
        {"p25_no_traceinfo.stf", "STF005"},
        {"p27_dup_isa.stf", "STF006"},
        {"p29_vlen0.stf", "STF009"},
        {"p31_vlen_max.stf", "STF020"},
        {"p32_regtype0.stf", "STF034"},
        {"p33_operand0.stf", "STF034"},
        {"p34_memtype0.stf", "STF033"},
        {"p35_event40.stf", "STF039"},
        {"p36_content_no_access.stf", "STF031"},
        {"p38_random.stf", "STF001"},
        {"p39_mode_nofield.stf", "STF040"},
        {"p40_isa_in_body.stf", "STF030"},
        {"p42_bus_type9.stf", "STF038"},
        {"z02_magic_only.zstf", "STF050"},
        {"z04_chunk0.zstf", "STF051"},
        {"z06_end_past.zstf", "STF053"},
        {"z07b_end_20.zstf", "STF053"},
        {"z08b_count_big.zstf", "STF055"},
        {"z10_count1.zstf", "STF055"},
        {"z12_offset_past.zstf", "STF056"},
        {"z14_usize_minus1.zstf", "STF057"},
        {"z15b_usize0.zstf", "STF057"},
        {"z17_chunk2.zstf", "STF059"},
        {"z18_flip1.zstf", "STF021"},
        {"z18_flip3.zstf", "STF061"},
        {"z19_trunc_half.zstf", "STF062"},
        {"z21_ok_selfmade.zstf", ""},
        {"z23_short_middle.zstf", "STF059"},
        {"z25_trailing_nonmarker.zstf", ""},
        {"z27_comment_len_oob.zstf", "STF020"},
        {"z30_trailing_garbage.zstf", "STF063"},
    };
    const auto root = corpus("stf/made/corrupt");
    if (!root) return;
    std::set<std::string> seen_names;
    for (const auto& entry : fs::directory_iterator(*root)) {
        const std::string name = entry.path().filename().string();
        if (!name.ends_with("stf")) continue;
        INFO(name);
        REQUIRE(expected.contains(name));
        seen_names.insert(name);
        const Seen seen = read_bytes(read_file(entry.path()));
        if (expected.at(name).empty()) {
            CHECK(seen.findings == Lines{});
        } else {
            REQUIRE(!seen.findings.empty());
            CHECK(seen.findings.front().starts_with(expected.at(name)));
        }
    }
    CHECK(seen_names.size() == expected.size());
}

TEST_CASE("no record is lost if the chunk index is damaged") {
    const Zstf zstf;
    const Lines whole = read_bytes(zstf.bytes).records;
    REQUIRE(whole.size() == 4);
    CHECK(read_bytes(cut(zstf.bytes, zstf.index)).records == whole);
    for (std::size_t at = 4; at < 20; ++at)
        CHECK(read_bytes(replaced(zstf.bytes, at, "a5")).records == whole);
    for (std::size_t at = zstf.index; at < zstf.bytes.size(); ++at)
        CHECK(read_bytes(replaced(zstf.bytes, at, "a5")).records == whole);
}

TEST_CASE("unsupported inputs are refused with the reason") {
    // The input is a frame with one raw block that requires a window of 2 GiB.
    const Seen window = read_bytes(hex("28 b5 2f fd 00 a8 91 01 00") + header() + nop());
    CHECK(window.failure == Failure::limit);
    CHECK(window.message.find("--max-window") != std::string::npos);
    Settings tight;
    tight.limits.zstd_window = 1u << 20;
    const Seen xz = read_bytes(rewrite_bytes(header() + nop(), choose({{"stf-container", "xz"}})).bytes, tight);
    CHECK(xz.failure == Failure::limit);
    CHECK(xz.message.find("--max-window") != std::string::npos);
    CHECK(read_bytes(hex("fd'7zXZ'00 0004")).failure == Failure::input);
    const Seen version = read_bytes(hex("01'STF' 02 09000000 09000000"));
    CHECK(version.failure == Failure::input);
    CHECK(version.message.find("unsupported version 9.9") != std::string::npos);
}

TEST_CASE("sizes above the limits are refused, and all records before them are delivered") {
    // The file is compressed with gzip, so the size of the stream is unknown.
    const auto in_gzip = [](const Bytes& bytes) {
        return rewrite_bytes(bytes, choose({{"stf-container", "gz"}})).bytes;
    };
    Settings tight;
    tight.limits.string = 100;
    tight.limits.record = 1000;
    const Bytes long_text = hex("03 c8000000") + Bytes(200, std::byte{'x'});
    const Seen comment = read_bytes(in_gzip(header() + nop() + long_text + nop()), tight);
    CHECK(comment.failure == Failure::limit);
    CHECK(comment.records == Lines{"instruction core0 @0 pc=1000 bits=13/4"});
    Bytes registers;
    for (int i = 0; i < 100; ++i)
        registers = registers + hex("28 0500 11 0100000000000000");
    const Seen group = read_bytes(header() + nop() + registers + nop(), tight);
    CHECK(group.failure == Failure::limit);
    CHECK(group.records == Lines{"instruction core0 @0 pc=1000 bits=13/4"});  // the group is missing
    Bytes contents = hex("3c 0810000000000000 0800 0000 01");
    for (int i = 0; i < 200; ++i)
        contents = contents + hex("3d 0100000000000000");
    CHECK(read_bytes(header() + contents + nop(), tight).failure == Failure::limit);
    CHECK(read_bytes(header() + replaced(contents, 0, "3e") + nop(), tight).failure != Failure::internal);
    const Bytes wide = open_header() + hex("0a 00000100 13 28 0100 13") + Bytes(8192, std::byte{1}) + nop();
    CHECK(read_bytes(wide, tight).failure == Failure::limit);
    CHECK(!read_bytes(wide).failure);
    const Bytes many_comments = open_header() + long_text + long_text + long_text + long_text + long_text + hex("13");
    tight.limits.string = 1000;
    CHECK(read_bytes(many_comments, tight).failure == Failure::limit);
    tight.limits.schema_objects = 8;
    const Bytes empty_comment = hex("03 00000000");
    CHECK(!read_bytes(open_header() + empty_comment + empty_comment + hex("13"), tight).failure);
    CHECK(read_bytes(open_header() + empty_comment + empty_comment + empty_comment + hex("13"), tight).failure ==
          Failure::limit);
    Bytes targets;
    for (int i = 0; i < 200; ++i)
        targets = targets + hex("1f 0030000000000000");
    CHECK(read_bytes(header() + targets + nop(), tight).failure == Failure::limit);
}

TEST_CASE("a file that is cut anywhere delivers its whole records and reports the cut") {
    const auto path = corpus("stf/bmi_pmp.bare.stf");
    if (!path) return;
    const Bytes whole = read_file(*path);
    const Seen full = read_bytes(whole);
    const Lines full_text = split_lines(view_bytes(whole));
    constexpr std::size_t header_size = 63;
    for (std::size_t size = 4; size < whole.size(); ++size) {
        const Bytes part = cut(whole, size);
        const Seen seen = read_bytes(part);
        INFO(size);
        CHECK(is_prefix(without_raw_tail(seen.records), full.records));
        CHECK(is_prefix(seen.metadata, full.metadata));
        const Lines text = split_lines(view_bytes(part));
        if (size >= header_size) {
            CHECK(is_prefix(text, full_text));
        } else {  // the view prints the header in another order
            for (const std::string& line : text)
                CHECK(std::find(full_text.begin(), full_text.end(), line) != full_text.end());
        }
        // After the header and between two groups, a trace may end without a fault.
        const bool whole_group = size > header_size && !seen.records.empty() &&
                                 (part[size - 5] == std::byte{0xF0} || part[size - 3] == std::byte{0xF1});
        CHECK((!seen.findings.empty() || size == header_size || whole_group));
    }
}

TEST_CASE("a ZSTF file that is cut anywhere delivers a prefix and reports the cut") {
    const auto path = corpus("stf/dhrystone.zstf");
    if (!path) return;
    const Bytes whole = read_file(*path);
    // Comparing all lines would take too long. Compare their number and a checksum of the view instead.
    const std::string full = view_bytes(whole);
    const std::size_t places = trials_of(60);
    for (std::size_t place = 0; place < places; ++place) {
        const std::size_t size = 4 + place * (whole.size() - 4) / places;
        const Bytes part = cut(whole, size);
        INFO(size);
        const std::string text = view_bytes(part);
        CHECK(full.starts_with(text));
        Input input = Input::memory("memory", part);
        TextOutput out(-1);
        Findings findings;
        try {
            stf_format.views.front().render(input, out, Settings{}, findings);
        } catch (const Error& error) {
            CHECK(error.failure() == Failure::input);
        }
        CHECK(findings.total_at_least(Severity::error) > 0);
    }
}

TEST_CASE("a small ZSTF file that is cut at any byte delivers a prefix and reports the cut") {
    const Zstf zstf;
    const Lines whole = read_bytes(zstf.bytes).records;
    for (std::size_t size = 4; size < zstf.bytes.size(); ++size) {
        const Seen seen = read_bytes(cut(zstf.bytes, size));
        INFO(size);
        CHECK(is_prefix(without_raw_tail(seen.records), whole));
        CHECK(!seen.findings.empty());
        if (seen.records != whole) CHECK((seen.failure || seen.effect != Effect::harmless));
    }
}

TEST_CASE("a frame with a damaged head does not count as the end of the file") {
    const Zstf zstf;
    const auto frame = [](const Bytes& records) {
        return rewrite_bytes(records, choose({{"stf-container", "zst"}})).bytes;
    };
    // The writer begins its second frame after 1 MiB.
    Bytes large = header();
    while (large.size() < (std::size_t{3} << 20))
        large = large + hex("03 00000400") + Bytes(0x40000, std::byte{'x'}) + nop();
    const Bytes frames = frame(large);
    const Bytes magic = hex("28 b5 2f fd");
    const auto second = std::search(frames.begin() + 1, frames.end(), magic.begin(), magic.end()) - frames.begin();
    REQUIRE(static_cast<std::size_t>(second) < frames.size());
    const std::pair<Bytes, std::size_t> files[] = {{zstf.bytes, zstf.second},
                                                   {frames, static_cast<std::size_t>(second)}};
    for (const auto& [bytes, begin] : files) {
        for (std::size_t at = begin; at < begin + 4; ++at) {
            INFO(at);
            const Seen seen = read_bytes(replaced(bytes, at, "a5"));
            CHECK(seen.effect == Effect::damaged);
            CHECK(seen.findings == Lines{"STF061@" + std::to_string(begin)});
        }
    }
}

TEST_CASE("changed bytes never break the reader, the view or the writer") {
    std::mt19937 random(4711);
    std::vector<Bytes> files{Zstf{}.bytes};
    for (const char* name : {"stf/made/all_rv64.stf", "stf/made/all_rv64_c1.zstf", "stf/bmi_pmp.bare.stf",
                             "stf/made/piped.stf.gz", "stf/made/piped.stf.xz"}) {
        if (const auto path = corpus(name)) files.push_back(read_file(*path));
    }
    Settings settings;
    settings.limits.record = 1u << 20;
    for (const Bytes& file : files) {
        for (std::size_t round = 0; round < trials_of(200); ++round) {
            Bytes changed = file;
            for (auto flips = 1 + random() % 3; flips > 0; --flips)
                changed[4 + random() % (changed.size() - 4)] = static_cast<std::byte>(random());
            const Seen seen = read_bytes(changed, settings);
            CHECK(seen.failure != Failure::internal);
            view_bytes(changed);
            const bool has_gap = std::any_of(seen.findings.begin(), seen.findings.end(),
                                             [](const std::string& line) { return line.starts_with("STF068"); });
            // Instructions after lost ones keep their numbers, but a rewritten trace cannot state these numbers.
            if (seen.failure || has_gap) continue;
            // The records that were read can be written and read again.
            const Bytes written = rewrite_bytes(changed).bytes;
            const Seen again = read_bytes(written);
            CHECK(again.records == seen.records);
        }
    }
}

}  // namespace stf_damage_test
