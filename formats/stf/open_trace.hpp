// formats/stf/open_trace.hpp - a trace whose header has been read, so that it is known which reader it needs.
#pragma once

#include <memory>
#include <vector>

#include "codec/reader.hpp"
#include "codec/settings.hpp"
#include "scanner.hpp"

namespace hwtrace::stf {

struct OpenTrace {
    /// Throws what Scanner and Scanner::read_header() throw. All arguments outlive it.
    OpenTrace(Input& input, const Settings& settings, Findings& findings)
        : scanner(input, settings.limits, findings, settings.jobs), header(scanner.read_header()) {}

    Scanner scanner;
    std::vector<HeaderRecord> header;
};

/// The reader of transaction traces.
std::unique_ptr<Reader> open_transactions(std::unique_ptr<OpenTrace> trace, Input& input, const Settings& settings);

}  // namespace hwtrace::stf
