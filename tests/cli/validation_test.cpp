// tests/cli/validation_test.cpp - tests fingerprints, baselines, and the order of results.
#include <doctest/doctest.h>

#include <atomic>
#include <chrono>
#include <stdexcept>
#include <string>
#include <thread>
#include <vector>

#include "cli/baseline.hpp"
#include "cli/ordered_work.hpp"

namespace hwtrace::cli::validation_test {

namespace {

constexpr Rule odd{"TST001", Severity::warning, Effect::harmless, "the name is odd", "1", "rename it"};
constexpr Rule cut{"TST002", Severity::error, Effect::incomplete, "the file ends early", "2", "copy it again"};

Finding finding_of(const Rule& rule, std::uint64_t offset, std::string where, std::string expected, std::string got) {
    Finding finding;
    finding.rule = &rule;
    finding.offset = offset;
    finding.where = std::move(where);
    finding.expected = std::move(expected);
    finding.got = std::move(got);
    return finding;
}

}  // namespace

TEST_CASE("a finding keeps its fingerprint when it moves; different findings have different fingerprints") {
    const auto print = fingerprint(finding_of(cut, 12, "chunk 3 of core0", "7 bytes of INST_REG", "0x1f"));
    CHECK(print.size() == 16);
    CHECK(fingerprint(finding_of(cut, 99, "chunk 35 of core0", "12 bytes of INST_REG", "0x2a00")) == print);
    CHECK(fingerprint(finding_of(odd, 12, "chunk 3 of core0", "7 bytes of INST_REG", "0x1f")) != print);
    CHECK(fingerprint(finding_of(cut, 12, "chunk 3 of core1", "7 bytes of INST_REG", "0x1f")) != print);
    CHECK(fingerprint(finding_of(cut, 12, "chunk 3 of core0", "7 bytes of INST_CSR", "0x1f")) != print);
    // The same words in different members give different fingerprints.
    CHECK(fingerprint(finding_of(cut, 0, "ab", "", "")) != fingerprint(finding_of(cut, 0, "a", "b", "")));
}

TEST_CASE("findings with the same fingerprint are counted; the first one is kept as the example") {
    KnownFindings known;
    for (std::uint64_t i = 0; i < 3; ++i) {
        const Finding finding = finding_of(cut, i, "chunk", "", "");
        CHECK(add_finding(known, finding, fingerprint(finding)));
    }
    REQUIRE(known.size() == 1);
    CHECK(known.begin()->second.count == 3);
    CHECK(known.begin()->second.rule == "TST002");
    CHECK(known.begin()->second.example == "byte 0 (chunk): the file ends early");
}

TEST_CASE("a baseline stores file names relative to its own folder") {
    Baseline baseline;
    baseline.set("/somewhere/runs/a.stf", {{"00000000000000aa", {"TST001", 2, "x"}}});
    baseline.set("-", {{"00000000000000bb", {"TST002", 1, "y"}}});
    const std::string text = baseline.text("/somewhere/known.json");
    CHECK(text.find("\"file\": \"runs/a.stf\"") != std::string::npos);
    CHECK(text.find("\"file\": \"-\"") != std::string::npos);
    CHECK(baseline.text("/somewhere/else/known.json").find("\"file\": \"../runs/a.stf\"") != std::string::npos);
    CHECK(baseline.of("/somewhere/else/../runs/a.stf").at("00000000000000aa").count == 2);
    CHECK(baseline.of("/somewhere/runs/b.stf").empty());
    baseline.set("/somewhere/runs/a.stf", {});
    CHECK(baseline.of("/somewhere/runs/a.stf").empty());
}

TEST_CASE("results are processed in order, and only a bounded number of them wait") {
    for (const unsigned threads : {1U, 2U, 7U}) {
        CAPTURE(threads);
        std::vector<std::size_t> taken;
        std::atomic<std::size_t> made = 0, most = 0, seen = 0;
        work_in_order(
            200, threads,
            [&](std::size_t i) {
                if (i % 5 == 0) std::this_thread::sleep_for(std::chrono::microseconds(200));
                const std::size_t ahead = ++made - seen;
                std::size_t before = most;
                while (before < ahead && !most.compare_exchange_weak(before, ahead)) {
                }
                return i;
            },
            [&](std::size_t i) {
                taken.push_back(i);
                ++seen;
            });
        REQUIRE(taken.size() == 200);
        for (std::size_t i = 0; i < taken.size(); ++i)
            CHECK(taken[i] == i);
        CHECK(most <= 3 * threads + 1);
    }
    work_in_order(
        0, 4, [](std::size_t) { return 1; }, [](int) { FAIL("there is no result"); });
}

TEST_CASE("an error ends the work only after all earlier results were processed") {
    for (const unsigned threads : {1U, 4U}) {
        CAPTURE(threads);
        std::size_t taken = 0;
        const auto make = [](std::size_t i) {
            if (i == 10) throw std::runtime_error("ten");
            return i;
        };
        CHECK_THROWS_WITH(work_in_order(1000, threads, make, [&](std::size_t) { ++taken; }), "ten");
        CHECK(taken == 10);
        const auto refuse = [](std::size_t i) {
            if (i == 3) throw std::runtime_error("three");
        };
        CHECK_THROWS_WITH(work_in_order(
                              1000, threads, [](std::size_t i) { return i; }, refuse),
                          "three");
    }
}

}  // namespace hwtrace::cli::validation_test
