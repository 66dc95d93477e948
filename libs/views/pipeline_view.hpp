// views/pipeline_view.hpp - the view pipeline: the stages of instructions and transactions as a staircase.
#pragma once

#include "views/model_views.hpp"

namespace hwtrace {

/// Draws each instruction of a `cpu` scope and each transaction of a `noc` scope as a row, sorted by begin: a mark for
/// its end, its id, pc and disassembly, the cycle of the first column, and a letter for the stage in each cycle or
/// group of cycles. The columns show a window of time, which moves to a row that does not fit into it; a longer row has
/// further lines. Lines that begin with # explain the letters. As data, this view is the same as `timeline`.
std::vector<std::string> show_pipeline(Reader& reader, TextForm form, const ViewOptions& options,
                                       const Settings& settings, TextOutput& out, const ProgressListener& progress);

}  // namespace hwtrace
