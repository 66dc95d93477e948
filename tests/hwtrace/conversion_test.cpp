// tests/hwtrace/conversion_test.cpp - converts files and the data of a program by the facade.
#include "hwtrace/conversion.hpp"

#include <doctest/doctest.h>

#include <array>
#include <filesystem>
#include <string>
#include <vector>

#include "hwtrace/trace.hpp"
#include "hwtrace/validation.hpp"
#include "io/error.hpp"
#include "support/corpus.hpp"

namespace hwtrace::conversion_test {

namespace {

constexpr TimeBase nanoseconds{TimeBase::Kind::seconds, 1, 1'000'000'000};

std::string path_of(const std::string& relative) {
    return test::testdata(relative).string();
}

std::size_t records_in(const std::string& path) {
    Trace trace = Trace::open(path);
    std::size_t records = 0;
    for (const Batch& batch : trace)
        records += batch.records().size();
    return records;
}

template <typename Work>
Failure failure_of(Work&& work) {
    try {
        work();
    } catch (const Error& error) {
        return error.failure();
    }
    FAIL("nothing failed");
    return Failure::internal;
}

/// Delivers transfers whose times decrease.
class Transfers final : public Reader {
public:
    explicit Transfers(std::uint64_t count) : left_(count) {
        const ScopeId dma = schema_.declare(Scope{"dma", none, {}, none});
        track_ = schema_.declare(make_track(Track::Kind::stream, dma, "transfer", nanoseconds, {Field{"address"}}));
    }
    Schema& schema() override { return schema_; }
    Facts facts() const override { return {}; }
    std::uint64_t position() const override { return left_; }
    bool read(Batch& batch) override {
        for (; left_ != 0 && !batch.full(); --left_)
            batch.interval(track_, static_cast<Tick>(10 * left_), 25, std::array{Attribute{0, 64 * left_}});
        return !batch.empty();
    }

private:
    Schema schema_;
    TrackId track_;
    std::uint64_t left_;
};

}  // namespace

TEST_CASE("a conversion without losses is verified") {
    const test::TemporaryFolder folder;
    const std::string target = (folder / "npu.ftr").string();
    ConversionOptions options;
    options.verify = true;
    std::uint64_t done = 0;
    options.progress = [&](std::uint64_t bytes, std::optional<std::uint64_t>) { done = bytes; };
    const ConversionReport report = convert(path_of("pccx/valid/npu.pccx"), target, options);
    CHECK(report.written);
    CHECK(report.is_whole());
    CHECK(report.from->name == "pccx");
    CHECK(report.to->name == "ftr");
    CHECK(report.verification.done);
    CHECK(report.verification.not_compared.empty());
    CHECK(report.verification.passed());
    CHECK(report.counts.records_read == 328);
    CHECK(report.size == std::filesystem::file_size(target));
    CHECK(done == std::filesystem::file_size(test::testdata("pccx/valid/npu.pccx")));
    CHECK(validate(target).is_valid());
    CHECK(records_in(target) == report.counts.records_written);
}

TEST_CASE("assumptions and losses are reported") {
    const test::TemporaryFolder folder;
    const ConversionReport assumed = convert(path_of("stf/valid/sum.zstf"), (folder / "sum.uscope").string());
    CHECK(assumed.written);
    CHECK(assumed.losses.none());
    CHECK(!assumed.losses.assumptions().empty());
    ConversionOptions with_clock;
    with_clock.time.period_ps = 500;
    with_clock.time.instructions_per_cycle = Ratio{3, 4};
    CHECK(convert(path_of("stf/valid/sum.zstf"), (folder / "sum.uscope").string(), with_clock)
              .losses.assumptions()
              .empty());

    const std::string target = (folder / "soc.pccx").string();
    ConversionOptions strict;
    strict.strict = true;
    strict.verify = true;
    const ConversionReport refused = convert(path_of("ftr/valid/soc.ftr"), target, strict);
    CHECK(!refused.losses.none());
    CHECK(!refused.is_whole());
    CHECK(!refused.written);
    CHECK(!refused.verification.done);
    CHECK(!std::filesystem::exists(target));
    ConversionOptions verified;
    verified.verify = true;
    const ConversionReport lossy = convert(path_of("ftr/valid/soc.ftr"), target, verified);
    CHECK(lossy.written);
    CHECK(lossy.verification.not_compared == "data was lost");
    CHECK(lossy.verification.passed());
}

TEST_CASE("a slice") {
    const test::TemporaryFolder folder;
    const std::string target = (folder / "slice.stf").string();
    ConversionOptions options;
    options.range = parse_range("100#:200#");
    const ConversionReport report = convert(path_of("stf/valid/sum.zstf"), target, options);
    CHECK(report.is_whole());
    CHECK(validate(target).counts.of(Kind::instruction) == 100);

    ConversionOptions last;
    last.last = 7;
    last.verify = true;
    CHECK(convert(path_of("stf/valid/sum.zstf"), target, last).verification.passed());
    CHECK(validate(target).counts.of(Kind::instruction) == 7);
    last.range = options.range;
    CHECK(failure_of([&] { convert(path_of("stf/valid/sum.zstf"), target, last); }) == Failure::usage);

    ConversionOptions selected;
    selected.criteria = parse_criteria("size=2");
    convert(path_of("stf/valid/sum.zstf"), target, selected);
    const std::uint64_t compressed = validate(target).counts.of(Kind::instruction);
    CHECK((compressed != 0 && compressed < 1900));
}

TEST_CASE("a damaged source is converted as far as it goes") {
    const test::TemporaryFolder folder;
    const auto bytes = test::read_file(test::testdata("stf/valid/sum.zstf"));
    const Format& stf = *find_format(formats(), "stf");
    const std::string target = (folder / "cut.stf").string();
    const auto output = open_file_output(target, Existing::refuse);
    Conversion conversion(Input::memory("cut.zstf", std::span(bytes).first(9000)), stf, stf);
    CHECK(conversion.plan().steps.size() == 2);
    CHECK(!conversion.schema().tracks().empty());
    conversion.begin(*output);
    Conversion moved = std::move(conversion);
    moved.run();
    CHECK(!std::filesystem::exists(target));
    output->commit();
    CHECK(moved.report().is_broken());
    CHECK(moved.report().findings.total("STF062") == 1);
    CHECK(moved.report().counts.records_read == 1011);
    CHECK(records_in(target) == 1011);
}

TEST_CASE("impossible requests write nothing") {
    const test::TemporaryFolder folder;
    const std::string source = path_of("ftr/valid/soc.ftr"), target = (folder / "soc.uscope").string();
    CHECK(failure_of([&] { convert(source, (folder / "soc.unknown").string()); }) == Failure::usage);
    CHECK(failure_of([&] { convert((folder / "missing.ftr").string(), target); }) == Failure::io);
    CHECK(failure_of([&] { convert(test::source_file("LICENSE").string(), target); }) == Failure::input);
    CHECK(failure_of([&] { convert(path_of("pccx/valid/npu.pccx"), (folder / "npu.stf").string()); }) ==
          Failure::input);
    CHECK(std::filesystem::is_empty(folder.path()));

    convert(source, target);
    ConversionOptions careful;
    careful.existing = Existing::refuse;
    CHECK(failure_of([&] { convert(source, target, careful); }) == Failure::usage);
    CHECK(failure_of([&] { convert(target, target); }) == Failure::usage);  // would replace its source
    CHECK(validate(target).is_valid());
}

TEST_CASE("a program writes its own data; it is sorted if the target needs that") {
    const test::TemporaryFolder folder;
    for (const std::string name : {"transfers.ftr", "transfers.uscope", "transfers.jsonl"}) {
        Transfers transfers(1000);
        const std::string target = (folder / name).string();
        ConversionOptions options;
        options.verify = true;
        const ConversionReport report = convert(transfers, target, options);
        CHECK(report.written);
        CHECK(report.is_whole());
        CHECK(report.source.empty());
        CHECK(report.from == nullptr);
        CHECK(report.counts.records_read == 1000);
        CHECK(report.verification.not_compared == "the source is a program");
        const ValidationReport checked = validate(target);
        CHECK(checked.is_valid());
        CHECK(checked.counts.records > 0);
    }
    ConversionOptions slice;
    slice.range = parse_range("100ns:200ns");
    Transfers transfers(1000);
    CHECK(convert(transfers, (folder / "slice.ftr").string(), slice).counts.records_written == 12);
    Transfers others(10);
    CHECK(failure_of([&] { convert(others, (folder / "others.stf").string()); }) == Failure::input);
    CHECK(failure_of([&] { convert(others, (folder / "others").string()); }) == Failure::usage);
    ConversionOptions last;
    last.last = 1;
    CHECK(failure_of([&] { convert(others, (folder / "last.ftr").string(), last); }) == Failure::usage);
}

}  // namespace hwtrace::conversion_test
