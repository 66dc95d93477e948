// formats/commitlog/codec.hpp - the reader and the view that format.cpp registers.
#pragma once

#include <memory>

#include "codec/format.hpp"

namespace hwtrace::commitlog {

std::unique_ptr<Reader> open_reader(Input& input, const Settings& settings, Findings& findings);
/// Renders the view "instructions".
void render_instructions(Input& input, TextOutput& out, const Settings& settings, Findings& findings);
void render_instruction_data(Input& input, TextForm form, TextOutput& out, const Settings& settings,
                             Findings& findings);

}  // namespace hwtrace::commitlog
