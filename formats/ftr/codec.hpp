// formats/ftr/codec.hpp - the functions that format.cpp puts into the descriptor.
#pragma once

#include <memory>
#include <string_view>

#include "codec/format.hpp"

namespace hwtrace::ftr {

std::unique_ptr<Reader> open_reader(Input& input, const Settings& settings, Findings& findings);
void render_transactions(Input& input, TextOutput& out, const Settings& settings, Findings& findings);
void render_tree(Input& input, TextOutput& out, const Settings& settings, Findings& findings);
void render_tree_data(Input& input, TextForm form, TextOutput& out, const Settings& settings, Findings& findings);
void render_transaction_data(Input& input, TextForm form, TextOutput& out, const Settings& settings,
                             Findings& findings);

}  // namespace hwtrace::ftr
