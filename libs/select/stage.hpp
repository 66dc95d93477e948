// select/stage.hpp - one step between a reader and a writer: batches in, batches out.
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <string_view>

#include "model/record.hpp"
#include "model/schema.hpp"
#include "model/state.hpp"

namespace hwtrace {

class Appender;
class Cursor;

/// Transforms a stream of records. Stages are chained: the schema of one is the source schema of the next.
class Stage {
public:
    /// The place where a stage's output begins.
    struct Entry {
        Tick time = 0;
        StateTable* state = nullptr;  ///< receives the contents of the storages there; null: not needed
    };

    virtual ~Stage() = default;
    /// Returns the schema of the records that this stage appends. The tracks of this schema are complete after
    /// construction, but strings may be added.
    virtual const Schema& schema() const = 0;
    /// Converts the records of `in` and appends the results to `out`.
    virtual void apply(const Batch& in, Batch& out) = 0;
    /// Returns true if the stage passes on all records of `in` unchanged, and nothing else. Then `in` counts as
    /// applied, and the caller passes it on.
    virtual bool takes_whole(const Batch& in) {
        static_cast<void>(in);
        return false;
    }
    /// Appends the records that were held back, until `out` is full. Called after the input has ended. Returns true if
    /// more records remain. Then, call it again.
    virtual bool finish(Batch& out) = 0;

    /// Called on the first stage behind a reader, before the first record. Returns the place to which the reader may
    /// seek, or nullopt if the reader must start at the beginning.
    virtual std::optional<Entry> entry() { return std::nullopt; }
    /// Called after the reader has moved to entry(). Times never decrease from then on.
    virtual void entered() {}
    /// Returns true if no further record of the reader can affect the output.
    virtual bool past() const { return false; }

    /// The records that a stage leaves out at the beginning of a trace.
    struct LeftOut {
        bool by_time = false;          ///< true: those that end before `time`; false: those before `position`
        std::uint64_t position = 0;    ///< see position_kind()
        Tick time = 0;                 ///< in the time base that all tracks have
        bool needs_relations = false;  ///< the stage must see relations that lead to intervals behind them
    };
    /// Returns the records before the stage's output, or nullopt if the stage must see all records. A stage that
    /// returns them may restore the state after any of them.
    virtual std::optional<LeftOut> left_out() const { return std::nullopt; }
    /// Appends the state that the records so far have left. All of them must have been left out. Returns false and
    /// appends nothing at a place where that is impossible.
    virtual bool save_state(Appender& out) const {
        static_cast<void>(out);
        return false;
    }
    /// Adds a text to the schema behind the reader and returns its id.
    using AddText = std::function<StringId(std::string_view)>;
    /// Restores a state that a stage of the same schema saved, before the first apply(). Throws Truncated or
    /// Failure::input if the state does not fit the schema.
    virtual void restore_state(Cursor& in, const AddText& add_text) {
        static_cast<void>(in);
        static_cast<void>(add_text);
    }
};

}  // namespace hwtrace
