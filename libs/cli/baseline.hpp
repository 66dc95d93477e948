// cli/baseline.hpp - findings that are known and accepted: --baseline, --write-baseline.
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <string_view>
#include <utility>

#include "codec/findings.hpp"

namespace hwtrace::cli {

/// What stays the same about a finding when the trace is recorded again: 16 digits made of its rule and of the words of
/// its place, expectation and fact. Numbers take no part: offsets, ordinals and values move.
std::string fingerprint(const Finding& finding);

/// One kind of finding of a file.
struct KnownFinding {
    std::string rule;
    std::uint64_t count = 0;
    std::string example;  ///< the first of them, for people who read the baseline
};
/// Those of one file, by fingerprint.
using KnownFindings = std::map<std::string, KnownFinding, std::less<>>;

/// Counts `finding` in `findings`. Of more than 100,000 fingerprints in a file, the later ones are left out: returns
/// false.
bool add_finding(KnownFindings& findings, const Finding& finding, const std::string& fingerprint);

/// The known findings of files. A file is called after its place relative to the folder of the baseline, with bytes
/// that are no UTF-8 as "\xff".
class Baseline {
public:
    Baseline() = default;
    /// Reads a baseline. Throws Failure::io, and Failure::usage where it is none or is of a version that is not known.
    static Baseline read(const std::string& path);

    /// The --level at which it was written; empty: not told.
    const std::string& level() const noexcept { return level_; }
    void set_level(std::string level) { level_ = std::move(level); }
    /// Those of a file on the command line; none where it has none.
    KnownFindings of(const std::string& file) const;
    /// Takes the place of what was known of that file.
    void set(const std::string& file, KnownFindings findings);
    /// As JSON, the same bytes for the same findings; for a file at `path`.
    std::string text(const std::string& path) const;

private:
    std::map<std::string, KnownFindings> files_;  // by absolute path
    std::string level_;
};

}  // namespace hwtrace::cli
