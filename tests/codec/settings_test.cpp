#include "codec/settings.hpp"

#include <doctest/doctest.h>

#include <array>

#include "io/error.hpp"
#include "io/text_output.hpp"

namespace settings_test {

using namespace hwtrace;

namespace {

constexpr std::array options{
    Option{"tst-mode", "fast|small|exact", "small", "how"},
    Option{"tst-chunk", "count", "64K", "how many"},
    Option{"tst-interval", "time", "", "how long"},
    Option{"tst-title", "text", "none", "which"},
};

}  // namespace

TEST_CASE("an option that was not set has its default value") {
    const Settings settings;
    CHECK(settings.text(options, "tst-mode") == "small");
    CHECK(settings.number(options, "tst-chunk") == 65'536);
    CHECK(settings.number(options, "tst-interval") == 0);
    CHECK_FALSE(settings.chosen("tst-mode"));
}

TEST_CASE("values are checked against the option's description when they are set") {
    Settings settings;
    settings.set(options[0], "exact");
    CHECK(settings.text(options, "tst-mode") == "exact");
    CHECK(settings.chosen("tst-mode"));
    for (const char* wrong : {"", "fas", "fast|small", "faster", "|"}) {
        CAPTURE(wrong);
        CHECK_THROWS_AS(settings.set(options[0], wrong), Error);
    }
    CHECK(settings.text(options, "tst-mode") == "exact");
    settings.set(options[1], "2M");
    CHECK(settings.number(options, "tst-chunk") == 2u << 20);
    CHECK_THROWS_AS(settings.set(options[1], "many"), Error);
    settings.set(options[2], "20us");
    CHECK(settings.number(options, "tst-interval") == 20'000'000);
    CHECK_THROWS_AS(settings.set(options[2], "20"), Error);
    settings.set(options[3], "any text | at all");
    CHECK(settings.text(options, "tst-title") == "any text | at all");
}

TEST_CASE("the error message for an invalid value names the option and its allowed values") {
    Settings settings;
    try {
        settings.set(options[0], "slow");
        FAIL("an invalid value was accepted");
    } catch (const Error& error) {
        CHECK(error.failure() == Failure::usage);
        CHECK(std::string(error.what()) == "--tst-mode takes fast|small|exact, not 'slow'");
    }
}

TEST_CASE("counts have binary units and never overflow") {
    CHECK(parse_count("0") == 0);
    CHECK(parse_count("1K") == 1024);
    CHECK(parse_count("3G") == 3ull << 30);
    CHECK(parse_count("18446744073709551615") == ~0ull);
    CHECK_FALSE(parse_count("18446744073709551616"));
    CHECK_FALSE(parse_count("17179869184G"));
    for (const char* wrong : {"", "K", "-1", "+1", " 1", "1 ", "1k", "1KB", "1.5M", "0x10"}) {
        CAPTURE(wrong);
        CHECK_FALSE(parse_count(wrong));
    }
}

TEST_CASE("times need a unit and never overflow") {
    CHECK(parse_time_ps("500ps") == 500);
    CHECK(parse_time_ps("10ns") == 10'000);
    CHECK(parse_time_ps("20us") == 20'000'000);
    CHECK(parse_time_ps("3ms") == 3'000'000'000);
    CHECK(parse_time_ps("2s") == 2'000'000'000'000);
    CHECK(parse_time_ps("18446744s") == 18'446'744'000'000'000'000ull);
    CHECK_FALSE(parse_time_ps("18446745s"));
    for (const char* wrong : {"", "s", "1", "1 s", "-1s", "1S", "1.5ns", "1nss"}) {
        CAPTURE(wrong);
        CHECK_FALSE(parse_time_ps(wrong));
    }
}

TEST_CASE("a JSON document names the tool and version that wrote it") {
    Settings settings;
    settings.tool = "t";
    settings.version = "1";
    TextOutput out(-1, 16);
    append_json_head("s/1", settings, out);
    CHECK(out.text() == R"("schema":"s/1","tool":"t","version":"1")");
}

}  // namespace settings_test
