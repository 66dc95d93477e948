// cli/conversion.hpp - what the binaries that write a trace share: the target, the plan, and what is said at the end.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "cli/common_options.hpp"
#include "cli/exit_code.hpp"
#include "codec/findings.hpp"
#include "codec/losses.hpp"
#include "io/output.hpp"
#include "pipeline/convert.hpp"
#include "pipeline/plan.hpp"

namespace hwtrace::cli {

/// What is written, and what may be lost.
struct TargetOptions {
    std::string output;
    std::string to;           ///< the target format; empty: by the output's extension
    std::string loss_report;  ///< a file for the JSON report; empty: none
    bool force = false;
    bool strict = false;
    bool allow_loss = false;
    bool allow_incomplete = false;

    /// OUT, and -o in place of it, for a binary with one input.
    void add_output_to(CommandLine& line);
    /// --to and --force.
    void add_to(CommandLine& line);
    /// --allow-loss, --allow-incomplete, --strict and --loss-report.
    void add_losses_to(CommandLine& line);

    /// Throws Failure::usage where neither --to nor the name of the output tells it; a note where they disagree.
    const Format& format(FormatList formats, Messages& messages) const;
    /// The output is none of `inputs`; patchable where it goes to standard output and `patched`.
    std::unique_ptr<Output> open(bool patched, const std::string& folder,
                                 const std::vector<std::optional<Input::Identity>>& inputs) const;
    /// The report must not take the place of the trace, and there is none where nothing is written. Throws
    /// Failure::usage.
    void check_loss_report(bool writes) const;
};

/// What came of a conversion.
struct Outcome {
    std::string file;  ///< what messages call the source
    std::string from;  ///< its format
    const Format& to;
    const Losses& losses;
    const ConversionCounts& counts;
    Effect effect = Effect::harmless;  ///< of the findings about the source
    bool broken = false;               ///< it is no valid trace

    bool incomplete(const TargetOptions& options) const noexcept { return broken && !options.allow_incomplete; }
    bool lossy(const TargetOptions& options) const noexcept { return !losses.none() && !options.allow_loss; }
    /// --strict: nothing is written.
    bool refused(const TargetOptions& options) const noexcept {
        return options.strict && (incomplete(options) || lossy(options));
    }
};

/// The plan of `file`, whose reader has the schema `source`, on standard output with the losses that can happen: also
/// those that a writer of `to` knows of when it is created, which `losses` gets.
void explain(const std::string& file, Plan& plan, const Schema& source, const Format& to, const Settings& settings,
             Losses& losses);

/// Writes the report of losses where one is wanted; it takes the place of none of `inputs`.
void write_loss_report(const TargetOptions& options, const Outcome& outcome, std::string_view tool,
                       JsonIntegers integers, const std::vector<std::optional<Input::Identity>>& inputs);

/// What was written, and is not in its place yet.
struct Written {
    std::string name;
    std::uint64_t size = 0;
    std::function<void()> commit;
};

/// Puts what was written in its place, unless it is refused, and says what was lost or is missing.
Exit conclude(const TargetOptions& options, const Outcome& outcome, const Written& written, Messages& messages);
/// The same of one output.
Exit conclude(const TargetOptions& options, const Outcome& outcome, Output& output, Messages& messages);

}  // namespace hwtrace::cli
