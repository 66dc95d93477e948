// formats/flux/codec.hpp - the functions that format.cpp puts into the descriptor.
#pragma once

#include <memory>

#include "codec/format.hpp"

namespace hwtrace::flux {

/// Returns true if the bytes begin like a flux stream: with a HEAD, a SWTH before a HEAD, or a packed block.
bool recognise(Head head);
std::unique_ptr<Writer> create_writer(Output& output, const Schema& schema, const Settings& settings, Losses& losses);
/// Returns true if the writer needs records in time order. Only the records of a flux source may keep their order.
bool needs_time_order(const Schema& schema, const Settings& settings);
/// Returns the time base of the domain in which a stream states times of `base`.
TimeBase stated_base(const TimeBase& base);
/// Appends the losses that writing `schema` may cause.
void foresee_losses(const Schema& schema, const Settings& settings, std::vector<ExpectedLoss>& losses);
std::unique_ptr<Reader> open_reader(Input& input, const Settings& settings, Findings& findings);
/// Renders the view "tree": items, types, labels and members.
void render_tree(Input& input, TextOutput& out, const Settings& settings, Findings& findings);
void render_tree_data(Input& input, TextForm form, TextOutput& out, const Settings& settings, Findings& findings);
/// Renders the view "entries": one line per entry, with its offset.
void render_entries(Input& input, TextOutput& out, const Settings& settings, Findings& findings);
void render_entries_data(Input& input, TextForm form, TextOutput& out, const Settings& settings, Findings& findings);

}  // namespace hwtrace::flux
