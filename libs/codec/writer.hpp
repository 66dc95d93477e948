// codec/writer.hpp - the interface of every format's writer: model to bytes.
#pragma once

#include "model/record.hpp"

namespace hwtrace {

/// Writes a trace from batches of records.
class Writer {
public:
    virtual ~Writer() = default;
    /// Writes every record of the batch. It has only kinds that the format's WriteCapabilities declare. The schema may
    /// have grown since the last call, if the format allows that. Throws Failure::io.
    virtual void write(const Batch& batch) = 0;
    /// Writes everything so far to the output in a form that can be read if nothing more follows. Does nothing if the
    /// format does not allow that.
    virtual void checkpoint() {}
    /// Writes what completes the file: tables, patched headers, checksums. The caller commits the Output.
    virtual void finish() = 0;
};

}  // namespace hwtrace
