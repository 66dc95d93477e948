// pipeline/convert.hpp - runs a plan: reader, stages, writer.
#pragma once

#include <cstdint>
#include <functional>

#include "codec/reader.hpp"
#include "codec/writer.hpp"
#include "pipeline/plan.hpp"

namespace hwtrace {

/// Called for about every batch with the number of input bytes consumed so far.
using ProgressListener = std::function<void(std::uint64_t input_bytes)>;

/// The numbers of records that a conversion read and wrote.
struct ConversionCounts {
    std::uint64_t records_read = 0;
    std::uint64_t records_written = 0;
};

/// Reads everything, passes it through the plan's stages and finishes the writer. For a slice, removes the losses that
/// concern only other parts of the trace (PartLosses). The caller commits the output. Throws what reader, stages and
/// writer throw.
ConversionCounts convert(Reader& reader, Plan& plan, Writer& writer, const ProgressListener& progress = {});

}  // namespace hwtrace
