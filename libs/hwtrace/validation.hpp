// hwtrace/validation.hpp - checks a trace against the rules of its format.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <string>

#include "codec/findings.hpp"
#include "codec/format.hpp"
#include "codec/settings.hpp"
#include "formats.hpp"
#include "hwtrace/listeners.hpp"
#include "io/error.hpp"
#include "io/input.hpp"
#include "operate/scan.hpp"
#include "select/positions.hpp"

namespace hwtrace {

class TraceIndex;

/// How a trace is checked.
struct ValidationOptions {
    FormatList formats = hwtrace::formats();  ///< the formats to choose from
    const Format* format = nullptr;           ///< null: the content decides, else the extension
    CheckLevel level = CheckLevel::full;      ///< how thorough the check is
    Settings settings{};                      ///< limits and threads
    std::optional<Shard> shard{};             ///< checks only this part of the records; not at CheckLevel::quick
    /// With `shard`: returns an index of the input, or null. An empty function: no index.
    std::function<std::shared_ptr<const TraceIndex>(const Input&, const Format&)> find_index{};
    std::size_t findings_per_rule = 20;              ///< the number of findings that are kept; all are counted
    std::map<std::string, Severity> severities{};    ///< by the id of a rule; other rules keep their default
    std::function<bool(const Finding&)> is_known{};  ///< see Findings::screen(); null: no finding is known
    NoteListener note{};
    ByteListener progress{};
};

/// The result of checking one file.
struct ValidationReport {
    std::string file;
    const Format* format = nullptr;  ///< null: unknown
    /// The verdict. It is nullopt if the check ended before there was a verdict. Then, `fault` has the reason.
    std::optional<Verdict> verdict{};
    Findings findings{};
    std::optional<Shard> shard{};         ///< the part that was checked; nullopt: the whole trace
    ScanCounts counts{};                  ///< of the records that were checked; none at CheckLevel::quick
    std::optional<std::uint64_t> size{};  ///< file size in bytes
    std::string fault{};                  ///< why the check ended early: a limit, a missing file, ...
    std::optional<Failure> failure{};     ///< the kind of `fault`
    bool fault_is_found = false;          ///< a finding reports `fault` too

    bool is_valid() const noexcept { return verdict == Verdict::valid; }
};

/// Checks a file, or standard input for "-". Every problem is in the report, even a missing file. Throws only
/// Failure::usage and Failure::internal. A shard is checked as scan_shard() describes: all shards together report the
/// findings of the whole trace.
ValidationReport validate(const std::string& path, const ValidationOptions& options = {});
/// Checks an open input.
ValidationReport validate(Input input, const ValidationOptions& options = {});
/// Returns the report on a file that cannot be opened.
ValidationReport not_validated(std::string file, const Error& error, const ValidationOptions& options = {});

}  // namespace hwtrace
