// formats/perfetto/proto_drawing.hpp - writes a timeline as a trace of Perfetto: packets of Protocol Buffers.
#pragma once

#include <memory>
#include <string_view>

#include "drawing.hpp"
#include "io/output.hpp"

namespace hwtrace::perfetto {

/// `title` is the name of the root. `output` must outlive the result.
std::unique_ptr<Drawing> draw_protobuf(Output& output, std::string_view title);

}  // namespace hwtrace::perfetto
