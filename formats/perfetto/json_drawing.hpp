// formats/perfetto/json_drawing.hpp - writes a timeline in the JSON of Chrome's trace viewer (Trace Event Format).
#pragma once

#include <memory>
#include <string_view>

#include "drawing.hpp"
#include "io/output.hpp"

namespace hwtrace::perfetto {

/// `title` is the name of the root. `output` must outlive the result.
std::unique_ptr<Drawing> draw_json(Output& output, std::string_view title);

}  // namespace hwtrace::perfetto
