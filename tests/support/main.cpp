// tests/support/main.cpp - doctest's main. It prints one line per test case, which tests/run.sh counts.
#define DOCTEST_CONFIG_IMPLEMENT_WITH_MAIN
#include <doctest/doctest.h>

#include <cstdio>
#include <string>

#include "support/corpus.hpp"

namespace {

/// Prints "pass  NAME (0.01 s)" or "FAIL  ...". After skip_case(), prints "skip  NAME (0.01 s): REASON".
class CaseLines final : public doctest::IReporter {
public:
    explicit CaseLines(const doctest::ContextOptions& options) : silent_(options.quiet) {}

    void test_case_start(const doctest::TestCaseData& data) override {
        name_ = data.m_name;
        hwtrace::test::take_skipped();
    }
    void test_case_end(const doctest::CurrentTestCaseStats& stats) override {
        const bool skipped = hwtrace::test::take_skipped();
        const char* verdict = stats.failure_flags != 0 ? "FAIL" : skipped ? "skip" : "pass";
        if (silent_) return;
        const std::string reason = *verdict == 's' ? ": " + hwtrace::test::skip_reason() : "";
        std::printf("%s  %s (%.2f s)%s\n", verdict, name_, stats.seconds, reason.c_str());
        std::fflush(stdout);
    }

    void report_query(const doctest::QueryData&) override {}
    void test_run_start() override {}
    /// Fails if no case matches the filters, such as after a case was renamed.
    void test_run_end(const doctest::TestRunStats& stats) override {
        if (stats.numTestCasesPassingFilters == 0) std::puts("FAIL  no test case matches the filters");
    }
    void test_case_reenter(const doctest::TestCaseData&) override {}
    void test_case_exception(const doctest::TestCaseException&) override {}
    void subcase_start(const doctest::SubcaseSignature&) override {}
    void subcase_end() override {}
    void log_assert(const doctest::AssertData&) override {}
    void log_message(const doctest::MessageData&) override {}
    void test_case_skipped(const doctest::TestCaseData&) override {}

private:
    bool silent_;
    const char* name_ = "";
};

}  // namespace

DOCTEST_REGISTER_LISTENER("cases", 1, CaseLines);
