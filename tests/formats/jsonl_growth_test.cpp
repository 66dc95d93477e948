// tests/formats/jsonl_growth_test.cpp - tests that reading takes time in proportion to the number of attributes.
#include <doctest/doctest.h>

#include <string>

#include "codec/format.hpp"
#include "formats.hpp"
#include "io/cursor.hpp"
#include "support/growth.hpp"

namespace jsonl_growth_test {

using namespace hwtrace;

namespace {

/// Returns the number of fields of the last track after reading `records` lines with "N" replaced by 0, 1, 2, ...
std::size_t fields_after(int records, const std::string& attributes, const std::string& first = {}) {
    std::string text = "{\"schema\":\"hwtrace-jsonl/1\"}\n";
    const auto add = [&](int number, const std::string& all) {
        text += R"({"type":"interval","time":0,"track":"t","duration":0,"attributes":{)";
        for (const char letter : all)
            letter == 'N' ? text.append(std::to_string(number)) : text.append(1, letter);
        text += "}}\n";
    };
    if (!first.empty())
        for (int i = 0; i < records; ++i)
            add(i, first);
    for (int i = 0; i < records; ++i)
        add(i, attributes);
    Input input = Input::memory("trace", as_bytes(text));
    Findings findings;
    const Settings plain;
    const auto reader = find_format(formats(), "jsonl")->open(input, plain, findings);
    for (Batch batch; reader->read(batch);)
        batch.clear();
    CHECK(findings.effect() == Effect::harmless);
    return reader->schema().tracks().back().fields.size();
}

}  // namespace

TEST_CASE("jsonl: reading attributes takes linear time") {
    CHECK(fields_after(3, R"("aN":[])") == 6);
    CHECK(hwtrace::test::growth(8000, [](int count) { fields_after(count, R"("aN":[])"); }) < 3);
    // Values of another type get fields of their own.
    CHECK(fields_after(3, R"("aN":"x")", R"("aN":1)") == 6);
    CHECK(hwtrace::test::growth(8000, [](int count) { fields_after(count, R"("aN":"x")", R"("aN":1)"); }) < 3);
}

}  // namespace jsonl_growth_test
