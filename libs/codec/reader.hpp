// codec/reader.hpp - bytes to model: what every format's reader is.
#pragma once

#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include "model/record.hpp"
#include "model/schema.hpp"

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
    /// What is known besides the model. Complete after the last read().
    virtual Facts facts() const = 0;
    /// Bytes of the input consumed so far, for progress.
    virtual std::uint64_t position() const = 0;
};

}  // namespace hwtrace
