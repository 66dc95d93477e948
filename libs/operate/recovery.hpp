// operate/recovery.hpp - salvages a valid trace from a damaged file.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string>

#include "codec/format.hpp"
#include "convert/convert.hpp"
#include "convert/verification.hpp"
#include "io/output.hpp"

namespace hwtrace {

struct Recovery {
    std::unique_ptr<Output> output;  ///< a valid trace, not committed yet; null if none could be made
    ConversionCounts counts;
    std::uint64_t dropped = 0;         ///< records that were read but would make the output invalid
    std::uint64_t missing = 0;         ///< positions lost to damage, if the source states them
    std::optional<std::string> fault;  ///< the fault of the best attempt, if none is valid
    Losses losses;                     ///< the dropped records, and losses of the conversion
    Verification verification;         ///< with RecoveryOptions::verify, of the output and the kept records
};

struct RecoveryOptions {
    const Settings& settings;  ///< for reader and writer; must outlive the recovery
    /// Creates the output file. Called once per attempt. All outputs but the last one are discarded.
    std::function<std::unique_ptr<Output>()> make_output;
    /// Maximum number of records that are dropped one by one because they make the output invalid. After that, all
    /// tracks with such records and all native records are dropped.
    std::size_t most_culprits = 32;
    ProgressListener progress{};
    bool verify = false;  ///< also compares the valid output with the kept records
};

/// Reads `input`, a seekable trace in format `from`, with full checks. Writes the readable records as a trace in format
/// `to` and reads that output back with the same checks. While the output is invalid, finds the record that causes the
/// fault, drops it and tries again. `findings` receives the findings about the input. Throws the same errors as
/// opening, reading and planning.
Recovery recover(Input& input, const Format& from, const Format& to, Findings& findings,
                 const RecoveryOptions& options);

}  // namespace hwtrace
