// formats/uscope/frame_text.hpp - the view "frames": a whole file as readable text.
#pragma once

#include "codec/findings.hpp"
#include "codec/settings.hpp"
#include "io/input.hpp"
#include "io/text_output.hpp"

namespace hwtrace::uscope {

/// Header, schema and strings count, then a line for each segment, frame and item, with values as codec/value_text.hpp
/// shows them. Damage becomes findings; everything readable is shown; of frames and segments what is in
/// Settings::window.
void render_frames(Input& input, TextOutput& out, const Settings& settings, Findings& findings);

}  // namespace hwtrace::uscope
