// formats/waveform/codec.hpp - the functions that format.cpp puts into the descriptors.
#pragma once

#include <memory>
#include <span>

#include "codec/format.hpp"

namespace hwtrace::waveform {

/// Returns true if the file with this head is a VCD file, compressed or not.
bool recognise_vcd(std::span<const std::byte> head);
std::unique_ptr<Reader> open_vcd(Input& input, const Settings& settings, Findings& findings);

/// Returns true if the file with this head is an FST file.
bool recognise_fst(std::span<const std::byte> head);
std::unique_ptr<Reader> open_fst(Input& input, const Settings& settings, Findings& findings);

/// Opens a reader of one of the formats.
using OpenReader = std::unique_ptr<Reader> (*)(Input& input, const Settings& settings, Findings& findings);
/// Renders the view "changes": one line for each change, with its time and the full name of the variable.
void render_changes(OpenReader open, Input& input, TextForm form, TextOutput& out, const Settings& settings,
                    Findings& findings);

}  // namespace hwtrace::waveform
