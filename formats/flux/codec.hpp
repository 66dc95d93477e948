// formats/flux/codec.hpp - the parts that the descriptor is made of.
#pragma once

#include <memory>

#include "codec/format.hpp"

namespace hwtrace::flux {

/// True when the head is a stream's: a HEAD of a known version, or a packed block.
bool recognise(Head head);
std::unique_ptr<Writer> create_writer(Output& output, const Schema& schema, const Settings& settings, Losses& losses);
/// Whether the writer wants times that never decrease: not of what was a flux stream, whose order is good already.
bool needs_time_order(const Schema& schema, const Settings& settings);
/// What the writer may have to leave out.
void foresee_losses(const Schema& schema, const Settings& settings, std::vector<ExpectedLoss>& losses);
std::unique_ptr<Reader> open_reader(Input& input, const Settings& settings, Findings& findings);
/// The view "tree": items, types, labels and members.
void render_tree(Input& input, TextOutput& out, const Settings& settings, Findings& findings);
/// The view "entries": one line an entry, with its place.
void render_tree_data(Input& input, TextForm form, TextOutput& out, const Settings& settings, Findings& findings);
void render_entries(Input& input, TextOutput& out, const Settings& settings, Findings& findings);
void render_entries_data(Input& input, TextForm form, TextOutput& out, const Settings& settings, Findings& findings);

}  // namespace hwtrace::flux
