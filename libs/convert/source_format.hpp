// convert/source_format.hpp - the format of a source, and what is known about this particular input.
#pragma once

#include <cstdint>
#include <optional>

#include "codec/format.hpp"

namespace hwtrace {

/// The format of a source. `reads` holds the format's capabilities, or narrower ones that are true for one input.
struct SourceFormat {
    // NOLINTNEXTLINE(google-explicit-constructor): a format says all if nothing is known about the input
    SourceFormat(const Format& any) : format(any), reads(any.reads) {}

    const Format& format;
    ReadCapabilities reads;
    /// The greatest number of ticks by which a record precedes a record before it. Known only if the input was read in
    /// advance and has no frames.
    std::optional<std::uint64_t> lateness{};
};

}  // namespace hwtrace
