// Tests damaged FTR files: only the damaged chunk is lost.
#include <doctest/doctest.h>

#include <algorithm>
#include <array>
#include <string>
#include <vector>

#include "ftr/scan.hpp"
#include "support/corpus.hpp"
#include "support/hex.hpp"

namespace ftr_damage_test {

using namespace hwtrace;
using namespace hwtrace::test;

namespace {

using Bytes = std::vector<std::byte>;

struct Told {
    std::size_t transactions = 0, relations = 0;
    std::vector<std::string> findings;
};

Told tell(const Bytes& file) {
    Told told;
    Input input = Input::memory("file", file);
    Findings findings;
    const Settings settings;
    Schema schema;
    ftr::Scan scan(input, settings, findings, schema);
    ftr::Item item;
    while (scan.next(item))
        ++(item.kind == ftr::Item::Kind::relation ? told.relations : told.transactions);
    for (const Finding& finding : findings.kept())
        told.findings.push_back(std::string(finding.rule->id) + "@" + std::to_string(finding.offset));
    return told;
}

Bytes small() {
    return load_sample(testdata("ftr/valid/small.hex")).bytes;
}

/// Returns the position of the wanted bytes.
std::size_t find(const Bytes& file, std::initializer_list<unsigned> wanted) {
    const auto at = std::search(file.begin(), file.end(), wanted.begin(), wanted.end(),
                                [](std::byte a, unsigned b) { return std::to_integer<unsigned>(a) == b; });
    REQUIRE(at != file.end());
    return static_cast<std::size_t>(at - file.begin());
}

}  // namespace

TEST_CASE("FTR: a chunk whose length extends beyond the file ends at the next chunk") {
    Bytes file = small();
    const std::size_t dictionary = find(file, {0xC8, 0x58});
    file[dictionary + 2] = std::byte{0xFF};
    const Told told = tell(file);
    CHECK(told.transactions == 3);
    CHECK(told.relations == 1);
    CHECK(told.findings == std::vector<std::string>{"FTR007@" + std::to_string(dictionary + 3)});
}

TEST_CASE("FTR: a chunk whose length ends inside the next chunk ends before that chunk") {
    const Bytes whole = small();
    const std::size_t block = find(whole, {0x58, 0x29});
    for (unsigned more = 1; more < 19; ++more) {  // the next chunk has 19 bytes
        CAPTURE(more);
        Bytes file = whole;
        file[block + 1] = static_cast<std::byte>(0x29 + more);
        const Told told = tell(file);
        CHECK(told.transactions == 3);
        CHECK(told.relations == 1);
        CHECK(told.findings == std::vector<std::string>{"FTR007@" + std::to_string(block + 2)});
    }
}

TEST_CASE("FTR: a length that is a little too long loses nothing, compressed or not") {
    for (const char* const name : {"lwtr4sc/lwtr_example_c.ftr", "alltypes/alltypes_c.ftr", "scviewer/my_db_c.ftr",
                                   "edge/blocks_u.ftr", "edge/blocks_c.ftr"}) {
        const auto path = corpus(std::string("ftr/").append(name));
        if (!path) continue;
        CAPTURE(name);
        const Bytes whole = read_file(*path);
        const Told good = tell(whole);
        Input input = Input::memory("file", whole);
        const Limits limits;
        ftr::ChunkWalk walk(input, limits, nullptr);
        REQUIRE(walk.begin());
        std::vector<ftr::ChunkHead> chunks;
        for (ftr::ChunkHead chunk; walk.next(chunk);)
            chunks.push_back(chunk);
        for (std::size_t at = 0; at + 2 < chunks.size(); ++at) {
            const std::size_t last = chunks[at].content - 1;  // last byte of the length field
            for (const unsigned more : {1u, 3u, 6u}) {
                const unsigned length = std::to_integer<unsigned>(whole[last]) + more;
                const unsigned most = chunks[at].stored < 24 ? 0x57 : 0xFF;
                if (length > most) continue;
                CAPTURE(at);
                CAPTURE(more);
                Bytes file = whole;
                file[last] = static_cast<std::byte>(length);
                const Told told = tell(file);
                CHECK(told.transactions == good.transactions);
                CHECK(told.relations == good.relations);
                CHECK(std::count(told.findings.begin(), told.findings.end(),
                                 "FTR007@" + std::to_string(chunks[at].content)) == 1);
            }
        }
    }
}

TEST_CASE("FTR: reading continues after a damaged head") {
    Bytes file = small();
    const std::size_t block = find(file, {0xCC, 0x84, 0x01});
    file[block + 1] = std::byte{0xF7};
    const Told told = tell(file);
    CHECK(told.transactions == 1);
    CHECK(told.relations == 1);
    CHECK(told.findings == std::vector<std::string>{"FTR007@" + std::to_string(block + 1)});
}

TEST_CASE("FTR: a damaged block delivers the transactions before the damage") {
    Bytes file = small();
    const std::size_t second = find(file, {0x82, 0xC6, 0x84, 0x02});
    file[second + 1] = std::byte{0xFF};
    const Told told = tell(file);
    CHECK(told.transactions == 2);
    CHECK(told.relations == 1);
    CHECK(told.findings == std::vector<std::string>{"FTR012@" + std::to_string(second + 1)});
}

TEST_CASE("FTR: the time for many small faults in a row is proportional to their number") {
    Bytes file = small();
    Bytes noise;
    for (int i = 0; i < 20'000; ++i)
        for (const unsigned byte : {0x00u, 0xC8u, 0x41u, 0xA0u, 0xF6u})
            noise.push_back(static_cast<std::byte>(byte));
    const auto at = static_cast<std::ptrdiff_t>(find(file, {0xCC, 0x84, 0x01}));
    file.insert(file.begin() + at, noise.begin(), noise.end());
    const Told told = tell(file);
    CHECK(told.transactions == 3);
    CHECK(told.relations == 1);
    CHECK_FALSE(told.findings.empty());
}

}  // namespace ftr_damage_test
