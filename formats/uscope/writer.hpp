// formats/uscope/writer.hpp - writes µScope 0.3.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>

#include "codec/losses.hpp"
#include "codec/settings.hpp"
#include "codec/writer.hpp"
#include "io/output.hpp"
#include "model/schema.hpp"
#include "model/state.hpp"

namespace hwtrace::uscope {

/// Implements Format::create. Times of records are picoseconds. If they decrease, write() throws Failure::input.
/// `schema` may get more strings while writing. Metadata that is added while writing is counted as a loss.
std::unique_ptr<Writer> create_writer(Output& output, const Schema& schema, const Settings& settings, Losses& losses);

/// A writer for a program whose recording is read while it runs. The program calls end_cycle() where a segment may end.
class LiveWriter : public Writer {
public:
    /// Ends the current frame. If the segment is due, it is committed and the next one begins.
    virtual void end_cycle() = 0;
    /// Ends the current frame and commits the segment even if it is not due. The next write() begins a new frame.
    virtual void end_segment() = 0;
    /// Sets a callback that is called when end_cycle() or end_segment() begins a segment. The callback gets the state
    /// after all records so far, with storages in schema order. If the callback changes the state, the checkpoint
    /// stores the changed state, and later records apply to that state. There is no call for segments that begin inside
    /// a very large cycle.
    virtual void on_checkpoint(std::function<void(StateTable&)> revise) = 0;
    /// Returns the index of StringId 0 in the file's string table; the other ids follow. String cells of records must
    /// be indexes into this table.
    virtual std::uint32_t first_string() const = 0;
};

/// Returns a writer like create_writer(), but string cells of records are indexes into the file's string table. The
/// table contains every string of `schema` in order, so the index of a string is known before the file is closed.
std::unique_ptr<LiveWriter> create_live_writer(Output& output, const Schema& schema, const Settings& settings,
                                               Losses& losses);

}  // namespace hwtrace::uscope
