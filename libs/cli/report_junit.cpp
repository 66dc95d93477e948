#include <fmt/format.h>

#include <memory>
#include <string_view>

#include "cli/report_forms.hpp"
#include "domain/value_text.hpp"

namespace hwtrace::cli {

namespace {

/// Escapes text for XML elements and attributes. Characters that XML forbids are written as by printable().
std::string xml_escaped(std::string_view text) {
    std::string safe;
    for (const char c : printable(text)) {
        switch (c) {
            case '&':
                safe += "&amp;";
                break;
            case '<':
                safe += "&lt;";
                break;
            case '>':
                safe += "&gt;";
                break;
            case '"':
                safe += "&quot;";
                break;
            default:
                safe.push_back(c);
        }
    }
    return safe;
}

struct Counts {
    std::uint64_t tests = 0, failures = 0, errors = 0;
};

std::string attributes(const Counts& counts) {
    return fmt::format("tests=\"{}\" failures=\"{}\" errors=\"{}\" skipped=\"0\"", counts.tests, counts.failures,
                       counts.errors);
}

class Suite {
public:
    explicit Suite(const Validation& v) : v_(v) {
        verdict();
        for (const Rule* const of : v.rules())
            rule(*of);
    }

    const Counts& counts() const noexcept { return counts_; }
    std::string text() const {
        return fmt::format("  <testsuite name=\"{}\" {}>\n{}  </testsuite>\n", xml_escaped(v_.file),
                           attributes(counts_), cases_);
    }

private:
    void begin(std::string_view name) {
        ++counts_.tests;
        cases_ += fmt::format("    <testcase classname=\"{}\" name=\"{}\"", xml_escaped(v_.file), xml_escaped(name));
    }
    void put(std::string_view element, std::string_view type, std::string_view message, std::string_view text) {
        cases_ += fmt::format(">\n      <{} type=\"{}\" message=\"{}\">{}</{}>\n    </testcase>\n", element,
                              xml_escaped(type), xml_escaped(message), text, element);
    }

    void verdict() {
        begin(fmt::format("verdict ({}{})", name_of(v_.level), v_.shard ? ", shard " + name_of(*v_.shard) : ""));
        if (!v_.verdict) {
            ++counts_.errors;
            return put("error", "not checked", v_.fault, "");
        }
        if (v_.exit == Exit::done) {
            cases_ += "/>\n";
            return;
        }
        ++counts_.failures;
        put("failure", name_of(*v_.verdict),
            fmt::format("{}: {}, {}, {}; {}{}", name_of(*v_.verdict), counted(v_.errors, "error"),
                        counted(v_.warnings, "warning"), counted(v_.notes, "note"),
                        counted(v_.counts.records, "record"), v_.reason_to_fail()),
            xml_escaped(v_.fault));
    }

    void rule(const Rule& rule) {
        const Severity severity = v_.findings.severity(rule);
        std::string text;
        for (const Finding& finding : v_.findings.kept())
            if (finding.rule->id == rule.id) text += fmt::format("{}\n", xml_escaped(describe(finding)));
        if (const std::uint64_t hidden = v_.hidden(rule); hidden != 0)
            text += fmt::format("{} more of these\n", hidden);
        begin(fmt::format("{} {}", rule.id, rule.title));
        if (v_.fails(rule)) {
            ++counts_.failures;
            return put("failure", name_of(severity), fmt::format("{} ({}x)", rule.title, v_.findings.total(rule.id)),
                       fmt::format("{}{}\n", text, xml_escaped(rule.why)));
        }
        cases_ += fmt::format(">\n      <system-out>{}: {}</system-out>\n    </testcase>\n", name_of(severity), text);
    }

    const Validation& v_;
    Counts counts_;
    std::string cases_;
};

}  // namespace

ReportForm junit_form() {
    struct State {
        Counts counts;
        std::string suites;
    };
    const auto state = std::make_shared<State>();
    const auto file = [state](const Validation& v) {
        const Suite suite(v);
        state->counts.tests += suite.counts().tests;
        state->counts.failures += suite.counts().failures;
        state->counts.errors += suite.counts().errors;
        state->suites += suite.text();
        return std::string();
    };
    const auto end = [state](Exit, std::string_view fault) {
        if (!fault.empty()) {
            const Counts none{.tests = 1, .errors = 1};
            state->counts.tests += none.tests;
            state->counts.errors += none.errors;
            state->suites += fmt::format(
                "  <testsuite name=\"files\" {}>\n    <testcase classname=\"files\" name=\"verdict\">\n      <error "
                "type=\"not checked\" message=\"{}\"></error>\n    </testcase>\n  </testsuite>\n",
                attributes(none), xml_escaped(fault));
        }
        return fmt::format(
            "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<testsuites name=\"hwtrace-validate\" {}>\n{}</testsuites>\n",
            attributes(state->counts), state->suites);
    };
    return {.file = file, .end = end};
}

}  // namespace hwtrace::cli
