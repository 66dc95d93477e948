// tests/formats/stf_search_test.cpp - tests damage in a ZSTF file without an index. The reader finds later chunks by
// their frames, and reports only what it knows for certain.
#include <doctest/doctest.h>
#include <unistd.h>

#include <algorithm>

#include "formats/stf_support.hpp"
#include "io/compression.hpp"
#include "io/counted.hpp"
#include "stf/frame_search.hpp"

namespace stf_search_test {

using namespace hwtrace;
using namespace hwtrace::test;

using Lines = std::vector<std::string>;

namespace {

std::uint64_t u64(const Bytes& bytes, std::size_t at) {
    return load_le<std::uint64_t>(bytes.data() + at);
}

/// A ZSTF file of ten chunks of ten instructions, with the offsets of the chunks and the index. Every fourth
/// instruction is a jump to the next one.
struct Chunks {
    explicit Chunks(bool jumps = true) {
        Bytes stream = header();
        std::uint64_t pc = 0x1000;
        for (int i = 0; i < 100; ++i, pc += 4) {
            if (jumps && i % 4 == 2) {
                stream = stream + hex("1f") + Bytes(8);
                store_le(stream.data() + stream.size() - 8, pc + 4);
            }
            stream = stream + hex("28 0500 31") + Bytes(8) + nop();
            store_le(stream.data() + stream.size() - 13, std::uint64_t{0x9E3779B97F4A7C15} * pc);
        }
        bytes = rewrite_bytes(stream, choose({{"stf-container", "zstf"}, {"stf-chunk", "10"}})).bytes;
        const std::size_t index = u64(bytes, 12);
        for (std::size_t chunk = 0; chunk <= 10; ++chunk)
            begin.push_back(chunk == 10 ? index : u64(bytes, index + 8 + 24 * chunk));
    }
    Bytes without_index(std::size_t end = 10) const {
        return {bytes.begin(), bytes.begin() + static_cast<std::ptrdiff_t>(begin[end])};
    }

    Bytes bytes;
    std::vector<std::size_t> begin;
};

/// Overwrites four bytes at `place`. At the start of a frame, this destroys its magic.
void damage(Bytes& bytes, std::size_t place) {
    for (std::size_t i = 0; i < 4; ++i)
        bytes[place + i] = std::byte{0xFF};
}

std::uint64_t time_of(const std::string& line) {
    return std::stoull(line.substr(line.find('@') + 1), nullptr, 16);
}

/// Returns all records whose instruction is not in [end, begin).
Lines without(const Lines& all, std::uint64_t end, std::uint64_t begin) {
    Lines kept;
    for (const std::string& line : all)
        if (time_of(line) < end || time_of(line) >= begin) kept.push_back(line);
    return kept;
}

std::string at(std::string_view rule, std::size_t offset) {
    return std::string(rule) + '@' + std::to_string(offset);
}

Findings findings_of(const Bytes& bytes) {
    Findings findings;
    Input input = Input::memory("memory", bytes);
    const Settings settings;
    const auto reader = stf_format.open(input, settings, findings);
    for (Batch batch; reader->read(batch);)
        batch.clear();
    return findings;
}

}  // namespace

TEST_CASE("without an index, reading continues with the next frame after damage, from the first stated pc") {
    const Chunks file;
    const Lines whole = read_bytes(file.bytes).records;
    REQUIRE(whole.size() == 100);
    for (const std::size_t chunk : {std::size_t{1}, std::size_t{4}, std::size_t{8}}) {
        for (const std::size_t byte : {std::size_t{0}, std::size_t{4}}) {
            CAPTURE(chunk);
            CAPTURE(byte);
            Bytes cut = file.without_index();
            damage(cut, file.begin[chunk] + byte);
            const Seen seen = read_bytes(cut);
            CHECK(seen.effect == Effect::damaged);
            CHECK(!seen.failure);
            // Instruction 2 (in even chunks) or 0 (in odd chunks) is a jump, so the next instruction has a known pc.
            const std::uint64_t next = (chunk + 1) * 10, known = next + (next % 4 == 0 ? 3 : 1);
            CHECK(seen.records == without(whole, chunk * 10, known));
            REQUIRE(seen.findings.size() == 4);
            CHECK(seen.findings[0].starts_with("STF061@"));
            CHECK(seen.findings[1] == at("STF068", file.begin[chunk]));
            CHECK(seen.findings[2] == at("STF069", file.begin[chunk + 1]));
            CHECK(seen.findings[3] == at("STF054", file.begin[10]));
            const Findings findings = findings_of(cut);
            const Finding& found = findings.kept()[2];
            CHECK(found.time == next);
            CHECK(!found.ordinal);
            CHECK(found.got == "the next readable chunk, " + std::to_string(file.begin[chunk + 1] - file.begin[chunk]) +
                                   " bytes later; its first " + counted(known - next, "instruction") +
                                   " are left out, because their pc is unknown");
            const auto lost = std::find_if(seen.facts.begin(), seen.facts.end(),
                                           [](const auto& fact) { return fact.key == "lost_instructions"; });
            REQUIRE(lost != seen.facts.end());
            CHECK(text_of(*lost) == std::to_string(known - chunk * 10));
        }
    }
}

TEST_CASE("without an index, reading passes several damaged places and reports each loss") {
    const Chunks file;
    const Lines whole = read_bytes(file.bytes).records;
    Bytes cut = file.without_index(9);
    for (const std::size_t chunk : {std::size_t{2}, std::size_t{5}})
        damage(cut, file.begin[chunk] + 4);
    const Seen seen = read_bytes(cut);
    Lines expected = without(without(whole, 20, 31), 50, 63);
    expected = without(expected, 90, 1000);
    CHECK(seen.records == expected);
    CHECK(std::count_if(seen.findings.begin(), seen.findings.end(),
                        [](const std::string& line) { return line.starts_with("STF069"); }) == 2);

    // Two lost chunks in a row look like one. Later instruction numbers are guessed, but pcs are correct.
    cut = file.without_index(9);
    for (const std::size_t chunk : {std::size_t{2}, std::size_t{3}})
        damage(cut, file.begin[chunk] + 4);
    const Lines guessed = read_bytes(cut).records;
    REQUIRE(guessed.size() == 20 + 50 - 3);
    CHECK(time_of(guessed[20]) == 33);
    CHECK(guessed[20].substr(guessed[20].find("pc=")) == whole[43].substr(whole[43].find("pc=")));

    // The last chunk is damaged: no chunk follows it.
    cut = file.without_index();
    damage(cut, file.begin[9] + 4);
    CHECK(read_bytes(cut).records == without(whole, 90, 1000));
    // A fault of the index adds only one finding.
    for (const std::size_t place : {std::size_t{12}, file.begin[10], file.begin[10] + 8}) {
        Bytes damaged = file.bytes;
        damage(damaged, file.begin[4] + 4);
        for (std::size_t i = 0; i < 8; ++i)
            damaged[place + i] = std::byte{0x7F};
        CAPTURE(place);
        CHECK(read_bytes(damaged).records == without(whole, 40, 51));
    }
}

TEST_CASE("if no pc is stated after damage, the pc stays unknown") {
    const Chunks file(false);
    const Lines whole = read_bytes(file.bytes).records;
    Bytes cut = file.without_index();
    damage(cut, file.begin[4] + 4);
    const Seen seen = read_bytes(cut);
    CHECK(seen.records == without(whole, 40, 1000));
    CHECK(std::count(seen.findings.begin(), seen.findings.end(), at("STF069", file.begin[5])) == 1);
}

TEST_CASE("views continue after damage without an index, too") {
    const Chunks file;
    Bytes cut = file.without_index();
    damage(cut, file.begin[4] + 4);
    const Lines all = split_lines(view_bytes(file.bytes)), shown = split_lines(view_bytes(cut));
    CHECK(shown.back() == all.back());
    CHECK(std::count_if(shown.begin(), shown.end(),
                        [](const std::string& line) { return line.starts_with("INST_OPCODE"); }) == 100 - 11);
    // A pipe cannot be searched.
    int ends[2];
    REQUIRE(::pipe(ends) == 0);
    REQUIRE(::write(ends[1], cut.data(), cut.size()) == static_cast<ssize_t>(cut.size()));
    ::close(ends[1]);
    Input piped = Input::open("/dev/fd/" + std::to_string(ends[0]));
    CHECK(read_input(piped).records == without(read_bytes(file.bytes).records, 40, 1000));
    ::close(ends[0]);
}

TEST_CASE("only whole frames that hold records are found") {
    const Chunks file;
    const Limits limits;
    const auto found = [&](const Bytes& bytes, std::uint64_t from) {
        const Input input = Input::memory("memory", bytes);
        return stf::find_chunk(input, from, limits);
    };
    const auto frame = [](const Bytes& raw) {
        Appender out;
        ZstdBlock().compress(raw, out);
        return Bytes(out.span().begin(), out.span().end());
    };
    CHECK(found(file.bytes, file.begin[3]) == file.begin[3]);
    CHECK(found(file.bytes, file.begin[3] + 1) == file.begin[4]);
    CHECK(found(file.bytes, file.begin[9] + 1) == std::nullopt);
    CHECK(found({}, 0) == std::nullopt);
    const Bytes magic = hex("28 b5 2f fd"), filler(100'000, std::byte{0x28});
    const Bytes chunk = frame(nop() + nop());
    CHECK(found(filler + magic + hex("ff ff ff ff") + chunk, 0) == 100'008);
    CHECK(found(frame({}) + frame(hex("00 11")) + frame(hex("13 f0 13000000")) + frame(hex("0e")), 0) == std::nullopt);
    // A cut frame at the end of the file is found if it holds a record.
    Bytes half = file.without_index(1);
    half.erase(half.end() - 10, half.end());
    half = Bytes(20) + frame(nop()) + half;
    CHECK(found(half, 1) == 20);
    // The search time is linear in the number of bytes, even if false frames are everywhere.
    Bytes bait;
    while (bait.size() < (std::size_t{2} << 20))
        bait = bait + bait + hex("28 b5 2f fd 20 00 01 00 00");
    CHECK(found(bait, 0) == std::nullopt);
}

}  // namespace stf_search_test
