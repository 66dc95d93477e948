// pipeline/stage.hpp - one step between a reader and a writer: batches in, batches out.
#pragma once

#include <optional>

#include "model/record.hpp"
#include "model/schema.hpp"
#include "model/state.hpp"

namespace hwtrace {

/// Transforms a stream of records. Stages are chained: the schema of one is the source schema of the next.
class Stage {
public:
    /// The place where a stage's output begins.
    struct Entry {
        Tick time = 0;
        StateTable* state = nullptr;  ///< receives the contents of the storages there; null: not needed
    };

    virtual ~Stage() = default;
    /// The schema of the records that this stage appends. Its tracks are complete after construction; strings may be
    /// added.
    virtual const Schema& schema() const = 0;
    /// Appends to `out` the records made from those of `in`.
    virtual void apply(const Batch& in, Batch& out) = 0;
    /// Appends the records held back, after the input has ended, until `out` is full. Returns true if there are more;
    /// call it again.
    virtual bool finish(Batch& out) = 0;

    /// Called on the first stage behind a reader, before its first record. Returns where Reader::seek may go; none:
    /// start at the beginning.
    virtual std::optional<Entry> entry() { return std::nullopt; }
    /// Called after the reader has moved there. From now on its times never decrease.
    virtual void entered() {}
    /// Returns true if nothing that the reader still has can affect the output.
    virtual bool past() const { return false; }
};

}  // namespace hwtrace
