// tests/query/query_support.hpp - queries traces in tests.
#pragma once

#include <doctest/doctest.h>

#include <memory>
#include <span>
#include <string>
#include <vector>

#include "codec/format.hpp"
#include "formats.hpp"
#include "hwtrace/identify.hpp"
#include "io/text_output.hpp"
#include "query/query_database.hpp"
#include "query/result_output.hpp"

namespace hwtrace::test {

/// A trace in memory, and a database with its tables.
class Queried {
public:
    explicit Queried(std::string text, QueryOptions options = {}) : bytes_(std::move(text)) {
        const auto open = [this] { return Input::memory("test", std::as_bytes(std::span(bytes_))); };
        Input input = open();
        const Format* const format = sniff_format(formats(), input);
        REQUIRE(format != nullptr);
        trace_ = std::make_shared<QueryTrace>("test", open, *format, std::move(options), findings_);
        database_.add({trace_});
    }

    /// Returns the rows as CSV, without the line of names.
    std::string operator()(const std::string& sql) {
        TextOutput out(-1);
        const std::unique_ptr<ResultOutput> result =
            make_result_output(TextForm::csv, settings_, out, std::string::npos);
        database_.run(sql, *result);
        result->finish();
        const std::string_view text = out.text();
        return std::string(text.substr(std::min(text.find('\n') + 1, text.size())));
    }
    QueryTrace& trace() { return *trace_; }
    const Findings& findings() const { return findings_; }

private:
    std::string bytes_;
    Settings settings_;
    Findings findings_;
    std::shared_ptr<QueryTrace> trace_;
    QueryDatabase database_;
};

}  // namespace hwtrace::test
