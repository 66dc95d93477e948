// Tests that views show the same lines for a slice of a recording as for the whole file.
#include <doctest/doctest.h>

#include <algorithm>
#include <array>
#include <memory>
#include <optional>
#include <sstream>
#include <string>
#include <vector>

#include "formats.hpp"
#include "io/error.hpp"
#include "io/text_output.hpp"
#include "select/selection.hpp"
#include "support/corpus.hpp"
#include "support/testdata.hpp"

namespace shown_parts_test {

using namespace hwtrace;
using namespace hwtrace::test;

namespace {

/// Returns the output of the view, or nullopt if the file cannot be read.
std::optional<std::string> shown(const Sample& sample, const View& view, const std::optional<Range>& range) {
    Settings settings;
    SelectionOptions options;
    options.earlier = Earlier::left_out;
    options.reads = sample.format->reads;
    if (range)
        settings.part = [&](Reader& whole) -> std::unique_ptr<Reader> {
            return std::make_unique<RangedReader>(whole, *range, options);
        };
    Input input = Input::memory("sample", sample.content.bytes);
    TextOutput out(-1);
    Findings findings;
    try {
        view.render(input, out, settings, findings);
    } catch (const Error&) {
        return std::nullopt;
    }
    std::istringstream lines{std::string(out.text())};
    std::string text;
    for (std::string line; std::getline(lines, line);)  // streams without records in the slice are not shown
        if (!line.starts_with("stream ")) text.append(line).append("\n");
    return text;
}

/// Returns true if a relation leads to a missing transaction. A slice has no such relations.
bool leads_nowhere(const Sample& sample) {
    Settings settings;
    settings.check = CheckLevel::semantic;
    Input input = Input::memory("sample", sample.content.bytes);
    Findings findings;
    try {
        const auto reader = sample.format->open(input, settings, findings);
        for (Batch batch; reader->read(batch);)
            batch.clear();
    } catch (const Error&) {
        return false;
    }
    return findings.total("FTR048") != 0;
}

}  // namespace

TEST_CASE("a slice of a whole recording is shown like the recording") {
    std::vector<Sample> samples = testdata_samples();
    for (Sample& sample : corpus_samples(1u << 18))
        samples.push_back(std::move(sample));
    std::size_t compared = 0;
    for (const Sample& sample : samples) {
        const std::string_view format = sample.format->name;
        const bool broken_log = format == "txlog" && !sample.valid;
        if ((format != "ftr" && format != "txlog") || broken_log || leads_nowhere(sample)) continue;
        CAPTURE(sample.name);
        for (const View& view : sample.format->views) {
            CAPTURE(view.name);
            const auto whole = shown(sample, view, std::nullopt);
            CHECK(shown(sample, view, Range{Range::Unit::record, 0, std::nullopt}) == whole);
            ++compared;
        }
    }
    CHECK(compared > 100);
}

TEST_CASE("slices of a flux stream show its entries, each once and in order") {
    constexpr std::array records{" sample ", " ATRE ", " ATLA ", " CREQ ", " CRES "};
    std::vector<Sample> samples = testdata_samples();
    for (Sample& sample : corpus_samples(1u << 16))
        samples.push_back(std::move(sample));
    std::size_t compared = 0;
    for (const Sample& sample : samples) {
        if (sample.format->name != "flux" || !sample.valid) continue;
        CAPTURE(sample.name);
        const auto views = sample.format->views;
        const View& entries = *std::ranges::find(views, "entries", &View::name);
        const auto whole = shown(sample, entries, std::nullopt);
        std::string all;
        std::uint64_t count = 0;
        for (std::uint64_t begin = 0;; begin += 100) {
            const auto part = shown(sample, entries, Range{Range::Unit::record, begin, begin + 100});
            REQUIRE(part.has_value());
            if (part->empty()) break;
            all += *part;
        }
        std::istringstream expected(whole.value_or("")), lines(all);
        std::string line, other;
        while (std::getline(lines, line)) {  // transactions in between are not shown
            while (std::getline(expected, other) && other != line)
                CHECK(std::ranges::none_of(records,
                                           [&](const char* entry) { return other.find(entry) != std::string::npos; }));
            CHECK(other == line);
            ++count;
        }
        compared += count;
    }
    CHECK(compared > (corpus("flux") ? 10'000 : 100));
}

}  // namespace shown_parts_test
