// formats/uscope/writer.hpp - writes µScope 0.3.
#pragma once

#include <cstddef>
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

class ItemWriter;

/// Implements Format::create. Times of records are picoseconds. If they decrease, write() throws Failure::input.
/// `schema` may get more strings while writing. Metadata that is added while writing is counted as a loss.
std::unique_ptr<Writer> create_writer(Output& output, const Schema& schema, const Settings& settings, Losses& losses);

/// A writer for a program whose recording is read while it runs. The program records cycles item by item instead of
/// calling write(). String cells are indexes into the file's string table.
class LiveWriter : public Writer {
public:
    /// Begins a cycle. Times are picoseconds and must not decrease.
    virtual void begin_cycle(Tick time) = 0;
    /// Returns the writer of the items of the open cycle.
    virtual ItemWriter& items() noexcept = 0;
    /// Makes room for another item. Must be called before an item if items().lacks_room() returns true.
    virtual void make_room() = 0;
    /// Ends the cycle. If the segment is due, it is committed and the next one begins.
    virtual void end_cycle() = 0;
    /// Commits the segment even if it is not due. Must be called between cycles.
    virtual void end_segment() = 0;
    /// Sets a callback that is called when end_cycle() or end_segment() begins a segment. The callback gets the state
    /// after all records so far, with storages in schema order. If the callback changes the state, the checkpoint
    /// stores the changed state, and later records apply to that state. There is no call for segments that begin inside
    /// a very large cycle.
    virtual void on_checkpoint(std::function<void(StateTable&)> revise) = 0;
    /// Returns the index of StringId 0 in the file's string table; the other ids follow.
    virtual std::uint32_t first_string() const = 0;
};

/// Returns a writer for `schema`, whose storages must precede its event types. The file's string table contains every
/// string of `schema` in order, so the index of a string is known before the file is closed.
std::unique_ptr<LiveWriter> create_live_writer(Output& output, const Schema& schema, const Settings& settings,
                                               Losses& losses);

}  // namespace hwtrace::uscope
