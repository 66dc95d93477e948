// Laws of --verify: the option never reports a loss as a bug. Losses are counted, and all other data is restored.
#include <doctest/doctest.h>

#include <random>

#include "convert/verify.hpp"
#include "formats.hpp"
#include "laws/law_support.hpp"
#include "select/range.hpp"

namespace verify_laws {

using namespace hwtrace;
using namespace hwtrace::test;

namespace {

constexpr std::uint64_t corpus_limit = 100'000;

bool opens(const Bytes& file, std::size_t size, const Format& format) {
    const Bytes prefix(file.begin(), file.begin() + static_cast<std::ptrdiff_t>(size));
    Input input = Input::memory("prefix", prefix);
    Findings findings;
    const Settings settings;
    try {
        format.open(input, settings, findings);
    } catch (const Error&) {
        return false;
    }
    return true;
}

/// Returns the header of the file, which is about the shortest prefix that a reader opens.
Bytes header_of(const Bytes& file, const Format& format) {
    std::size_t shut = 0, open = file.size();
    while (open - shut > 1) {
        const std::size_t middle = shut + (open - shut) / 2;
        (opens(file, middle, format) ? open : shut) = middle;
    }
    return {file.begin(), file.begin() + static_cast<std::ptrdiff_t>(open)};
}

/// Returns the trace without its records, written by our writer.
Bytes without_records(const Bytes& file, const Format& format) {
    return convert_bytes(file, format, format, Choices{{}, Range{Range::Unit::record, 0, 0}, {}}).bytes;
}

/// Returns the verdict of a full check.
Verdict verdict_of(const Bytes& file, const Format& format) {
    Input input = Input::memory("sample", file);
    Settings settings;
    settings.check = CheckLevel::full;
    Findings findings;
    check_output(input, format, settings, findings);
    return findings.verdict();
}

/// Returns the bug that --verify would report. Returns an empty string if there is none, or if the trace cannot be
/// converted.
std::string verify_failure(const Bytes& file, const Format& from, const Format& to, std::size_t& compared) {
    const Choices choices;
    try {
        const Rewritten there = convert_bytes(file, from, to, choices);
        std::string wrong;
        if (verdict_of(file, from) == Verdict::valid && verdict_of(there.bytes, to) != Verdict::valid)
            wrong.append("the output violates its format; ");
        for (const std::string& loss : there.unexpected())
            wrong.append("not foretold: ").append(loss).append("; ");
        if (!there.losses.none() || !can_verify(to, choices, read_story(file, from).effect)) return wrong;
        Input source = Input::memory("sample", file), output = Input::memory("output", there.bytes);
        const auto difference = verify_conversion(source, from, output, to, choices);
        ++compared;
        if (difference) wrong.append("expected ").append(difference->expected).append(", got ").append(difference->got);
        return wrong;
    } catch (const Error& error) {
        return error.failure() == Failure::internal ? error.what() : "";
    }
}

}  // namespace

TEST_CASE(
    "a conversion to any format verifies or lists a loss, for whole samples, for headers alone and without records") {
    const std::vector<Sample> samples = law_samples(corpus_limit);
    std::size_t compared = 0;
    for (const Sample& sample : samples) {
        CAPTURE(sample.name);
        const Bytes& file = sample.content.bytes;
        std::vector<std::pair<std::string, Bytes>> shapes{{"whole", file}};
        if (opens(file, file.size(), *sample.format)) {
            shapes.emplace_back("header", header_of(file, *sample.format));
            if (sample.valid) shapes.emplace_back("without records", without_records(file, *sample.format));
        }
        for (const auto& shape : shapes) {
            CAPTURE(shape.first);
            for (const Format* to : formats()) {
                CAPTURE(to->name);
                CHECK(verify_failure(shape.second, *sample.format, *to, compared) == "");
            }
        }
    }
    CHECK(compared >= at_least(200));
    MESSAGE(compared << " compared");
}

TEST_CASE("a flux stream that is truncated, changed or extended verifies or lists a predicted loss") {
    constexpr std::uint64_t small = 10'000;
    constexpr int changes = 12;
    const Format& flux = *find_format(formats(), "flux");
    const std::vector<Sample> samples = law_samples(small);
    std::size_t compared = 0;
    for (const Sample& sample : samples) {
        const Bytes& file = sample.content.bytes;
        if (sample.format != &flux || file.empty()) continue;
        CAPTURE(sample.name);
        std::mt19937 random(7);
        for (int i = 0; i < changes; ++i) {
            CAPTURE(i);
            const std::size_t at = random() % file.size();
            Bytes changed = file;
            if (i % 3 == 0)
                changed.resize(at + 1);
            else
                changed[at] ^= static_cast<std::byte>(1 + random() % 255);
            CHECK(verify_failure(changed, flux, flux, compared) == "");
            const Format& other = *find_format(formats(), i % 2 == 0 ? "uscope" : "ftr");
            CHECK(verify_failure(changed, flux, other, compared) == "");
            changed.insert(changed.begin(), file.begin(), file.end());
            CHECK(verify_failure(changed, flux, flux, compared) == "");
        }
    }
    CHECK(compared >= at_least(1'000));
    MESSAGE(compared << " compared");
}

TEST_CASE("a trace made from signals verifies in any format, or lists a predicted loss") {
    constexpr std::uint64_t small = 20'000;
    const Format& flux = *find_format(formats(), "flux");
    std::size_t compared = 0;
    for (const Sample& sample : good_samples()) {
        if (sample.format == &flux || sample.content.bytes.size() > small) continue;
        CAPTURE(sample.name);
        const Bytes made = convert_bytes(sample.content.bytes, *sample.format, flux).bytes;
        for (const Format* to : formats()) {
            CAPTURE(to->name);
            CHECK(verify_failure(made, flux, *to, compared) == "");
        }
    }
    CHECK(compared >= at_least(100));
    MESSAGE(compared << " compared");
}

}  // namespace verify_laws
