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

/// Format::create of this format. Times of records are picoseconds and do not decrease; otherwise write() throws
/// Failure::input. `schema` may get more strings while writing; later metadata are losses.
std::unique_ptr<Writer> create_writer(Output& output, const Schema& schema, const Settings& settings, Losses& losses);

/// A writer for a program that records while others read. The program states when a cycle is over; segments end there.
class LiveWriter : public Writer {
public:
    /// Ends the current frame. If the segment is due, it is committed and the next one begins.
    virtual void end_cycle() = 0;
    /// Ends the current frame and commits the segment even if it is not due. The next write() begins a frame.
    virtual void end_segment() = 0;
    /// Sets a callback for the begin of segments by end_cycle() and end_segment(). It gets the state after all records
    /// so far, with storages in the order of the schema. Changes that it makes to the state are stored in the
    /// checkpoint, and later records apply to the changed state. The callback is not called for segments that begin
    /// inside a very large cycle.
    virtual void on_checkpoint(std::function<void(StateTable&)> revise) = 0;
    /// Returns the index of StringId 0 in the file's string table; the others follow. Texts in records are such
    /// indices.
    virtual std::uint32_t first_string() const = 0;
};

/// Like create_writer, but texts in records are indices in the file's string table, and the table has every string of
/// `schema` in order. A program thus knows the index of a string before the file is closed.
std::unique_ptr<LiveWriter> create_live_writer(Output& output, const Schema& schema, const Settings& settings,
                                               Losses& losses);

}  // namespace hwtrace::uscope
