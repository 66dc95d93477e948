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

/// Format::create of this format. Times of records are picoseconds and do not decrease; write() throws Failure::input
/// where they do. Strings of `schema` may grow; metadata that grow later are losses.
std::unique_ptr<Writer> create_writer(Output& output, const Schema& schema, const Settings& settings, Losses& losses);

/// A writer for a program that records while others read: it says when a cycle is over, and segments end there.
class LiveWriter : public Writer {
public:
    /// No more records of the frame that was written last: the segment is committed when it is due, and the next one
    /// begins.
    virtual void end_cycle() = 0;
    /// Commits what has been written so far, whether it is due or not; the next write() begins a frame.
    virtual void end_segment() = 0;
    /// Called by end_cycle() and end_segment() when a segment begins, with the state that the records have made of the
    /// storages (tracks of the file: storages come first, in the order of the schema). What it changes is what the
    /// checkpoint says, and what later records change. (Segments that begin inside a very large cycle are not shown.)
    virtual void on_checkpoint(std::function<void(StateTable&)> revise) = 0;
    /// The number that the string of StringId 0 has in the file; the others follow. Texts in records are such numbers.
    virtual std::uint32_t first_string() const = 0;
};

/// As create_writer, but texts in records are numbers in the file's string table, and the table holds every string of
/// `schema` in order: a program knows a string's number before the string is used.
std::unique_ptr<LiveWriter> create_live_writer(Output& output, const Schema& schema, const Settings& settings,
                                               Losses& losses);

}  // namespace hwtrace::uscope
