// codec/writer.hpp - the interface of every format's writer: model to bytes.
#pragma once

#include "model/record.hpp"

namespace hwtrace {

/// Writes a trace from batches of records.
class Writer {
public:
    virtual ~Writer() = default;
    /// Writes all records of the batch. The batch has only record kinds that the format's WriteCapabilities declare.
    /// The schema may have grown since the last call, if the format allows this. Throws Failure::io.
    virtual void write(const Batch& batch) = 0;
    /// Does the same. Afterwards, the contents of `batch` are unspecified.
    virtual void take(Batch& batch) { write(batch); }
    /// Writes all data so far to the output, so that it can be read even if no more data follows. Does nothing if the
    /// format does not allow this.
    virtual void checkpoint() {}
    /// Returns true if threads of the writer's own do much of the work, such as compression.
    virtual bool has_threads() const noexcept { return false; }
    /// Completes the file: writes tables, headers and checksums. The caller commits the Output.
    virtual void finish() = 0;
};

}  // namespace hwtrace
