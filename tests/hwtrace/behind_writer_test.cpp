#include "codec/behind_writer.hpp"

#include <doctest/doctest.h>

#include <algorithm>
#include <array>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "formats.hpp"
#include "hwtrace/conversion.hpp"
#include "io/error.hpp"
#include "io/input.hpp"
#include "io/output.hpp"
#include "support/testdata.hpp"

namespace behind_writer_test {

using namespace hwtrace;

namespace {

/// Everything that a conversion gives.
struct Converted {
    std::vector<std::byte> bytes;
    std::vector<std::string> said;
    std::uint64_t read = 0, written = 0;

    friend bool operator==(const Converted&, const Converted&) = default;
};

Converted convert(const test::Sample& sample, const Format& to, unsigned jobs, const std::string& range) {
    Converted made;
    ConversionOptions options;
    options.settings.jobs = jobs;
    options.time.period_ps = 1000;
    if (!range.empty()) options.range = parse_range(range);
    try {
        Conversion conversion(Input::memory("sample", sample.content.bytes), *sample.format, to, options);
        conversion.report().findings.listen([&](const Finding& finding) { made.said.push_back(describe(finding)); });
        const auto output =
            open_memory_output("made", [&](std::vector<std::byte> bytes) { made.bytes = std::move(bytes); });
        conversion.begin(*output);
        conversion.run();
        const ConversionReport& report = conversion.report();
        for (const auto& [key, entry] : report.losses.entries())
            made.said.push_back(std::string(name_of(key.first)) + ' ' + key.second + ' ' + std::to_string(entry.count) +
                                ' ' + entry.first);
        for (const std::string& text : report.losses.assumptions())
            made.said.push_back(text);
        for (const std::string& text : report.losses.warnings())
            made.said.push_back(text);
        made.read = report.counts.records_read;
        made.written = report.counts.records_written;
        output->commit();
    } catch (const Error& error) {
        made.said.emplace_back(error.what());
    }
    return made;
}

}  // namespace

TEST_CASE("conversions with several threads give the same bytes, losses and findings, for traces of all formats") {
    std::size_t converted = 0, number = 0;
    for (const test::Sample& sample : test::testdata_samples()) {
        for (const Format* const to : formats()) {
            constexpr std::array targets{"uscope", "pccx", "ftr", "jsonl"};  // each has a different way of writing
            if (std::ranges::find(targets, to->name) == targets.end()) continue;
            if (++number % 7 != 0) continue;  // cli/jobs.sh converts more
            for (const std::string range : {"", "2#:9#"}) {
                CAPTURE(sample.name);
                CAPTURE(to->name);
                CAPTURE(range);
                const Converted alone = convert(sample, *to, 1, range);
                if (alone.bytes.empty() && range.empty() && alone.said.empty()) continue;
                CHECK(convert(sample, *to, 4, range) == alone);
                converted += alone.bytes.empty() ? 0 : 1;
            }
        }
    }
    CHECK(converted > 20);
}

namespace {

/// Fails at the second batch.
class FullDisk final : public Writer {
public:
    explicit FullDisk(std::size_t& written) : written_(written) {}
    void write(const Batch& batch) override {
        if (written_ >= 1) fail(Failure::io, "no space left");
        written_ += batch.records().size();
    }
    void finish() override {}

private:
    std::size_t& written_;
};

}  // namespace

TEST_CASE("an error of a writer in another thread is thrown by a later call") {
    Schema schema;
    const TrackId track = schema.declare(make_track(Track::Kind::notes, none, "notes", {}));
    Losses losses;
    std::size_t written = 0;
    BehindWriter writer(schema, losses, 3, [&](const Schema&, Losses&) { return std::make_unique<FullDisk>(written); });
    const auto write_all = [&] {
        for (int i = 0; i < 10; ++i) {
            Batch batch;
            batch.note(track, i, "text");
            writer.write(batch);
        }
        writer.finish();
    };
    CHECK_THROWS_WITH_AS(write_all(), "no space left", Error);
    CHECK(written == 1);
}

TEST_CASE("a writer in another thread can be given up") {
    Schema schema;
    const TrackId track = schema.declare(make_track(Track::Kind::notes, none, "notes", {}));
    Losses losses;
    std::size_t written = 0;
    BehindWriter writer(schema, losses, 3, [&](const Schema&, Losses&) { return std::make_unique<FullDisk>(written); });
    Batch batch;
    batch.note(track, 0, "text");
    writer.take(batch);
}

namespace {

const Rule odd{"GEN999", Severity::warning, Effect::harmless, "odd", "", ""};

/// Delivers intervals while its schema grows in every way.
class Growing final : public Reader {
public:
    explicit Growing(Findings& findings) : findings_(findings) {
        schema_.declare(Enum{"labels", {}});
        schema_.declare(make_track(Track::Kind::stream, none, "first", {}));
    }
    Schema& schema() override { return schema_; }
    Facts facts() const override { return {{"records", count_}}; }
    std::uint64_t position() const override { return count_; }
    bool read(Batch& batch) override {
        if (count_ >= 40'000) return false;
        while (!batch.full())
            append(batch);
        return true;
    }

private:
    void append(Batch& batch) {
        const std::uint64_t n = ++count_;
        const std::string name = std::to_string(n);
        const auto track = static_cast<TrackId>(n % schema_.tracks().size());
        if (n % 97 == 0) schema_.declare(make_track(Track::Kind::stream, none, name, {}));
        if (n % 31 == 0) {
            Field field;
            field.name = name;
            field.type = Type::text;
            schema_.add_attribute(track, field);
        }
        if (n % 53 == 0) schema_.add_label(0, {n, name});
        if (n % 71 == 0) schema_.describe("key", name);
        if (n % 1000 == 0) findings_.report({.rule = &odd, .offset = n});
        const StringId text = schema_.intern(std::to_string(n / 2));
        const auto fields = static_cast<std::uint32_t>(schema_.tracks()[track].fields.size());
        const Attribute attribute{fields - 1, text};
        batch.interval(track, static_cast<Tick>(n), 1, std::span(&attribute, fields == 0 ? 0 : 1));
    }

    Findings& findings_;
    Schema schema_;
    std::uint64_t count_ = 0;
};

/// Combines everything that a batch refers to, and the size of the schema at this time.
std::uint64_t digest(const Schema& schema, const Batch& batch, std::uint64_t sum) {
    for (const Record& record : batch.records()) {
        const Track& track = schema.tracks()[record.track];
        sum = sum * 31 + track.name.size() + track.fields.size();
        for (const Attribute& attribute : batch.attributes(record))
            sum = sum * 31 + track.fields[attribute.field].name.size() +
                  schema.text(static_cast<StringId>(attribute.value)).size();
    }
    const std::string* const label = schema.label(0, 53);
    sum = sum * 31 + schema.find_text("7") + schema.metadata().size() + (label != nullptr ? label->size() : 0);
    return sum * 31 + schema.string_count() + schema.tracks().size() + schema.enums()[0].values.size();
}

class Digesting final : public Writer {
public:
    Digesting(const Schema& schema, Losses& losses, std::uint64_t& sum) : schema_(schema), losses_(losses), sum_(sum) {}
    void write(const Batch& batch) override {
        sum_ = digest(schema_, batch, sum_);
        losses_.count(Loss::field_dropped, "written", [&] { return std::to_string(sum_); });
    }
    void finish() override {}

private:
    const Schema& schema_;
    Losses& losses_;
    std::uint64_t& sum_;
};

/// Reads at most `most` batches, and returns what the threads see.
std::vector<std::string> run(unsigned jobs, int most) {
    Format format;
    format.name = "growing";
    format.make_reader = [](Input&, const Settings&, Findings& findings) -> std::unique_ptr<Reader> {
        return std::make_unique<Growing>(findings);
    };
    Input input = Input::memory("growing", {});
    Findings findings;
    Settings settings;
    settings.jobs = jobs;
    Losses losses;
    std::uint64_t seen = 0, written = 0;
    const auto reader = format.open(input, settings, findings);
    const auto make = [&](const Schema& schema, Losses& own) -> std::unique_ptr<Writer> {
        return std::make_unique<Digesting>(schema, own, written);
    };
    const std::unique_ptr<Writer> writer = jobs == 1
                                               ? make(reader->schema(), losses)
                                               : std::make_unique<BehindWriter>(reader->schema(), losses, jobs, make);
    Batch batch;
    for (int i = 0; i < most && reader->read(batch); ++i) {
        seen = digest(reader->schema(), batch, seen) + reader->position() + findings.total("GEN999");
        writer->take(batch);
        batch.clear();
    }
    writer->finish();
    return {std::to_string(seen), std::to_string(written), losses.entries().begin()->second.first,
            std::to_string(losses.entries().begin()->second.count)};
}

}  // namespace

TEST_CASE("each thread sees a growing schema as one thread would") {
    for (const int most : {1, 20, 1000})
        CHECK(run(3, most) == run(1, most));
}

}  // namespace behind_writer_test
