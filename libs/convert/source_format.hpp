// convert/source_format.hpp - the format of a source, and what is known about this particular input.
#pragma once

#include "codec/format.hpp"

namespace hwtrace {

/// The format of a source. `reads` holds the format's capabilities, or narrower ones that are true for one input.
struct SourceFormat {
    // NOLINTNEXTLINE(google-explicit-constructor): a format says all if nothing is known about the input
    SourceFormat(const Format& any) : format(any), reads(any.reads) {}

    const Format& format;
    ReadCapabilities reads;
};

}  // namespace hwtrace
