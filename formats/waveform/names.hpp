// formats/waveform/names.hpp - names and texts as VCD and FST files spell them.
#pragma once

#include <string>
#include <string_view>

namespace hwtrace::waveform {

/// Returns a name without blanks, for any bytes. Blanks, control characters and backslashes become \xHH, and an empty
/// name becomes \x. A range of bits at the end, such as "[7:0]", is set off by a blank.
std::string written_name(std::string_view name);
/// Returns the name that a file means: undoes written_name(), and removes the backslash of an escaped identifier of
/// Verilog and the blanks before indexes.
std::string read_name(std::string_view name);

/// Appends a text without blanks: printable ASCII, and escapes of C.
void append_escaped(std::string_view text, std::string& out);
/// Returns the text that append_escaped() wrote.
std::string unescaped(std::string_view text);

}  // namespace hwtrace::waveform
