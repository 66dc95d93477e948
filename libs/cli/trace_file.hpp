// cli/trace_file.hpp - opens a trace and detects its format; reports its findings.
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <string_view>

#include "cli/common_options.hpp"
#include "cli/messages.hpp"
#include "codec/format.hpp"
#include "hwtrace/identify.hpp"
#include "io/input.hpp"

namespace hwtrace::cli {

/// Returns the format of --from, or null. A note names the format of the content if it is another one.
const Format* stated_format(Input& input, const CommonOptions& options, Messages& messages);
/// Returns the format that --from names, or else the format that the function of the library identifies. Prints a note
/// if the name and the content do not match.
const Format* identify(Input& input, const CommonOptions& options, Messages& messages);

/// Does the same, but throws Failure::input if no format fits.
const Format& known_format(Input& input, const CommonOptions& options, Messages& messages);

/// Returns a listener that prints notes about `file`. `messages` must outlive it.
NoteListener notes_of(std::string file, Messages& messages);

struct TraceFile {
    Input input;
    const Format* format;

    /// The name in messages: the path as given, or "<stdin>".
    const std::string& name() const noexcept { return input.name(); }
};

/// Throws Failure::io if `path` is a folder with the name of a format whose outputs are folders, such as those of
/// tables.
void refuse_written_folder(const std::string& path, FormatList formats);

/// Opens `path` ("-": standard input) and detects its format. Throws Failure::io if the file cannot be opened, and
/// Failure::input if no format fits.
TraceFile open_trace(const std::string& path, const CommonOptions& options, Messages& messages);

/// Returns true if the input is a pipe that the format cannot read directly, so that it needs a temporary file.
bool needs_spooling(const TraceFile& trace) noexcept;

/// The number of findings that are printed per rule. All other findings are only counted.
constexpr std::size_t findings_shown_per_rule = 5;
/// The number of lines for findings, and of lines for losses, unless -v is given.
constexpr std::size_t most_lines = 12;
/// Prints each finding as soon as it is reported, without -v at most 12 errors and 12 others. `messages` must outlive
/// `findings`.
void report_findings(Findings& findings, const std::string& file, Messages& messages);
/// Returns true if data is missing or an error was found.
bool breaks_its_format(const Findings& findings) noexcept;
/// Prints how many findings of each rule were counted but not printed.
void report_hidden_findings(const Findings& findings, const std::string& file, Messages& messages);

/// Returns "STF031: 25 more of these", or "36 more findings: STF031 25, STF040 11". Empty if nothing is hidden.
/// `hidden`: the numbers of findings by rule.
std::string hidden_text(const std::map<std::string_view, std::uint64_t>& hidden);

}  // namespace hwtrace::cli
