// pipeline/stage.hpp - one step between a reader and a writer: batches in, batches out.
#pragma once

#include "model/record.hpp"
#include "model/schema.hpp"

namespace hwtrace {

class Stage {
public:
    virtual ~Stage() = default;
    /// What the records that this stage appends refer to. Complete for tracks after construction; strings may grow.
    virtual const Schema& schema() const = 0;
    /// Appends to `out` what becomes of the records of `in`.
    virtual void apply(const Batch& in, Batch& out) = 0;
    /// The input has ended: appends what was held back, until `out` is full. True: there is more, call again.
    virtual bool finish(Batch& out) = 0;
};

}  // namespace hwtrace
