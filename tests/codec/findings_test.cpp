#include "codec/findings.hpp"

#include <doctest/doctest.h>

#include <optional>
#include <utility>

namespace findings_test {

using namespace hwtrace;

namespace {

constexpr Rule cut{"TST002", Severity::error, Effect::incomplete, "the file ends early", "1", "copy it again"};
constexpr Rule odd{"TST001", Severity::warning, Effect::harmless, "the name is odd", "2", "rename it"};
constexpr Rule broken{"TST003", Severity::note, Effect::damaged, "records are missing", "3", "make it again"};

Finding finding_of(const Rule& rule, std::uint64_t offset) {
    Finding finding;
    finding.rule = &rule;
    finding.offset = offset;
    return finding;
}

}  // namespace

TEST_CASE("totals are exact; only the first few findings of each rule are kept") {
    Findings findings(3);
    for (std::uint64_t i = 0; i < 10; ++i)
        findings.report(finding_of(odd, i));
    findings.report(finding_of(cut, 99));
    CHECK(findings.total("TST001") == 10);
    CHECK(findings.total("TST002") == 1);
    CHECK(findings.total("TST009") == 0);
    REQUIRE(findings.kept().size() == 4);
    CHECK(findings.kept()[2].offset == 2);
    CHECK(findings.kept()[3].offset == 99);
    CHECK(findings.totals().begin()->first == "TST001");
    CHECK(findings.total_at_least(Severity::note) == 11);
    CHECK(findings.total_at_least(Severity::error) == 1);
}

TEST_CASE("the listener is called for kept findings") {
    Findings findings(2);
    std::uint64_t heard = 0;
    findings.listen([&](const Finding&) { ++heard; });
    for (std::uint64_t i = 0; i < 5; ++i)
        findings.report(finding_of(odd, i));
    CHECK(heard == 2);
}

TEST_CASE("the effect is the worst one seen, whatever the severity") {
    Findings findings;
    CHECK(findings.effect() == Effect::harmless);
    findings.report(finding_of(cut, 0));
    CHECK(findings.effect() == Effect::incomplete);
    findings.report(finding_of(broken, 0));
    CHECK(findings.effect() == Effect::damaged);
    findings.report(finding_of(odd, 0));
    CHECK(findings.effect() == Effect::damaged);
}

TEST_CASE("findings of a rule that is off are not counted, but their damage still affects the verdict") {
    Findings findings;
    findings.set_severity("TST002", Severity::off);
    findings.report(finding_of(cut, 0));
    CHECK(findings.kept().empty());
    CHECK(findings.total("TST002") == 0);
    CHECK(findings.effect() == Effect::incomplete);
}

TEST_CASE("a file with missing data is not valid, whatever the severity of the finding") {
    const auto verdict = [](std::initializer_list<const Rule*> rules,
                            std::optional<std::pair<std::string_view, Severity>> level = {}) {
        Findings findings;
        if (level) findings.set_severity(level->first, level->second);
        for (const Rule* const rule : rules)
            findings.report(finding_of(*rule, 0));
        return findings.verdict();
    };
    CHECK(verdict({}) == Verdict::valid);
    CHECK(verdict({&odd}) == Verdict::valid);
    CHECK(verdict({&odd}, {{"TST001", Severity::error}}) == Verdict::invalid);
    CHECK(verdict({&cut, &odd}) == Verdict::incomplete);
    CHECK(verdict({&cut}, {{"TST002", Severity::off}}) == Verdict::incomplete);
    CHECK(verdict({&odd}, {{"TST001", Severity::off}}) == Verdict::valid);
    CHECK(verdict({&cut}, {{"TST002", Severity::note}}) == Verdict::incomplete);
    CHECK(verdict({&broken}) == Verdict::incomplete);
    CHECK(verdict({&broken, &cut}) == Verdict::incomplete);
    CHECK(verdict({&broken, &cut}, {{"TST003", Severity::error}}) == Verdict::invalid);
}

TEST_CASE("a rule whose severity was raised counts at the new severity") {
    Findings findings;
    findings.set_severity("TST001", Severity::error);
    findings.report(finding_of(odd, 0));
    CHECK(findings.severity(odd) == Severity::error);
    CHECK(findings.severity(cut) == Severity::error);
    CHECK(findings.total_at_least(Severity::error) == 1);
}

TEST_CASE("a finding is a sentence with its place, the expected value and the found value") {
    Finding finding = finding_of(cut, 660473);
    CHECK(describe(finding) == "byte 660473: the file ends early");
    finding.where = "chunk 35";
    finding.inner_offset = 918204;
    finding.expected = "12 bytes";
    finding.got = "7 bytes";
    CHECK(describe(finding) ==
          "byte 660473 (chunk 35, byte 918204 of the decompressed data): the file ends early; expected 12 bytes, "
          "found 7 bytes");
}

TEST_CASE("known findings are counted separately and still affect the verdict") {
    Findings findings(3);
    findings.screen([](const Finding& finding) { return finding.offset < 10; });
    findings.report(finding_of(cut, 5));
    CHECK(findings.total("TST002") == 0);
    CHECK(findings.known().at("TST002") == 1);
    CHECK(findings.kept().empty());
    CHECK(findings.total_at_least(Severity::note) == 0);
    CHECK_FALSE(findings.loses_data());
    CHECK(findings.verdict() == Verdict::incomplete);
    CHECK(findings.effect() == Effect::incomplete);
    findings.report(finding_of(cut, 50));
    CHECK(findings.total("TST002") == 1);
    CHECK(findings.loses_data());
    findings.set_severity("TST003", Severity::error);
    findings.report(finding_of(broken, 1));
    CHECK(findings.violations(Severity::error) == 0);
    CHECK(findings.verdict() == Verdict::invalid);
    findings.set_severity("TST001", Severity::off);
    findings.report(finding_of(odd, 1));
    CHECK(findings.known().count("TST001") == 0);
}

}  // namespace findings_test
