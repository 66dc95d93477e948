// codec/reader.hpp - bytes to model: what every format's reader is.
#pragma once

#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include "model/record.hpp"
#include "model/schema.hpp"
#include "model/state.hpp"

namespace hwtrace {

/// A fact about a file for hwtrace-info: {"container", "ZSTF, 24 chunks of 100000"}; keys are stable.
using Facts = std::vector<std::pair<std::string, std::string>>;

class Reader {
public:
    virtual ~Reader() = default;
    /// What has been declared so far: complete for every batch handed out. The same object for the reader's life.
    virtual Schema& schema() = 0;
    /// Appends records to `batch`, which the caller has cleared, until it is full() or the input ends; false when
    /// nothing was appended because the input has ended. Damage becomes findings; Error is thrown only for limits and
    /// the system.
    virtual bool read(Batch& batch) = 0;
    /// Goes to a place that every record at `time` and later lies behind, as near to the first of them as the input
    /// tells without being read up to there; read() goes on from it. `state`, where it is not null, is a table of this
    /// schema and becomes the state of all storages at that place. May be called again and again, before and after
    /// read(). False where the input has no such places (a caller then reads from the beginning): nothing has changed.
    virtual bool seek(Tick time, StateTable* state) {
        (void)time, (void)state;
        return false;
    }
    /// What is known besides the model. Complete after the last read().
    virtual Facts facts() const = 0;
    /// Bytes of the input consumed so far, for progress.
    virtual std::uint64_t position() const = 0;
};

}  // namespace hwtrace
