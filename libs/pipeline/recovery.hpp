// pipeline/recovery.hpp - a valid trace of what can be read of a damaged one.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string>

#include "codec/format.hpp"
#include "io/output.hpp"
#include "pipeline/convert.hpp"

namespace hwtrace {

struct Recovery {
    std::unique_ptr<Output> output;  ///< a valid trace, not committed yet; null where none could be made
    ConversionCounts counts;
    std::uint64_t dropped = 0;         ///< records that were read, but make no valid trace
    std::uint64_t missing = 0;         ///< positions that damage has taken, where the source tells
    std::optional<std::string> fault;  ///< what is wrong with the best that could be made, where that is not valid
    Losses losses;                     ///< the dropped ones, and what the target cannot hold
};

struct RecoveryOptions {
    const Settings& settings;  ///< of reader and writer; outlives the recovery
    /// Makes the file anew: each attempt has its own, all but the last are thrown away.
    std::function<std::unique_ptr<Output>()> make_output;
    /// So many records, one by one, are found out to be what makes the result invalid, before the tracks are dropped
    /// that they are on, and all that only the source's own format understands.
    std::size_t most_culprits = 32;
    ProgressListener progress{};
};

/// Reads the `from` trace `input`, which is seekable, checking everything, and writes what can be read as a `to` trace,
/// which is read again and checked as closely. Where it is not valid, the record that makes it so is looked for and
/// dropped, again and again. `findings` are those about the input. Throws what opening, reading and planning throw.
Recovery recover(Input& input, const Format& from, const Format& to, Findings& findings,
                 const RecoveryOptions& options);

}  // namespace hwtrace
