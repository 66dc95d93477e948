// convert/convert.hpp - runs a plan: reader, stages, writer.
#pragma once

#include <cstdint>
#include <functional>

#include "codec/reader.hpp"
#include "codec/writer.hpp"
#include "convert/plan.hpp"

namespace hwtrace {

/// Called approximately once per batch with the number of input bytes read so far.
using ProgressListener = std::function<void(std::uint64_t input_bytes)>;

/// The numbers of records that a conversion read and wrote.
struct ConversionCounts {
    std::uint64_t records_read = 0;
    std::uint64_t records_written = 0;
};

/// Reads all records, passes them through the plan's stages to the writer, and finishes the writer. For a slice,
/// removes the losses that concern only the rest of the trace (PartLosses). The caller commits the output. Throws the
/// same errors as the reader, the stages and the writer. `so_far`, if not null, holds the counts while the records are
/// converted.
ConversionCounts convert(Reader& reader, Plan& plan, Writer& writer, const ProgressListener& progress = {},
                         ConversionCounts* so_far = nullptr);

}  // namespace hwtrace
