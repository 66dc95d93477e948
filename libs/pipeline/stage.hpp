// pipeline/stage.hpp - one step between a reader and a writer: batches in, batches out.
#pragma once

#include <optional>

#include "model/record.hpp"
#include "model/schema.hpp"
#include "model/state.hpp"

namespace hwtrace {

class Stage {
public:
    /// Where the records begin that a stage lets through.
    struct Entry {
        Tick time = 0;
        StateTable* state = nullptr;  ///< becomes what storages hold there; null where nobody asks
    };

    virtual ~Stage() = default;
    /// What the records that this stage appends refer to. Complete for tracks after construction; strings may grow.
    virtual const Schema& schema() const = 0;
    /// Appends to `out` what becomes of the records of `in`.
    virtual void apply(const Batch& in, Batch& out) = 0;
    /// The input has ended: appends what was held back, until `out` is full. True: there is more, call again.
    virtual bool finish(Batch& out) = 0;

    /// Of the first stage behind a reader, before its first record: where Reader::seek may go; none: to the beginning.
    virtual std::optional<Entry> entry() { return std::nullopt; }
    /// The reader went there; the times of what comes from there on never decrease.
    virtual void entered() {}
    /// True when nothing comes of what the reader still has.
    virtual bool past() const { return false; }
};

}  // namespace hwtrace
