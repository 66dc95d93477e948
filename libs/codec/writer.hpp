// codec/writer.hpp - model to bytes: what every format's writer is.
#pragma once

#include "model/record.hpp"

namespace hwtrace {

class Writer {
public:
    virtual ~Writer() = default;
    /// Writes every record of the batch, which has only kinds the format's writer declared. New schema entries may have
    /// appeared since the last call where the format's writer allows a growing schema.
    virtual void write(const Batch& batch) = 0;
    /// Puts what was written so far into the output, so that it can be read if nothing more comes; where a format has
    /// no way to do that, nothing happens.
    virtual void checkpoint() {}
    /// Tables, patched headers, checksums. The caller commits the Output.
    virtual void finish() = 0;
};

}  // namespace hwtrace
