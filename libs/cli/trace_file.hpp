// cli/trace_file.hpp - an input whose format is known.
#pragma once

#include <string>
#include <string_view>

#include "cli/common_options.hpp"
#include "cli/messages.hpp"
#include "codec/format.hpp"
#include "io/input.hpp"

namespace hwtrace::cli {

/// The format of an open input: the one that --from names, else the one that claims its content, else the one whose
/// extension it has (a damaged head is then that format's finding). Null when there is none. Notes on `messages` where
/// name and content disagree.
const Format* identify(Input& input, const CommonOptions& options, Messages& messages);

/// The same where there is one. Throws Failure::input for no known format.
const Format& known_format(Input& input, const CommonOptions& options, Messages& messages);

/// "a file that begins with 7f 45 4c 46 ...", or "an empty file".
std::string head_text(Input& input);

struct TraceFile {
    Input input;
    const Format* format;

    /// What messages call it: the path as given, or "<stdin>".
    const std::string& name() const noexcept { return input.name(); }
};

/// Opens `path` ("-": standard input) and finds its format. Throws Failure::io, and Failure::input for no known format.
TraceFile open_trace(const std::string& path, const CommonOptions& options, Messages& messages);

/// Whether reading the input asks for a temporary file: it is a pipe that the format cannot read as it comes.
bool needs_spooling(const TraceFile& trace) noexcept;

/// Finds for which records were lost are shown this often each; the rest is counted.
constexpr std::size_t findings_shown_per_rule = 5;
/// Says each finding as it comes.
void report_findings(Findings& findings, const std::string& file, Messages& messages);
/// True when data is missing or an error was found: the result cannot be taken for that of a good file.
bool breaks_its_format(const Findings& findings) noexcept;
/// Says how many findings were counted but not shown.
void report_hidden_findings(const Findings& findings, const std::string& file, Messages& messages);

}  // namespace hwtrace::cli
