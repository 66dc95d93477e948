// formats/uscope/frame_text.hpp - the view "frames": a whole file as text.
#pragma once

#include "codec/findings.hpp"
#include "codec/settings.hpp"
#include "io/input.hpp"
#include "io/text_output.hpp"

namespace hwtrace::uscope {

/// Prints the header, the schema and the number of strings. Then prints a line for each segment, frame and item in
/// Settings::window. Values are printed as in domain/value_text.hpp. Damage is reported as findings; everything
/// readable is printed.
void render_frames(Input& input, TextOutput& out, const Settings& settings, Findings& findings);

}  // namespace hwtrace::uscope
