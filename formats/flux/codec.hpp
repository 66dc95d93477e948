// formats/flux/codec.hpp - the parts that the descriptor is made of.
#pragma once

#include <memory>

#include "codec/format.hpp"

namespace hwtrace::flux {

/// True when the head is a stream's: a HEAD of a known version, or a packed block.
bool recognise(Head head);
std::unique_ptr<Reader> open_reader(Input& input, const Settings& settings, Findings& findings);
/// The view "tree": items, types, labels and members.
void render_tree(Input& input, TextOutput& out, const Settings& settings, Findings& findings);
/// The view "entries": one line an entry, with its place.
void render_entries(Input& input, TextOutput& out, const Settings& settings, Findings& findings);

}  // namespace hwtrace::flux
