// Laws of recovery: every file gives a valid file that has only contents of the source, or a reason why there is no
// output.
#include <doctest/doctest.h>

#include <array>
#include <random>

#include "compare/comparison.hpp"
#include "domain/conventions.hpp"
#include "formats.hpp"
#include "io/little_endian.hpp"
#include "io/output.hpp"
#include "laws/law_support.hpp"
#include "operate/recovery.hpp"
#include "support/corpus.hpp"

namespace recover_laws {

using namespace hwtrace;
using namespace hwtrace::test;

namespace {

constexpr std::uint64_t corpus_limit = 6'000;

struct Recovered {
    Recovery recovery;
    Bytes bytes;
    Verdict verdict = Verdict::valid;  ///< verdict on the input
    Effect effect = Effect::harmless;  ///< the worst effect of the input's findings
    std::string refusal;               ///< message of the Error that the input caused
};

Recovered recovered(const Bytes& file, const Format& from, const Format& to) {
    Recovered result;
    Input input = Input::memory("sample", file);
    Findings findings;
    Settings settings;
    settings.source_format = from.name;
    try {
        result.recovery =
            recover(input, from, to, findings,
                    {.settings = settings, .make_output = [&] {
                         return open_memory_output("recovered", [&](Bytes bytes) { result.bytes = std::move(bytes); });
                     }});
        if (result.recovery.output) result.recovery.output->commit();
    } catch (const Error& error) {
        CHECK((error.failure() == Failure::input || error.failure() == Failure::limit));
        result.refusal = error.what();
    }
    result.verdict = findings.verdict();
    result.effect = findings.effect();
    return result;
}

/// Describes what is wrong with a result. Returns an empty string if nothing is.
std::string fault_of(const Bytes& file, const Format& from, const Recovered& recovered, const Format& to) {
    const Story story = read_story(recovered.bytes, to, CheckLevel::full);
    if (story.verdict != Verdict::valid || story.failure)
        return "the result is " + std::string(name_of(story.verdict)) +
               (story.findings.empty() ? "" : ", " + story.findings.front());
    if (from.name != to.name) return {};
    Input a = Input::memory("a", file), b = Input::memory("b", recovered.bytes);
    Findings findings_of_a, findings_of_b;
    const Choices choices;
    ComparisonOptions all;
    all.differences = 10'000;
    const Comparison comparison =
        compare({ComparedTrace{a, from, choices, findings_of_a}, ComparedTrace{b, to, choices, findings_of_b}}, all);
    TrackCounts counts = comparison.totals();
    // After missing instructions, the writer states the position of the next instruction.
    for (std::size_t i = 0; i < comparison.tracks.size(); ++i)
        if (comparison.tracks[i].path.ends_with(conventions::resumption))
            counts.only[1] -= comparison.counts[i].only[1];
    // If a record is dropped from an instruction's group, the order of the others changes.
    for (const Difference& difference : comparison.differences)
        if (difference.parts == std::vector<std::string>{"order"}) --counts.different;
    if (counts.different == 0 && counts.only[1] == 0 && counts.only[0] == recovered.recovery.dropped) return {};
    // Losses of the writer are listed in addition to the dropped records.
    std::uint64_t listed = 0;
    for (const auto& [key, entry] : recovered.recovery.losses.entries())
        listed += entry.count;
    if (listed > recovered.recovery.dropped) return {};
    std::string parts;
    for (const Difference& difference : comparison.differences)
        for (const std::string& part : difference.parts)
            parts.append(part).append(" ");
    return parts + std::to_string(counts.different) + " records are others, " + std::to_string(counts.only[1]) +
           " are new, " + std::to_string(counts.only[0]) + " are gone, " + std::to_string(recovered.recovery.dropped) +
           " dropped";
}

}  // namespace

TEST_CASE("records that make a trace invalid are dropped one by one, and the others stay") {
    // Some L commands of this log have text in place of their type.
    std::string log = "Kanata\t0004\nC=\t0\n";
    for (unsigned i = 0; i < 200; ++i) {
        const std::string id = std::to_string(i);
        log += "I\t" + id + "\t" + id + "\t0\nS\t" + id + "\t0\tF\nC\t1\n";
        if (i % 50 == 20) log += "L\t" + id + "\tno type\n";
        log += "R\t" + id + "\t" + id + "\t0\n";
    }
    const auto bytes = std::as_bytes(std::span(log));
    const Bytes file(bytes.begin(), bytes.end());
    const Format& kanata = *find_format(formats(), "kanata");
    CHECK(read_story(file, kanata, CheckLevel::full).verdict == Verdict::invalid);
    const Recovered result = recovered(file, kanata, kanata);
    REQUIRE(result.recovery.output);
    CHECK(result.recovery.dropped == 4);
    CHECK(fault_of(file, kanata, result, kanata) == "");
    CHECK(result.recovery.losses.entries().size() == 1);
    // There are too many faulty records to find them one by one, so their whole track is dropped.
    Input input = Input::memory("sample", file);
    Findings findings;
    const Settings settings;
    const RecoveryOptions impatient{.settings = settings,
                                    .make_output = [] { return open_memory_output("recovered", [](Bytes) {}); },
                                    .most_culprits = 1};
    const Recovery recovery = recover(input, kanata, kanata, findings, impatient);
    CHECK(recovery.output);
    CHECK(recovery.dropped == 4);
}

TEST_CASE("records that go back in time are dropped if the format requires time order") {
    Bytes file = read_file(testdata("uscope/valid/queue.uscope"));
    const auto tail = static_cast<std::size_t>(load_le<std::uint64_t>(&file[0x28]));
    store_le(&file[tail + 8], std::uint64_t{0});  // offset of the last segment
    const Format& uscope = *find_format(formats(), "uscope");
    CHECK(read_story(file, uscope, CheckLevel::full).verdict == Verdict::invalid);
    const Recovered result = recovered(file, uscope, uscope);
    REQUIRE(result.recovery.output);
    CHECK(result.recovery.dropped > 0);
    CHECK(result.recovery.counts.records_written > 100);
    CHECK(result.recovery.losses.assumptions().size() == 1);  // the assumption states the reason
    CHECK(fault_of(file, uscope, result, uscope) == "");
    CHECK(result.effect == Effect::harmless);

    // Recovery also reports the faults of the segments that the cut link hid.
    const auto before = static_cast<std::size_t>(load_le<std::uint64_t>(&file[tail + 0x18]));
    store_le(&file[tail + 8], load_le<std::uint64_t>(&file[before + 0x10]));
    store_le(&file[before + 8], std::uint64_t{0});
    file[tail] ^= std::byte{0xFF};
    const Recovered worse = recovered(file, uscope, uscope);
    CHECK(worse.recovery.output);
    CHECK(worse.effect == Effect::damaged);
}

TEST_CASE("every sample, whole or cut, is recovered as a valid trace, or a reason is given") {
    std::size_t made = 0, refused = 0;
    for (const Sample& sample : law_samples(corpus_limit)) {
        CAPTURE(sample.name);
        const Bytes& whole = sample.content.bytes;
        std::vector<std::size_t> sizes{whole.size()};
        if (sample.valid)
            for (const std::size_t part : std::array<std::size_t, 3>{3, 5, 7})
                sizes.push_back(whole.size() * part / 8);
        for (const std::size_t size : sizes) {
            CAPTURE(size);
            const Bytes file(whole.begin(), whole.begin() + static_cast<std::ptrdiff_t>(size));
            const Recovered result = recovered(file, *sample.format, *sample.format);
            if (!result.recovery.output) {
                CHECK((result.recovery.fault || !result.refusal.empty()));
                if (size == whole.size())
                    MESSAGE(sample.name << ": " << result.recovery.fault.value_or(result.refusal));
                ++refused;
                continue;
            }
            ++made;
            CHECK(fault_of(file, *sample.format, result, *sample.format) == "");
        }
    }
    MESSAGE(made << " recovered, " << refused << " refused");
    CHECK(made >= at_least(501));
}

TEST_CASE("a trace with a changed byte is recovered, or a reason is given") {
    std::mt19937 random(11);
    std::size_t made = 0, refused = 0;
    for (const Sample& sample : law_samples(corpus_limit)) {
        if (!sample.valid || sample.content.bytes.empty()) continue;
        CAPTURE(sample.name);
        for (unsigned round = 0; round < 2; ++round) {
            Bytes file = sample.content.bytes;
            const std::size_t at = random() % file.size();
            const auto change = static_cast<std::byte>(1 + random() % 255);
            CAPTURE(at);
            CAPTURE(static_cast<int>(change));
            file[at] ^= change;
            const Recovered result = recovered(file, *sample.format, *sample.format);
            if (!result.recovery.output) {
                CHECK((result.recovery.fault || !result.refusal.empty()));
                ++refused;
                continue;
            }
            ++made;
            // In flux, the meaning of an item without a definition depends on its neighbours, which have changed.
            if (sample.format->name != "flux" || result.recovery.dropped == 0)
                CHECK(fault_of(file, *sample.format, result, *sample.format) == "");
            else
                CHECK(read_story(result.bytes, *sample.format, CheckLevel::full).verdict == Verdict::valid);
        }
    }
    MESSAGE(made << " recovered, " << refused << " refused");
    if (is_full_run()) CHECK(made > 2 * refused);
}

}  // namespace recover_laws
