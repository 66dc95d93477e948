// cli/baseline.hpp - files of known findings, which do not fail a check: --baseline, --write-baseline.
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <string_view>
#include <utility>

#include "codec/findings.hpp"

namespace hwtrace::cli {

/// Returns a hash that identifies a finding even if the trace is recorded again: 16 hexadecimal digits. It covers the
/// rule and the words of `where`, `expected` and `got`, but no numbers, because offsets and values change.
std::string fingerprint(const Finding& finding);

/// The findings of a file that share a fingerprint.
struct KnownFinding {
    std::string rule;
    std::uint64_t count = 0;
    std::string example;  ///< text of the first finding, for readers of the baseline
};
/// The known findings of one file, by fingerprint.
using KnownFindings = std::map<std::string, KnownFinding, std::less<>>;

/// Counts `finding` under its fingerprint. Returns false without counting if the fingerprint is new and `findings`
/// already holds 100,000.
bool add_finding(KnownFindings& findings, const Finding& finding, const std::string& fingerprint);

/// The known findings of several files. File names are stored relative to the folder of the baseline. Bytes that are
/// not UTF-8 are written as "\xff".
class Baseline {
public:
    Baseline() = default;
    /// Reads a baseline. Throws Failure::io if the file cannot be read. Throws Failure::usage if the file is not a
    /// baseline or has an unknown version.
    static Baseline read(const std::string& path);

    /// Returns the --level of the run that wrote the baseline; empty if the baseline states none.
    const std::string& level() const noexcept { return level_; }
    void set_level(std::string level) { level_ = std::move(level); }
    /// Returns the known findings of `file`, a path as on the command line.
    KnownFindings of(const std::string& file) const;
    /// Replaces the known findings of a file.
    void set(const std::string& file, KnownFindings findings);
    /// Returns the JSON text for a baseline at `path`. Equal findings give equal text.
    std::string text(const std::string& path) const;

private:
    std::map<std::string, KnownFindings> files_;  // key: absolute path
    std::string level_;
};

}  // namespace hwtrace::cli
