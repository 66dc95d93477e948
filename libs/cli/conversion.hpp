// cli/conversion.hpp - common parts of the binaries that write a trace: target options, --explain, loss report, exit
// code.
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
#include "convert/convert.hpp"
#include "convert/plan.hpp"
#include "convert/verification.hpp"
#include "io/output.hpp"

namespace hwtrace::cli {

/// The help of -o, the same in every binary that writes one file.
inline constexpr std::string_view output_help = "The file to write; '-' is standard output";

/// The options that name the output and the accepted losses.
struct TargetOptions {
    std::string output;
    std::string to;           ///< the target format; empty: chosen by the extension of the output
    std::string loss_report;  ///< file of the JSON report; empty: none
    bool force = false;
    bool explain = false;  ///< prints the plan and the possible losses instead of writing
    bool verify = false;   ///< reads the output back and compares it before it is committed
    bool strict = false;
    bool allow_loss = false;
    bool allow_incomplete = false;

    /// Adds OUT, also as -o, for a binary with one input.
    void add_output_to(CommandLine& line);
    /// Adds --to, --force, --explain and --verify.
    void add_to(CommandLine& line);
    /// Adds --allow-loss, --allow-incomplete, --strict and --loss-report.
    void add_losses_to(CommandLine& line);

    /// Returns the target format: from --to, otherwise from the extension. Prints a note if the two disagree. Throws
    /// Failure::usage if neither names a format that can be written.
    const Format& format(FormatList formats, Messages& messages) const;
    /// Opens the output for a writer of `format`. Throws Failure::usage if it is one of `inputs`. If `reopens`, the
    /// output is read back, so standard output is spooled.
    std::unique_ptr<Output> open(const Format& format, const Settings& settings, bool reopens,
                                 const std::vector<std::optional<Input::Identity>>& inputs) const;
    /// Throws Failure::usage if `file`, which `option` names, is the output itself or inside it.
    void check_outside_output(std::string_view option, const std::string& file) const;
    /// Does the same for --loss-report. Throws Failure::usage if it is given with --explain.
    void check_loss_report() const;

private:
    /// Like format(), but may return a format that cannot be written.
    const Format& any_format(FormatList formats, Messages& messages) const;
};

/// The result of a conversion.
struct Outcome {
    std::string file;  ///< name of the source in messages
    std::string from;  ///< format of the source
    const Format& to;
    const Losses& losses;
    const ConversionCounts& counts;
    Effect effect = Effect::harmless;     ///< the worst effect of the findings in the source
    bool broken = false;                  ///< the source is not a valid trace
    std::optional<std::uint64_t> size{};  ///< of the source in bytes; nullopt for a pipe

    bool incomplete(const TargetOptions& options) const noexcept { return broken && !options.allow_incomplete; }
    /// Returns true if the output lacks data that users expect in it. Nobody expects all data in a picture, except with
    /// --strict.
    bool lossy(const TargetOptions& options) const noexcept {
        return !losses.none() && !options.allow_loss && (options.strict || !to.writes.is_picture);
    }
    /// Returns true if --strict forbids writing the output.
    bool refused(const TargetOptions& options) const noexcept {
        return options.strict && (incomplete(options) || lossy(options));
    }
};

/// Prints the plan for `file` and the possible losses on standard output (--explain). `source`: the schema of the
/// reader. `losses` receives the losses that a writer of `to` reports when it is created.
void explain(const std::string& file, Plan& plan, const Schema& source, const Format& to, const Settings& settings,
             Losses& losses);

/// Reports the result of --verify for `output`, which was made of `file`. Returns false if the output violates its
/// format in a way in which the input does not. Throws Failure::internal if the traces differ.
bool report_verification(const Verification& result, const std::string& file, const std::string& output,
                         Messages& messages);

/// Writes the loss report if --loss-report was given. Throws Failure::usage if the report would replace one of
/// `inputs`.
void write_loss_report(const TargetOptions& options, const Outcome& outcome, std::string_view tool,
                       JsonIntegers integers, const std::vector<std::optional<Input::Identity>>& inputs);

/// An output that is written but not yet committed.
struct Written {
    std::string name;
    std::uint64_t size = 0;
    std::function<void()> commit;
};

/// Commits the output unless --strict forbids it, reports losses and missing data, and returns the exit code.
Exit conclude(const TargetOptions& options, const Outcome& outcome, const Written& written, Messages& messages);
/// Does the same for a single output.
Exit conclude(const TargetOptions& options, const Outcome& outcome, Output& output, Messages& messages);

}  // namespace hwtrace::cli
