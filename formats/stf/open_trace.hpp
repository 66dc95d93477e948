// formats/stf/open_trace.hpp - opens a trace and reads its header. The header determines which reader is created.
#pragma once

#include <memory>
#include <vector>

#include "codec/reader.hpp"
#include "codec/settings.hpp"
#include "scanner.hpp"

namespace hwtrace::stf {

struct OpenTrace {
    /// Opens the trace and reads the header. Throws the same exceptions as Scanner and Scanner::read_header(). All
    /// arguments must outlive the object.
    OpenTrace(Input& input, const Settings& settings, Findings& findings)
        : scanner(input, settings.limits, findings, settings.jobs), header(scanner.read_header()) {}

    Scanner scanner;
    std::vector<HeaderRecord> header;
};

/// Creates the reader of transaction traces.
std::unique_ptr<Reader> open_transactions(std::unique_ptr<OpenTrace> trace, Input& input, const Settings& settings);

}  // namespace hwtrace::stf
