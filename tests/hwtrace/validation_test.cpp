// tests/hwtrace/validation_test.cpp - checks files by the facade.
#include "hwtrace/validation.hpp"

#include <doctest/doctest.h>

#include <algorithm>
#include <string>

#include "support/corpus.hpp"
#include "support/hex.hpp"

namespace hwtrace::validation_test {

namespace {

std::string path_of(const std::string& relative) {
    return test::testdata(relative).string();
}

ValidationReport validate_cut(const ValidationOptions& options = {}) {
    const auto bytes = test::read_file(test::testdata("stf/valid/sum.zstf"));
    return validate(Input::memory("cut.zstf", std::span(bytes).first(9000)), options);
}

}  // namespace

TEST_CASE("a valid file") {
    const ValidationReport report = validate(path_of("stf/valid/sum.zstf"));
    CHECK(report.is_valid());
    CHECK(report.format->name == "stf");
    CHECK(report.counts.records == 2001);
    CHECK(report.counts.of(Kind::instruction) > 1900);
    CHECK(report.size == std::filesystem::file_size(test::testdata("stf/valid/sum.zstf")));
    CHECK(report.findings.totals().empty());
    CHECK(report.fault.empty());
    CHECK(!report.failure);
}

TEST_CASE("a cut file is incomplete; its whole records are counted") {
    const ValidationReport report = validate_cut();
    CHECK(report.verdict == Verdict::incomplete);
    CHECK(report.counts.records == 1011);
    CHECK(report.findings.total("STF062") == 1);
}

TEST_CASE("a missing file has no verdict") {
    const test::TemporaryFolder folder;
    const std::string path = (folder / "missing.ftr").string();
    const ValidationReport report = validate(path);
    CHECK(!report.verdict);
    CHECK(report.file == path);
    CHECK(report.failure == Failure::io);
    CHECK(report.fault.find("No such file") != std::string::npos);
    CHECK(!report.fault_is_found);
}

TEST_CASE("a file of no known format, and a file without a usable header") {
    const ValidationReport unknown = validate(test::source_file("LICENSE").string());
    CHECK(unknown.verdict == Verdict::invalid);
    CHECK(unknown.format == nullptr);
    CHECK(unknown.findings.total("GEN002") == 1);
    ValidationOptions as_ftr;
    as_ftr.format = find_format(formats(), "ftr");
    const ValidationReport damaged = validate(test::source_file("LICENSE").string(), as_ftr);
    CHECK(damaged.verdict == Verdict::invalid);
    CHECK(damaged.fault_is_found);
    CHECK(damaged.failure == Failure::input);
}

TEST_CASE("a file without records") {
    const auto bytes = test::load_sample(test::testdata("ftr/valid/empty.hex")).bytes;
    const ValidationReport empty = validate(Input::memory("empty.ftr", bytes));
    CHECK(empty.findings.total("GEN001") == 1);
    CHECK(empty.is_valid());
}

TEST_CASE("options change severities, levels and what is known") {
    ValidationOptions options;
    options.severities["STF062"] = Severity::warning;
    CHECK(validate_cut(options).findings.total_at_least(Severity::error) == 0);
    options.level = CheckLevel::quick;
    CHECK(validate_cut(options).counts.records == 0);
    ValidationOptions known;
    std::uint64_t last = 0;
    known.is_known = [](const Finding&) { return true; };
    known.progress = [&](std::uint64_t bytes, std::optional<std::uint64_t> size) {
        CHECK(size == 9000);
        CHECK(bytes >= last);
        last = bytes;
    };
    const ValidationReport report = validate_cut(known);
    CHECK(report.findings.totals().empty());
    CHECK(report.findings.known().at("STF062") == 1);
    CHECK(last > 7000);
}

}  // namespace hwtrace::validation_test
