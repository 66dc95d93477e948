// Laws of a format that is not built into the program: the format works with every other format, so codecs are
// plug-ins.
#include <doctest/doctest.h>

#include <random>

#include "formats.hpp"
#include "io/appender.hpp"
#include "laws/law_support.hpp"
#include "support/tally_format.hpp"

namespace minimal_format_laws {

using namespace hwtrace;
using namespace hwtrace::test;

namespace {

/// Returns records in no particular order. Some overlap and some are empty.
Bytes tally(std::uint32_t lanes, std::size_t records) {
    std::mt19937_64 random(records);
    Appender file;
    file.text("TALY");
    file.le(lanes);
    for (std::size_t i = 0; i < records; ++i) {
        file.le(static_cast<std::uint32_t>(random() % lanes));
        file.le(static_cast<std::uint32_t>(random() % 3));
        file.le(random() % 10'000);
        file.le(random() % 4 == 0 ? std::uint64_t{0} : random() % 500);
    }
    return {file.span().begin(), file.span().end()};
}

}  // namespace

TEST_CASE("a minimal format: rewriting gives the same file, and a truncated file gives a prefix") {
    const Bytes file = tally(3, 200);
    const Story whole = read_story(file, tally_format);
    CHECK(whole.silent());
    CHECK(convert_bytes(file, tally_format, tally_format).bytes == file);
    for (std::size_t size = 0; size < file.size(); ++size) {
        const Bytes cut(file.begin(), file.begin() + static_cast<std::ptrdiff_t>(size));
        const Story story = read_story(cut, tally_format);
        REQUIRE(whole.records.starts_with(story.records));
        REQUIRE(story.silent() == (size >= 8 && (size - 8) % 24 == 0));
    }
}

TEST_CASE("a minimal format is restored from µScope; data that pccx cannot hold is a loss") {
    const Format& uscope = *find_format(formats(), "uscope");
    for (const std::size_t records : {0u, 1u, 1000u}) {
        CAPTURE(records);
        const Bytes file = tally(5, records);
        const Rewritten there = convert_bytes(file, tally_format, uscope);
        CHECK(there.losses.none());
        CHECK(read_story(there.bytes, uscope, CheckLevel::full).silent());
        const Rewritten back = convert_bytes(there.bytes, uscope, tally_format);
        CHECK(back.losses.none());
        CHECK(back.bytes == file);
        const Rewritten other = convert_bytes(file, tally_format, *find_format(formats(), "pccx"));
        CHECK(other.unexpected() == std::vector<std::string>{});
        CHECK_FALSE(other.losses.none());
    }
}

TEST_CASE("a few records spread over the longest time make a small µScope file") {
    const Format& uscope = *find_format(formats(), "uscope");
    Appender file;
    file.text("TALY");
    file.le(std::uint32_t{4});
    for (std::uint32_t i = 0; i < 40; ++i) {
        file.le(i % 4);
        file.le(i % 3);
        file.le((std::uint64_t{1} << 52) * i / 40);
        file.le(std::uint64_t{1} << i);
    }
    const Bytes bytes{file.span().begin(), file.span().end()};
    const Rewritten there = convert_bytes(bytes, tally_format, uscope);
    CHECK(there.losses.none());
    CHECK(there.bytes.size() < (1u << 20) + (1u << 16));
    CHECK(read_story(there.bytes, uscope, CheckLevel::full).silent());  // the totals in the summary match the records
    CHECK(convert_bytes(there.bytes, uscope, tally_format).bytes == bytes);
}

}  // namespace minimal_format_laws
