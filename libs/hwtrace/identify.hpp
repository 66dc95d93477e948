// hwtrace/identify.hpp - finds the format of an input.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "codec/format.hpp"
#include "hwtrace/listeners.hpp"
#include "io/input.hpp"

namespace hwtrace {

/// Returns the format of an open input, or nullptr if no format fits. The content decides, or the extension if the
/// content matches no format. In the last case the header is damaged, and the reader reports that. Consumes nothing.
const Format* identify(Input& input, FormatList formats, const NoteListener& note = {});
/// Does the same, but throws Failure::input if no format fits.
const Format& known_format(Input& input, FormatList formats, const NoteListener& note = {});

/// Returns true if the input is a pipe that the format cannot read directly, so that it needs a temporary file.
bool needs_spooling(const Input& input, const Format& format) noexcept;

/// If hwtrace only writes the format that the name selects, returns "hwtrace writes csv, but does not read it: ...".
/// Otherwise, returns an empty text.
std::string why_not_read(FormatList formats, std::string_view name);
/// Returns "a file that begins with 7f 45 4c 46 ..." or "an empty file".
std::string head_text(Input& input);
/// Returns the names of the formats, as in "stf, uscope".
std::string format_names(FormatList formats);
/// Returns those of the formats that hwtrace reads.
std::vector<const Format*> readable(FormatList formats);
/// Returns those of the formats that hwtrace writes.
std::vector<const Format*> writable(FormatList formats);

}  // namespace hwtrace
