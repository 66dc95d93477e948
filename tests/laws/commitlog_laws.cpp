// Laws about commit logs, which are only read: each conversion says what it loses, and all ways to STF lead to the same
// trace.
#include <doctest/doctest.h>

#include <algorithm>

#include "formats.hpp"
#include "laws/law_support.hpp"

namespace commitlog_laws {

using namespace hwtrace;
using namespace hwtrace::test;

namespace {

const Format& format_named(std::string_view name) {
    return *find_format(targets(), name);
}

/// Returns the valid logs of testdata/.
std::vector<Sample> logs() {
    std::vector<Sample> samples = picture_samples();
    std::erase_if(samples, [](const Sample& sample) { return sample.format->name != "commitlog" || !sample.valid; });
    return samples;
}

std::size_t harts_of(const Sample& sample) {
    Input input = Input::memory("log", sample.content.bytes);
    Findings findings;
    const Settings settings;
    const auto reader = sample.format->open(input, settings, findings);
    for (Batch batch; reader->read(batch);)
        batch.clear();
    return static_cast<std::size_t>(std::ranges::count(reader->schema().tracks(), Track::Kind::hart, &Track::kind));
}

}  // namespace

TEST_CASE("commit logs convert to every format, and every loss is foretold") {
    std::size_t conversions = 0;
    for (const Sample& sample : logs()) {
        CAPTURE(sample.name);
        const bool is_single = harts_of(sample) == 1;
        for (const Format* const to : targets()) {
            if (!to->can_write() || to->name == "pccx" || to->writes.writes_folder != nullptr) continue;
            CAPTURE(to->name);
            if ((to->name == "stf" || to->name == "champsim") && !is_single) {  // they hold one hart
                CHECK_THROWS_AS(convert_bytes(sample.content.bytes, *sample.format, *to), Error);
                continue;
            }
            const Rewritten written = convert_bytes(sample.content.bytes, *sample.format, *to);
            CHECK(written.unexpected() == std::vector<std::string>{});
            ++conversions;
            if (to->writes.is_picture || !to->can_read()) continue;
            const Story story = read_story(written.bytes, *to, CheckLevel::full);
            CAPTURE(story.findings);
            CHECK(story.good());
        }
    }
    CHECK(conversions >= at_least(100));
}

TEST_CASE("a log becomes the same STF trace directly, through µScope, FTR, flux and jsonl") {
    const Format& stf = format_named("stf");
    std::size_t ways = 0;
    for (const Sample& sample : logs()) {
        if (harts_of(sample) != 1) continue;
        CAPTURE(sample.name);
        const Rewritten direct = convert_bytes(sample.content.bytes, *sample.format, stf);
        CHECK(direct.losses.none());
        CHECK(read_story(direct.bytes, stf).records == read_story(sample.content.bytes, *sample.format).records);
        for (const std::string_view through : {"uscope", "ftr", "flux", "jsonl"}) {
            CAPTURE(through);
            const Format& other = format_named(through);
            const Rewritten there = convert_bytes(sample.content.bytes, *sample.format, other);
            CHECK(convert_bytes(there.bytes, other, stf).bytes == direct.bytes);
            ++ways;
        }
    }
    CHECK(ways >= at_least(40));
}

TEST_CASE("compression does not change what a log says") {
    std::size_t pairs = 0;
    const std::vector<Sample> samples = logs();
    for (const Sample& plain : samples)
        for (const Sample& packed : samples) {
            if (!packed.name.starts_with(plain.name + ".")) continue;
            CAPTURE(packed.name);
            CHECK(difference(read_story(packed.content.bytes, *packed.format).records,
                             read_story(plain.content.bytes, *plain.format).records) == "");
            ++pairs;
        }
    CHECK(pairs >= at_least(4));
}

}  // namespace commitlog_laws
