// codec/resumable.hpp - readers that can continue at a place where another reader of the same input has been.
#pragma once

namespace hwtrace {

class Appender;
class Cursor;

/// An interface that a Reader implements in addition if an index can hold checkpoints of its traces.
class Resumable {
public:
    virtual ~Resumable() = default;
    /// Prepares the reader for save_state(). Call it before the first read(). Returns false if save_state() never
    /// succeeds for this input.
    virtual bool keep_states() = 0;
    /// Appends the state of decoding before the next record. Another reader of the same input that restores it cannot
    /// be told apart from this one. Returns false and appends nothing at a place where that is impossible, such as
    /// inside a group of records.
    virtual bool save_state(Appender& out) = 0;
    /// Continues where another reader of the same input called save_state(). Returns false and changes nothing if the
    /// state does not fit the input. Throws Truncated or Failure::input if that is found out too late.
    virtual bool restore_state(Cursor& in) = 0;
};

}  // namespace hwtrace
