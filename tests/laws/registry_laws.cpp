// Laws of the registry: its statements about formats, rules and options are true.
#include <doctest/doctest.h>

#include <algorithm>
#include <filesystem>
#include <map>
#include <set>
#include <sstream>

#include "formats.hpp"
#include "laws/law_support.hpp"
#include "support/corpus.hpp"
#include "support/lines.hpp"

namespace registry_laws {

using namespace hwtrace;
using namespace hwtrace::test;

namespace {

using Lines = std::vector<std::string>;

std::string trimmed(std::string text) {
    std::erase(text, '`');
    const std::size_t first = text.find_first_not_of(' ');
    if (first == std::string::npos) return {};
    return text.substr(first, text.find_last_not_of(' ') - first + 1);
}

/// Returns the cells of a row of a Markdown table. "\|" is a literal bar inside a cell.
Lines cells_of(const std::string& row) {
    Lines cells;
    std::string cell;
    for (std::size_t i = 1; i < row.size(); ++i) {
        if (row[i] == '\\' && i + 1 < row.size() && row[i + 1] == '|') {
            cell += row[++i];
        } else if (row[i] == '|') {
            cells.push_back(trimmed(cell));
            cell.clear();
        } else {
            cell += row[i];
        }
    }
    return cells;
}

/// Formats that have a sample in testdata/ for each of their rules. No format may leave this list.
const std::set<std::string_view> fully_sampled{"commitlog",  "flux", "fst", "ftr",   "jsonl",  "kanata",
                                               "o3pipeview", "pccx", "stf", "txlog", "uscope", "vcd"};

std::string readme_of(std::string_view format) {
    return read_text(source_file("formats") / format / "README.md");
}

/// Returns the options of a format, as its README lists them.
Lines options_in_readme(const std::string& format) {
    std::istringstream readme(readme_of(format));
    Lines rows;
    for (std::string line; std::getline(readme, line);) {
        if (!line.starts_with("| `" + format + "-")) continue;
        const Lines cells = cells_of(line);
        rows.push_back(cells.at(0) + " | " + cells.at(1) + " | " + cells.at(2) + " | " + cells.at(3));
    }
    return rows;
}

/// Returns the files of testdata/ in all formats that can be read.
std::vector<Sample> all_samples() {
    std::vector<Sample> samples = testdata_samples();
    for (Sample& sample : picture_samples())
        samples.push_back(std::move(sample));
    return samples;
}

}  // namespace

TEST_CASE("law 6: exactly one format claims each sample, and it is the right one") {
    std::vector<Sample> samples = all_samples();
    for (Sample& sample : corpus_samples(1u << 20))
        samples.push_back(std::move(sample));
    std::erase_if(samples, [](const Sample& sample) { return !sample.valid; });
    REQUIRE(samples.size() >= 12);
    for (const Sample& sample : samples) {
        CAPTURE(sample.name);
        const Head head = Head(sample.content.bytes).first(std::min<std::size_t>(4096, sample.content.bytes.size()));
        std::vector<std::string_view> claims;
        for (const Format* format : readable_formats())
            if (format->sniff(head)) claims.push_back(format->name);
        CHECK(claims == std::vector<std::string_view>{sample.format->name});
    }
}

TEST_CASE("no format claims a file that is not a trace") {
    const Bytes zeros(4096);
    Bytes text;
    for (const char c : std::string("#!/bin/sh\necho this is no trace\n"))
        text.push_back(static_cast<std::byte>(c));
    for (const Bytes& bytes : {Bytes{}, zeros, text}) {
        for (const Format* format : readable_formats()) {
            CAPTURE(format->name);
            CHECK_FALSE(format->sniff(bytes));
            Input input = Input::memory("no trace", bytes);
            Findings findings;
            const Settings settings;
            try {
                const auto reader = format->open(input, settings, findings);
                Batch batch;
                while (reader->read(batch))
                    batch.clear();
                CHECK(findings.effect() != Effect::harmless);
            } catch (const Error& error) {
                CHECK(error.failure() == Failure::input);
                CHECK_FALSE(findings.kept().empty());
            }
        }
    }
}

TEST_CASE("law 7: each broken sample gives its rule at its bytes, and no valid one gives any") {
    std::set<std::string> shown;
    for (const Sample& sample : all_samples()) {
        if (sample.name.starts_with("corpus/")) continue;
        CAPTURE(sample.name);
        const Story story =
            read_story(sample.content.bytes, *sample.format, sample.valid ? CheckLevel::full : CheckLevel::semantic);
        CAPTURE(story.findings);
        if (sample.valid) {
            CHECK(story.findings == Lines{});
            CHECK_FALSE(story.failure.has_value());
            continue;
        }
        CHECK_FALSE(sample.content.expected.empty());
        for (const Expectation& expected : sample.content.expected) {
            CAPTURE(expected.rule);
            CAPTURE(expected.offset);
            CAPTURE(expected.length);
            CHECK(std::ranges::find(story.places, expected) != story.places.end());
            shown.insert(expected.rule);
        }
    }
    for (const Format* format : readable_formats()) {
        std::string without;
        std::size_t count = 0;
        for (const Rule& rule : format->rules) {
            if (shown.contains(std::string(rule.id))) {
                ++count;
                continue;
            }
            without += " " + std::string(rule.id);
        }
        MESSAGE(format->name << ": " << count << " of " << format->rules.size()
                             << " rules have a sample in testdata; without:" << without);
        CHECK(count > 0);
        if (fully_sampled.contains(format->name)) CHECK(without == "");
    }
}

TEST_CASE("exactly the valid files are delivered completely, by the model and by every view") {
    std::vector<Sample> samples = law_samples(1u << 16);
    for (Sample& sample : picture_samples())
        samples.push_back(std::move(sample));
    std::size_t valid = 0, damaged = 0;
    for (const Sample& sample : samples) {
        CAPTURE(sample.name);
        const Story full = read_story(sample.content.bytes, *sample.format, CheckLevel::full);
        CAPTURE(full.findings);
        if (full.verdict != Verdict::valid) {
            ++damaged;
            // Views must report everything that the reader reports. STF is exempt: its views show records one by one
            // and do not check their order.
            if (sample.format->name != "stf" &&
                read_story(sample.content.bytes, *sample.format).verdict != Verdict::valid)
                CHECK_FALSE(read_views(sample.content.bytes, *sample.format));
            continue;
        }
        ++valid;
        CHECK(full.effect == Effect::harmless);
        CHECK_FALSE(full.failure.has_value());
        const Story delivered = read_story(sample.content.bytes, *sample.format);
        CHECK(delivered.verdict == Verdict::valid);
        CHECK(delivered.effect == Effect::harmless);
        CHECK(delivered.records == full.records);
        CHECK(read_views(sample.content.bytes, *sample.format));
    }
    CHECK(valid >= at_least(51));
    CHECK(damaged >= at_least(51));
}

TEST_CASE("rules are complete: unique ids, a title, a section of the README, a reason") {
    std::set<std::string_view> ids;
    for (const Format* format : readable_formats()) {
        for (const Rule& rule : format->rules) {
            CAPTURE(rule.id);
            CHECK(ids.insert(rule.id).second);
            CHECK(rule.id.size() == 6);
            CHECK(rule.severity != Severity::off);
            CHECK_FALSE(rule.title.empty());
            CHECK_FALSE(rule.title.ends_with('.'));
            CHECK_FALSE(rule.why.empty());
            CHECK_FALSE(rule.section.empty());
            CHECK(readme_of(format->name).find("# " + std::string(rule.section) + '\n') != std::string::npos);
            CHECK((rule.text.empty() || !format->text_title.empty()));
        }
    }
}

TEST_CASE("law 9: the options of a format equal the table in its README") {
    for (const Format* format : readable_formats()) {
        CAPTURE(format->name);
        Lines described;
        for (const Option& option : format->options) {
            described.push_back(std::string(option.key) + " | " + std::string(option.values) + " | " +
                                std::string(option.fallback) + " | " + std::string(option.help));
            CHECK(option.key.starts_with(std::string(format->name) + "-"));
            if (!option.fallback.empty()) CHECK_NOTHROW(Settings{}.set(option, std::string(option.fallback)));
        }
        CHECK(options_in_readme(std::string(format->name)) == described);
    }
}

TEST_CASE("names and extensions of formats are unique") {
    std::set<std::string_view> names, extensions;
    for (const Format* format : readable_formats()) {
        CAPTURE(format->name);
        CHECK(names.insert(format->name).second);
        CHECK_FALSE(format->views.empty());
        for (const std::string_view extension : format->extensions) {
            CHECK(extension.starts_with('.'));
            CHECK(extensions.insert(extension).second);
            CHECK(format_by_extension(targets(), "trace" + std::string(extension)) == format);
        }
    }
}

TEST_CASE("the generated test data is up to date") {
    for (const auto& file : made_testdata()) {
        const auto& name = file.first;
        const auto& bytes = file.second;
        CAPTURE(name);
        const Bytes stored = read_file(testdata(name));
        const std::string folder = name.substr(0, name.find('/'));
        const Format* format = find_format(formats(), folder);
        const bool compressed = name.ends_with(".gz") || name.ends_with(".zst") || name.ends_with(".lz4") ||
                                name.ends_with(".xz") || name.ends_with(".zstf") ||
                                name.find("_lz4") != std::string::npos || name.find("_zstd") != std::string::npos;
        if (compressed) {
            REQUIRE(format != nullptr);
            CHECK(difference(read_story(bytes, *format).records, read_story(stored, *format).records) == "");
        } else {
            CHECK(bytes == stored);
        }
    }
}

}  // namespace registry_laws
