// Laws about truncated and modified files.
#include <doctest/doctest.h>

#include <algorithm>
#include <array>
#include <random>
#include <sstream>

#include "domain/conventions.hpp"
#include "io/unpacked.hpp"
#include "laws/law_support.hpp"

namespace damage_laws {

using namespace hwtrace;
using namespace hwtrace::test;

namespace {

constexpr std::uint64_t small = 4096;
constexpr std::size_t own_places = 200;
constexpr std::size_t foreign_places = 30;

/// Returns every offset of a small file of our own. For other files, returns some offsets, evenly spread with jitter.
std::vector<std::size_t> offsets_of(const Sample& sample, std::mt19937& random) {
    const std::size_t size = sample.content.bytes.size();
    const bool foreign = sample.name.starts_with("corpus/");
    if (size <= small && !foreign) return sample_places(size);
    const std::size_t places = foreign ? std::min(foreign_places, size) : own_places;
    std::vector<std::size_t> offsets;
    const std::size_t step = size / places;
    for (std::size_t i = 0; i < places; ++i)
        offsets.push_back(i * step + random() % step);
    return offsets;
}

std::vector<Sample> small_samples() {
    std::vector<Sample> samples = law_samples(16 * 1024);
    for (Sample& sample : picture_samples())
        samples.push_back(std::move(sample));
    std::erase_if(samples, [](const Sample& sample) { return !sample.valid; });
    return samples;
}

/// Returns true if records refer to declarations that were cut off. FTR may store its directory or dictionary after the
/// records.
bool has_unnamed(const Story& story) {
    constexpr std::array late{"FTR023@", "FTR026@", "FTR027@"};
    return std::any_of(story.findings.begin(), story.findings.end(), [&](const std::string& finding) {
        return std::any_of(late.begin(), late.end(), [&](const char* rule) { return finding.starts_with(rule); });
    });
}

/// Returns true if `whole` has all lines of `part`, in order.
bool is_part_of(const std::string& part, const std::string& whole) {
    std::istringstream lines(part), others(whole);
    std::string other;
    for (std::string line; std::getline(lines, line);) {
        do {
            if (!std::getline(others, other)) return false;
        } while (other != line);
    }
    return true;
}

/// Returns the lines that have `word`.
std::string lines_with(std::string_view word, const std::string& records) {
    std::istringstream lines(records);
    std::string found;
    for (std::string line; std::getline(lines, line);)
        if (line.find(word) != std::string::npos) found.append(line).append("\n");
    return found;
}

std::string without_times(const std::string& records) {
    std::istringstream lines(records);
    std::string rest;
    for (std::string line; std::getline(lines, line);)
        rest.append(line.substr(line.find(' '))).append("\n");
    return rest;
}

Settings careful() {
    Settings settings;
    settings.check = CheckLevel::semantic;
    return settings;
}

}  // namespace

TEST_CASE("law 4: a cut file delivers a prefix of its records, and causes a finding unless it may end there") {
    std::mt19937 random(4);
    std::size_t cuts = 0;
    for (const Sample& sample : small_samples()) {
        CAPTURE(sample.name);
        const Bytes& whole = sample.content.bytes;
        const Story original = read_story(whole, *sample.format);
        for (const std::size_t size : offsets_of(sample, random)) {
            CAPTURE(size);
            const Bytes cut(whole.begin(), whole.begin() + static_cast<std::ptrdiff_t>(size));
            const Story story = read_story(cut, *sample.format);
            ++cuts;
            if (original.records.starts_with(story.records)) {
                // A cut may have no finding if the format can end after any record. In other formats, such a cut must
                // leave all records. The full check must then have no finding, either.
                if (!story.silent()) continue;
                CHECK((sample.format->reads.streams || sample.format->reads.ends_anywhere ||
                       story.records == original.records));
                CHECK(read_story(cut, *sample.format, CheckLevel::full).silent());
                continue;
            }
            // The instructions of O3PipeView stand in the order in which they leave, so those that are missing may
            // precede others. A cut between two instructions has no finding, and the other instructions have the same
            // stages.
            if (sample.format->name == "o3pipeview") {
                CHECK((!story.silent() || is_part_of(lines_with("stage_transition", story.records), original.records)));
                continue;
            }
            // Some cuts change records before the cut, so a finding is required. Examples are a last record without
            // some of its rows, parts without their instruction, and strings and names whose table is missing or cut.
            const std::string gap = difference(original.records, story.records);
            CAPTURE(gap);
            const bool shorter = original.records.starts_with(story.records.substr(0, story.records.size() - 1));
            // The contents of a bus access are optional records of their own, so nothing shows that they are missing.
            const bool optional_rest =
                sample.format->name == "stf" && shorter && gap.find("stf.bus_access") != std::string::npos;
            CHECK((optional_rest || !story.silent()));
            const bool raw = gap.find("native") != std::string::npos || gap.find("string ") != std::string::npos ||
                             gap.find("order=") != std::string::npos;
            const bool nameless =
                gap.find("api_name") != std::string::npos || (sample.format->name == "ftr" && has_unnamed(story));
            // The last line of a log may have been cut to another valid line. At most this line differs.
            const auto agree = std::mismatch(original.records.begin(), original.records.end(), story.records.begin(),
                                             story.records.end())
                                   .second;
            const bool last_line =
                sample.format->reads.ends_anywhere && std::count(agree, story.records.end(), '\n') <= 5;
            // A ring's sections are delivered in order of their laps, so a missing section may precede others. Sections
            // of a ring that was never initialised state no positions; the first remaining section has position 0.
            const bool section = sample.format->name == "flux" && is_part_of(story.records, original.records);
            const bool unplaced = sample.name.find("ring_noinit") != std::string::npos &&
                                  is_part_of(without_times(story.records), without_times(original.records));
            // If an FTR file was made from other records, marks at its end may have been cut off.
            const bool unmarked = original.schema.find(conventions::record_source) != std::string::npos &&
                                  story.schema.find(conventions::record_source) == std::string::npos;
            CHECK((shorter || raw || nameless || last_line || section || unplaced || unmarked));
        }
    }
    MESSAGE(cuts << " cuts");
    CHECK(cuts >= at_least(1'001));
}

TEST_CASE("a file truncated anywhere is incomplete, not invalid") {
    std::mt19937 random(41);
    std::size_t cuts = 0;
    std::vector<Sample> samples = law_samples(0);
    for (Sample& sample : picture_samples())
        if (!sample.name.starts_with("corpus/")) samples.push_back(std::move(sample));
    for (const Sample& sample : samples) {
        const Bytes& whole = sample.content.bytes;
        if (!sample.valid || !read_story(whole, *sample.format, CheckLevel::full).good()) continue;
        CAPTURE(sample.name);
        for (const std::size_t size : offsets_of(sample, random)) {
            if (size == 0) continue;
            CAPTURE(size);
            const Bytes cut(whole.begin(), whole.begin() + static_cast<std::ptrdiff_t>(size));
            const Story story = read_story(cut, *sample.format, CheckLevel::full);
            ++cuts;
            // A few bytes do not identify a compression. A size that exceeds a flux file may itself be wrong if a head
            // or a block follows, or if it is the size of a section.
            const bool is_untold = size < 6 && packing_of(whole) != Packing::plain;
            const bool is_size =
                std::any_of(story.findings.begin(), story.findings.end(), [](const std::string& finding) {
                    return finding.starts_with("FLX003@") || finding.starts_with("FLX007@");
                });
            CHECK((story.verdict != Verdict::invalid || is_untold || is_size));
        }
    }
    CHECK(cuts >= at_least(1'001));
}

TEST_CASE("law 5: a changed byte never causes a crash, a hang, or memory use beyond the limits") {
    std::mt19937 random(5);
    std::size_t changes = 0, noticed = 0;
    for (const Sample& sample : small_samples()) {
        CAPTURE(sample.name);
        Bytes bytes = sample.content.bytes;
        if (bytes.size() > small || sample.name.starts_with("corpus/")) continue;
        for (const std::size_t at : sample_places(bytes.size())) {
            CAPTURE(at);
            const std::byte before = bytes[at];
            bytes[at] ^= static_cast<std::byte>(1 + random() % 255);
            const Story story = read_story(bytes, *sample.format, CheckLevel::semantic);
            noticed += story.silent() ? 0u : 1u;
            if (at % 8 == 0) read_views(bytes, *sample.format);
            bytes[at] = before;
            ++changes;
        }
    }
    MESSAGE(changes << " changes, " << noticed << " noticed");
    CHECK(changes >= at_least(1'001));
    CHECK(noticed > changes / 10);
}

TEST_CASE("maximal sizes and counts are refused or reported, not allocated") {
    for (const Sample& sample : small_samples()) {
        CAPTURE(sample.name);
        Bytes bytes = sample.content.bytes;
        if (bytes.size() > small || sample.name.starts_with("corpus/")) continue;
        for (const std::size_t at : sample_places(bytes.size() - std::min<std::size_t>(bytes.size(), 7))) {
            CAPTURE(at);
            const Bytes before(bytes.begin() + static_cast<std::ptrdiff_t>(at),
                               bytes.begin() + static_cast<std::ptrdiff_t>(at) + 8);
            const std::size_t width = at % 2 == 0 ? 4 : 8;
            std::fill_n(bytes.begin() + static_cast<std::ptrdiff_t>(at), width, std::byte{0xFF});
            const Story story = read_story(bytes, *sample.format);
            if (story.failure) CHECK(*story.failure != Failure::internal);
            std::copy(before.begin(), before.end(), bytes.begin() + static_cast<std::ptrdiff_t>(at));
        }
    }
}

TEST_CASE("views of truncated files end without a crash") {
    std::mt19937 random(6);
    for (const Sample& sample : small_samples()) {
        CAPTURE(sample.name);
        const Bytes& whole = sample.content.bytes;
        const std::vector<std::size_t> offsets = offsets_of(sample, random);
        for (std::size_t i = 0; i < offsets.size(); i += 5) {
            const Bytes cut(whole.begin(), whole.begin() + static_cast<std::ptrdiff_t>(offsets[i]));
            for (const View& view : sample.format->views) {
                Input input = Input::memory("cut", cut);
                Findings findings;
                TextOutput text(-1, 4096);
                bool failed = false;
                try {
                    view.render(input, text, careful(), findings);
                } catch (const Error& error) {
                    failed = true;
                    CHECK(error.failure() != Failure::internal);
                }
                CHECK((failed || !text.text().empty() || !findings.kept().empty()));
            }
        }
    }
}

}  // namespace damage_laws
